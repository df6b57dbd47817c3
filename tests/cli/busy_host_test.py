"""What other programs do while a program is recorded is not the program: in no prediction, and no device's waiting."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from program import EXAMPLES, parcast

# Threads that write to files in memory: they wait for no device, but for the CPU.
WRITERS = """
import os, sys, threading
data = bytes(8 << 20)
def write(name):
    descriptor = os.open(name, os.O_CREAT | os.O_RDWR, 0o600)
    for _ in range(12):
        os.lseek(descriptor, 0, os.SEEK_SET)
        os.write(descriptor, data)
    os.close(descriptor)
    os.unlink(name)
threads = [threading.Thread(target=write, args=(f"{sys.argv[1]}/{i}",)) for i in range(2)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
"""
CPU = max(os.sched_getaffinity(0))


class BusyHost(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="parcast-busy-", dir="/dev/shm" if os.path.isdir("/dev/shm") else None)
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def make_busy(self):
        """Two processes that want the CPU of the recording; they end with the test, or after half a minute."""
        code = "import os, time\n" f"os.sched_setaffinity(0, [{CPU}])\n" "end = time.monotonic() + 30\nwhile time.monotonic() < end: pass"
        for _ in range(2):
            busy = subprocess.Popen([sys.executable, "-c", code])
            self.addCleanup(busy.wait)
            self.addCleanup(busy.kill)

    def recorded(self, *arguments):
        trace = self.folder / "program.parcast"
        report = parcast("record", "--json", "--force", "-o", trace, "--cpu", CPU, *arguments).stderr.decode()
        return trace, json.loads(report[report.index("{"):])

    def test_time_that_other_programs_had_is_not_waiting_for_a_device(self):
        """On one CPU, 260 to 340 ms were predicted for 111 ms of CPU time."""
        self.make_busy()
        trace, report = self.recorded("--", sys.executable, "-c", WRITERS, self.folder)
        self.assertGreater(report["others_share"], 0.2, "two processes want the CPU, or the test shows nothing")
        cpu_ns = report["recordings"][0]["recorded"]["cpu_time_ns"]
        answer = json.loads(parcast("predict", "--cpus", 1, "--json", trace).stdout)
        self.assertLess(answer["predictions"][0]["time_ns"], 1.6 * cpu_ns)

    def test_the_recording_that_others_disturbed_least_is_kept(self):
        _, report = self.recorded("--repeat", 2, "--", EXAMPLES / "n_body", 2, 256, 1)
        self.assertEqual(report["repeated_recordings"], 2)
        self.assertEqual(report["exit_status"], 0)


if __name__ == "__main__":
    unittest.main()
