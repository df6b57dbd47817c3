"""parcast scale: a recording, a prediction and measurements for each number of CPUs."""

import json
import os
import pathlib
import shlex
import signal
import subprocess
import tempfile
import time
import unittest

from program import EXAMPLES, PARCAST, TIME_LIMIT_S, USAGE, parcast

PROGRAM_FAILED = 6
MACHINE = """version = 1
name = "here"

[rates]
compute = [1, 0.6]

[calibration]
date = "2026-11-21"
host = "here"
"""
LU = [EXAMPLES / "lu", "{cpus}", "256"]


def processes_with(word):
    def has_it(process):
        try:
            return word.encode() in (process / "cmdline").read_bytes().split(b"\0")
        except OSError:
            return False
    return [process for process in pathlib.Path("/proc").glob("[0-9]*") if has_it(process)]


def comes_true(condition):
    last = time.monotonic() + TIME_LIMIT_S
    while not condition():
        if time.monotonic() > last:
            return False
        time.sleep(0.02)
    return True


class Scale(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="parcast-scale-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def answer(self, *words):
        result = parcast("scale", "--json", *words)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def test_each_count_has_a_recording_of_its_own(self):
        counts = self.answer("--cpus", "1,3", "--", *LU)["counts"]
        self.assertEqual([count["command"][1] for count in counts], ["1", "3"])
        self.assertEqual([count["recorded"]["threads"] for count in counts], [2, 4], "the main thread and its team")
        self.assertEqual([count["recorded"]["pretended_cpus"] for count in counts], [1, 3])

    def test_a_program_that_is_told_nothing_is_shown_the_count(self):
        # nproc asks the system.
        counts = self.answer("--cpus", "2,5", "--", "sh", "-c", "exit $(( $(nproc) - $(nproc) ))")["counts"]
        self.assertEqual([count["recorded"]["pretended_cpus"] for count in counts], [2, 5])

    def test_speed_ups_are_those_of_the_times_in_the_table(self):
        one, three = self.answer("--cpus", "1,3", "--", *LU)["counts"]
        (on_one,) = one["predictions"]
        on_three = {entry["cpus"]: entry for entry in three["predictions"]}[3]
        self.assertAlmostEqual(three["speed_up"], on_one["time_ns"] / on_three["time_ns"])

    def test_recordings_are_kept_on_request_and_predict_the_same(self):
        (count,) = self.answer("--cpus", "2", "--no-bare-runs", "--keep", self.folder / "kept", "--", *LU)["counts"]
        self.assertEqual(count["file"], str(self.folder / "kept" / "lu.2.parcast"))
        again = json.loads(parcast("predict", count["file"], "--cpus", "1,2", "--json").stdout)
        self.assertEqual([entry["time_ns"] for entry in again["predictions"]],
                         [entry["time_ns"] for entry in count["predictions"]])

    def test_turns_are_measured_where_threads_take_them(self):
        one, two = self.answer("--cpus", "1,2", "--", *LU)["counts"]
        self.assertIsNone(one["turns"], "on one CPU the recording says it all")
        turns = two["turns"]
        if turns["answer"] == "slices_refused":
            self.skipTest("this kernel grants no long time slices")
        self.assertIn(turns["answer"], ("priced", "no_clear_cost"))
        self.assertIn(turns["pairs"], (1, 3))
        if turns["answer"] == "priced":
            self.assertGreater(turns["price_ns"]["min"], 0)

    def test_turns_are_not_measured_if_nobody_wants_it_or_the_program_is_not_told_its_threads(self):
        (count,) = self.answer("--cpus", "2", "--no-bare-runs", "--", *LU)["counts"]
        self.assertIsNone(count["turns"])
        (count,) = self.answer("--cpus", "2", "--scheduler", "ideal", "--", *LU)["counts"]
        self.assertIsNone(count["turns"])
        (count,) = self.answer("--cpus", "2", "--", EXAMPLES / "lu", "3", "256")["counts"]
        self.assertEqual(count["turns"]["answer"], "not_told")

    def test_turns_have_no_price_where_a_run_without_recording_fails(self):
        script = f'test -n "$LD_PRELOAD" || exit 3; exec {shlex.quote(str(EXAMPLES / "lu"))} {{cpus}} 256'
        (count,) = self.answer("--cpus", "2", "--", "sh", "-c", script)["counts"]
        self.assertIn(count["turns"]["answer"], ("failed", "slices_refused"))
        if count["turns"]["answer"] == "failed":
            self.assertIn("status 3", count["turns"]["problem"])

    def test_measurements_stand_beside_the_predictions(self):
        answer = self.answer("--cpus", "1,2", "--measure", "--runs", "1", "--", *LU)
        cpus = min(2, len(os.sched_getaffinity(0)))
        self.assertEqual(answer["machine_cpus"], len(os.sched_getaffinity(0)))
        one, two = answer["counts"]
        self.assertEqual([series["cpus"] for series in one["measured"]], [1])
        self.assertEqual([series["cpus"] for series in two["measured"]], sorted({1, cpus}))
        for series in one["measured"] + two["measured"]:
            self.assertEqual(len(series["runs"]), 1)
        self.assertGreaterEqual(len(two["recorded_cpu_ns"]), 1, "one was asked for, a disturbed one is repeated")
        if cpus == 1:
            self.skipTest("one CPU: there is nothing to compare")
        comparison = two["same_threads"]
        fastest = [min(run["time_ns"] for run in series["runs"]) for series in two["measured"]]
        self.assertAlmostEqual(comparison["best"], fastest[0] / fastest[1])
        self.assertAlmostEqual(comparison["error"],
                               abs(comparison["best"] - comparison["predicted"]) / comparison["best"])
        self.assertAlmostEqual(sum(cause["share"] for cause in comparison["causes"]),
                               comparison["predicted"] / comparison["best"] - 1)

    def test_a_program_that_does_not_look_at_the_count_is_compared_with_itself(self):
        (count,) = self.answer("--cpus", "2", "--measure", "--runs", "1", "--", EXAMPLES / "lu", "3", "256")["counts"]
        cpus = min(2, len(os.sched_getaffinity(0)))
        self.assertEqual([series["cpus"] for series in count["measured"]], sorted({1, cpus}))
        self.assertEqual(count["same_threads"] is not None, cpus == 2)

    def test_the_text_has_a_row_a_count_and_one_a_measurement(self):
        result = parcast("scale", "--cpus", "1,2", "--measure", "--runs", "1", "--", *LU)
        self.assertEqual(result.returncode, 0, result.stderr)
        text = result.stdout.decode()
        time_with_range = r"\S+ \S+ +\S+ (\S+ )?- \S+ \S+"
        self.assertRegex(text, rf"(?m)^ +1 +2 +1\.00 +{time_with_range} +1\.00 ")
        self.assertRegex(text, rf"(?m)^ +2 +3 +\d\.\d\d +{time_with_range} +\d\.\d\d +\d\.\d\d - \d\.\d\d ")
        if len(os.sched_getaffinity(0)) > 1:
            self.assertRegex(text, r"The measured median lies (in|outside of) the 90 % range for 2 CPUs")
        self.assertRegex(text, r"(?m)^ +2 +1 +\S+ \S+ +\S+ \S+ \(")

    def test_a_program_that_fails_ends_it_with_what_it_said(self):
        result = parcast("scale", "--cpus", "2", "--", "sh", "-c", "echo out of luck with {cpus} >&2; exit 9")
        self.assertEqual((result.returncode, result.stdout), (PROGRAM_FAILED, b""))
        self.assertIn("ended with status 9", result.stderr.decode())
        self.assertIn("out of luck with 2", result.stderr.decode())

    def test_a_command_before_each_run_cleans_up_after_the_last(self):
        # mkdir fails where the folder exists.
        made = self.folder / "made"
        words = ["--cpus", "1,2", "--measure", "--runs", "1", "--", "mkdir", made]
        without = parcast("scale", *words)
        self.assertEqual(without.returncode, PROGRAM_FAILED)
        self.assertIn("--before", without.stderr.decode())
        result = parcast("scale", "--before", f"rm -rf {made}", *words)
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_a_command_before_that_fails_is_an_error(self):
        result = parcast("scale", "--before", "echo no {cpus} >&2; false", "--cpus", "3", "--", "true")
        self.assertEqual((result.returncode, result.stdout), (PROGRAM_FAILED, b""))
        self.assertIn("no 3", result.stderr.decode())

    def test_an_unrecorded_run_past_its_time_limit_ends_it(self):
        script = 'test -n "$LD_PRELOAD" || exec sleep 600'
        result = parcast("scale", "--cpus", "1", "--measure", "--runs", "1", "--time-limit", "1", "--", "sh", "-c", script)
        self.assertEqual((result.returncode, result.stdout), (PROGRAM_FAILED, b""))
        self.assertIn("time limit", result.stderr.decode())

    def test_a_recorded_run_past_its_time_limit_ends_it(self):
        script = 'test -z "$LD_PRELOAD" || exec sleep 600'
        result = parcast("scale", "--cpus", "1", "--time-limit", "1", "--", "sh", "-c", script)
        self.assertEqual((result.returncode, result.stdout), (PROGRAM_FAILED, b""))
        self.assertIn("its time limit, while it was recorded", result.stderr.decode())
        self.assertNotIn("is kept", result.stderr.decode())

    def test_a_time_limit_with_a_unit_was_refused(self):
        result = parcast("scale", "--cpus", "1", "--time-limit", "500ms", "--", "sleep", "50")
        self.assertEqual(result.returncode, PROGRAM_FAILED, result.stderr)
        self.assertIn("was ended after 500 ms, its time limit", result.stderr.decode())

    def test_a_time_limit_ends_what_a_shell_started_too(self):
        for which in ("-n", "-z"):  # in the unrecorded run, in the recording
            pid = self.folder / "pid"
            script = f'test {which} "$LD_PRELOAD" || sh -c "echo \\$\\$ > {pid}; exec sleep 600"; true'
            result = parcast("scale", "--cpus", "1", "--measure", "--runs", "1", "--time-limit", "1", "--", "sh", "-c", script)
            self.assertEqual(result.returncode, PROGRAM_FAILED)
            self.assertFalse(os.path.exists(f"/proc/{pid.read_text().strip()}"))

    def test_a_recording_that_fails_after_one_that_others_disturbed_does_not_replace_it(self):
        if len(os.sched_getaffinity(0)) > 16:
            self.skipTest("one busy CPU of many disturbs nobody")
        # The first run is disturbed by what it leaves behind, so it is made again, and fails.
        script = """
            cd "$1"; touch runs; echo run >> runs
            case $(wc -l < runs) in
                1) env -u LD_PRELOAD setsid timeout 1 sh -c 'while :; do :; done' & sleep 0.5 ;;
                2) exit 3 ;;
            esac"""
        count, = self.answer("--cpus", "1", "--measure", "--runs", "1", "--", "sh", "-c", script, "sh",
                             self.folder)["counts"]
        self.assertEqual(count["cpus"], 1)
        self.assertGreaterEqual(len((self.folder / "runs").read_text().splitlines()), 3)

    def test_off_a_terminal_it_says_what_it_waits_for_and_how_long_at_most(self):
        # There is a line every ten seconds.
        said = parcast("scale", "--cpus", "1", "--no-bare-runs", "--time-limit", "50", "--", "sleep", "10.5").stderr.decode()
        self.assertRegex(said, r"parcast: .*recording for 1 CPU, at most 50.0 s")

    def test_a_signal_ends_it_and_its_programs_at_once(self):
        mark = "600.25"  # seconds, that no other test sleeps
        stubborn = f'trap "" TERM; sleep {mark}; true'
        for words in (["--", "sh", "-c", stubborn], ["--before", stubborn, "--", "true"]):
            with self.subTest(words=words):
                scale = subprocess.Popen([PARCAST, "scale", "--cpus", "1", *words], stderr=subprocess.DEVNULL)
                self.assertTrue(comes_true(lambda: processes_with(mark)))
                scale.send_signal(signal.SIGTERM)
                self.assertEqual(scale.wait(timeout=TIME_LIMIT_S), 128 + signal.SIGTERM)
                self.assertTrue(comes_true(lambda: not processes_with(mark)))

    def test_without_the_count_it_warns_once_and_concludes_no_speed_up(self):
        words = ["--cpus", "1,2", "--no-bare-runs", "--", EXAMPLES / "lu", "3", "256"]
        self.assertEqual([count["speed_up"] for count in self.answer(*words)["counts"]], [None, None])
        result = parcast("scale", *words)
        self.assertEqual(result.stderr.count(b"has no {cpus}"), 1)
        self.assertIn("put {cpus} in its place", " ".join(result.stderr.decode().split()))
        self.assertIn("no speed-up: ", result.stdout.decode())

    def test_the_host_s_machine_is_used_and_said(self):
        machine = self.folder / "parcast" / "machines" / f"{os.uname().nodename}.toml"
        machine.parent.mkdir(parents=True)
        machine.write_text(MACHINE)
        environment = dict(os.environ, XDG_CONFIG_HOME=str(self.folder))
        result = parcast("scale", "--cpus", "1,4", "--", *LU, env=environment)
        self.assertEqual(result.returncode, 0, result.stderr)
        text = result.stdout.decode()
        self.assertIn("machine calibrated on here, 2026-11-21", text)
        self.assertIn("note: the machine's rates end at 2 busy CPUs", text)
        count = json.loads(parcast("scale", "--json", "--cpus", "1", "--", *LU, env=environment).stdout)["counts"][0]
        self.assertEqual(count["machine"]["file"], str(machine))

    def test_cpu_times_alone_need_a_count_that_is_told_and_that_of_one_thread(self):
        for words, message in ((["--cpus", "1,2", "--", "true"], "has no {cpus}"), (["--cpus", "2", "--", *LU], "relative to that of one thread"),
                               (["--measure", "--", *LU], "--measure is for predictions"), (["--scheduler", "ideal", "--", *LU], "--scheduler is for predictions"),
                               (["--cpu-times-of", "x", "--", *LU], "--cpu-times-of is for predictions")):
            result = parcast("scale", "--cpu-times", *words)
            self.assertEqual(result.returncode, USAGE, result.stderr)
            self.assertIn(message, " ".join(result.stderr.decode().split()))

    def test_without_a_program_it_says_so(self):
        result = parcast("scale", "--cpus", "1,2")
        self.assertEqual((result.returncode, result.stdout), (USAGE, b""))
        self.assertIn("needs a program", result.stderr.decode())


if __name__ == "__main__":
    unittest.main()
