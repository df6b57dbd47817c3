"""What the tests of the command line share: the program, and one small recording."""

import os
import pathlib
import subprocess
import tempfile
import unittest

PARCAST = os.environ.get("PARCAST", "parcast")
EXAMPLES = pathlib.Path(os.environ.get("PARCAST_EXAMPLES", "."))
SCHEMAS = pathlib.Path(os.environ.get("PARCAST_SCHEMAS", "docs/formats"))
# What a developer calibrated must not change what the tests see.
os.environ["XDG_CONFIG_HOME"] = "/nonexistent"
TIME_LIMIT_S = 60

USAGE, INPUT, IMPOSSIBLE, OUTPUT = 2, 3, 4, 5


def parcast(*arguments, **options):
    options.setdefault("stdout", subprocess.PIPE)
    return subprocess.run([PARCAST, *map(str, arguments)], stderr=subprocess.PIPE, timeout=TIME_LIMIT_S, **options)


def beside_progress(stderr):
    """The messages of a measurement; of its progress it tells where it takes long."""
    return [line for line in stderr.splitlines() if not line.startswith(b"parcast: measuring for ")]


def without_advice(answer):
    """The answer of predict as pages have it: they ask what to change first when somebody looks."""
    return {field: value for field, value in answer.items() if field != "what_to_change"}


class WithRecording(unittest.TestCase):
    """self.trace is a recording of a small program with a contended lock, made once a class."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="parcast-cli-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        cls.trace = cls.folder / "one_lock.parcast"
        result = parcast("record", "-o", cls.trace, "--", EXAMPLES / "producer_consumer_one_lock", "5")
        if result.returncode != 0:
            raise AssertionError(result.stderr.decode())
