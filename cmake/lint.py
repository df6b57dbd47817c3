"""Is the code as .clang-tidy wants it? clang-tidy over the files of a compilation database, several at once.

    lint.py BUILD_FOLDER [PATH...]      (files below PATH; default: src examples bench)

A file that was clean is not looked at again until it, a header of this project that it includes, its compiler's
words, .clang-tidy or clang-tidy itself change: BUILD_FOLDER/clean has a mark for it. So a run that was interrupted
goes on where it was, and one after a small change takes seconds. What the system's headers say is not part of the mark.
"""

import concurrent.futures
import functools
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys

TIDY = "clang-tidy-19"
ROOT = pathlib.Path(__file__).resolve().parent.parent
INCLUDE = re.compile(rb'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
DEFAULT_PATHS = ["src", "examples", "bench"]


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


def findings_in(build, file):
    """What clang-tidy says about it; None: nothing."""
    ran = subprocess.run([TIDY, "-quiet", "-p", build, file], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if ran.returncode == 0 and not ran.stdout:
        return None
    return ran.stdout or ran.stderr


def main(build, paths):
    rules = (ROOT / ".clang-tidy").read_bytes() + subprocess.check_output([TIDY, "--version"])
    entries = entries_below(build, paths)
    if not entries:
        sys.exit(f"lint: nothing is compiled below {', '.join(paths)}")
    clean = build / "clean"
    clean.mkdir(exist_ok=True)
    marks = {entry["file"]: clean / mark_of(entry, rules) for entry in entries}
    todo = [file for file, mark in marks.items() if not mark.exists()]
    print(f"clang-tidy: {len(entries)} files, {len(entries) - len(todo)} of them unchanged since they were clean", flush=True)
    with_findings = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        pending = {pool.submit(findings_in, build, file): file for file in todo}
        for done, each in enumerate(concurrent.futures.as_completed(pending), 1):
            file, findings = pending[each], each.result()
            print(f"[{done}/{len(todo)}] {pathlib.Path(file).relative_to(ROOT)}", flush=True)
            if findings is None:
                marks[file].touch()
            else:
                with_findings += 1
                print(findings, flush=True)
    if with_findings:
        sys.exit(f"clang-tidy: findings in {with_findings} of {len(entries)} files")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:] or DEFAULT_PATHS)
