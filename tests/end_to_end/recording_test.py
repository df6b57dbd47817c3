"""Recording leaves the program alone, and leaves a trace or an explanation, whatever happens."""

import os
import pathlib
import shutil
import signal
import subprocess
import time
import unittest

from whole import EXAMPLES, MANY_LOCKS, ONE_LOCK, PARCAST, InFolder, json_of, record, run

# 800 pieces of work of some 6 ms each: several seconds from its end when it is killed, but not without events.
LONG = [str(EXAMPLES / "producer_consumer_many_locks"), "20", "2000000"]
LONG_THREADS = 61
CPU_TIME_S = 1.0  # that it may use before


def child_with_cpu_time(parent):
    """Process id of the child of a process, once it has used CPU_TIME_S."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        for child, cpu_time_s in children(parent):
            if cpu_time_s >= CPU_TIME_S:
                return child
        time.sleep(0.01)
    raise AssertionError("the recorded program uses no CPU time")


def children(parent):
    """(process id, CPU time in seconds) of the children of a process."""
    found = []
    for entry in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = entry.read_text().rpartition(")")[2].split()
        except OSError:
            continue  # ended meanwhile
        if int(fields[1]) == parent:
            ticks = int(fields[11]) + int(fields[12])
            found.append((int(entry.parent.name), ticks / os.sysconf("SC_CLK_TCK")))
    return found


class Recording(InFolder):
    def test_output_and_status_are_the_programs_own(self):
        cases = [
            ([*MANY_LOCKS], "a program with threads"),
            ([str(EXAMPLES / "quicksort"), "not-a-number"], "status 2 and a message on standard error"),
            (["sh", "-c", "echo out; echo err >&2; exit 7"], "a shell with a status"),
            (["cat"], "reads standard input"),
        ]
        for number, (command, why) in enumerate(cases):
            with self.subTest(why):
                plain = run(*command, input=b"some input")
                recorded = record(self.folder / f"{number}.parcast", *command, input=b"some input")
                self.assertEqual(recorded.returncode, plain.returncode)
                self.assertEqual(recorded.stdout, plain.stdout)
                self.assertTrue(recorded.stderr.startswith(plain.stderr), recorded.stderr)

    @unittest.skipUnless(shutil.which("pigz"), "pigz is not installed")
    def test_pigz_writes_the_same_bytes(self):
        text = "".join(f"line {i}\n" for i in range(300_000)).encode()
        plain = run("pigz", "-p", "4", "-m", input=text)  # without the time of day
        recorded = record(self.folder / "pigz.parcast", "pigz", "-p", "4", "-m", input=text)
        self.assertEqual(recorded.stdout, plain.stdout)
        self.assertEqual(run("pigz", "-d", input=recorded.stdout).stdout, text)

    def test_info_lists_threads_and_objects(self):
        answer = json_of("info", self.recorded("one_lock", *ONE_LOCK))
        self.assertEqual(answer["schema"], "parcast.info/1")
        self.assertEqual(len(answer["threads"]), 61, "main, 40 producers, 20 consumers")
        kinds = {row["kind"] for row in answer["objects"]}
        self.assertIn("mutex", kinds)
        self.assertIn("semaphore", kinds)
        lock = max(answer["objects"], key=lambda row: row["operations"] if row["kind"] == "mutex" else 0)
        self.assertGreaterEqual(lock["operations"], 800, "400 items are inserted and fetched under the lock")

    def test_a_trace_is_never_overwritten(self):
        trace = self.folder / "precious.parcast"
        trace.write_bytes(b"not to be lost")
        result = record(trace, "true")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("precious.parcast", result.stderr.decode())
        self.assertEqual(trace.read_bytes(), b"not to be lost")

    def test_a_trace_is_named_after_the_program_and_its_process(self):
        result = run(PARCAST, "record", "--", *ONE_LOCK, cwd=self.folder)
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        (trace,) = self.folder.iterdir()
        self.assertRegex(trace.name, r"^producer_consumer_one_lock\.[0-9]+\.parcast$")

    def test_a_killed_program_leaves_a_readable_trace(self):
        trace = self.folder / "killed.parcast"
        recorder = subprocess.Popen([PARCAST, "record", "-o", trace, "--", *LONG],
                                    stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        os.kill(child_with_cpu_time(recorder.pid), signal.SIGKILL)
        _, message = recorder.communicate(timeout=60)
        self.assertEqual(recorder.returncode, 128 + signal.SIGKILL, message.decode())
        answer = json_of("info", trace)
        self.assertEqual(len(answer["threads"]), LONG_THREADS)
        # The work of each thread since its last event is lost with it.
        self.assertGreater(sum(row["cpu_time_ns"] for row in answer["threads"]), 0.3 * CPU_TIME_S * 1e9)

    def test_an_interrupted_recording_ends_the_program_and_leaves_a_trace(self):
        trace = self.folder / "interrupted.parcast"
        recorder = subprocess.Popen([PARCAST, "record", "-o", trace, "--", *LONG], start_new_session=True,
                                    stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        child_with_cpu_time(recorder.pid)
        os.killpg(recorder.pid, signal.SIGINT)  # as a terminal does on control-C
        _, message = recorder.communicate(timeout=60)
        self.assertEqual(recorder.returncode, 128 + signal.SIGINT, message.decode())
        self.assertEqual(len(json_of("info", trace)["threads"]), LONG_THREADS)


class WrongProgram(InFolder):
    def test_a_missing_program_is_127(self):
        self.assert_explains(record(self.folder / "x.parcast", "no-such-program-here"), 127, "no-such-program-here")

    def test_a_file_that_is_not_executable_is_126(self):
        plain = self.folder / "plain"
        plain.write_text("text")
        self.assert_explains(record(self.folder / "x.parcast", plain), 126, plain)

    @unittest.skipUnless(shutil.which("cc"), "no compiler to make a static program")
    def test_a_static_program_is_refused_with_the_reason(self):
        source, program = self.folder / "still.c", self.folder / "still"
        source.write_text("int main(void) { return 0; }\n")
        subprocess.run(["cc", "-static", "-o", program, source], check=True)
        self.assert_explains(record(self.folder / "x.parcast", program), 125, "static", program)


class NoRoom(InFolder):
    """The trace cannot be written: that is said, and the program's own results are not lost."""

    def test_a_missing_folder_is_found_before_the_program_runs(self):
        mark = self.folder / "mark"
        result = record(self.folder / "missing" / "x.parcast", "touch", mark)
        self.assert_explains(result, 125, self.folder / "missing")
        self.assertFalse(mark.exists(), "the program ran in vain")

    def test_a_file_in_place_of_a_folder_is_found_before_the_program_runs(self):
        (self.folder / "file").write_text("")
        mark = self.folder / "mark"
        result = record(self.folder / "file" / "x.parcast", "touch", mark)
        self.assert_explains(result, 125, self.folder / "file")
        self.assertFalse(mark.exists(), "the program ran in vain")

    def test_a_full_disk_is_reported_and_the_output_kept(self):
        small = self.folder / "small"
        small.mkdir()
        if run("mount", "-t", "tmpfs", "-o", "size=8k", "none", small).returncode != 0:
            self.skipTest("may not mount a small file system")
        self.addCleanup(run, "umount", small)
        result = record(small / "x.parcast", *MANY_LOCKS)
        self.assertEqual(result.stdout, run(*MANY_LOCKS).stdout)
        self.assertIn("x.parcast", result.stderr.decode())
        self.assertIn("space", result.stderr.decode())

    def test_a_result_that_cannot_be_written_is_status_5(self):
        trace = self.recorded("one_lock", *ONE_LOCK)
        for verb in ("info", "predict"):
            with self.subTest(verb=verb), open("/dev/full", "wb") as full:
                result = subprocess.run([PARCAST, verb, trace], stdout=full, stderr=subprocess.PIPE, timeout=60)
                self.assertEqual(result.returncode, 5, result.stderr.decode())


if __name__ == "__main__":
    unittest.main()
