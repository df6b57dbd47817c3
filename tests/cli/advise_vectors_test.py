"""The programs of Broberg 2002, paper VI, as somebody would write them down, and what the extended critical path says of them there."""

import json
import pathlib
import tempfile
import unittest

from program import parcast

FIGURE_1 = {"T1": ["work 1 a", "post X", "post Y", "work 1 b"], "T2": ["wait X", "work 1 b", "work 1 b"],
            "T3": ["wait Y", "work 1 c", "work 1 a", "work 1 d"]}
FIGURE_4 = {"T1": ["work 1 a", "post X", "work 4 b", "post Z", "work 1 c", "wait X", "work 1 e", "work 1 i"],
            "T2": ["wait X", "work 1 c", "post Y", "work 1 g", "wait Y", "work 2 d"],
            "T3": ["wait Y", "work 2 d", "wait Z", "work 1 g", "work 1 h", "post X", "work 1 a", "post Y", "work 3 f"]}
FIGURE_7 = {"T1": ["wait X", "work 2"], "T2": ["work 2 THICK", "post X", "work 4"], "T3": ["work 3", "post Y", "work 2"],
            "T4": ["wait Y", "work 2"]}
FIGURE_8 = {"T1": ["wait X", "work 3"], "T2": ["work 2 THICK", "post X", "work 2"], "T3": ["work 3"], "T4": ["work 6"]}
FIGURE_20 = {"T1": ["work 12 long"], "T2": ["work 1 burst", "sleep 1"] * 5}


class AdviseVectors(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="parcast-vectors-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def advice(self, threads, cpus):
        path = self.folder / "figure.threads.json"
        objects = sorted({step.split()[1] for steps in threads.values() for step in steps if step.split()[0] in {"post", "wait"}})
        path.write_text(json.dumps({"schema": "parcast.threads/1", "unit": "us",
                                    "objects": [{"name": name, "kind": "semaphore"} for name in objects],
                                    "threads": [{"name": name, "do": steps} for name, steps in threads.items()]}))
        result = parcast("advise", path, "--cpus", ",".join(map(str, cpus)), "--scheduler", "ideal", "--segments", "--json")
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        return json.loads(result.stdout)

    def assert_completions(self, answer, expected):
        for at, units in zip(answer["counts"], expected, strict=True):
            self.assertAlmostEqual(at["completion_ns"], 1000 * units, delta=0.001, msg=f'on {at["cpus"]} CPUs')

    def decided(self, at):
        """By function: the sum of weight times work, in units; those without weight are left out."""
        return {row["name"]: round(row["gain_ns"] / 10, 6) for row in at["rows"] if row["kind"] == "function" and abs(row["gain_ns"]) > 1e-9}

    def test_figure_1(self):
        answer = self.advice(FIGURE_1, [1, 2, 3])
        self.assert_completions(answer, [7, 4.5, 4])
        one, two, three = answer["counts"]
        self.assertEqual(self.decided(one), {"a": 2, "b": 3, "c": 1, "d": 1})
        self.assertEqual(self.decided(two), {"a": 2, "b": 0.5, "c": 1, "d": 1})
        self.assertEqual(self.decided(three), {"a": 2, "c": 1, "d": 1})

    def test_figure_4(self):
        answer = self.advice(FIGURE_4, [1, 2, 3])
        self.assert_completions(answer, [20, 12, 11])
        segments = [(segment["thread"], segment["end_ns"] - segment["begin_ns"], segment["weight_times_cpus"]) for segment in answer["segments"]]
        of_two = [(thread, weights[1] / 2) for thread, _, weights in segments]
        # T1 a b c e i, T2 c g d, T3 d g h a f
        self.assertEqual(of_two, [(0, 1), (0, 1), (0, 0), (0, 0.5), (0, 0.5), (1, 0), (1, 0.5), (1, 0),
                                  (2, 0), (2, 1), (2, 1), (2, 0.5), (2, 1)])
        of_three = [weights[2] / 3 for _, _, weights in segments]
        self.assertEqual(of_three, [1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1])

    def test_a_count_that_deadlocks_is_named_and_nothing_is_claimed_for_it(self):
        """"On 1 CPU, change b first" stood below "the replay deadlocks on some numbers of CPUs"."""
        self.advice(FIGURE_4, [2])
        for cpus in ("1,2,3", "1"):
            result = parcast("advise", self.folder / "figure.threads.json", "--cpus", cpus)
            text = " ".join(result.stdout.decode().split())
            self.assertNotIn("1 CPU, ", text)
            self.assertNotIn("1 to ", text)
        result = parcast("advise", self.folder / "figure.threads.json", "--cpus", "1,2,3")
        self.assertIn("the replay deadlocks on 1 CPU: there is no prediction for it", " ".join(result.stderr.decode().split()))
        row = next(line for line in result.stdout.decode().splitlines() if line.startswith("  b "))
        self.assertRegex(row, r"4\.00 ms|4\.00 µs")
        self.assertRegex(row, r"deadlock +\d+ % +\d+ %$")
        counts = json.loads(parcast("advise", self.folder / "figure.threads.json", "--cpus", "1,2", "--json").stdout)["counts"]
        self.assertEqual((counts[0]["time_ns"], counts[0]["rows"], counts[0]["first"]), (None, [], None))
        self.assertTrue(counts[1]["rows"])

    def test_figure_7(self):
        answer = self.advice(FIGURE_7, [1, 2, 3, 4])
        self.assert_completions(answer, [15, 8, 19 / 3, 6])
        thick = [next(row["weight"] for row in at["rows"] if row["name"] == "THICK") for at in answer["counts"]]
        for weight, expected in zip(thick, [1, 1, 4 / 3, 1], strict=True):
            self.assertAlmostEqual(weight, expected)

    def test_figure_8_a_piece_whose_less_makes_the_program_slower(self):
        answer = self.advice(FIGURE_8, [1, 2, 3, 4])
        self.assert_completions(answer, [16, 8.5, 19 / 3, 6])
        thick = [next(row["weight"] for row in at["rows"] if row["name"] == "THICK") for at in answer["counts"]]
        for weight, expected in zip(thick, [1, 0, -1 / 3, 0], strict=True):
            self.assertAlmostEqual(weight, expected)
        text = parcast("advise", self.folder / "figure.threads.json", "--cpus", "3").stdout.decode()
        self.assertIn("making THICK", text.replace("\n    ", " "))
        self.assertIn("makes the program slower on 3 CPUs", text.replace("\n    ", " "))

    def test_figure_20(self):
        answer = self.advice(FIGURE_20, [1, 2])
        self.assert_completions(answer, [17, 12])
        one, two = answer["counts"]
        self.assertEqual(self.decided(one), {"long": 12, "burst": 5})
        self.assertEqual(self.decided(two), {"long": 12})

    def test_work_that_decides_a_fifth_is_named_beside_the_sleep_that_decides_the_rest(self):
        answer = self.advice({"T1": ["work 1 parse", "sleep 8", "work 1 parse"], "T2": ["work 1 clean"]}, [1, 2])
        one, two = answer["counts"]
        self.assertAlmostEqual(one["delay_share"], 1 - sum(row["share"] for row in one["rows"] if row["kind"] == "thread"))
        self.assertAlmostEqual(two["delay_share"], 0.8)
        self.assertIn("Waiting for devices and sleeping decide 80 % of the time", " ".join(answer["sentences"]))

    def test_one_thread_is_told_that_more_cpus_need_more_of_them(self):
        answer = self.advice({"T1": ["work 3 parse", "work 1 print"]}, [1, 4])
        self.assertEqual(len(answer["sentences"]), 1)
        self.assertIn("One thread does all of the work: more CPUs make it faster only if some of it moves to other threads. "
                      "75 % of the time is decided by parse", answer["sentences"][0])
        nearly = self.advice({"T1": ["work 300 parse"], "T2": ["work 1 parse"]}, [2])["sentences"][0]
        self.assertTrue(nearly.startswith("One thread does nearly all of the work"), nearly)
        text = " ".join(parcast("predict", self.folder / "figure.threads.json", "--cpus", "1,2").stdout.decode().split())
        self.assertNotIn("change parse first", text)

    def test_many_locks_of_one_make_lead_together(self):
        path = self.folder / "locks.threads.json"
        path.write_text(json.dumps({
            "schema": "parcast.threads/1", "unit": "us", "objects": [{"name": name, "kind": "mutex"} for name in ("rows", "rows+40")],
            "threads": [{"name": f"T{i}", "do": [f"lock {name}", "work 8 update", f"unlock {name}", "work 1 update"]}
                        for i, name in enumerate(["rows", "rows+40"] * 2)]}))
        row = "2 locks of rows"
        advice = json.loads(parcast("advise", path, "--cpus", "1", "--json").stdout)
        self.assertIn(f"change the work under {row} first: it decides 89 % of the time", advice["sentences"][0])
        shares = {each["name"]: each["share"] for each in advice["counts"][0]["rows"] if each["kind"] == "lock"}
        self.assertAlmostEqual(shares[row], 32 / 36)
        self.assertEqual(sorted(shares.values())[:2], [shares[row] / 2] * 2)
        changed = json.loads(parcast("predict", path, "--cpus", "1", "--scheduler", "ideal", "--what-if", f"lock:{row}*0.5", "--json").stdout)
        self.assertAlmostEqual(changed["predictions"][0]["what_if"][0]["time_ns"], 20_000)


if __name__ == "__main__":
    unittest.main()
