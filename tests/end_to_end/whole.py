"""What the end-to-end tests share: where the programs are, and one call for each verb."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

PARCAST = os.environ.get("PARCAST", "parcast")
EXAMPLES = pathlib.Path(os.environ.get("PARCAST_EXAMPLES", "."))
# What a developer calibrated must not change what the tests see.
os.environ["XDG_CONFIG_HOME"] = "/nonexistent"
TIME_LIMIT_S = 120

# 20 consumers and 40 producers: enough threads for every CPU count that is asked for, quick to record.
ONE_LOCK = [str(EXAMPLES / "producer_consumer_one_lock"), "20"]
MANY_LOCKS = [str(EXAMPLES / "producer_consumer_many_locks"), "20"]


def run(*command, **options):
    """Runs a command to its end; a hang is a failure, not a wait."""
    return subprocess.run([str(word) for word in command], capture_output=True, timeout=TIME_LIMIT_S, **options)


def record(trace, *command, **options):
    return run(PARCAST, "record", "-o", trace, "--", *command, **options)


def json_of(verb, trace, *options):
    result = run(PARCAST, verb, trace, "--json", *options)
    if result.returncode != 0:
        raise AssertionError(f"parcast {verb} {trace} ended with {result.returncode}: {result.stderr.decode()}")
    return json.loads(result.stdout)


class InFolder(unittest.TestCase):
    """A test case with a folder of its own, self.folder, removed at its end."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="parcast-test-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def recorded(self, name, *command):
        trace = self.folder / f"{name}.parcast"
        result = record(trace, *command, cwd=self.folder)
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        return trace

    def assert_explains(self, result, status, *words):
        """It ended with this status, printed no result, and its message holds these words."""
        message = result.stderr.decode()
        self.assertEqual(result.returncode, status, message)
        self.assertEqual(result.stdout, b"")
        for word in words:
            self.assertIn(str(word), message)
