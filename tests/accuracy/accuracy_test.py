"""What is made of measured results: the document, and what it says about them. Nothing is measured here."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import inputs
import neighbours
import programs
import section


def series(cpus, times_ns, discarded=0):
    return {"cpus": cpus, "discarded": discarded, "disturbed": 0, "runs": [{"time_ns": time, "user_ns": time * 0.9} for time in times_ns]}


def result(program="lu", predicted=2.0, best=1.9, cpus=2, findings=(), within_range=True):
    comparison = {"predicted": predicted, "measured": {"median": best, "min": best - 0.1, "max": best + 0.1}, "best": best,
                  "error": abs(best - predicted) / best, "median_error": 0, "within_range": within_range, "user_growth": 0, "predicted_user_growth": 0.02,
                  "causes": [{"part": "idle", "share": predicted / best - 1}, {"part": "user", "share": 0.001}]}
    count = {"cpus": cpus, "compared_cpus": 2, "same_threads": comparison, "recording_cost": 0.01,
             "measured": [series(1, [2e9, 2.2e9]), series(2, [1e9, 1.1e9], discarded=3)],
             "predictions": [{"cpus": 1, "time_ns": 2.1e9}, {"cpus": 2, "time_ns": 1e9}],
             "findings": [{"kind": kind, "severity": severity} for kind, severity in findings]}
    return {"program": program, "package": "", "shown_command": "lu {cpus}", "date": "2026-11-21 12:00",
            "host": {"processor": "P", "cpus": 2, "is_virtual": True, "kernel": "Linux"}, "scale": {"counts": [count]}}


class Section(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="parcast-accuracy-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def of(self, *results):
        for entry in results:
            (self.folder / f"{entry['program']}.json").write_text(json.dumps(entry))
        return section.of_results(self.folder)

    def test_the_summary_is_the_mean_and_the_worst_of_the_errors(self):
        text = self.of(result("lu", 2.0, 2.0), result("pigz", 2.0, 1.9), result("sort", 1.5, 1.625))
        self.assertIn(f"mean error {100 * (0 + 1 / 19 + 1 / 13) / 3:.1f} %, worst {100 / 13:.1f} % (sort, 2 threads)", text)

    def test_programs_with_warnings_are_shown_but_not_summed_up(self):
        text = self.of(result("lu", 2.0, 2.0), result("openblas", 2.0, 1.0, findings=[("spin_waiting", "warning")]))
        self.assertIn("all 1 comparisons: mean error 0.0 %", text)
        self.assertIn("| openblas | 2 |", text)
        self.assertIn("spin_waiting", text)

    def test_notes_are_no_findings(self):
        self.assertIn("all 1 comparisons", self.of(result("lu", 2.0, 2.0, findings=[("openmp_runtime", "note")])))

    def test_an_error_over_six_percent_comes_with_its_parts(self):
        text = self.of(result("lu", 2.0, 1.8), result("pigz", 2.0, 1.95))
        self.assertIn("**lu**, 2 threads, +11.1 %: idling +11.1 %.", text)
        self.assertNotIn("**pigz**", text)

    def test_a_miss_says_how_much_of_it_busy_neighbours_explain(self):
        # A copy takes 12 % more beside another, 2 % were expected, and nine tenths of the time is the program's own code.
        miss = result("lu", 2.0, 1.8) | {"neighbours": {"cpus": 2, "alone_s": [1.0, 1.3], "beside_s": [1.5, 1.12]}}
        text = self.of(miss)
        self.assertIn("Explained by neighbours: up to +9.0 % (a copy with one thread takes +12.0 % user time beside another, the prediction expected +2.0 %).", text)
        self.assertIn("| +12.0 |", text)

    def test_a_program_that_was_not_measured_beside_neighbours_says_so(self):
        self.assertIn("Copies side by side cannot be measured", self.of(result("lu", 2.0, 1.8)))

    def test_the_error_of_the_time_does_not_know_the_time_on_one_cpu(self):
        slow_on_one = result("lu", 2.0, 1.9)
        slow_on_one["scale"]["counts"][0]["predictions"] = [{"cpus": 1, "time_ns": 9e9}, {"cpus": 2, "time_ns": 1.05e9}]
        self.assertEqual(round(section.compared_time_error(slow_on_one["scale"]["counts"][0]), 6), 0.05)

    def test_the_sign_tells_optimism(self):
        self.assertIn("| **-10.0** |", self.of(result("lu", 1.8, 2.0)))

    def test_what_could_not_be_compared_has_no_row(self):
        lone = result("lu")
        lone["scale"]["counts"][0]["same_threads"] = None
        self.assertIn("Not measured yet", self.of(lone))

    def test_the_other_section_of_the_document_stays(self):
        document = self.folder / "accuracy.md"
        document.write_text("<!-- emulated -->\nother\n<!-- end -->\n")
        section.put_into(document, "alpha\n")
        section.put_into(document, "beta\n")
        text = document.read_text()
        self.assertEqual((text.count("other\n"), text.count("alpha"), text.count("beta")), (1, 0, 1))
        self.assertLess(text.index("beta"), text.index("other\n"))
        self.assertTrue(text.startswith("# "))


class Neighbours(unittest.TestCase):
    def test_every_copy_runs_its_own_command_on_its_own_cpu(self):
        cpu = min(os.sched_getaffinity(0))
        with tempfile.TemporaryDirectory(prefix="parcast-accuracy-") as folder:
            script = "import os, sys; open(sys.argv[1], 'w').write(str(os.sched_getaffinity(0)))"
            found = neighbours.measured(lambda copy: f'{sys.executable} -c "{script}" {folder}/{copy}', lambda copy: f"rm -f {folder}/{copy}", [cpu, cpu])
            self.assertEqual({path.name: path.read_text() for path in pathlib.Path(folder).iterdir()}, {"0": f"{{{cpu}}}", "1": f"{{{cpu}}}"})
        self.assertEqual([len(found[name]) for name in ("alone_s", "beside_s")], [neighbours.ROUNDS] * 2)

    def test_a_copy_that_fails_is_no_measurement(self):
        with self.assertRaises(subprocess.CalledProcessError):
            neighbours.measured(lambda copy: "false", lambda copy: "true", [min(os.sched_getaffinity(0))])


class Inputs(unittest.TestCase):
    def test_every_input_of_a_program_can_be_made(self):
        for program in programs.PROGRAMS.values():
            for name in program.inputs:
                self.assertIn(name, inputs.PLACES)
                self.assertIn("{inputs}/" + inputs.PLACES[name], program.command)

    def test_the_same_bytes_are_made_each_time(self):
        with tempfile.TemporaryDirectory(prefix="parcast-accuracy-") as folder:
            paths = [os.path.join(folder, name) for name in "ab"]
            for path in paths:
                inputs.write_mixed(path, 1000, 100, 1000)
            self.assertEqual(*(pathlib.Path(path).read_bytes() for path in paths))

    def test_programs_that_are_told_a_count_say_where(self):
        for program in programs.PROGRAMS.values():
            self.assertTrue("{cpus}" in program.command or program.cpus == "2", program.name)


if __name__ == "__main__":
    unittest.main()
