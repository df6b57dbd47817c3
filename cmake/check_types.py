#!/usr/bin/env python3
"""Fails when two files define a type of the same name in the same namespace. The linker takes one of their functions for
both: a vector of one type then grows by elements of the other's size. Reads our own layout: a namespace or a type at its
level begins in the first column, and an unnamed namespace ends with "}  // namespace"."""
import collections, pathlib, re, sys

TYPE = re.compile(r"(?:struct|class|enum class|enum|union) (?:alignas\(\w+\) |\[\[\w+\]\] )?([\w:]+)[^;]*$")

def types_of(file):
    namespace, unnamed = "", 0
    for line in file.read_text(errors="replace").splitlines():
        if named := re.match(r"(?:inline )?namespace ([\w:]+) \{$", line):
            namespace = named.group(1)
        elif line == "namespace {":
            unnamed += 1
        elif line == "}  // namespace":
            unnamed -= 1
        elif unnamed == 0 and (found := TYPE.match(line)):
            yield f"{namespace}::{found.group(1)}"

def main(root):
    places = collections.defaultdict(set)
    for file in sorted(pathlib.Path(root).rglob("*")):
        if file.suffix in {".h", ".cpp"}:
            for name in types_of(file):
                places[name].add(str(file))
    bad = [f"{name} is defined in {' and '.join(sorted(files))}" for name, files in sorted(places.items()) if len(files) > 1]
    if not places:
        bad.append(f"{root}: there are no types")
    print("\n".join(bad) or f"types: ok, {len(places)} names")
    return 1 if bad else 0

if __name__ == "__main__":
    sys.exit(main(sys.argv[1]) if len(sys.argv) == 2 else "usage: check_types.py src")
