"""parcast from Python: what it returns is what the command line answers."""

import importlib.util
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

import parcast

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = pathlib.Path(os.environ["PARCAST_EXAMPLES"])
SECTIONS = ROOT / "examples/threads/two_sections.threads.json"
STENCIL = ROOT / "examples/taskgraphs/stencil.json"
LU = ROOT / "tests/changes/inputs/lu.parcast"


def lacks(module):
    return importlib.util.find_spec(module) is None


class Predict(unittest.TestCase):
    def test_rows_are_those_of_the_command_line_in_seconds(self):
        prediction = parcast.predict(SECTIONS, cpus=[1, 2], scheduler="round-robin")
        done = subprocess.run([parcast.executable(), "predict", SECTIONS, "--cpus", "1,2", "--scheduler", "round-robin", "--json"],
                              capture_output=True, check=True)
        self.assertEqual(prediction.answer, json.loads(done.stdout))
        self.assertEqual([row.time for row in prediction], [each["time_ns"] / 1e9 for each in prediction.answer["predictions"]])
        self.assertEqual([row.cpus for row in prediction], [1, 2])
        self.assertAlmostEqual(prediction[2].speed_up, prediction[1].time / prediction[2].time)

    def test_times_and_speed_ups_of_recordings_lie_in_their_ranges(self):
        prediction = parcast.predict(LU, cpus=[2, 8], runs=6)
        for row in prediction:
            self.assertIn(row.time, row.time_range)
            self.assertIn(row.speed_up, row.speed_up_range)
            self.assertLess(row.time_range.low, row.time_range.high)
        self.assertEqual(parcast.predict(LU, cpus=2, runs=0)[2].time_range, None)

    def test_losses_are_shares_of_all_processor_time(self):
        (row,) = parcast.predict(LU, cpus=8, runs=0)
        busy = sum(each["share"] for each in row_of(row, LU)["limits"] if each["cause"] == "busy")
        self.assertAlmostEqual(busy + sum(loss.share for loss in row.losses), 1, places=6)
        self.assertEqual(row.lost_to("condition"), sum(loss.share for loss in row.losses if loss.cause == "condition"))

    def test_a_change_is_tried_on_each_number_of_cpus(self):
        for row in parcast.predict(SECTIONS, cpus=[1, 2], what_if=["sleep:*0", "io:*0.5"]):
            self.assertEqual([tried.change for tried in row.what_if], ["sleep:*0", "io:*0.5"])
            self.assertEqual([tried.gain for tried in row.what_if], [0, 0])

    def test_schedules_of_a_task_graph_are_rows(self):
        prediction = parcast.predict(STENCIL, cpus=[2, 4], schedule="fifo,lpt")
        self.assertEqual([(row.cpus, row.schedule) for row in prediction], [(2, "fifo"), (4, "fifo"), (2, "lpt"), (4, "lpt")])

    def test_what_cannot_be_answered_is_an_error_in_the_words_of_parcast(self):
        with self.assertRaises(parcast.Error) as raised:
            parcast.predict(SECTIONS, cpus=[0])
        self.assertEqual(raised.exception.status, 2)
        self.assertIn("--cpus", str(raised.exception))
        with self.assertRaisesRegex(parcast.Error, "no rows by CPUs.*ask"):
            parcast.predict(ROOT / "examples/pamela/mrm.pam")

    # It went letter by letter: --cpus was given three times.
    def test_counts_can_be_written_as_on_the_command_line(self):
        self.assertEqual([row.cpus for row in parcast.predict(SECTIONS, cpus="1-3")], [1, 2, 3])

    def test_a_count_that_was_not_asked_for_is_named(self):
        with self.assertRaisesRegex(KeyError, "there are 1, 2"):
            parcast.predict(SECTIONS, cpus=[1, 2])[3]

    def test_the_table_has_a_line_for_each_row(self):
        lines = str(parcast.predict(SECTIONS, cpus=[1, 2])).splitlines()
        self.assertTrue(lines[0].lstrip().startswith("CPUs"))
        self.assertEqual([line.split()[0] for line in lines[1:3]], ["1", "2"])


def row_of(row, program):
    (found,) = parcast.ask("predict", program, cpus=[row.cpus], runs=0)["predictions"]
    return found


class Record(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_a_recording_can_be_predicted(self):
        recording = parcast.record([EXAMPLES / "producer_consumer_one_lock", "5"], self.folder / "one.parcast", quiet=True)
        self.assertEqual((recording.file, recording.exit_status), (self.folder / "one.parcast", 0))
        self.assertGreater(recording.threads, 1)
        self.assertGreater(recording.cpu_time, 0)
        self.assertGreater(parcast.predict(recording, cpus=2, runs=0)[2].speed_up, 0.5)
        self.assertTrue(parcast.advise(recording, cpus=[1, 2]))

    # The report is on standard error, where the program writes, too.
    def test_what_the_program_prints_does_not_hide_the_report(self):
        recording = parcast.record(["sh", "-c", "echo '{' >&2; echo '{\"a\": 1}' >&2; exit 3"], self.folder / "shell.parcast", quiet=True)
        self.assertEqual(recording.exit_status, 3)

    # It was swallowed.
    def test_what_the_program_writes_to_standard_error_comes_out(self):
        code = ("import parcast\n"
                f"parcast.record(['sh', '-c', 'echo told; echo asked >&2'], {str(self.folder / 'told.parcast')!r})")
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout, "told\n")
        self.assertIn("asked\n", done.stderr)
        self.assertNotIn("parcast.record/1", done.stderr)

    def test_a_program_that_is_not_there_is_an_error(self):
        with self.assertRaises(parcast.Error) as raised:
            parcast.record(["./no_such_program"], self.folder / "none.parcast")
        self.assertEqual(raised.exception.status, 127)
        self.assertIn("no_such_program", str(raised.exception))


    # It went letter by letter: "/" is a folder.
    def test_a_program_without_arguments_is_a_word(self):
        self.assertEqual(parcast.command.program_words("/bin/true"), ["/bin/true"])
        self.assertEqual(parcast.command.program_words(pathlib.Path("/bin/true")), ["/bin/true"])
        self.assertEqual(parcast.command.program_words(["/bin/echo", 8]), ["/bin/echo", "8"])


class Executable(unittest.TestCase):
    # It raised FileNotFoundError.
    def test_a_wrong_variable_is_an_error_that_names_it(self):
        with unittest.mock.patch.dict(os.environ, PARCAST="/no/such/parcast"):
            with self.assertRaisesRegex(parcast.Error, "PARCAST.*/no/such/parcast"):
                parcast.executable()

    # It took bin/parcast of any folder above the package, which in /tmp may be anybody's.
    def test_a_clone_takes_no_program_from_a_folder_above_it(self):
        self.assertIsNone(parcast.command.INSTALLED_BESIDE)

    def test_the_installed_package_takes_the_program_beside_it(self):
        with tempfile.TemporaryDirectory() as folder:
            prefix = pathlib.Path(folder) / "usr"
            (prefix / "lib/python3/dist-packages").mkdir(parents=True)
            (prefix / "bin").mkdir()
            installed = prefix / "lib/python3/dist-packages/parcast"
            shutil.copytree(ROOT / "python/parcast", installed, ignore=shutil.ignore_patterns("__pycache__"))
            (prefix / "bin/parcast").symlink_to(parcast.executable())
            environment = {name: value for name, value in os.environ.items() if name != "PARCAST"}
            done = subprocess.run([sys.executable, "-c", "import parcast; print(parcast.executable())"], capture_output=True,
                                  text=True, check=True, env=environment | {"PYTHONPATH": str(installed.parent)})
            self.assertEqual(done.stdout.strip(), str(pathlib.Path(folder).resolve() / "usr/bin/parcast"))


class Ask(unittest.TestCase):
    def test_any_verb_answers_by_its_schema(self):
        self.assertEqual(parcast.ask("info", LU)["schema"], "parcast.info/1")

    def test_words_that_are_no_number_are_given_once_each(self):
        self.assertEqual(parcast.command.words_of({"cpus": [1, 2], "what_if": ["a", "b"], "all": True, "no": None, "jobs": 3}),
                         ["--cpus", "1,2", "--what-if", "a", "--what-if", "b", "--all", "--jobs", "3"])
        self.assertEqual(parcast.command.words_of({"assert_": ["time(2) < 1s"]}), ["--assert", "time(2) < 1s"])


class Frames(unittest.TestCase):
    def test_columns_need_nothing(self):
        columns = parcast.predict(SECTIONS, cpus=[1, 2]).columns()
        self.assertEqual(columns["cpus"], [1, 2])
        self.assertEqual({len(values) for values in columns.values()}, {2})

    @unittest.skipIf(lacks("pandas"), "pandas is not installed")
    def test_a_frame_has_a_row_for_each_count(self):
        frame = parcast.predict(LU, cpus=[1, 2, 4], runs=6).frame()
        self.assertEqual(list(frame["cpus"]), [1, 2, 4])
        self.assertTrue((frame["speed_up_low"] <= frame["speed_up_high"]).all())

    @unittest.skipIf(lacks("matplotlib"), "matplotlib is not installed")
    def test_a_plot_has_a_curve_and_a_band(self):
        import matplotlib
        matplotlib.use("Agg")
        axes = parcast.predict(LU, cpus=[1, 2, 4, 8], runs=6).plot()
        self.assertEqual([line.get_label() for line in axes.get_lines()], ["lu", "ideal"])
        self.assertEqual(len(axes.collections), 1)

    def test_without_pandas_it_says_what_to_install(self):
        code = ("import sys; sys.modules['pandas'] = None; import parcast\n"
                f"try: parcast.predict({str(SECTIONS)!r}, cpus=[1]).frame()\n"
                "except ImportError as error: print(error)")
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        self.assertIn("python3-pandas", done.stdout)


class Tutorial(unittest.TestCase):
    # docs/python.md shows it piece by piece.
    def test_it_runs(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, "-B", ROOT / "examples/tutorial.py", EXAMPLES], cwd=folder,
                                  capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("shared_mutex", done.stdout)
            if not lacks("matplotlib"):
                self.assertTrue((pathlib.Path(folder) / "histogram.png").stat().st_size > 0)

    def test_the_page_shows_pieces_of_it(self):
        script = (ROOT / "examples/tutorial.py").read_text()
        lines = [line.strip() for line in script.splitlines()]
        page = (ROOT / "docs/python.md").read_text()
        shown = [line.strip() for block in page.split("<!-- tutorial -->")[1:] for line in block.split("\n\n")[1].splitlines()]
        self.assertGreater(len(shown), 5)
        self.assertEqual([line for line in shown if line not in lines], [])


if __name__ == "__main__":
    unittest.main()
