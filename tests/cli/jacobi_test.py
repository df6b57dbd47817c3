"""The example `jacobi`: the same solution for all numbers of threads, and how its events grow with them."""

import collections
import json
import pathlib
import re
import subprocess
import tempfile
import unittest

from program import EXAMPLES, TIME_LIMIT_S, USAGE, parcast

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXPERIMENT = ROOT / "examples" / "jacobi_experiment.sh"
SOURCE = ROOT / "examples" / "jacobi.cpp"
JACOBI = EXAMPLES / "jacobi"
ITERATIONS = 3
SMALL = ["33", str(ITERATIONS), "10"]  # points a side, iterations, rounds of work a point


def jacobi(*arguments):
    return subprocess.run([JACOBI, *map(str, arguments)], capture_output=True, text=True, timeout=TIME_LIMIT_S, check=False)


class Solution(unittest.TestCase):
    def test_is_the_same_for_all_numbers_of_threads_and_both_exchanges(self):
        lines = set()
        for exchange in ("naive", "tree"):
            for threads in (1, 2, 3, 8, 61):
                done = jacobi(threads, exchange, *SMALL)
                self.assertEqual(done.returncode, 0, done.stdout)
                lines.add(re.sub(r"\d+ threads", "", done.stdout))
        self.assertEqual(len(lines), 1, lines)

    def test_converges_to_the_exact_solution(self):
        done = jacobi(3, "tree", 9, 100000, 0)
        self.assertEqual(done.returncode, 0, done.stdout)
        change = float(re.search(r"change ([\d.e+-]+),", done.stdout)[1])
        self.assertLessEqual(change, 1e-12, "it ended before 100,000 iterations")

    def test_more_threads_than_points(self):
        self.assertEqual(jacobi(100, "tree", 8, 2, 0).returncode, 0)

    def test_another_exchange_is_refused_by_the_names_of_both(self):
        done = jacobi(2, "ring")
        self.assertEqual(done.returncode, USAGE)
        self.assertIn("unexpected argument 'ring'", done.stderr)
        self.assertIn("naive|tree", done.stderr)


class Events(unittest.TestCase):
    """Calls on synchronisation objects, as recordings count them."""

    def calls(self, threads, exchange):
        """By kind of object."""
        with tempfile.TemporaryDirectory(prefix="parcast-jacobi-") as folder:
            trace = pathlib.Path(folder) / "jacobi.parcast"
            recorded = parcast("record", "-o", trace, "--", JACOBI, threads, exchange, *SMALL)
            self.assertEqual(recorded.returncode, 0, recorded.stderr)
            answer = parcast("info", trace, "--json")
            self.assertEqual(answer.returncode, 0, answer.stderr)
        counts = collections.Counter()
        for row in json.loads(answer.stdout)["objects"]:
            counts[row["kind"]] += row["operations"]
        return counts

    def test_naively_every_thread_sends_to_every_other(self):
        for threads in (2, 5, 16):
            with self.subTest(threads=threads):
                messages = threads * (threads - 1) * ITERATIONS
                self.assertEqual(self.calls(threads, "naive")["semaphore"], 2 * messages, "a post and a wait for each")

    def test_the_exchange_decides_how_they_grow_from_16_to_32_threads(self):
        for exchange, least, most in (("naive", 3.5, 4.5), ("tree", 1.8, 2.5)):
            with self.subTest(exchange):
                growth = self.calls(32, exchange).total() / self.calls(16, exchange).total()
                self.assertGreater(growth, least)
                self.assertLess(growth, most)


class Experiment(unittest.TestCase):
    """The command of docs/signature.md."""

    def test_broadcasts_are_quadratic_the_tree_is_linear_and_the_cause_is_the_line_that_sends(self):
        with tempfile.TemporaryDirectory(prefix="parcast-jacobi-") as folder:
            done = subprocess.run([EXPERIMENT, EXAMPLES.parent, pathlib.Path(folder) / "made", "2,4,8,16,32"],
                                  capture_output=True, text=True, timeout=TIME_LIMIT_S, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            made = sorted(path.name for path in (pathlib.Path(folder) / "made").iterdir())
            naive, tree = (json.loads(parcast("signature", pathlib.Path(folder) / "made" / exchange, "--json").stdout)
                           for exchange in ("naive", "tree"))
        self.assertEqual(made, sorted(f"{exchange}{ending}" for exchange in ("naive", "tree")
                                      for ending in ("", ".html", ".prediction.txt", ".svg", ".txt")))
        printed = " ".join(done.stdout.split())
        self.assertIn("jacobi is quadratic", printed)
        self.assertIn("jacobi is linear", printed)
        for answer, exponent in ((naive, 2), (tree, 1)):
            interval = answer["characteristic"]["exponent_ci95"]
            self.assertLessEqual(interval["low"], exponent)
            self.assertGreaterEqual(interval["high"], exponent)
        sending = next(cause for cause in naive["causes"] if cause["call"] == "semaphore post")
        self.assertAlmostEqual(sending["growth_share"], 0.5, delta=0.01)
        line = SOURCE.read_text().splitlines()[sending["line"] - 1]
        self.assertIn("sem_post(", line)


if __name__ == "__main__":
    unittest.main()
