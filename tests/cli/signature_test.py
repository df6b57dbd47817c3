"""parcast signature FOLDER: what it concludes of three programs whose answer is known, and what it refuses."""

import html
import json
import pathlib
import re
import shutil
import tempfile
import unittest

from program import EXAMPLES, INPUT, SCHEMAS, USAGE, parcast

ROOT = pathlib.Path(__file__).parents[2]
COUNTS = "1,2,3,4"


def text_of(*words):
    result = parcast("signature", *words)
    if result.returncode != 0:
        raise AssertionError(result.stderr.decode())
    return " ".join(result.stdout.decode().split())


def answer(*words):
    result = parcast("signature", *words, "--json")
    if result.returncode != 0:
        raise AssertionError(result.stderr.decode())
    return json.loads(result.stdout)


class WithSeries(unittest.TestCase):
    """Recordings of a program with many barriers, of one with a lock, and of one with many locks."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="parcast-signature-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        for name, program, size in (("barriers", "red_black_grid", "60"), ("lock", "producer_consumer_one_lock", "100000"),
                                    ("locks", "producer_consumer_many_locks", "100000")):
            setattr(cls, name, cls.folder / name)
            made = parcast("scale", "--cpus", COUNTS, "--no-bare-runs", "--keep", cls.folder / name, "--", EXAMPLES / program, "{cpus}", size)
            if made.returncode != 0:
                raise AssertionError(made.stderr.decode())


class Conclusions(WithSeries):
    def test_many_barriers_are_linear_and_the_cause_is_the_barrier(self):
        text = text_of(self.barriers, "--threads-from", "name")
        self.assertRegex(text, "(red_black_grid|By its events alone it) is linear, optimal in the sense of the 1990 report")
        self.assertRegex(text, r"\d+ % of the growth is barrier, at 3 places, most by barrier wait of barrier \(solve_as, red_black_grid.cpp:\d+\), linear in P")
        self.assertIn("assumes that nobody is blocked", text)

    def test_one_lock_is_what_the_theorem_misses(self):
        text = text_of(self.lock)
        if "these recordings do not say why" not in text:  # its work grows with its threads: on a busy host that is not clear
            self.assertTrue(text.split("linux ")[1].startswith("producer_consumer_one_lock does not scale:"), text)
            self.assertIn("By its events alone it is linear, optimal in the sense of the 1990 report", text)
            self.assertIn("In effect it runs serially", text)
        self.assertRegex(text, r"\d+ % waiting for locks, most for mutex buffer_mutex")

    def test_many_locks_are_embarrassingly_parallel(self):
        text = text_of(self.locks)
        # How long starting the threads takes decides which of the two.
        self.assertRegex(text, "producer_consumer_many_locks is (embarrassingly parallel|linear, optimal)")
        self.assertIn("scaled execution", text)

    def test_words_come_before_numbers(self):
        text = text_of(self.barriers)
        self.assertLess(text.index("is linear, optimal"), text.index("events κ"))
        self.assertLess(text.index("events κ"), text.index("AICc"))
        self.assertLess(text.index("AICc"), text.index("growth events"))

    def test_two_series_are_compared(self):
        text = text_of(self.barriers, "--compare", self.lock)
        self.assertRegex(text, r"this one has (more|fewer) events for P = \d")
        self.assertRegex(text, r"counted with up to \d+ threads; for more threads both are extrapolated, beyond \d+ nobody looked")
        self.assertIn("two programs, red_black_grid and producer_consumer_one_lock", text)

    def test_the_command_has_a_placeholder_for_what_differs(self):
        self.assertRegex(" ".join(text_of(self.barriers).split()), r"red_black_grid'? \{cpus\} 60 ")

    def test_the_next_commands_work(self):
        text = parcast("signature", self.barriers).stdout.decode()
        commands = [line.removeprefix("next: ").split() for line in text.replace("\n    ", " ").splitlines() if line.startswith("next: ")]
        self.assertTrue(commands, text)
        for command in commands:
            result = parcast(*command[1:], *(["--top", "1"] if command[1] == "advise" else []))
            self.assertEqual(result.returncode, 0, result.stderr.decode())

    def test_no_next_command_has_dots_for_arguments_that_differ(self):
        series = self.folder / "dots"
        series.mkdir()
        for threads, size in ((2, 60), (3, 61), (4, 62)):
            made = parcast("record", "-o", series / f"grid.{threads}.parcast", "--", EXAMPLES / "red_black_grid", threads, size)
            self.assertEqual(made.returncode, 0, made.stderr.decode())
        text = parcast("signature", series, "--threads-from", "name").stdout.decode()
        self.assertNotIn("next: parcast record", text)

    def test_a_legend_explains_no_column_that_is_hidden(self):
        text = text_of(self.barriers)
        self.assertNotIn("write:", text)
        self.assertNotIn("measured:", text)
        self.assertIn("read:", text)

    def test_the_figures_over_threads_are_in_every_column(self):
        text = parcast("signature", self.lock, "--threads-table").stdout.decode()
        table = text[text.rindex("P = "):].splitlines()
        ends = [match.end() for match in re.finditer(r"\S+", table[1])][1:]
        columns = list(zip(ends, ends[1:]))  # numbers are at the right of theirs

        def cells(line):
            return [line[left:right].strip() for left, right in columns]

        least = cells(next(line for line in table if line.strip().startswith("least")))
        threads = [cells(line) for line in table if re.match(r" +[1-9]\d* ", line)]
        for at, cell in enumerate(least):
            if any(row[at] not in ("", "0 s") for row in threads):
                self.assertNotEqual("", cell, text)
        self.assertGreater(len(columns), 8, text)
        self.assertIn("outside: before it is created and after its end", " ".join(text.split()))


class Numbers(WithSeries):
    def test_identities_hold(self):
        for series in (self.barriers, self.lock, self.locks):
            for run in answer(series, "--threads-from", "name", "--threads-table")["recordings"]:
                with self.subTest(file=run["file"]):
                    self.assertAlmostEqual(run["nu_active"] * run["time_ns"], run["total_active_ns"], delta=1)
                    if run["a"] is not None:
                        self.assertAlmostEqual(run["a"] / run["b"], run["speed_up"], delta=0.02 * run["speed_up"])
                    ends = [step["begin_ns"] for step in run["profile"][1:]] + [run["time_ns"]]
                    for quantity, whole in (("active", run["total_active_ns"]), ("communicating", run["work_ns"] - run["total_active_ns"])):
                        integral = sum(step[quantity] * (end - step["begin_ns"]) for step, end in zip(run["profile"], ends))
                        self.assertAlmostEqual(integral, whole, delta=max(10, 1e-6 * whole))
                    for thread in run["thread_rows"]:
                        parts = ("active_ns", "communicating_ns", "algorithmic_blocking_ns", "other_blocking_ns", "outside_ns")
                        self.assertAlmostEqual(sum(thread[part] for part in parts), run["time_ns"], delta=1)
                    self.assertEqual(sum(thread["events"] for thread in run["thread_rows"]), run["events"])

    def test_names_that_are_no_numbers_of_threads_withhold_what_takes_them_for_threads(self):
        found = answer(self.lock, "--threads-from", "name")
        self.assertFalse(found["number_of_threads"], "three threads and the initial one for each")
        for run in found["recordings"]:
            self.assertEqual([run["a"], run["b"], run["speed_up_bound"], run["laws"]["theorem"], run["laws"]["amdahl"]], [None] * 5)
        self.assertIsNone(found["alpha"])
        named = answer(self.barriers, "--threads-from", "name")
        self.assertTrue(named["number_of_threads"])
        for run in named["recordings"]:
            self.assertLessEqual(run["a"], 1.001)

    def test_alpha_is_made_of_the_theta_and_the_work_that_are_named(self):
        for words in ([self.barriers], [self.barriers, "--threads-from", "name"], [self.lock]):
            found = answer(*words)
            self.assertIn(found["theta_source"], ("series", "machine"))
            self.assertAlmostEqual(found["theta_ns"], found["machine_theta_ns" if found["theta_source"] == "machine" else "series_theta_ns"])
            self.assertAlmostEqual(found["alpha"], found["work_of_one"]["ns"] / found["theta_ns"], delta=1e-6 * found["alpha"])

    def test_each_call_is_an_event_unless_asked_otherwise(self):
        each = answer(self.barriers)["recordings"][0]
        self.assertEqual(each["events"], each["calls"] + 2 * each["all_threads"])
        merged = answer(self.barriers, "--same-event", "1s")["recordings"][0]
        self.assertEqual(merged["events"], merged["all_threads"])

    def test_the_json_is_as_documented(self):
        try:
            import jsonschema
        except ImportError:
            self.skipTest("needs python3-jsonschema")
        schema = json.loads((SCHEMAS / "signature.schema.json").read_text())
        others = {"file:///predict.schema.json": json.loads((SCHEMAS / "predict.schema.json").read_text())}
        resolver = jsonschema.RefResolver("file:///signature.schema.json", schema, store=others)
        for words in ([self.barriers], [self.lock, "--scaled", "--compare", self.locks], [self.locks, "--threads-table"], [next(self.lock.glob("*.2.parcast"))]):
            jsonschema.Draft202012Validator(schema, resolver=resolver).validate(answer(*words))

    def test_a_machine_with_fewer_cpus_makes_threads_wait(self):
        free = answer(self.locks)["recordings"][-1]
        bound = answer(self.locks, "--cpus", "1")["recordings"][-1]
        self.assertLess(bound["nu"], 1.01)
        self.assertGreater(bound["time_ns"], 1.5 * free["time_ns"])
        self.assertEqual(bound["events"], free["events"])

    def test_one_recording_has_a_dynamic_analysis_and_no_characteristic_function(self):
        found = answer(next(self.lock.glob("*.3.parcast")))
        self.assertIsNone(found["characteristic"])
        self.assertEqual(len(found["recordings"]), 1)
        self.assertTrue(any("it takes three" in note for note in found["notes"]))

    def test_measured_speed_ups_stand_beside_the_others(self):
        measured = self.folder / "scale.json"
        counts = [{"cpus": 2, "compared_cpus": 2, "over_one": {"measured": {"median": 1.9, "min": 1.8, "max": 2.0}}},
                  {"cpus": 4, "compared_cpus": 2, "over_one": {"measured": {"median": 1.7, "min": 1.6, "max": 1.8}}}]
        measured.write_text(json.dumps({"schema": "parcast.scale/2", "counts": counts}))
        runs = answer(self.barriers, "--threads-from", "name", "--measured", measured)["recordings"]
        self.assertEqual([run["laws"]["measured"] for run in runs], [None, {"median": 1.9, "min": 1.8, "max": 2.0}, None, None],
                         "4 threads ran on 2 CPUs")
        measured.write_text(json.dumps({"schema": "parcast.info/1", "counts": []}))
        result = parcast("signature", self.barriers, "--measured", measured)
        self.assertEqual(result.returncode, INPUT)
        self.assertIn(b"parcast scale --json --measure", result.stderr)

    def test_a_picture_is_drawn(self):
        picture = self.folder / "signature.svg"
        result = parcast("signature", self.barriers, "--plot", picture)
        self.assertEqual(result.returncode, 0, result.stderr)
        svg = picture.read_text()
        for part in ("</svg>", "g(P)", "W/P", "algorithmic", "Amdahl"):
            self.assertIn(part, svg)

    def test_a_picture_replaced_another_file_silently(self):
        picture = self.folder / "kept.svg"
        picture.write_text("mine")
        result = parcast("signature", self.barriers, "--plot", picture)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("--force", result.stderr.decode())
        self.assertEqual(picture.read_text(), "mine")
        self.assertEqual(parcast("signature", self.barriers, "--plot", picture, "--force").returncode, 0)
        self.assertIn("</svg>", picture.read_text())

    def test_a_report_answers_the_same_options(self):
        page = self.folder / "report.html"
        for words in (["--threads-from", "name"], ["--scaled"], ["--same-event", "5us"], ["--compare", self.lock]):
            with self.subTest(words=words):
                result = parcast("report", self.barriers, *words, "-o", page, "--force")
                self.assertEqual(result.returncode, 0, result.stderr.decode())
                said = html.unescape(page.read_text())
                for sentence in answer(self.barriers, *words)["verdict"]:
                    self.assertIn(" ".join(sentence.split()), " ".join(said.split()))
        one = next(self.lock.glob("*.2.parcast"))
        result = parcast("report", one, "--scaled", "-o", page, "--force")
        self.assertIn("--scaled is for a folder of recordings", " ".join(result.stderr.decode().split()))


class Refusals(WithSeries):
    def refused(self, status, *words):
        result = parcast("signature", *words)
        self.assertEqual(result.returncode, status, result.stderr.decode())
        return " ".join(result.stderr.decode().split())

    def test_an_empty_folder_names_the_next_command(self):
        with tempfile.TemporaryDirectory() as empty:
            self.assertIn("parcast scale --cpus 1,2,4,8 --keep runs", self.refused(INPUT, empty))

    def test_a_task_graph_among_recordings_names_its_own_analysis(self):
        graph = ROOT / "examples/taskgraphs/stencil.json"
        self.assertIn(f"parcast signature {graph} --cpus 4,16", self.refused(INPUT, next(self.lock.iterdir()), graph))
        self.assertIn("--same-event is for recordings", self.refused(USAGE, graph, "--same-event", "2us"))

    def test_different_programs_are_named(self):
        said = self.refused(INPUT, self.lock, self.locks)
        self.assertIn("producer_consumer_one_lock", said)
        self.assertIn("producer_consumer_many_locks", said)

    def test_the_same_number_of_threads_twice_names_both_files(self):
        copy = self.folder / "again.parcast"
        first = sorted(self.lock.iterdir())[0]
        shutil.copy(first, copy)
        said = self.refused(INPUT, self.lock, copy)
        self.assertIn(str(copy), said)
        self.assertIn(str(first), said)

    def test_a_failed_run_is_named(self):
        failed = self.folder / "failed.parcast"
        parcast("record", "-o", failed, "--", "sh", "-c", "exit 3")
        if not failed.exists():
            self.skipTest("the shell's processes were recorded elsewhere")
        self.assertIn("the program failed in this run", self.refused(INPUT, failed))

    def test_what_is_no_recording_names_what_is_taken(self):
        for file in ("nothing", "/etc/hostname"):
            said = self.refused(INPUT, file)
            for taken in ("recordings or a folder of them", "task graph", "step program", "message program", "--g and --alpha"):
                self.assertIn(taken, said)

    def test_a_second_series_that_is_not_there_is_named_with_its_option(self):
        self.assertIn("--compare: cannot read nothing", self.refused(INPUT, self.lock, "--compare", "nothing"))

    def test_one_number_of_cpus(self):
        self.assertIn("one number of CPUs", self.refused(USAGE, self.lock, "--cpus", "1,2"))


if __name__ == "__main__":
    unittest.main()
