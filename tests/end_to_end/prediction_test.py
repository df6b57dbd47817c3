"""Predictions of recorded programs: what must hold whatever the machine that recorded them."""

import shutil
import unittest

from whole import MANY_LOCKS, ONE_LOCK, InFolder, json_of

CPUS = [1, 2, 4, 8, 16, 32, 64]
OVERHEAD = 0.01  # one CPU switches between threads; more CPUs save some of that, which looks more than linear


class Prediction(InFolder):
    def predictions(self, trace, *options):
        answer = json_of("predict", trace, "--cpus", ",".join(map(str, CPUS)), *options)
        self.assertEqual(answer["schema"], "parcast.predict/2")
        self.assertEqual([row["cpus"] for row in answer["predictions"]], CPUS)
        return {row["cpus"]: row for row in answer["predictions"]}

    def assert_lawful(self, rows):
        self.assertAlmostEqual(rows[1]["speed_up"], 1, delta=0.01)
        lower_before = upper_before = 0
        for cpus, row in rows.items():
            with self.subTest(cpus=cpus):
                lower, upper = row["bounds"]["lower"], row["bounds"]["upper"]
                self.assertGreater(row["time_ns"], 0)
                self.assertLessEqual(row["speed_up"], cpus * (1 + OVERHEAD), "no more than linear")
                self.assertAlmostEqual(row["efficiency"], row["speed_up"] / cpus, delta=1e-6)
                self.assertLessEqual(lower, upper)
                self.assertLessEqual(upper, cpus * (1 + OVERHEAD))
                self.assertGreaterEqual(lower, lower_before, "bounds grow with the CPUs")
                self.assertGreaterEqual(upper, upper_before, "bounds grow with the CPUs")
                self.assertAlmostEqual(sum(limit["share"] for limit in row["limits"]), 1, delta=1e-9)
                lower_before, upper_before = lower, upper

    def test_both_schedulers_obey_the_laws(self):
        trace = self.recorded("many_locks", *MANY_LOCKS)
        for scheduler in ("ideal", "linux"):
            with self.subTest(scheduler=scheduler):
                self.assert_lawful(self.predictions(trace, "--scheduler", scheduler))

    def test_one_lock_does_not_scale_and_many_locks_do(self):
        one = self.predictions(self.recorded("one_lock", *ONE_LOCK))
        many = self.predictions(self.recorded("many_locks", *MANY_LOCKS))
        self.assert_lawful(one)
        # 98 % of the work is done under the one lock: 1 / 0.98, and some room for what runs beside it.
        self.assertLess(one[8]["speed_up"], 1.2)
        # A hundred buffers for at most 60 threads; Broberg's paper has 7.75.
        self.assertGreater(many[8]["speed_up"], 5)

    def test_the_lock_that_limits_is_named(self):
        trace = self.recorded("one_lock", *ONE_LOCK)
        limits = self.predictions(trace)[8]["limits"]
        worst = max((limit for limit in limits if limit["cause"] != "busy"), key=lambda limit: limit["share"])
        self.assertEqual(worst["cause"], "lock", worst)
        self.assertIn("producer_consumer_one_lock.c", str(worst))

    def test_the_number_of_workers_changes_nothing(self):
        trace = self.recorded("many_locks", *MANY_LOCKS)
        one_worker = self.predictions(trace, "--jobs", "1")
        self.assertEqual(one_worker, self.predictions(trace, "--jobs", "3"))

    @unittest.skipUnless(shutil.which("pigz"), "pigz is not installed")
    def test_pigz_is_predicted_to_gain_from_more_cpus(self):
        text = "".join(f"{i} bottles, {i * i} more\n" for i in range(400_000))
        (self.folder / "bottles.txt").write_text(text)
        rows = self.predictions(self.recorded("pigz", "pigz", "-p", "8", "-k", "bottles.txt"))
        self.assert_lawful(rows)
        self.assertGreater(rows[4]["speed_up"], 1.5)  # its four compressors share nothing but queues


if __name__ == "__main__":
    unittest.main()
