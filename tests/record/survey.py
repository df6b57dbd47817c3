#!/usr/bin/env python3
"""Does recording leave Debian's programs as they are, and does every recording replay? `./dev survey [WORD...]`

Runs the programs of survey_programs.txt, or those whose lines or headings contain a word, twice as they are and once
under `parcast record`, each time in a fresh folder with the same inputs. What they print to standard output, the files
that they leave and their exit status must agree, and `parcast predict` must have a prediction for each trace.
Prints what differs. Missing packages are installed first; a command that is missing then is skipped, with the reason.
"""

import argparse
import gzip
import hashlib
import io
import os
import pathlib
import random
import shlex
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import wave
import zipfile
import zlib
from dataclasses import dataclass, field

HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = HERE / "survey_programs.txt"
MARKS = {"varies", "silent", "refused"}
REFUSED = 125  # parcast's exit status for what it cannot record
TIME_LIMIT_S = 60
PACKAGES_AT_ONCE = 25
DEBIANS_PATH = "/usr/sbin:/usr/bin:/sbin:/bin:/usr/games"  # somebody's own python3 may come before it


@dataclass(frozen=True)
class Program:
    section: str  # the heading over its lines
    package: str
    marks: frozenset
    command: tuple

    @property
    def name(self):
        return " ".join(self.command)

    def has_one_of(self, words):
        return not words or any(word in f"{self.section}: {self.package} {self.name}" for word in words)


@dataclass(frozen=True)
class Outcome:
    status: int | None  # None: it ran out of time
    output: bytes
    files: dict = field(hash=False)  # by name: what they hold, as a checksum

    def differs_from(self, other, only_status):
        if self.status != other.status:
            return f"exit status {other.status}, bare {self.status}"
        if only_status:
            return None
        if self.output != other.output:
            return "other output"
        names = sorted(name for name in self.files.keys() | other.files.keys()
                       if self.files.get(name) != other.files.get(name))
        return f"other files: {', '.join(names[:3])}" if names else None


def programs_of(text):
    programs, section = [], ""
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("#"):
            section = line.strip("# ")
        if not line.strip() or line.startswith("#"):
            continue
        package, marks, command = line.split(None, 2)
        marks = frozenset(() if marks == "-" else marks.split(","))
        if not marks <= MARKS:
            raise ValueError(f"line {number}: unknown mark in {sorted(marks)}")
        programs.append(Program(section, package, marks, tuple(shlex.split(command))))
    return programs


# What the programs work on.


def png(width, height, pixels):
    def chunk(kind, data):
        return (len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big"))

    rows = b"".join(b"\0" + pixels[3 * width * y:3 * width * (y + 1)] for y in range(height))
    header = width.to_bytes(4, "big") + height.to_bytes(4, "big") + bytes([8, 2, 0, 0, 0])
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) +
            chunk(b"IEND", b""))


SOURCES = {
    "hello.c": """#include <stdio.h>
static int square(int x) { return x * x; }
int main(void) { int s = 0; for (int i = 0; i < 100; ++i) s += square(i); printf("%d\\n", s); return 0; }
""",
    "hello.cpp": """#include <map>
#include <string>
int main() { std::map<std::string, int> m; for (int i = 0; i < 9; ++i) ++m[std::to_string(i % 3)]; return m.size() != 3; }
""",
    "hello.f90": "program hello\n  integer :: i, s = 0\n  do i = 1, 100\n    s = s + i\n  end do\n  print *, s\nend program\n",
    "hello.asm": "section .text\nglobal start\nstart:\n  mov eax, 60\n  xor edi, edi\n  syscall\n",
    "Makefile": "all: $(foreach n,1 2 3 4 5 6 7 8,out$(n))\nout%:\n\tgzip -c -n text > $@\n",
    "build.ninja": "rule pack\n  command = gzip -c -n text > $out\n" + "".join(
        f"build n{n}: pack\n" for n in range(8)),
    "CMakeLists.txt": "cmake_minimum_required(VERSION 3.10)\nproject(hello C)\nadd_executable(hello hello.c)\n",
    "SConstruct": "for n in range(4):\n    Command(f's{n}', 'text', 'gzip -c -n $SOURCE > $TARGET')\n",
    "script.l": "%%\n[a-z]+ { return 1; }\n%%\nint yywrap(void) { return 1; }\n",
    "script.y": "%token N\n%%\nsum: N | sum '+' N;\n%%\n",
    "script.m4": "define(`twice', `$1 $1')twice(`parcast')\n",
    "script.tcl": "set s 0\nfor {set i 0} {$i < 100000} {incr i} { incr s $i }\nputs $s\n",
    "script.ml": "print_int (List.fold_left (+) 0 (List.init 10000 (fun i -> i * i)))\n",
    "script.bc": "s = 0\nfor (i = 0; i < 20000; i++) s += i * i\ns\n",
    "script.gp": "print(vecsum(parvector(50, i, prime(1000 * i))));\n",
    "script.gp2": "set terminal svg\nset output 'out.svg'\nplot sin(x)\n",
    "locks.py": """import threading
lock = threading.Lock()
total = 0
def work():
    global total
    for _ in range(20000):
        with lock:
            total += sum(range(50))
threads = [threading.Thread(target=work) for _ in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(total)
""",
    "pool.py": """import zlib
from concurrent.futures import ThreadPoolExecutor
with ThreadPoolExecutor(4) as pool:
    print(sum(pool.map(lambda i: len(zlib.compress(bytes(range(256)) * 400)), range(200))))
""",
    "queues.py": """import queue, threading
jobs, done = queue.Queue(5), queue.Queue()
def work():
    while (job := jobs.get()) is not None:
        done.put(sum(range(job)))
threads = [threading.Thread(target=work) for _ in range(4)]
for thread in threads: thread.start()
for job in range(2000): jobs.put(job)
for _ in threads: jobs.put(None)
for thread in threads: thread.join()
print(sum(done.get() for _ in range(2000)))
""",
    "forkserver.py": """import multiprocessing
def square(x): return x * x
if __name__ == "__main__":
    multiprocessing.set_start_method("forkserver")
    with multiprocessing.Pool(4) as pool: print(sum(pool.map(square, range(1000))))
""",
    "Pool.java": """import java.util.*;
import java.util.concurrent.*;
public class Pool {
    public static void main(String[] arguments) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(4);
        List<Future<Long>> results = new ArrayList<>();
        for (int i = 0; i < 200; ++i) {
            final int k = i;
            results.add(pool.submit(() -> { long s = 0; for (int j = 0; j < 200000; ++j) s += j * k % 7; return s; }));
        }
        long sum = 0;
        for (Future<Long> result : results) sum += result.get();
        System.out.println(sum);
        pool.shutdown();
    }
}
""",
    "page.xml": "<page>" + "".join(f"<item n='{n}'>x{n}</item>" for n in range(500)) + "</page>\n",
    "sheet.xsl": """<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
<xsl:template match="/"><out><xsl:value-of select="count(//item)"/></out></xsl:template></xsl:stylesheet>
""",
    "image.svg": "<svg xmlns='http://www.w3.org/2000/svg' width='99' height='99'><circle cx='50' cy='50' r='40'/></svg>\n",
    "graph.dot": "digraph { " + " ".join(f"n{n} -> n{n * 7 % 40};" for n in range(40)) + " }\n",
    "page.ps": "%!\n/Helvetica findfont 40 scalefont setfont 90 500 moveto (parcast) show showpage\n",
    "scene.pov": "camera { location <0, 1, -4> look_at 0 } light_source { <9, 9, -9> rgb 1 } sphere { 0, 1 pigment { rgb x } }\n",
    "model.lp": "Maximize\n obj: x + 2 y\nSubject To\n c1: x + y <= 10\n c2: x - y >= 2\nGeneral\n x y\nEnd\n",
    "model.cnf": "p cnf 3 3\n1 2 0\n-1 3 0\n-2 -3 0\n",
    "model.smt2": "(declare-const x Int)(assert (> (* x x) 50))(assert (< x 9))(assert (> x 0))(check-sat)\n",
    "sequence.fa": ">one\n" + "ACGTTGCAAC" * 200 + "\n",
}


def make_inputs(folder):
    """Writes the same bytes each time."""
    chosen = random.Random(1)
    words = ["".join(chosen.choices("abcdefghij", k=chosen.randint(1, 9))) for _ in range(3000)]
    text = "".join(" ".join(chosen.choices(words, k=9)) + "\n" for _ in range(30000))
    for name, content in SOURCES.items():
        (folder / name).write_text(content)
    (folder / "text").write_text(text)
    (folder / "small.txt").write_text(text[:20000])
    (folder / "other.txt").write_text(text[100:20000].replace("ab", "ba"))
    (folder / "numbers").write_text("".join(f"{chosen.randrange(10 ** 6)}\n" for _ in range(50000)))
    (folder / "names").write_text("small.txt\nother.txt\nnumbers\n" * 8)
    (folder / "data.csv").write_text("a,b\n" + "".join(f"{n},{n * 7919 % 1000}\n" for n in range(500)))
    (folder / "data.json").write_text("[" + ",".join(f'{{"id": {n}}}' for n in range(2000)) + "]")
    pixels = bytes((x * y + 31 * x) % 256 for y in range(128) for x in range(3 * 128))
    (folder / "image.ppm").write_bytes(b"P6 128 128 255\n" + pixels)
    (folder / "image.pbm").write_bytes(b"P4 64 64\n" + bytes(range(256)) * 2)
    (folder / "image.png").write_bytes(png(128, 128, pixels))
    (folder / "film.yuv").write_bytes(bytes((n * n >> 7) % 256 for n in range(64 * 64 * 3 // 2)) * 20)
    with wave.open(str(folder / "sound.wav"), "wb") as sound:
        sound.setparams((1, 2, 22050, 0, "NONE", ""))
        sound.writeframes(b"".join((n * n % 20000 - 10000).to_bytes(2, "little", signed=True) for n in range(22050)))
    (folder / "text.gz").write_bytes(gzip.compress(text[:200000].encode(), mtime=0))
    tree = folder / "tree"
    for n in range(60):
        (tree / f"d{n % 6}").mkdir(parents=True, exist_ok=True)
        (tree / f"d{n % 6}" / f"f{n}").write_text(text[n * 500:n * 500 + 100 * n + 100])
    with tarfile.open(folder / "archive.tar", "w") as archive:
        for path in sorted(tree.rglob("*")):
            entry = tarfile.TarInfo("from_tar/" + str(path.relative_to(tree)))
            content = path.read_bytes() if path.is_file() else b""
            entry.type = tarfile.REGTYPE if path.is_file() else tarfile.DIRTYPE
            entry.mode, entry.size = 0o755, len(content)
            archive.addfile(entry, io.BytesIO(content))
    with zipfile.ZipFile(folder / "archive.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo("in_zip"), text[:50000])


def run_quietly(command, folder):
    subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, check=False)


def make_inputs_with_tools(folder):
    """Those that other programs make, where they are installed."""
    if shutil.which("cpio"):
        run_quietly(["sh", "-c", "cd tree && find . | sort | cpio -o --quiet > ../archive.cpio"], folder)
    if shutil.which("gcc"):
        run_quietly(["gcc", "-fPIC", "-c", "hello.c", "-o", "object.o"], folder)
    if shutil.which("javac"):
        run_quietly(["javac", "Pool.java"], folder)
    if shutil.which("git"):
        shutil.copytree(folder / "tree", folder / "sources")
        identity = ["-c", "user.name=a", "-c", "user.email=a@b"]
        for words in (["init", "-q"], ["add", "."], [*identity, "commit", "-q", "-m", "one"]):
            run_quietly(["git", *words], folder / "sources")
    if shutil.which("dpkg-deb"):
        control = folder / "package" / "DEBIAN"
        control.mkdir(parents=True)
        (control / "control").write_text("Package: a\nVersion: 1\nArchitecture: all\nMaintainer: a <a@b>\nDescription: a\n")
        run_quietly(["dpkg-deb", "--root-owner-group", "-b", "package", "package.deb"], folder)


# Packages.


def is_installed(package):
    found = subprocess.run(["dpkg-query", "-W", "-f", "${db:Status-Status}", package], capture_output=True, check=False)
    return found.stdout == b"installed"


def install(packages):
    """Those that are missing afterwards."""
    missing = [package for package in packages if not is_installed(package)]
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    options = ["--yes", "--quiet", "--no-remove", "--no-install-recommends"]
    for first in range(0, len(missing), PACKAGES_AT_ONCE):
        batch = missing[first:first + PACKAGES_AT_ONCE]
        print(f"installing {' '.join(batch)}", file=sys.stderr, flush=True)
        together = subprocess.run(["apt-get", "install", *options, *batch], env=environment,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        if together.returncode != 0:
            for package in batch:
                subprocess.run(["apt-get", "install", *options, package], env=environment,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return {package for package in missing if not is_installed(package)}


# Runs.


def run_command(command, folder, environment):
    """Exit status (None: out of time) and standard output. Ends what is left of the program."""
    with subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, start_new_session=True) as process:
        try:
            output, _ = process.communicate(timeout=TIME_LIMIT_S)
            return process.returncode, output
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return None, b""


def files_of(folder):
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in sorted(folder.rglob("*")) if path.is_file() and not path.is_symlink()}


class Survey:
    def __init__(self, parcast, folder):
        self.parcast = parcast
        self.folder = folder
        self.inputs = folder / "inputs"
        self.inputs.mkdir()
        make_inputs(self.inputs)
        make_inputs_with_tools(self.inputs)
        self.environment = os.environ | {"LC_ALL": "C.UTF-8", "HOME": str(folder / "home"), "TZ": "UTC",
                                         "SOURCE_DATE_EPOCH": "1577836800", "PYTHONHASHSEED": "0"}
        (folder / "home").mkdir()

    def outcome(self, command):
        # The same path each time: some programs write it into their output.
        work = self.folder / "work"
        shutil.copytree(self.inputs, work)
        try:
            status, output = run_command(command, work, self.environment)
            return Outcome(status, output, files_of(work))
        finally:
            shutil.rmtree(work)

    def examine(self, program):
        """What is wrong with it, in words, and how many traces there were."""
        if not shutil.which(program.command[0]):
            return ["not run: there is no such command"], 0
        bare = self.outcome(program.command)
        again = self.outcome(program.command)
        if bare.status is None:
            return [f"not run: it takes more than {TIME_LIMIT_S} s"], 0
        wrong = []
        itself = bare.differs_from(again, "varies" in program.marks)
        if itself:
            wrong.append(f"differs without parcast: {itself}")
        if bare.status == 127:
            wrong.append("not run: exit status 127")
        traces = self.folder / "traces"
        traces.mkdir()
        try:
            recorded = self.outcome([self.parcast, "record", "-o", str(traces / "x.parcast"), "--", *program.command])
            if "refused" in program.marks:
                return wrong + (["not refused"] if recorded.status != REFUSED else []), 0
            difference = None if itself else bare.differs_from(recorded, "varies" in program.marks)
            if difference:
                wrong.append(f"recorded: {difference}")
            found = sorted(traces.rglob("*.parcast"))  # many processes have a folder of their own
            if not found and "silent" not in program.marks:
                wrong.append("no trace")
            wrong += [complaint for trace in found if (complaint := self.complaint_about(trace))]
            return wrong, len(found)
        finally:
            shutil.rmtree(traces)

    def complaint_about(self, trace):
        predicted = subprocess.run([self.parcast, "predict", str(trace), "--json"], capture_output=True, text=True,
                                   env=self.environment, check=False)
        if predicted.returncode == 0:
            return None
        kept = pathlib.Path(tempfile.gettempdir()) / f"survey-{trace.name}"
        shutil.copy(trace, kept)
        message = " ".join(predicted.stderr.split())[:120]
        return f"predict ends with {predicted.returncode}: {message} (kept: {kept})"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parcast", type=pathlib.Path)
    parser.add_argument("words", nargs="*", help="only programs whose lines, or the headings over them, contain one of these")
    arguments = parser.parse_args()
    os.environ["PATH"] = DEBIANS_PATH
    programs = [program for program in programs_of(PROGRAMS.read_text()) if program.has_one_of(arguments.words)]
    absent = install(sorted({program.package for program in programs}))
    different, traces, run = 0, 0, 0
    with tempfile.TemporaryDirectory(prefix="survey-") as folder:
        survey = Survey(arguments.parcast.resolve(), pathlib.Path(folder))
        for program in programs:
            if program.package in absent and not shutil.which(program.command[0]):
                print(f"skipped    {program.name[:60]}: {program.package} cannot be installed here", flush=True)
                continue
            wrong, count = survey.examine(program)
            run += 1
            traces += count
            different += bool(wrong)
            for each in wrong:
                print(f"different  {program.package}: {program.name[:60]}: {each}", flush=True)
    print(f"programs run: {run}, traces: {traces}, programs that differ: {different}, skipped: {len(programs) - run}")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
