"""A program that is not ours, brought into the emulated machine: `./dev accuracy --emulated -- PROGRAM {cpus}`.

It lies in the guest where it lies here, with the libraries that it is linked to. Files that it reads are named by options: relative
ones lie in the folder where it runs, absolute ones where they lie here.
"""

import os
import re
import shutil
import subprocess

import guest
import programs


class Unusable(Exception):
    """A program that the guest cannot run, or what it lacks, with what to do."""


def split_words(words):
    """Those before `--`, and those behind it, or None without one."""
    if "--" not in words:
        return words, None
    place = words.index("--")
    return words[:place], words[place + 1:]


def program_of(words, data=(), standard_input=None):
    """`words`: NAME=VALUE..., program, arguments. Raises Unusable, with what to do, if it cannot run in the guest."""
    environment = []
    while words and re.match(r"[A-Za-z_]\w*=", words[0]):
        environment.append(words[0])
        words = words[1:]
    if not words:
        raise Unusable("no program behind --: ./dev accuracy --emulated -- PROGRAM {cpus}")
    executable = found_executable(words[0])
    return programs.Program(os.path.basename(words[0]), tuple(words), None, tuple(environment), executable,
                            tuple(brought_files(data, standard_input)))


def found_executable(word):
    found = shutil.which(word)
    if found is None:
        raise Unusable(f"no program '{word}' that can be run{advice([word])}")
    path = os.path.abspath(found)
    check_kind(path)
    missing = missing_libraries(path)
    if missing:
        raise Unusable(f"{path} needs {', '.join(missing)}, which {'are' if len(missing) > 1 else 'is'} not installed"
                                 f"{advice([package_of(library) for library in missing])}")
    return path


def check_kind(path):
    """A program of another architecture, a script, and what has no loader, which a recorder cannot be preloaded to, are none."""
    with open(path, "rb") as file:
        head = file.read(20)
    if head[:2] == b"#!":
        raise Unusable(f"{path} is a script: name the program that it runs")
    if head[:5] != b"\x7fELF\x02" or head[18:20] != b"\x3e\x00":
        raise Unusable(f"{path} is no program for x86-64")
    if not guest.linked_libraries(path):
        raise Unusable(f"{path} is linked statically, and cannot be recorded: link it without -static")


def missing_libraries(path):
    return [line.split()[0] for line in guest.linked_libraries(path).splitlines() if "=> not found" in line]


def package_of(library):
    """As Debian's policy (8.1) names it: libgomp1 of libgomp.so.1, libjson-c5 of libjson-c.so.5, libisl-0-4 of libisl-0.so.4."""
    name, _, version = library.partition(".so.")
    return (name + ("-" if name[-1:].isdigit() else "") + version).lower().replace("_", "-")


def advice(packages):
    """How to install those of the packages that Debian has."""
    known = [package for package in packages if re.fullmatch(r"[a-z0-9][a-z0-9+.-]+", package) and is_in_debian(package)]
    return f": apt-get install {' '.join(known)}" if known else ""


def is_in_debian(package):
    try:
        shown = subprocess.run(["apt-cache", "show", "--no-all-versions", package], capture_output=True, check=False)
    except FileNotFoundError:
        return False
    return shown.returncode == 0 and bool(shown.stdout)


def brought_files(data, standard_input):
    """(path in the guest, path here)."""
    for path in [*data, *([standard_input] if standard_input else [])]:
        if not os.path.exists(path):
            raise Unusable(f"no file '{path}'")
    for path in data:
        if not os.path.isabs(path) and os.path.normpath(path).startswith(".."):
            raise Unusable(f"'{path}' lies outside of this folder: name it by its absolute path, in the arguments of the program, too")
        yield (path if os.path.isabs(path) else os.path.join(guest.DATA_FOLDER, os.path.normpath(path))), os.path.realpath(path)
    if standard_input:
        yield guest.INPUT, os.path.realpath(standard_input)
