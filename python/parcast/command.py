"""The one place that runs the program `parcast`."""

import json
import os
import pathlib
import shutil
import subprocess
import sys

ANSWERS_ON_STDERR = "record"  # its standard output is that of the recorded program

# Where this package was installed to: PREFIX of PREFIX/lib/python3/dist-packages/parcast/command.py. A clone has none: a
# folder above it may be anybody's.
HERE = pathlib.Path(__file__).resolve()
INSTALLED_BESIDE = HERE.parents[4] if HERE.parts[-5:-2] == ("lib", "python3", "dist-packages") else None


class Error(RuntimeError):
    """What parcast refused, in its own words.

    status: its exit status (docs/exit-codes.md); command: the words that were run.
    """

    def __init__(self, message, status, command):
        super().__init__(message)
        self.status = status
        self.command = command


def executable():
    """The program that is asked: $PARCAST, else the one that this package was installed with, else one in PATH.

    Error: there is none.
    """
    if chosen := os.environ.get("PARCAST"):
        if found := shutil.which(chosen):
            return found
        raise Error(f"the environment variable PARCAST names no program that can be run: {chosen}", status=None, command=[])
    beside = INSTALLED_BESIDE and INSTALLED_BESIDE / "bin" / "parcast"
    if beside and os.access(beside, os.X_OK):
        return str(beside)
    if found := shutil.which("parcast"):
        return found
    raise Error("there is no program parcast in PATH; install it, or name it in the environment variable PARCAST",
                status=None, command=[])


def words_of(options):
    """{"cpus": [1, 2], "json": True, "what_if": ["a", "b"]} as words: a list of texts is given once each, a list of
    numbers as one list. None and False are left out."""
    words = []
    for name, value in options.items():
        if value is None or value is False:
            continue
        option = "--" + name.rstrip("_").replace("_", "-")  # assert_: Python has that word itself
        if value is True:
            words.append(option)
        elif isinstance(value, (list, tuple, range)):
            texts = [str(each) for each in value]
            if texts and all(isinstance(each, int) for each in value):
                texts = [",".join(texts)]
            for text in texts:
                words += [option, text]
        else:
            words += [option, str(value)]
    return words


def program_words(program):
    """["./solver", "8"], or one file: a path is a word, not a row of letters."""
    return [os.fspath(program)] if isinstance(program, (str, os.PathLike)) else [str(word) for word in program]


def run(verb, words, program=(), quiet=True):
    """Runs `parcast VERB WORDS --json [-- PROGRAM]`; returns its answer as a dictionary.

    With quiet, what the program prints is dropped; else it goes where this process prints, and what it wrote to standard
    error comes when it has ended. Error: parcast could not answer.
    """
    command = [executable(), verb, *map(str, words), "--json", *(["--", *program_words(program)] if program else [])]
    on_stderr = verb == ANSWERS_ON_STDERR
    done = subprocess.run(command, stdout=subprocess.PIPE if not on_stderr else subprocess.DEVNULL if quiet else None,
                          stderr=subprocess.PIPE, check=False)
    answer, beside = answer_in(done.stderr.decode(errors="replace") if on_stderr else done.stdout.decode())
    if on_stderr and not quiet and answer is not None:
        sys.stderr.write(beside)
    if answer is None:
        message = done.stderr.decode(errors="replace").strip()
        raise Error(message or f"parcast {verb} ended with exit status {done.returncode}", done.returncode, command)
    return answer


def answer_in(text):
    """(answer, what stands around it): the last object of parcast at the beginning of a line, since a recorded program writes
    to standard error, too."""
    decoder = json.JSONDecoder()
    position = len(text)
    while (position := text.rfind("{", 0, position)) >= 0:
        if position == 0 or text[position - 1] == "\n":
            try:
                answer, end = decoder.raw_decode(text, position)
            except json.JSONDecodeError:
                continue
            if isinstance(answer, dict) and str(answer.get("schema", "")).startswith("parcast."):
                return answer, text[:position] + text[end:].lstrip("\n")
    return None, text


def ask(verb, *words, program=(), **options):
    """The answer of any verb that has --json, as a dictionary by its schema (docs/formats).

        parcast.ask("info", "solver.4711.parcast")["objects"]
        parcast.ask("scale", program=["./solver", "{cpus}"], cpus=[1, 2, 4])

    Options have the names of the command line, with _ for -. Error: parcast could not answer.
    """
    return run(verb, [*map(str, words), *words_of(options)], program)
