"""Which programs are run in the emulated machine, with which arguments?

`{cpus}` becomes the number of CPUs of the run, as with `parcast scale`. Sizes are such that a run is 60 to 500 million instructions.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Program:
    name: str
    command: tuple
    theory: object = None  # speed-up on n CPUs with n threads, where theory knows it
    environment: tuple = ()  # words NAME=VALUE
    executable: str = ""  # where it lies, here and in the guest; empty if it was built here
    files: tuple = ()  # (path in the guest, path here) of what else it needs: foreign.py

    def arguments(self, cpus):
        return [word.replace("{cpus}", str(cpus)) for word in self.command[1:]]

    def assignments(self, cpus):
        return [word.replace("{cpus}", str(cpus)) for word in self.environment]


def known(mode, theory):
    return Program(mode, ("known_speedups", mode, "{cpus}"), theory)


KNOWN_SPEEDUPS = (
    known("independent", lambda n: n),
    known("barriers", lambda n: n),
    known("condition_barriers", lambda n: n),
    known("task_queue", lambda n: n),
    Program("openmp_barriers", ("openmp_barriers", "{cpus}"), lambda n: n),
    Program("openmp_barriers_passive", ("openmp_barriers", "{cpus}"), lambda n: n, ("OMP_WAIT_POLICY=passive",)),
    known("cells", lambda n: n),
    known("allocator", lambda n: n),
    known("lock", lambda n: min(n, 4)),
    known("memory_map", lambda n: n),
    known("imbalance", lambda n: (n + 1) / 2),
    known("serial", lambda n: 1 / (1 / 5 + 4 / (5 * n))),
)

EXAMPLES = (
    Program("producer_consumer_one_lock", ("producer_consumer_one_lock", "10", "20000")),
    Program("producer_consumer_many_locks", ("producer_consumer_many_locks", "20", "20000")),
    Program("quicksort", ("quicksort", "500000", "20000")),
    Program("prime_filters", ("prime_filters", "200", "10000")),
    Program("lu", ("lu", "{cpus}", "480")),
    Program("radix_sort", ("radix_sort", "{cpus}", "2000000")),
    Program("six_step_fft", ("six_step_fft", "{cpus}", "18")),
    Program("red_black_grid", ("red_black_grid", "{cpus}", "160")),
    Program("n_largest", ("n_largest", "{cpus}", "19")),
    Program("gateway", ("gateway", "2", "3", "40000", "8", "0", "0")),
)

PROGRAMS = {program.name: program for program in KNOWN_SPEEDUPS + EXAMPLES}
