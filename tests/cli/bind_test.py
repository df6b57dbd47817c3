"""parcast bind: the examples of the papers, as a user types them, and its answers against their schema."""

import json
import pathlib
import tempfile
import unittest

from program import IMPOSSIBLE, INPUT, USAGE, WithRecording, parcast

ROOT = pathlib.Path(__file__).parents[2]
SECTIONS = ROOT / "examples/threads/two_sections.threads.json"

# Paper IV, section 4: T1 l+3e, T2 l, T3 l+e, T4 l+2e; T3 and T4 wait for T1 and T2.
FOUR = {"schema": "parcast.threads/1", "unit": "ns",
        "objects": [{"name": "A", "kind": "semaphore"}, {"name": "B", "kind": "semaphore"}],
        "threads": [{"name": "T1", "at": "start", "do": ["work 1003", "post A 2"]},
                    {"name": "T2", "at": "start", "do": ["work 1000", "post B 2"]},
                    {"name": "T3", "at": "start", "do": ["wait A", "wait B", "work 1001"]},
                    {"name": "T4", "at": "start", "do": ["wait A", "wait B", "work 1002"]}]}
BY_TURN = ["--scheduler", "round-robin"]


class Bind(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def program(self, document):
        file = self.folder / "program.threads.json"
        file.write_text(json.dumps(document))
        return file

    def answer(self, *words):
        result = parcast("bind", *words, "--json")
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        return json.loads(result.stdout)

    def error(self, status, *words):
        result = parcast("bind", *words)
        self.assertEqual(result.returncode, status, result.stderr.decode())
        return " ".join(result.stderr.decode().split())

    def times(self, count):
        return {tried["algorithm"]: tried["time_ns"] for tried in count["tried"]}

    def test_four_threads_that_wait_for_two_are_packed_worst_and_allocated_best(self):
        (count,) = self.answer(self.program(FOUR), "--cpus", "2", *BY_TURN)["counts"]
        times = self.times(count)
        self.assertEqual((times["binpack"], times["sga"], times["exhaustive"]), (4006, 2005, 2005))
        self.assertEqual((count["lower_bound_ns"], count["lower_bound_by"], count["proved_best"]), (2005, "span", True))
        self.assertEqual([each["tests"] for each in count["tried"] if each["algorithm"] == "sga"], [6])

    def test_three_threads_and_a_lock_take_13_on_two_cpus_though_16_with_one_each(self):
        (two, three) = self.answer(SECTIONS, "--cpus", "2,3", *BY_TURN)["counts"]
        self.assertEqual((two["time_ns"], two["lower_bound_ns"], two["proved_best"]), (13_000_000, 13_000_000, True))
        self.assertEqual(three["unbound_ns"], 16_000_000)
        self.assertEqual([each["cpu"] for each in two["binding"]], [0, 1, 1])

    def test_programs_with_locks_get_nothing_that_is_surely_reachable(self):
        self.assertEqual(self.answer(SECTIONS, "--cpus", "2", *BY_TURN)["not_reachable_because"], "the program takes locks")
        answer = self.answer(self.program(FOUR), "--cpus", "2", *BY_TURN)
        self.assertIsNone(answer["not_reachable_because"])
        reachable = answer["counts"][0]["reachable"]
        self.assertEqual(reachable["threads"], 4)
        self.assertAlmostEqual(sum(reachable["profile"]), 1)
        self.assertGreaterEqual(reachable["time_ns"], answer["counts"][0]["time_ns"])

    def test_what_is_surely_reachable_by_numbers_is_that_of_the_paper(self):
        rising = ",".join(f"{q}/78" for q in range(1, 13))
        numbers = ["--processes", "12", "--granularity", "1/16", "--profile", rising, "--latency", "2", "--cpus", "5"]
        found = self.answer(*numbers)["reachable"]
        self.assertAlmostEqual(found["p"], 490289 / 144144, places=12)
        self.assertEqual(found["allocation"], [3, 3, 2, 2, 2])
        self.assertIn("p = 3.40", parcast("bind", *numbers).stdout.decode())

    def test_the_same_seed_gives_the_same_answer_whatever_the_number_of_workers(self):
        words = [SECTIONS, "--cpus", "2,3", "--algorithm", "dynamic-start", "--seed", "4", *BY_TURN]
        self.assertEqual(self.answer(*words, "--jobs", "1"), self.answer(*words, "--jobs", "4"))

    # It wrote a binding with other names of CPUs, under which threads that start together took a lock the other way.
    def test_the_plan_that_is_written_takes_as_long_as_bind_says(self):
        program = self.program({"schema": "parcast.threads/1", "unit": "ms", "objects": [{"name": "M", "kind": "mutex"}],
                                "threads": [{"name": "C", "at": "start", "do": ["lock M", "work 10", "unlock M", "work 1"]},
                                            {"name": "A", "at": "start", "do": ["lock M", "work 1", "unlock M", "work 12"]}]})
        plan = self.folder / "plan.toml"
        for algorithm in ("binpack", "sga", "greedy", "exhaustive"):
            found = self.answer(program, "--cpus", "2", "--algorithm", algorithm, "-o", plan, "--force", *BY_TURN)["counts"][0]
            result = parcast("predict", program, "--cpus", "2", "--plan", plan, "--json", *BY_TURN)
            self.assertEqual(json.loads(result.stdout)["predictions"][-1]["time_ns"], found["time_ns"], algorithm)
            self.assertGreaterEqual(found["time_ns"], found["lower_bound_ns"])

    # It kept the CPUs alone.
    def test_a_plan_keeps_the_priorities_of_the_plan_that_it_was_searched_under(self):
        program = self.program({"schema": "parcast.threads/1", "unit": "ms", "objects": [{"name": "X", "kind": "semaphore"}],
                                "threads": [{"name": "L", "at": "start", "do": ["work 20"]},
                                            {"name": "G", "at": "start", "do": ["work 5", "post X", "work 10"]},
                                            {"name": "W", "at": "start", "do": ["wait X", "work 30"]}]})
        given, plan = self.folder / "given.toml", self.folder / "plan.toml"
        given.write_text("version = 1\n[[thread]]\nname = 'G'\nreal_time = 9\n")
        found = self.answer(program, "--cpus", "2", "--plan", given, "-o", plan, *BY_TURN)["counts"][0]
        self.assertIn("real_time = 9", plan.read_text())
        result = parcast("predict", program, "--cpus", "2", "--plan", plan, "--json", *BY_TURN)
        self.assertEqual(json.loads(result.stdout)["predictions"][-1]["time_ns"], found["time_ns"])

    # Papers IV and V (section F.4): threads of random critical sections. Only the direction is a law.
    def test_what_starts_from_binpack_is_never_worse_on_random_programs(self):
        for seed in range(6):
            program = self.folder / f"{seed}.threads.json"
            self.assertEqual(parcast("generate", "threads", "transactions", "--size", "8", "--seed", str(seed), "-o", program).returncode, 0)
            for count in self.answer(program, "--cpus", "2,4", "--tests", "60", *BY_TURN)["counts"]:
                times = self.times(count)
                for algorithm in ("c-sga", "greedy", "dynamic-start"):
                    self.assertLessEqual(times[algorithm], times["binpack"], (seed, count["cpus"], algorithm))
                self.assertLessEqual(times["c-sga"], times["sga"])

    def test_no_binding_of_a_small_random_program_is_below_its_certificate(self):
        for structure, seeds in (("transactions", range(6)), ("rendezvous", range(4))):
            for seed in seeds:
                program = self.folder / f"{structure}.{seed}.threads.json"
                self.assertEqual(parcast("generate", "threads", structure, "--size", "5", "--seed", str(seed), "-o", program).returncode, 0)
                for count in self.answer(program, "--cpus", "2,3", "--algorithm", "exhaustive", *BY_TURN)["counts"]:
                    self.assertTrue(count["proved_best"], "all were tried")
                    self.assertGreaterEqual(count["time_ns"], count["lower_bound_ns"], (structure, seed, count["cpus"]))

    # It compared times as they are printed, in three digits.
    def test_only_the_best_algorithms_are_marked(self):
        program = self.program({"schema": "parcast.threads/1", "unit": "us",
                                "threads": [{"name": f"T{i}", "at": "start", "do": [f"work {work}"]}
                                            for i, work in enumerate((30001, 30000, 20001, 20000, 20000))]})
        times = self.times(self.answer(program, "--cpus", "2", *BY_TURN)["counts"][0])
        row = next(line for line in parcast("bind", program, "--cpus", "2", *BY_TURN).stdout.decode().splitlines()
                   if line.strip().startswith("2 "))
        self.assertEqual(row.count("*"), sum(time == min(times.values()) for time in times.values()))

    def test_numbers_take_no_options_of_programs(self):
        for words in (["--tests", "5"], ["--algorithm", "sga"], ["--scheduler", "linux"], ["-o", "plan.toml"], ["--assumptions"]):
            self.assertIn("is for a program; --processes has none", self.error(USAGE, "--processes", "2", "--cpus", "2", *words))

    def test_a_measurement_needs_a_program_and_its_cpus(self):
        self.assertIn("--measure needs the program", self.error(USAGE, SECTIONS, "--cpus", "2", "--measure"))
        self.assertIn("a program behind -- is for --measure", self.error(USAGE, SECTIONS, "--cpus", "2", "--", "true"))
        self.assertIn("nothing can be measured: this machine has", self.error(USAGE, SECTIONS, "--cpus", "60000", "--measure", "--", "true"))

    def test_bad_input_has_a_way_out(self):
        self.assertIn("what is to be bound is missing", self.error(USAGE))
        self.assertIn("the scheduler ideal shares all CPUs", self.error(USAGE, SECTIONS, "--scheduler", "ideal"))
        self.assertIn("on one CPU there is nothing to bind", self.error(USAGE, SECTIONS, "--cpus", "1"))
        self.assertIn("it is all, binpack, sga", self.error(USAGE, SECTIONS, "--algorithm", "best"))
        self.assertIn("--tests", self.error(USAGE, SECTIONS, "--tests", "0"))
        self.assertIn("must sum to 1", self.error(USAGE, "--processes", "2", "--profile", "1/2,1/3", "--cpus", "2"))
        self.assertIn("--profile has 1 parts; there are 2", self.error(USAGE, "--processes", "2", "--profile", "1", "--cpus", "2"))
        self.assertIn("one number of CPUs", self.error(USAGE, "--processes", "2"))
        self.assertIn("--granularity", self.error(USAGE, SECTIONS, "--granularity", "1"))
        self.assertIn("-o writes a plan for one number of CPUs", self.error(USAGE, SECTIONS, "-o", self.folder / "plan.toml"))
        self.assertIn("has a unit", self.error(USAGE, SECTIONS, "--latency", "2"))
        self.assertIn("in the unit of work", self.error(USAGE, "--processes", "2", "--cpus", "2", "--latency", "2us"))
        self.error(INPUT, self.folder / "nothing.parcast")

    def test_a_deadlock_names_who_waits_for_whom(self):
        stuck = {"schema": "parcast.threads/1", "objects": [{"name": "A", "kind": "semaphore"}],
                 "threads": [{"name": "T1", "at": "start", "do": ["wait A"]}, {"name": "T2", "at": "start", "do": ["work 5"]}]}
        self.error(IMPOSSIBLE, self.program(stuck), "--cpus", "2", *BY_TURN)
        answer = json.loads(parcast("bind", self.program(stuck), "--cpus", "2", "--json", *BY_TURN).stdout)
        self.assertIsNone(answer["counts"][0]["reachable"])
        self.assertIn("deadlocks", answer["not_reachable_because"])

    def predicted(self, plan):
        result = parcast("predict", SECTIONS, "--cpus", "2", "--plan", plan, "--json", *BY_TURN)
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        return json.loads(result.stdout)["predictions"][-1]["time_ns"]

    def test_a_plan_binds_the_threads_of_a_prediction(self):
        plan = self.folder / "plan.toml"
        plan.write_text('version = 1\n[[thread]]\nname = "T*"\ncpu = [0, 1, 0]\n')
        self.assertEqual(self.predicted(plan), 19_000_000)  # paper IV, figure 2: {1,3}{2}

    # A thread of a recording names CPUs 0 to 63 alone.
    def test_a_plan_binds_beyond_the_first_64_cpus_for_every_verb(self):
        program = self.program({"schema": "parcast.threads/1", "unit": "ms",
                                "threads": [{"name": f"T{i}", "at": "start", "do": ["work 10"]} for i in range(4)]})
        plan = self.folder / "plan.toml"
        for cpus, time in (([127, 127, 70, 3], 20_000_000), ([127, 64, 63, 0], 10_000_000), ([100, 100, 100, 100], 40_000_000)):
            plan.write_text(f'version = 1\n[[thread]]\nname = "T*"\ncpu = {cpus}\n')
            words = [program, "--cpus", "128", "--plan", plan, *BY_TURN]
            for scheduler in ("linux", "round-robin"):
                found = json.loads(parcast("predict", *words[:-1], scheduler, "--json").stdout)["predictions"][-1]["time_ns"]
                self.assertAlmostEqual(found, time, delta=time / 50, msg=(cpus, scheduler))
            exported = parcast("export", *words, "--format", "csv", "-o", "-")
            self.assertEqual(exported.returncode, 0, exported.stderr.decode())
            self.assertEqual(parcast("report", *words, "-o", self.folder / "r.html", "--force").returncode, 0)

    def test_a_binding_to_more_than_64_cpus_is_written_and_followed(self):
        program = self.program({"schema": "parcast.threads/1", "unit": "ms",
                                "threads": [{"name": f"T{i}", "at": "start", "do": ["work 10"]} for i in range(130)]})
        plan = self.folder / "plan.toml"
        found = self.answer(program, "--cpus", "128", "--algorithm", "binpack", "-o", plan, *BY_TURN)["counts"][0]
        self.assertEqual(found["time_ns"], 20_000_000)
        self.assertIn("cpu = 127", plan.read_text())
        result = parcast("predict", program, "--cpus", "128", "--plan", plan, "--json", *BY_TURN)
        self.assertEqual(json.loads(result.stdout)["predictions"][-1]["time_ns"], 20_000_000)

    def test_a_wrong_plan_is_refused(self):
        plan = self.folder / "plan.toml"
        for text, message in (("version = 1\n[[thread]]\nname = 'T4'\ncpu = 0\n", "no thread has the name"),
                              ("version = 1\n[[thread]]\nname = 'T*'\ncpu = 2\n", "of 2 CPUs the last one is CPU 1"),
                              ("version = 1\n[[thread]]\nnumber = 0\ncpu = 64\n", "of 2 CPUs the last one is CPU 1"),
                              ("version = 1\n" + 2 * "[[thread]]\nnumber = 0\ncpu = 0\n", "planned twice")):
            plan.write_text(text)
            result = parcast("predict", SECTIONS, "--cpus", "2", "--plan", plan, *BY_TURN)
            self.assertIn(result.returncode, (USAGE, INPUT), text)
            self.assertIn(message, " ".join(result.stderr.decode().split()))

    def test_a_plan_is_written_and_read(self):
        plan = self.folder / "plan.toml"
        result = parcast("bind", SECTIONS, "--cpus", "2", "-o", plan, *BY_TURN)
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        self.assertIn("wrote", result.stderr.decode())
        self.assertIn("T1", plan.read_text())
        self.assertEqual(self.predicted(plan), 13_000_000)
        self.assertIn("exists", self.error(5, SECTIONS, "--cpus", "2", "-o", plan, *BY_TURN))
        self.assertEqual(parcast("bind", SECTIONS, "--cpus", "2", "-o", plan, "--force", *BY_TURN).returncode, 0)


class PrimeFilter(unittest.TestCase):
    """Paper VII: 79 processes that find the primes up to 397; neighbours send each other numbers."""

    WORK_NS = 4032_000
    T_ONE_EACH_NS = 474_000

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.program = self.folder / "filter.threads.json"
        generated = parcast("generate", "threads", "prime-filter", "--size", "397", "-o", self.program)
        self.assertEqual(generated.returncode, 0, generated.stderr.decode())

    def speed_up(self, cpus, cpu_of, delay_ns=0):
        plan = self.folder / "plan.toml"
        plan.write_text("version = 1\n" + "".join(
            f"[[thread]]\nnumber = {thread}\ncpu = {cpu_of(thread)}\n" for thread in range(79)))
        machine = self.folder / "machine.toml"
        machine.write_text(f'version = 1\n[scheduler]\nkind = "round-robin"\nslice_ns = 1000\n'
                           f"[costs]\nevent_delay_ns = {delay_ns}\n")
        result = parcast("predict", self.program, "--cpus", str(cpus), "--machine", machine, "--plan", plan, "--json")
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        return self.WORK_NS / json.loads(result.stdout)["predictions"][0]["time_ns"]

    def test_takes_as_long_on_blocks_and_by_turns_as_the_reference_says(self):
        for cpus, in_blocks, by_turns in ((2, 1.193, 1.934), (4, 1.696, 3.385), (8, 2.391, 5.097), (16, 3.099, 6.588)):
            with self.subTest(cpus):
                sizes = [79 // cpus + (1 if block < 79 % cpus else 0) for block in range(cpus)]
                block_of = [block for block, size in enumerate(sizes) for _ in range(size)]
                self.assertAlmostEqual(self.speed_up(cpus, lambda thread: block_of[thread]), in_blocks, places=3)
                self.assertAlmostEqual(self.speed_up(cpus, lambda thread: thread % cpus), by_turns, places=3)

    def test_blocks_are_below_what_is_surely_reachable_and_with_a_delay_of_half_a_unit_above_it(self):
        """The bound of the reference, 8.50633 / p: that of no delay, and that of half a unit."""
        for cpus, at_once, delayed in ((2, 1.597, 1.170), (4, 2.383, 1.312), (8, 3.331, 1.429), (16, 4.407, 1.527)):
            with self.subTest(cpus):
                block_of = [thread * cpus // 79 for thread in range(79)]
                self.assertLess(self.speed_up(cpus, lambda thread: block_of[thread]), at_once)
                self.assertGreater(self.speed_up(cpus, lambda thread: block_of[thread], 500), delayed)
                self.assertGreater(self.speed_up(cpus, lambda thread: thread % cpus), at_once)

    def test_who_sends_to_other_cpus_at_every_step_pays_for_delays_most(self):
        block_of = [thread // 10 for thread in range(79)]
        blocks = [self.speed_up(8, lambda thread: block_of[thread], delay) for delay in (0, 500)]
        turns = [self.speed_up(8, lambda thread: thread % 8, delay) for delay in (0, 500)]
        self.assertLess(blocks[0] / blocks[1], turns[0] / turns[1])
        self.assertGreater(turns[0], turns[1])


class BindRecording(WithRecording):
    def test_a_recording_is_bound(self):
        result = parcast("bind", self.trace, "--cpus", "2,4", "--tests", "40", "--json")
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        for count in json.loads(result.stdout)["counts"]:
            self.assertGreaterEqual(count["time_ns"], count["lower_bound_ns"])
            self.assertTrue(count["sentences"])


if __name__ == "__main__":
    unittest.main()
