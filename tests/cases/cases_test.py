"""Programs of the kinds that people bring: each is predicted right, or marked with a finding that says why not.

A row of CASES has what is known of a program: speed-ups by number of CPUs, as an interval that holds what was measured or follows
from how it is written. A prediction is right within it. One outside of it passes only with a warning of a kind that the row
names: then every number is marked (~). So a row without `marks` must be right.
"""

import dataclasses
import os
import pathlib
import re
import shutil
import unittest

from whole import InFolder, json_of, run

PARCAST = os.environ.get("PARCAST", "parcast")
BUILT = pathlib.Path(os.environ.get("PARCAST_CASES", "."))
PROGRAMS = pathlib.Path(__file__).parent / "programs"


@dataclasses.dataclass
class Case:
    program: str  # a source in programs/, as it is called when built
    why: str  # what the row is there for, and where its numbers are from
    arguments: str = ""
    right: dict = dataclasses.field(default_factory=dict)  # {CPUs: (lowest, highest speed-up)}
    marks: tuple = ()  # kinds of warnings, one of which may stand in place of a right number
    must: tuple = ()  # kinds of findings that the answer has
    environment: dict = dataclasses.field(default_factory=dict)
    record: tuple = ()  # options of record

    @property
    def name(self):
        return "_".join([self.program, *self.arguments.split()]).replace(".", "_")


PRETEND_4 = ("--pretend-cpus", "4")

CASES = [
    # Waiting by "sleep and look again".
    Case("sleep_poll", "a pool whose idle threads nap; measured 1.8 on 2", "4", {2: (1.6, 2.05), 4: (2.8, 4.05)}),
    Case("heartbeat", "a timed condition that nobody signals beside four equal workers", "0", {4: (3.5, 4.1)}),
    Case("heartbeat", "a thread naps until it is told to stop, beside four equal workers", "1", {4: (3.5, 4.1)}),
    Case("ticker", "a thread reads a timer until main stops it, as Haskell's runtime does", "timer", {2: (1.75, 2.05)}),
    Case("ticker", "a thread waits for descriptors until the process ends", "events", {2: (1.75, 2.05)}),
    Case("progress", "a thread prints how far two equal workers are until it is cancelled", "", {2: (1.75, 2.05)}),
    # Locks that libc takes, and locks that are hot.
    Case("malloc", "one arena for four threads; measured 0.05 to 0.1 on 2", "4", {2: (0.01, 1.0)}, marks=("libc_locks",),
         environment={"MALLOC_ARENA_MAX": "1"}),
    Case("readers", "read locks around nothing; measured half as fast on 2", "4 shared", {2: (0.1, 1.0)}),
    Case("readers", "a mutex around nothing; measured a third as fast on 2", "4 plain", {2: (0.1, 1.0)},
         marks=("hot_locks", "recording_cost")),  # which of them a busy host decides
    Case("tiny_tasks", "tasks of next to no work, one at a time; measured 0.2 to 1.05 on 2", "10 100000", {2: (0.1, 1.1)},
         marks=("recording_cost", "hot_locks")),
    # A busy host.
    Case("wordmap_sharded", "64 locks; 84 to 97 ms of 330 on 4", "4 200000", {4: (2.1, 4.05)}),
    Case("wordmap", "one lock around a third of the work; measured 0.34 to 1.45 on 2", "4 200000", {4: (0.3, 3.3)},
         marks=("hot_locks",)),
    # Work handed out without pthread calls.
    Case("cxx20", "eight equal futures", "async", {4: (3.8, 4.05)}),
    Case("cxx20", "a latch; main works 1/17 alone", "latch", {4: (3.2, 3.6)}),
    Case("cxx20", "a semaphore lets two of eight threads work", "sem", {4: (1.9, 2.05)},
         marks=("user_space_synchronisation",)),
    Case("cxx20", "a barrier: one thread in turn works four times as long, 7/4", "barrier", {4: (1.65, 1.85)}),
    Case("cxx20", "turns by std::atomic::wait: half the work is in turn, 64/33", "atomic", {4: (1.8, 2.0)},
         marks=("user_space_synchronisation",)),
    Case("cxx20", "work taken by an atomic counter", "counter", {4: (3.6, 4.05)}),
    Case("regions", "a pool's parallel_for, 64 pieces by an atomic counter; measured 1.8 on 2", "2 400", {2: (1.5, 2.05)},
         marks=("hidden_hand_out",)),
    Case("triad", "rounds with std::barrier, bound by memory", "4 1000000 60", {2: (1.0, 2.05)}),
    # Threads that wait for each other through descriptors.
    Case("channels", "a pipe between two threads of equal work: 80/41", "pipe", {2: (1.8, 2.03)}),
    Case("channels", "a pair of sockets", "sockets", {2: (1.8, 2.03)}),
    Case("channels", "an event counter that is polled", "counter", {2: (1.8, 2.03)}),
    # Locks that are tried.
    Case("scoped_locks", "std::scoped_lock in opposite orders cannot deadlock", "", {2: (0.5, 2.05)}),
    Case("try", "trylocks alone cannot deadlock", "", {2: (1.0, 2.05)}),
    # Work that ends at a point in time.
    Case("deadline", "two threads work for half a second; the same on 2", "2 500", {2: (0.95, 1.05)}, marks=("timed_work",)),
    # Several processes.
    Case("spawn", "four threads start children and wait for them; measured 2.3 on 2", "", {2: (1.7, 2.4)},
         marks=("further_processes",)),
    # What was right stays right.
    Case("triangle", "static shares of a triangle: 16/7", "", {4: (2.1, 2.4)}, record=PRETEND_4),
    Case("triangle_dynamic", "the same, dynamic", "", {4: (3.7, 4.05)}, record=PRETEND_4),
    Case("chunk", "a chunk of 1000 for 24 iterations", "", {4: (0.95, 1.05)}, record=PRETEND_4),
    Case("openmp", "sixteen equal iterations on four threads", "", {4: (3.6, 4.05)}, record=PRETEND_4),
    Case("async", "dropped futures run one after the other", "drop", {8: (0.95, 1.05)}),
    Case("async", "kept futures run at once", "keep", {8: (7.0, 8.1)}),
    Case("async", "deferred futures run in the thread that asks", "lazy", {8: (0.95, 1.05)}),
    Case("nested", "three quarters under one lock: at most 4/3; measured 0.70 to 1.06 on 2", "4", {2: (0.5, 1.34), 8: (0.3, 1.36)}),
    Case("uneven", "equal numbers of rows of a triangle; the rest is serial", "8 900", {8: (1.15, 2.9)}),
    Case("uneven_cyclic", "every eighth row", "8 900", {8: (1.4, 8.05)}),
    Case("neighbours", "counters in lines of their own; measured 1.9 on 2", "2 padded", {2: (1.8, 2.05)}),
]


class Judge(InFolder):
    def recorded_case(self, case, *command):
        trace = self.folder / f"{case.name}.parcast"
        result = run(PARCAST, "record", "-o", trace, *case.record, "--", *command, cwd=self.folder,
                     env=os.environ | case.environment)
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        return trace

    def judge(self, case, *command):
        """Is what is predicted for the case right, or marked with a reason that the case allows?"""
        trace = self.recorded_case(case, *command)
        answer = json_of("predict", trace, "--cpus", ",".join(map(str, case.right)))
        found = {finding["kind"] for finding in answer["findings"]}
        warned = {finding["kind"] for finding in answer["findings"] if finding["severity"] == "warning"}
        self.assertEqual(set(case.must) - found, set(), case.why)
        if warned & set(case.marks):
            return
        for row in answer["predictions"]:
            lowest, highest = case.right[row["cpus"]]
            self.assertNotIn("deadlock", row, case.why)
            self.assertTrue(lowest <= row["speed_up"] <= highest,
                            f"{case.why}: {row['speed_up']:.2f} on {row['cpus']} CPUs is not within "
                            f"{lowest} to {highest}; findings: {sorted(found)}")


class Programs(Judge):
    """A test for each row of CASES."""


def test_of(case):
    return lambda self: self.judge(case, BUILT / case.program, *case.arguments.split())


for each in CASES:
    setattr(Programs, "test_" + each.name, test_of(each))


class OtherLanguages(Judge):
    """Built here, where there is a compiler; skipped with a reason elsewhere."""

    RUST = [
        Case("rust", "four equal threads", "free", {4: (3.8, 4.05)}),
        Case("rust", "a barrier: 7/4", "barrier", {4: (1.65, 1.85)}),
        Case("rust", "turns by a condition: 64/33", "cond", {4: (1.8, 2.05)}),
        Case("rust", "a channel between two threads of equal work; measured 1.92 on 2", "chan", {4: (1.8, 2.05)},
             marks=("user_space_synchronisation",)),
        Case("rust", "half of the work under a lock: at most 2.0", "mutex", {4: (1.6, 2.03)},
             marks=("user_space_synchronisation",)),
        Case("rust_mutex", "three quarters under a lock: at most 4/3", "mutex 4", {4: (1.15, 1.36)},
             marks=("user_space_synchronisation",)),
    ]

    @unittest.skipUnless(shutil.which("rustc"), "rustc is not installed")
    def test_rust(self):
        for name in {case.program for case in self.RUST}:
            built = run("rustc", "-O", "-g", "-o", self.folder / name, PROGRAMS / f"{name}.rs")
            self.assertEqual(built.returncode, 0, built.stderr.decode())
        for case in self.RUST:
            with self.subTest(case.name):
                self.judge(case, self.folder / case.program, *case.arguments.split())

    @unittest.skipUnless(shutil.which("javac"), "javac is not installed")
    def test_java(self):
        built = run("javac", "-d", self.folder, PROGRAMS / "Till.java")
        self.assertEqual(built.returncode, 0, built.stderr.decode())
        self.judge(Case("Till", "three quarters under a monitor, at most 4/3 + the VM's own; measured 1.76 on 2",
                        right={2: (1.1, 2.0)}), "java", "-cp", self.folder, "Till", "sync", "4")

    def test_python_pool(self):
        self.judge(Case("pool", "four processes; measured 1.9 to 2.0 on 2", right={2: (1.8, 2.05)},
                        marks=("further_processes",)), "/usr/bin/python3", PROGRAMS / "pool.py")

    @unittest.skipUnless(shutil.which("make"), "make is not installed")
    def test_make(self):
        (self.folder / "burn").symlink_to(BUILT / "burn")
        self.judge(Case("make", "four processes; half the time on 2", right={2: (1.8, 2.05)}, marks=("further_processes",)),
                   "make", "-j4", "-f", PROGRAMS / "Makefile")


class Hosts(InFolder):
    # The environment of a program that was executed behind a seccomp filter was garbage.
    def test_a_program_behind_a_filter_has_its_environment(self):
        command = [BUILT / "seccomp_exec"]
        for attempt in range(5):
            result = run(PARCAST, "record", "-o", self.folder / f"filter{attempt}.parcast", "--", *command)
            self.assertEqual(result.returncode, 0, result.stderr.decode())
            variables = int(re.fullmatch(rb"ran with (\d+) variables\n", result.stdout).group(1))
            self.assertGreaterEqual(variables, len(os.environ), "the recorder's own come in addition")


if __name__ == "__main__":
    unittest.main()
