#!/usr/bin/python3
"""What parcast prints today, compared with what it printed when somebody last looked.

A change detector, and nothing else: that these outputs are the same proves nothing about whether they are right. It is there so
that a restructuring can be seen to change nothing, and an intended change can be reviewed as a diff.

    tests/changes/changes.py run  [WORD...]   compares, prints unified diffs, exits with 1 if there are any
    tests/changes/changes.py keep [WORD...]   writes what it gets now into tests/changes/kept

The program is $PARCAST, otherwise build/dev/bin/parcast. Words choose the groups whose names contain one of them.

Committing an intended change: build, look at `changes.py run`, run `changes.py keep`, and commit the files of kept/ together with the change
that made them different, the change of each sentence or number named in the message. `git diff tests/changes/kept` is what the reviewer reads.
A difference that nobody intended is a bug of the change, not a reason for `keep`.

A group is a file kept/NAME.txt. It is also the list of its commands: to add one, add its line ("$ parcast ...") and run `keep`.

    # a remark on the group or on the next command
    $ parcast predict one_lock.parcast --cpus 2     the command, words as in a shell, in a folder of its own with the inputs it names
    $ XDG_CONFIG_HOME=FOLDER/calibrated parcast ...  with another environment; FOLDER is that of the command, and HOST.toml in an
                                                    input gets the name of this host
    ? execution?cpus=2&scheduler=linux              of `view`: what a browser then asks for
    = 0                                             the exit status (of a question: the status of HTTP)
    | text                                          a line of standard output; JSON is laid out anew, or a line for each leaf if it is long
    ! text                                          a line of standard error
    + report.html                                   a file that the command wrote, and below it what is in it

Inputs are the files of inputs/ and those of other folders that INPUTS names; a folder of inputs/ is one input. Only what differs from machine to
machine or from run to run is replaced (see normalised()): the version, the port, token and host of `view`, and the sizes of reports, which follow
from the page. Bytes for the page (docs/formats/execution.md) are a line a section: its length, the sum of its numbers, and a hash that tells their order.
"""

import base64
import concurrent.futures
import contextlib
import difflib
import gzip
import hashlib
import html
import http.client
import itertools
import json
import math
import os
import pathlib
import re
import shlex
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
KEPT = HERE / "kept"
PROGRAM = pathlib.Path(os.environ.get("PARCAST", ROOT / "build/dev/bin/parcast"))
INPUTS = {path.name: path for folder in ("tests/taskgraphs", "examples/taskgraphs", "examples/pamela", "examples/threads")
          for path in (ROOT / folder).iterdir() if path.suffix in (".stg", ".dot", ".json", ".pam")}
INPUTS |= {path.name: path for path in (HERE / "inputs").iterdir()}
INPUTS |= {path.name: path for folder in ("tests/messages", "examples/messages") for path in (ROOT / folder).iterdir()
           if path.suffix in (".goal", ".ti", ".json") or path.name == "slow_machine.toml"}
INPUTS["n50.stg"] = ROOT / "tests/stg/n50-rand0000.stg"
INPUTS["old.parcast"] = ROOT / "tests/fuzz/recording_file_fuzz/recorded_zstd"  # of the version before
INPUTS |= {name: ROOT / "tests/fuzz/model_fuzz" / name for name in ("constructs.pam", "mistakes.pam")}

WORKERS = 2
HOST = socket.gethostname()
TIME_LIMIT_S = 60
LONGEST_JSON = 60    # lines; longer ones get a line a leaf
LONGEST_TEXT = 150   # lines; of longer ones the beginning, and a hash of all
LONGEST_LIST = 40    # elements of a list of JSON that are kept, and a hash of all
TOTALS = re.findall(r'^    "(\w+)",$', (ROOT / "web/src/generated.ts").read_text().split("totalNames")[1], re.MULTILINE)
NUMBERS = {1: "B", 2: "H", 3: "I", 4: "d", 5: "f", 6: "q", 7: "Q"}
ELEMENT = re.compile(r'<script type="application/octet-stream" id="([a-z0-9-]+)">([A-Za-z0-9+/=]*)</script>')

ENVIRONMENT = {"PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "XDG_CONFIG_HOME": "/nonexistent", "TZ": "UTC",
               "LC_ALL": "C", "NO_COLOR": "1", "COLUMNS": "100"}
ENVIRONMENT |= {name: value for name, value in os.environ.items() if name.endswith("SAN_OPTIONS")}


# --- what must not depend on the machine, the run and the size of the page

def normalised(text):
    text = re.sub(r'(\bparcast"?: "|^parcast )\d+\.\d+\.\d+', r"\1VERSION", text, flags=re.MULTILINE)
    text = re.sub(r"http://127\.0\.0\.1:\d+/[0-9a-f]{32}/", "http://127.0.0.1:PORT/TOKEN/", text)
    text = re.sub(r'"port": \d+', '"port": PORT', text)
    text = re.sub(r"ssh -L \d+:127\.0\.0\.1:\d+ \S+", "ssh -L PORT:127.0.0.1:PORT HOST", text)
    return text


def without_report_size(text):
    """The size of a report is mostly that of the page and the module in it."""
    text = re.sub(r"(\.html \()[^)]*\)", r"\1SIZE)", text)
    return re.sub(r'("bytes": )\d+', r"\g<1>0", text)


def without_breaks(content, folder):
    """Where lines are broken depends on how long the names of folder and host are: then they are not."""
    return re.sub(rb"\n {10,}", b" ", content) if str(folder).encode() in content else content


# --- outputs as lines that a person can compare

def hash_of(content):
    return hashlib.sha256(content).hexdigest()[:16]


def to_12_digits(text):
    """The last digits depend on the processor: libm has code of its own for those with fused multiply-add."""
    return float(format(float(text), ".12g"))


def leaves(value, path=""):
    if isinstance(value, dict) and value:
        for name, part in value.items():
            yield from leaves(part, f"{path}.{name}" if path else name)
    elif isinstance(value, list) and any(isinstance(part, (dict, list)) for part in value):
        for number, part in enumerate(value[:LONGEST_LIST]):
            yield from leaves(part, f"{path}[{number}]")
        if len(value) > LONGEST_LIST:
            yield f"{path}[...]: {len(value)} elements, sha256 {hash_of(json.dumps(value).encode())}"
    else:
        text = json.dumps(value, ensure_ascii=False)
        if isinstance(value, list) and len(value) > LONGEST_LIST:
            text = f"{json.dumps(value[:LONGEST_LIST])[:-1]}, ...: {len(value)} elements, sha256 {hash_of(text.encode())}"
        yield f"{path}: {text}"


def lines_of_json(value):
    pretty = json.dumps(value, indent=2, ensure_ascii=False).splitlines()
    return pretty if len(pretty) <= LONGEST_JSON else list(leaves(value))


def lines_of_text(text):
    lines = text.splitlines()
    if len(lines) <= LONGEST_TEXT:
        return lines
    return lines[:LONGEST_TEXT // 2] + [f"... {len(lines)} lines, sha256 {hash_of(text.encode())}"]


def sum_of(numbers):
    total = math.fsum(numbers) if any(isinstance(number, float) for number in numbers) else sum(numbers)
    return repr(total) if isinstance(total, int) else format(total, ".12g")


def lines_of_columns(content):
    """A container of docs/formats/execution.md."""
    magic, version, sections, _ = struct.unpack_from("<4sIII", content)
    yield f"{magic.decode()} version {version}"
    for i in range(sections):
        name, kind, length, offset, _ = struct.unpack_from("<24sIIII", content, 16 + 40 * i)
        name = name.rstrip(b"\0").decode()
        numbers = struct.unpack_from(f"<{length}{NUMBERS[kind]}", content, offset)
        if name == "totals":
            for number, value in enumerate(numbers):
                yield f"{TOTALS[number] if number < len(TOTALS) else number}: {value:.17g}"
        elif name == "sentences":
            yield from ("sentence: " + line.replace("\t", " | ") for line in bytes(numbers).decode().splitlines())
        else:
            place = content[offset:offset + length * struct.calcsize(NUMBERS[kind])]
            yield f"{name}: {length}, sum {sum_of(numbers)}, {hash_of(place)[:6]}" if length else f"{name}: 0"


def lines_of_page(page):
    """The elements of a page with a script, the module apart; otherwise (a report of a model) its text."""
    elements = [(name, gzip.decompress(base64.b64decode(text))) for name, text in ELEMENT.findall(page)]
    for name, content in elements:
        yield f"element {name}"
        if name != "module":
            yield from ("  " + line for line in lines_of_content(content))
    if not elements:
        body = re.sub(r"<(style|script)\b.*?</\1>", "", page, flags=re.DOTALL)
        text = html.unescape(re.sub(r"<[^>]*>", " ", re.sub(r"</t[dh]>", " ", body)))
        yield from (line for line in (" ".join(line.split()) for line in text.splitlines()) if line)


def lines_of_content(content):
    if not content:
        return []
    if content[:4] in (b"PCEX", b"PCPG"):
        return list(lines_of_columns(content))
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return [f"{len(content)} bytes, sha256 {hash_of(content)}"]
    if text.lstrip().lower().startswith("<!doctype html"):
        return [normalised(line) for line in lines_of_page(text)]
    if text.lstrip()[:1] in ("{", "["):
        with contextlib.suppress(json.JSONDecodeError):
            return [normalised(line) for line in lines_of_json(json.loads(text, parse_float=to_12_digits))]
    return lines_of_text(normalised(text))


def marked(mark, lines):
    return [f"{mark} {line}".rstrip() for line in lines]


# --- running a command

class Ended(Exception):
    pass


def ask(process, address, question):
    port, token = re.match(r"http://127\.0\.0\.1:(\d+)(/\w+/)", address).groups()
    connection = http.client.HTTPConnection("127.0.0.1", int(port), timeout=TIME_LIMIT_S)
    with contextlib.closing(connection):
        connection.request("GET", token + question)
        response = connection.getresponse()
        return [f"? {question}", f"= {response.status}"] + marked("|", lines_of_content(response.read()))


def run_view(process, questions):
    """Waits for its address, asks, and interrupts it."""
    output, lines = b"", []
    for line in process.stdout:
        output += line
        if line in (b"Ctrl-C ends it.\n", b"}\n"):
            address = re.search(rb"http://[^\s\"#]*", output).group().decode()
            for question in questions:
                lines += ask(process, address, question)
            process.send_signal(signal.SIGINT)
            break
    rest, messages = process.communicate(timeout=TIME_LIMIT_S)
    return output + rest, messages, lines


def contents(folder):
    return {path.relative_to(folder): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def copy_input(name, folder):
    source = INPUTS[name]
    if source.is_dir():
        shutil.copytree(source, folder / name)
        for machine in (folder / name).rglob("HOST.toml"):
            machine.rename(machine.with_name(HOST + ".toml"))
    else:
        shutil.copyfile(source, folder / name)


def outcome(command, questions):
    with tempfile.TemporaryDirectory(prefix="parcast-changes-") as name:
        folder = pathlib.Path(name)
        words = shlex.split(command.replace("FOLDER", name))
        variables = dict(word.split("=", 1) for word in itertools.takewhile(lambda word: "=" in word, words))
        words = words[len(variables):]
        for known in INPUTS:
            if any(re.search(rf"(^|[=/]){re.escape(known)}(/|$)", word) for word in shlex.split(command)):
                copy_input(known, folder)
        before = contents(folder)
        process = subprocess.Popen([PROGRAM, *words[1:]], cwd=folder, env=ENVIRONMENT | variables, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        answers = []
        try:
            if words[1:2] == ["view"]:
                output, messages, answers = run_view(process, questions)
            else:
                output, messages = process.communicate(timeout=TIME_LIMIT_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return ["= does not end"]
        if words[1:2] == ["report"] and not output.lstrip().startswith(b"<"):
            output = without_report_size(output.decode()).encode()
        output, messages = without_breaks(output, folder), without_breaks(messages, folder)
        lines = [f"= {process.returncode}"] + marked("|", lines_of_content(output)) + marked("!", lines_of_content(messages))
        lines += answers
        for path, content in contents(folder).items():
            if before.get(path) != content:
                lines += [f"+ {path}"] + marked("+", ("  " + line for line in lines_of_content(content)))
        return [line.replace(name, "FOLDER").replace(f"/{HOST}.toml", "/HOST.toml") for line in lines]


# --- groups

def commands_of(text):
    """Pairs of the lines that introduce a command (remarks, the command itself) and its questions."""
    found, head = [], []
    for line in text.splitlines():
        if line.startswith("$ "):
            found.append((head + [line], line[2:], []))
            head = []
        elif line.startswith("? ") and found:
            found[-1][2].append(line[2:])
        elif line.startswith("#"):
            head.append(line)
        elif line and line[0] not in "=|!+":
            sys.exit(f"no line of a group: {line}")
    return found


def renewed(found, pool):
    pending = [(head, pool.submit(outcome, command, questions)) for head, command, questions in found]
    return lambda: "\n\n".join("\n".join(head + result.result()) for head, result in pending) + "\n"


def main(verb, words):
    if not PROGRAM.is_file():
        sys.exit(f"there is no {PROGRAM}: build it, or set PARCAST")
    groups = [path for path in sorted(KEPT.glob("*.txt")) if not words or any(word in path.stem for word in words)]
    count = changed = 0
    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        kept = [(path, path.read_text()) for path in groups]
        lists = [commands_of(text) for _, text in kept]
        results = [renewed(found, pool) for found in lists]
        for (path, text), found, result in zip(kept, lists, results):
            new = result()
            count += len(found)
            if new == text:
                continue
            changed += 1
            if verb == "keep":
                path.write_text(new)
                print(f"kept {path.name}")
            else:
                name = path.relative_to(ROOT)
                sys.stdout.writelines(difflib.unified_diff(text.splitlines(True), new.splitlines(True), f"{name}", f"{name} now"))
    print(f"{count} commands in {len(groups)} groups, {changed} groups " + ("written" if verb == "keep" else "differ"))
    return 1 if changed and verb == "run" else 0


if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in ("run", "keep"):
        sys.exit("usage: changes.py run|keep [WORD...]\n\n" + __doc__)
    sys.exit(main(sys.argv[1], sys.argv[2:]))
