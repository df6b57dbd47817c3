"""parcast info and record took 20 bytes for every event: their memory is to grow with threads and objects alone."""

import os
import pathlib
import subprocess
import tempfile
import unittest

from program import EXAMPLES, PARCAST, parcast

STEPS = 2
LOCKS_A_STEP = 32_640
TIMES_AS_MANY = 20


def peak_memory(*arguments):
    """In kilobytes, of the process or one that it started. Includes what this test had in memory at the start."""
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
        """Threads that take 32,640 locks in each step, and the file with them."""
        return peak_memory("record", "-o", self.folder / name, "--", EXAMPLES / "n_body", "4", "256", steps)

    def test_record_holds_no_more_than_the_recorded_program_wrote(self):
        """8 bytes an event lie in shared memory until the trace is written. With its events it was 28."""
        short = self.peak_of_recording("short_run.parcast", STEPS)
        long = self.peak_of_recording("long_run.parcast", STEPS * TIMES_AS_MANY)
        events = 2 * LOCKS_A_STEP * STEPS * (TIMES_AS_MANY - 1)
        self.assertLess(1024 * (long - short) / events, 14)

    def test_info_does_not_grow_with_the_events(self):
        self.peak_of_recording("short.parcast", STEPS)
        self.peak_of_recording("long.parcast", STEPS * TIMES_AS_MANY)
        text = parcast("info", "--json", self.folder / "long.parcast").stdout.decode()
        self.assertRegex(text, r'"events": [1-9]\d{6}', "millions of events, or the test shows nothing")
        short = peak_memory("info", self.folder / "short.parcast")
        self.assertLess(peak_memory("info", self.folder / "long.parcast"), 1.5 * short)


if __name__ == "__main__":
    unittest.main()
