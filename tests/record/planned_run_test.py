"""parcast run --plan: which threads are bound to which CPUs, and how it ends."""

import os
import shlex
import signal
import unittest

from whole import PARCAST, InFolder, run

TREE = os.environ.get("PARCAST_TREE", "tree")
CPUS = sorted(os.sched_getaffinity(0))
ALL = ",".join(map(str, CPUS))
TWO = unittest.skipUnless(len(CPUS) >= 2, "this needs two CPUs")


class PlannedRun(InFolder):
    def plan(self, *entries):
        file = self.folder / "plan.toml"
        file.write_text("version = 1\n" + "".join(f"[[thread]]\n{entry}\n" for entry in entries))
        return file

    def run_planned(self, plan, *command, options=()):
        return run(PARCAST, "run", "--plan", plan, *options, "--", *command, cwd=self.folder)

    def cpus_of(self, plan, *arguments, options=(), status=3):
        """What each thread printed, by its word: (the CPUs on which it runs, those that it sees, its nice value)."""
        result = self.run_planned(plan, TREE, *arguments, options=options)
        self.assertEqual(result.returncode, status, result.stderr.decode())
        self.message = " ".join(result.stderr.decode().split())
        found = {}
        for line in result.stdout.decode().splitlines():
            word, real, _, seen, _, nice = line.split()
            found.setdefault(word, []).append((real, seen, int(nice)))
        return found

    def host(self, cpu):
        return str(CPUS[cpu])

    @TWO
    def test_threads_are_bound_by_the_path_of_their_creation_however_they_are_created(self):
        paths = {"0": 1, "0.0": 0, "0.1": 1, "0.1.0": 0, "0.2": 1, "0.3": 1}
        found = self.cpus_of(self.plan(*(f'path = "{path}"\ncpu = {cpu}' for path, cpu in paths.items())))
        for path, cpu in paths.items():
            self.assertEqual(found[path], [(self.host(cpu), ALL, 0)], path)
        self.assertEqual(self.message, "")

    @TWO
    def test_a_thread_that_is_not_planned_inherits_nothing_of_the_plan(self):
        found = self.cpus_of(self.plan('path = "0"\ncpu = 1', 'path = "0.1"\ncpu = 0'))
        self.assertEqual(found["0"], [(self.host(1), ALL, 0)])
        for path in ("0.0", "0.1.0", "0.2", "0.3"):
            self.assertEqual(found[path], [(ALL, ALL, 0)], path)

    @TWO
    def test_what_the_plan_says_wins_over_what_the_program_sets(self):
        found = self.cpus_of(self.plan('path = "0.4"\ncpu = 1\nnice = 5'))
        (real, seen, nice), = found["0.4"]
        self.assertEqual((real, seen, nice), (self.host(1), ALL, 5))

    @TWO
    def test_threads_are_known_by_number_function_and_name(self):
        found = self.cpus_of(self.plan('number = 2\ncpu = 1', 'function = "unruly"\ncpu = 1', 'name = "dr*"\ncpu = 1'))
        for word in ("0.1", "0.4", "drain"):
            self.assertEqual(found[word][0][0], self.host(1), word)
        self.assertEqual(found["0"][0][0], ALL)
        self.assertEqual(self.message, "")

    @TWO
    def test_threads_of_an_entry_take_its_cpus_by_turn(self):
        found = self.cpus_of(self.plan('path = "0.*"\ncpu = [1, 0]'))
        self.assertEqual([found[path][0][0] for path in ("0.0", "0.1", "0.1.0", "0.2")],
                         [self.host(1), self.host(0), self.host(1), self.host(0)])

    @TWO
    def test_cpu_ids_are_the_cpus_of_the_plan_in_that_order_and_those_of_the_whole_program(self):
        plan = self.plan('path = "0"\ncpu = 0')
        found = self.cpus_of(plan, options=["--cpu-ids", f"{CPUS[1]},{CPUS[0]}"])
        self.assertEqual(found["0"][0][0], self.host(1))
        found = self.cpus_of(plan, options=["--cpu-ids", CPUS[1]])
        self.assertEqual(found["0.0"], [(self.host(1), self.host(1), 0)])

    @TWO
    def test_children_are_not_bound(self):
        plan = self.plan('path = "*"\ncpu = 1')
        for mode, status in (("fork", 14), ("vfork", 13), ("spawn", 13)):
            with self.subTest(mode):
                found = self.cpus_of(plan, mode, status=status)
                self.assertEqual(found["0"][0][0], self.host(1), "the program itself")
                for word in ("0.0", "0.1", "0.2", "0.3", "child" if mode == "fork" else "0"):
                    self.assertEqual(found[word][-1][:2], (ALL, ALL), word)

    @TWO
    def test_the_program_that_takes_its_place_is_bound(self):
        found = self.cpus_of(self.plan('path = "0"\ncpu = 1', 'path = "0.1"\ncpu = 0'), "exec")
        self.assertEqual(found["0"], [(self.host(1), ALL, 0)] * 2)
        self.assertEqual(found["0.1"], [(self.host(0), ALL, 0)])
        self.assertEqual(found["0.0"], [(ALL, ALL, 0)])

    @TWO
    def test_a_shell_runs_the_planned_program_in_its_place_and_children_as_ever(self):
        plan = self.plan('path = "0"\ncpu = 1')
        result = self.run_planned(plan, "sh", "-c", f"{shlex.quote(TREE)} & wait; taskset -c {CPUS[0]} {shlex.quote(TREE)}")
        first, *_ = [line for line in result.stdout.decode().splitlines() if line.startswith("0 ")]
        self.assertEqual(first.split()[1], ALL)
        *_, last = [line for line in result.stdout.decode().splitlines() if line.startswith("0 ")]
        self.assertIn(last.split()[1], (self.host(0), self.host(1)), "taskset itself may be the planned process")

    def test_openmp_creates_as_many_threads_as_it_sees_cpus_though_the_first_is_bound(self):
        source = self.folder / "team.c"
        source.write_text("#include <omp.h>\n#include <stdio.h>\nint main(void) { printf(\"%d\", omp_get_max_threads()); }\n")
        if run("cc", "-fopenmp", source, "-o", self.folder / "team").returncode != 0:
            self.skipTest("there is no OpenMP here")
        result = self.run_planned(self.plan('path = "0"\ncpu = 0'), "./team")
        self.assertEqual(result.stdout, run(self.folder / "team").stdout)
        self.assertEqual(int(result.stdout), len(CPUS))

    def test_it_ends_as_the_program_does(self):
        plan = self.plan('path = "0"\ncpu = 0')
        self.assertEqual(self.run_planned(plan, "sh", "-c", "exit 41").returncode, 41)
        self.assertEqual(self.run_planned(plan, "sh", "-c", "kill -TERM $$").returncode, -signal.SIGTERM)
        self.assertEqual(self.run_planned(plan, "sh", "-c", "kill -SEGV $$").returncode, -signal.SIGSEGV)
        result = self.run_planned(plan, "sh", "-c", "echo out; echo err >&2")
        self.assertEqual((result.stdout, result.stderr), (b"out\n", b"err\n"))

    def test_entries_that_named_no_thread_are_listed_with_their_places(self):
        self.cpus_of(self.plan('path = "0.7"\ncpu = 0', 'function = "drein"\ncpu = 0'))
        self.assertIn('plan.toml:2:1: no thread had the path "0.7"', self.message)
        self.assertIn('plan.toml:5:1: no thread had the function "drein"', self.message)
        self.assertIn("The program created 8 threads", self.message)

    def test_a_thread_that_two_entries_plan_follows_the_first_one(self):
        self.cpus_of(self.plan('path = "0.1"\ncpu = 0', 'number = 2\ncpu = 0'))
        self.assertIn("plan.toml:5:1: an entry before it had planned 1 thread", self.message)

    @unittest.skipIf(os.geteuid() == 0, "root may rank its threads as it likes")
    def test_what_the_system_refuses_is_said_once_and_the_program_goes_on(self):
        self.cpus_of(self.plan('path = "0.*"\nreal_time = 5'))
        self.assertEqual(self.message.count("the system refused the real-time level"), 1)

    def test_a_cpu_that_is_not_there_is_an_error_with_its_place(self):
        plan = self.plan(f'path = "0"\ncpu = {len(CPUS)}')
        self.assert_explains(self.run_planned(plan, TREE), 2, "plan.toml:2:1", f"there is no CPU {len(CPUS)}",
                             "--cpu-ids")
        plan = self.plan('path = "0"\ncpu = 0')
        self.assert_explains(self.run_planned(plan, TREE, options=["--cpu-ids", "8191"]), 125, "CPU 8191 may not")

    def test_wrong_lists_of_cpus(self):
        plan = self.plan('path = "0"\ncpu = 0')
        for text, why in (("0,0", "twice"), ("x", "no CPU"), ("3-1", "falls"), ("", "no CPU")):
            self.assert_explains(self.run_planned(plan, TREE, options=["--cpu-ids", text]), 2, why)

    def test_it_needs_a_plan(self):
        self.assert_explains(run(PARCAST, "run", "--", TREE), 2, "needs a plan", "bind")
        self.assert_explains(run(PARCAST, "run", "--plan", self.folder / "no", "--", TREE), 3, "no")

    def test_what_cannot_be_bound_is_refused_before_it_runs(self):
        plan = self.plan('path = "0"\ncpu = 0')
        source = self.folder / "static.c"
        source.write_text("int main(void) { return 0; }\n")
        if run("cc", "-static", source, "-o", self.folder / "static").returncode == 0:
            self.assert_explains(self.run_planned(plan, self.folder / "static"), 125, "statically linked")
        self.assert_explains(self.run_planned(plan, "./no"), 127, "no program")


if __name__ == "__main__":
    unittest.main()
