"""Looks at each file of a compilation database by itself, several at once.

    lint.py tidy BUILD_FOLDER [PATH...]     clang-tidy, as .clang-tidy wants it
    lint.py alone BUILD_FOLDER [PATH...]    clang's front end, warnings as errors: missing includes, names that shadow others

Files below PATH; by default src, examples and bench, and for `alone` tests, too. A file that was clean is skipped until it, a
header of this project that it includes, its compiler's words, .clang-tidy or clang itself change: BUILD_FOLDER/clean has a mark
for it. So an interrupted run goes on where it was, and one after a small change takes seconds. Headers of the system are not part
of the mark.
"""

import concurrent.futures
import functools
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
INCLUDE = re.compile(rb'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
PATHS = {"tidy": ["src", "examples", "bench"], "alone": ["src", "examples", "bench", "tests"]}


@functools.cache
def included_by(file):
    """Headers of this project that `file` names itself."""
    found = set()
    for name in INCLUDE.findall(file.read_bytes()):
        for folder in (file.parent, ROOT / "src", ROOT / "bench"):
            header = folder / os.fsdecode(name)
            if header.is_file():
                found.add(header.resolve())
                break
    return found


def sources_of(file):
    """`file` and all headers of this project that it includes, in a fixed order."""
    seen = {file}
    todo = [file]
    while todo:
        for header in included_by(todo.pop()) - seen:
            seen.add(header)
            todo.append(header)
    return sorted(seen)


def mark_of(entry, rules):
    """A name for all that decides what clang-tidy says about the file."""
    digest = hashlib.sha256(rules)
    digest.update(entry.get("command", "").encode())
    for source in sources_of(pathlib.Path(entry["file"])):
        digest.update(f"{source.relative_to(ROOT)}\n".encode() + source.read_bytes())
    return digest.hexdigest()


def entries_below(build, paths):
    """An entry a file, of those below one of the paths."""
    wanted = [(ROOT / path).resolve() for path in paths]
    entries = json.loads((build / "compile_commands.json").read_text())
    by_file = {entry["file"]: entry for entry in entries}
    return [entry for file, entry in sorted(by_file.items())
            if any(pathlib.Path(file).is_relative_to(path) for path in wanted)]


def tidy_command(build, entry):
    return ["clang-tidy-19", "-quiet", "-p", build, entry["file"]]


def alone_command(_, entry):
    """The file's own command, for clang and without an object. Of warnings only the one that this is about: others are GCC's."""
    words = [word for word in shlex.split(entry["command"]) if not word.startswith("-W")]
    if pathlib.Path(words[0]).name == "ccache":
        del words[0]
    words[0] = "clang++-19" if entry["file"].endswith(".cpp") else "clang-19"
    output = words.index("-o")
    del words[output:output + 2]
    words.remove("-c")
    return [*words, "-fsyntax-only", "-Wno-everything", "-Wshadow", "-Werror=shadow"]


COMMANDS = {"tidy": tidy_command, "alone": alone_command}


def findings_in(command, folder):
    """What the command prints; None: nothing."""
    ran = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if ran.returncode == 0 and not ran.stdout:
        return None
    return ran.stdout or ran.stderr


def main(mode, build, paths):
    rules = (ROOT / ".clang-tidy").read_bytes() + subprocess.check_output(["clang-19", "--version"])
    entries = [entry for entry in entries_below(build, paths) if entry["file"].endswith((".c", ".cpp"))]
    if not entries:
        sys.exit(f"{mode}: nothing is compiled below {', '.join(paths)}")
    clean = build / "clean" / mode
    clean.mkdir(parents=True, exist_ok=True)
    marks = {entry["file"]: clean / mark_of(entry, rules) for entry in entries}
    todo = [entry for entry in entries if not marks[entry["file"]].exists()]
    print(f"{mode}: {len(entries)} files, {len(entries) - len(todo)} of them unchanged since they were clean", flush=True)
    with_findings = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        pending = {pool.submit(findings_in, COMMANDS[mode](build, entry), entry["directory"]): entry["file"] for entry in todo}
        for done, each in enumerate(concurrent.futures.as_completed(pending), 1):
            file, findings = pending[each], each.result()
            print(f"[{done}/{len(todo)}] {pathlib.Path(file).relative_to(ROOT)}", flush=True)
            if findings is None:
                marks[file].touch()
            else:
                with_findings += 1
                print(findings, flush=True)
    if with_findings:
        sys.exit(f"{mode}: findings in {with_findings} of {len(entries)} files")


if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[1] not in COMMANDS:
        sys.exit(__doc__)
    main(sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), sys.argv[3:] or PATHS[sys.argv[1]])
