"""parcast compare: how two recordings, a recording and its change, or prediction and measurement differ."""

import json
import pathlib
import tempfile
import unittest

from program import EXAMPLES, INPUT, USAGE, parcast
from report_test import columns_of, elements_of

ROOT = pathlib.Path(__file__).resolve().parents[2]
KEPT = ROOT / "tests/changes/inputs"


def record(file, *command):
    result = parcast("record", "-o", file, "--", *command)
    if result.returncode != 0:
        raise AssertionError(result.stderr.decode())
    return file


def record_undisturbed(commands):
    """A recording of each command, by its file: that with the least CPU time of four, made in turn, for others work on this machine."""
    def cpu_time_ns(recording):
        return json.loads(parcast("info", "--json", recording).stdout)["recorded"]["cpu_time_ns"]
    tries = [{file: record(file.with_suffix(f".{number}.parcast"), *command) for file, command in commands.items()}
             for number in range(4)]
    return [min((each[file] for each in tries), key=cpu_time_ns).rename(file) for file in commands]


class WithFolder(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="parcast-compare-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        bodies = [EXAMPLES / "n_body", "8", "256", "12"]
        cls.locks, cls.private = record_undisturbed({cls.folder / "locks.parcast": [*bodies, "0"],
                                                     cls.folder / "private.parcast": [*bodies, "1"]})

    def answer(self, *words):
        result = parcast("compare", "--json", *words)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def text(self, *words):
        result = parcast("compare", *words)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout.decode()


class Compare(WithFolder):
    def test_a_recording_and_itself_show_no_difference(self):
        difference = self.answer(self.locks, self.locks, "--cpus", "1,4")["differences"][0]
        self.assertRegex(difference["sentences"][0], "no difference that the ranges would show")
        self.assertIsNone(difference["telling_cpus"])
        for count in difference["counts"]:
            self.assertEqual(count["ratio"], 1)
            self.assertLess(count["ratio_range"]["low"], 1)

    def test_the_causes_sum_to_the_difference(self):
        difference = self.answer(self.locks, self.private, "--cpus", "1,2,8")["differences"][0]
        for count in difference["counts"]:
            change = count["second"]["time_ns"] - count["first"]["time_ns"]
            self.assertAlmostEqual(sum(cause["time"]["change_ns"] for cause in count["causes"]), change, delta=10)

    def test_n_body_with_and_without_private_sums(self):
        answer = self.answer(self.locks, self.private, "--cpus", "1,2,4,8")
        difference = answer["differences"][0]
        self.assertRegex(difference["sentences"][0], r"(^On \d CPUs?|on \d CPUs?:) B (is [\d.]+ times as fast as|takes \d+ % less time than) A .*")
        objects = {(each["first"] or each["second"])["name"]: each for each in difference["counts"][-1]["objects"]}
        bodies = [each for each in difference["counts"][-1]["objects"] if each["first"] and each["first"]["count"] == 256]
        self.assertEqual([each["alignment"] for each in bodies], ["gone"], objects)

    def test_more_threads_are_named(self):
        few, many = record_undisturbed({self.folder / f"{threads}.parcast": [EXAMPLES / "n_body", threads, "1024", "4", "1"]
                                        for threads in ("2", "8")})
        difference = self.answer(few, many, "--cpus", "1,8")["differences"][0]
        self.assertEqual(difference["telling_cpus"], 8)
        self.assertRegex(difference["sentences"][0], "^On 8 CPUs B is .* times as fast as A .*no thread to run.*8 .* threads instead of 2")

    def test_a_change_has_the_range_of_what_it_saves(self):
        answer = self.answer(self.private, "--what-if", "thread:1*0.5", "--cpus", "4")
        self.assertEqual([side["change"] for side in answer["sides"]], [None, "thread:1*0.5"])
        count = answer["differences"][0]["counts"][0]
        predicted = json.loads(parcast("predict", self.private, "--what-if", "thread:1*0.5", "--cpus", "4", "--json").stdout)
        what_if = predicted["predictions"][0]["what_if"][0]
        self.assertAlmostEqual(count["second"]["time_ns"], what_if["time_ns"], delta=2)
        self.assertAlmostEqual(count["first"]["time_ns"], predicted["predictions"][0]["time_ns"], delta=2)

    def test_one_recording_on_two_machines(self):
        answer = self.answer(self.private, "--scheduler", "linux", "--scheduler", "ideal", "--cpus", "4")
        self.assertEqual(len(answer["sides"]), 2)
        self.assertIn("linux", answer["sides"][0]["machine"])
        self.assertIn("ideal", answer["sides"][1]["machine"])
        answer = self.answer(self.private, "--machine", "default", "--machine", KEPT / "machine.toml", "--cpus", "2")
        self.assertIn("machine.toml", answer["sides"][1]["machine"])

    def test_a_page_replaced_the_second_recording(self):
        before = self.private.read_bytes()
        machine = self.folder / "machine.toml"
        machine.write_bytes((KEPT / "machine.toml").read_bytes())
        for words in ([self.locks, self.private, "-o", self.private], [self.locks, self.private, "-o", self.locks],
                      [self.private, "--machine", "default", "--machine", machine, "-o", machine]):
            with self.subTest(words=words):
                result = parcast("compare", *words, "--force")
                self.assertEqual(result.returncode, USAGE, result.stderr)
        self.assertEqual(self.private.read_bytes(), before)
        self.assertEqual(machine.read_bytes(), (KEPT / "machine.toml").read_bytes())

    def test_three_sides_have_a_line_each(self):
        text = self.text(self.locks, self.private, self.locks, "--cpus", "2")
        self.assertRegex(text, r"(?m)^  A .*\n  B .*\n  C .*none")

    def test_a_folder_is_a_history(self):
        series = KEPT / "lock_series"
        answer = self.answer(series)
        self.assertTrue(answer["history"])
        self.assertEqual(len(answer["sides"]), len(list(series.glob("*.parcast"))))
        self.assertEqual([(each["first"], each["second"]) for each in answer["differences"]][:1], [("A", "B")])

    def test_two_folders_are_compared_count_by_count(self):
        series = KEPT / "lock_series"
        answer = self.answer(series, series)
        counts = sorted(int(path.stem.rsplit(".", 1)[1]) for path in series.glob("*.parcast"))
        self.assertEqual([count["cpus"] for count in answer["differences"][0]["counts"]], counts)
        self.assertEqual({count["ratio"] for count in answer["differences"][0]["counts"]}, {1})

    def test_what_cannot_be_compared_is_refused_with_a_way_out(self):
        for words in ([self.locks], [self.locks, self.private, "--what-if", "sleep:*0"],
                      [self.locks, self.private, "--machine", "a", "--machine", "b", "--machine", "c"],
                      [ROOT / "tests/fuzz/perf_sched_fuzz/two_threads.txt"]):
            with self.subTest(words=words):
                result = parcast("compare", *words)
                self.assertEqual(result.returncode, USAGE, result.stderr)
                self.assertEqual(result.stdout, b"")
        self.assertEqual(parcast("compare", self.locks, "no-such.parcast").returncode, INPUT)
        self.assertEqual(parcast("compare", ROOT / "examples/taskgraphs/stencil.json", self.locks).returncode, INPUT)


SWITCH = " {by} [00{cpu}] {time:.6f}: sched:sched_switch: prev_comm={a} prev_pid={a_id} prev_prio=120 prev_state={state} ==> next_comm={b} next_pid={b_id} next_prio=120\n"


class Measured(WithFolder):
    def measured(self, ms_a_thread):
        """Two threads, the second made at once, on two CPUs: as n_body 1."""
        name = "n_body"
        def switch(time, cpu, a, a_id, state, b, b_id):
            return SWITCH.format(by=f"{a} {a_id}", cpu=cpu, time=time, a=a, a_id=a_id, state=state, b=b, b_id=b_id)
        end = 1 + ms_a_thread / 1000
        return (switch(1.0, 0, "swapper/0", 0, "R", name, 10)
                + f" {name} 10 [000] 1.000010: sched:sched_process_fork: comm={name} pid=10 child_comm={name} child_pid=11\n"
                + switch(1.00002, 1, "swapper/1", 0, "R", name, 11) + switch(1.00003, 0, name, 10, "S", "swapper/0", 0)
                + f" {name} 11 [001] {end:.6f}: sched:sched_waking: comm={name} pid=10 prio=120 target_cpu=000\n"
                + switch(end + 1e-6, 1, name, 11, "X", "swapper/1", 0) + switch(end + 2e-6, 0, "swapper/0", 0, "R", name, 10)
                + switch(end + 1e-5, 0, name, 10, "X", "swapper/0", 0))

    def test_the_error_splits_into_parts(self):
        recording = record(self.folder / "one.parcast", EXAMPLES / "n_body", "1", "256", "4", "1")
        file = self.folder / "measured.perf.txt"
        file.write_text(self.measured(1000))
        answer = self.answer(recording, file)
        self.assertEqual([side["origin"] for side in answer["sides"]], ["predicted", "measured"])
        count = answer["differences"][0]["counts"][0]
        self.assertEqual(count["cpus"], 2)
        self.assertEqual(count["causes"], [])
        parts = {part["part"]: part["time"] for part in count["parts"]}
        self.assertEqual(set(parts), {"own_code", "system", "ready", "waiting", "idling"})
        change = count["second"]["time_ns"] - count["first"]["time_ns"]
        self.assertAlmostEqual(sum(part["change_ns"] for part in parts.values()), change, delta=10)
        self.assertAlmostEqual(count["second"]["time_ns"], 1_000_010_000, delta=2)
        self.assertAlmostEqual(parts["own_code"]["second_ns"], 1_000_018_000 / 2, delta=30_000)
        self.assertAlmostEqual(parts["waiting"]["second_ns"], 999_970_000 / 2, delta=30_000)
        self.assertRegex(answer["differences"][0]["sentences"][0], "^On 2 CPUs B takes .* times as long as A: ")
        self.assertIsNone(count["second"]["speed_up"], "the time on one CPU was not measured")
        self.assertNotIn("the system takes 0", " ".join(answer["differences"][0]["sentences"]))

    def test_the_page_has_the_measured_lanes_and_nothing_to_replay(self):
        recording = record(self.folder / "page.parcast", EXAMPLES / "n_body", "1", "256", "4", "1")
        file, page = self.folder / "page.perf.txt", self.folder / "page.html"
        file.write_text(self.measured(1000).replace("[001]", "[007]"))
        printed = self.answer(recording, file)
        self.assertEqual(self.answer(recording, file, "-o", page), printed, "a page changes nothing that is printed")
        elements = elements_of(page.read_text(encoding="utf-8"))
        self.assertEqual({name for name in elements if name.startswith("b-")}, {"b-overview", "b-execution-measured-2"})
        self.assertLess({"execution-linux-1", "execution-linux-2", "execution-linux-8"}, set(elements), "a curve needs more counts than one")
        overview = json.loads(elements["b-overview"])
        self.assertEqual((overview["cpus"], overview["cpu_numbers"]), (2, [0, 7]))
        lanes = columns_of(elements["b-execution-measured-2"], b"PCEX")
        self.assertEqual(len(lanes["cpu.first"]) - 1, 2)
        self.assertEqual(len(lanes["thread.created"]), 2)
        self.assertEqual(lanes["object.operations"], ())

    def test_a_run_that_moved_over_more_cpus_than_it_counts_has_no_lanes_by_cpu(self):
        recording = record(self.folder / "moved.parcast", EXAMPLES / "n_body", "1", "256", "4", "1")
        file, page = self.folder / "moved.perf.txt", self.folder / "moved.html"
        file.write_text(self.measured(1000) + SWITCH.format(by="swapper 0", cpu=5, time=3, a="swapper/5", a_id=0, state="R", b="n_body", b_id=12)
                        + SWITCH.format(by="n_body 12", cpu=5, time=3.1, a="n_body", a_id=12, state="X", b="swapper/5", b_id=0))
        self.answer(recording, file, "--cpus", "2", "-o", page)
        elements = elements_of(page.read_text(encoding="utf-8"))
        self.assertEqual(json.loads(elements["b-overview"])["cpu_numbers"], [])
        self.assertEqual(columns_of(elements["b-execution-measured-2"], b"PCEX")["cpu.interval"], ())

    def test_what_is_doubtful_about_a_measurement_was_only_printed_as_a_warning(self):
        file = self.folder / "lost.perf.txt"
        file.write_text("LOST 3 events\n" + self.measured(10))
        notes = self.answer(self.private, file)["notes"]
        self.assertEqual(notes, ["B: perf lost 3 events; what threads do meanwhile is guessed"])

    def test_an_answer_of_scale_leads_to_scale(self):
        file = self.folder / "scale.json"
        for text in ('{\n  "schema": "parcast.scale/2",\n', '{"schema":"parcast.scale/2",'):
            file.write_text(text + '"counts": []}')
            result = parcast("compare", self.private, file)
            self.assertEqual(result.returncode, USAGE, result.stderr)
            self.assertIn(b"parcast scale --measure", result.stderr)
            self.assertIn(b"parcast report RECORDING --measured", b" ".join(result.stderr.split()))

    def test_a_run_of_another_program_is_refused(self):
        file = self.folder / "other.perf.txt"
        file.write_text(self.measured(10).replace("n_body", "other"))
        result = parcast("compare", self.private, file)
        self.assertEqual(result.returncode, INPUT)
        self.assertIn(b"no thread here has the name n_body", result.stderr)


if __name__ == "__main__":
    unittest.main()
