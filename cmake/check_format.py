#!/usr/bin/env python3
"""Fails when a C or C++ source is not as .clang-format says (`./dev format` mends that), or has a line of more than 110 characters that the
formatter leaves alone: a comment, say. Lines of raw string literals may be longer: they are text for people, or Python.

    check_format.py format ROOT     exits with 77 where clang-format-19 is missing
    check_format.py lines ROOT
"""
import pathlib, re, shutil, subprocess, sys

MOST_COLUMNS = 110
FORMATTER = "clang-format-19"  # another version formats otherwise
FOLDERS = ("bench", "examples", "src", "tests", "web")
RAW_LITERAL = re.compile(r'R"([^()\\ \n]*)\(.*?\)\1"', re.DOTALL)

def sources(root):
    found = [file for folder in FOLDERS for file in sorted((root / folder).rglob("*"))
             if file.suffix in {".h", ".c", ".cpp"} and "node_modules" not in file.parts]
    return found or sys.exit(f"{root}: there are no sources")

def long_lines(file):
    text = file.read_text(encoding="utf-8")
    inside = {line for raw in RAW_LITERAL.finditer(text)
              for line in range(text.count("\n", 0, raw.start()), text.count("\n", 0, raw.end()) + 1)}
    for number, line in enumerate(text.split("\n")):
        if len(line) > MOST_COLUMNS and number not in inside:
            yield f"{file}:{number + 1}: {len(line)} characters, and {MOST_COLUMNS} is the most"

def check_lines(files):
    bad = [line for file in files for line in long_lines(file)]
    print("\n".join(bad) or f"lines: ok, {len(files)} files")
    return 1 if bad else 0

def check_format(files):
    if not shutil.which(FORMATTER):
        print(f"skipped: {FORMATTER} is not installed")
        return 77
    done = subprocess.run([FORMATTER, "--dry-run", "--Werror", *files])
    print("format: ok" if done.returncode == 0 else "./dev format mends this")
    return done.returncode

if __name__ == "__main__":
    check, root = sys.argv[1:]
    sys.exit({"format": check_format, "lines": check_lines}[check](sources(pathlib.Path(root))))
