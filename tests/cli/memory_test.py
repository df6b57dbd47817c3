"""parcast info took 20 bytes for every event: its memory is to grow with threads and objects alone."""

import os
import pathlib
import subprocess
import tempfile
import unittest

from program import EXAMPLES, PARCAST, parcast

STEPS = 2
TIMES_AS_MANY = 20


def peak_memory(*arguments):
    """In kilobytes. Includes what this test had in memory when it started the process."""
    process = subprocess.Popen([PARCAST, *map(str, arguments)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    with process.stderr:
        errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise AssertionError(errors.decode())
    return usage.ru_maxrss


class Memory(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="parcast-memory-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)

    def peak_of_recording(self, name, steps):
        """Threads that take 32,640 locks in each step."""
        return peak_memory("record", "-o", self.folder / name, "--", EXAMPLES / "n_body", "4", "256", steps)

    def test_info_does_not_grow_with_the_events(self):
        self.peak_of_recording("short.parcast", STEPS)
        self.peak_of_recording("long.parcast", STEPS * TIMES_AS_MANY)
        text = parcast("info", "--json", self.folder / "long.parcast").stdout.decode()
        self.assertRegex(text, r'"events": [1-9]\d{6}', "millions of events, or the test shows nothing")
        short = peak_memory("info", self.folder / "short.parcast")
        self.assertLess(peak_memory("info", self.folder / "long.parcast"), 1.5 * short)


if __name__ == "__main__":
    unittest.main()
