"""What does a program lose because the other CPUs are busy too, whatever it does itself?

Copies of it, each told to use one thread and bound to a CPU of its own, run side by side and, in turn, alone: what a copy beside
others takes more is the platform (shared caches, memory, hardware threads of one core), not synchronisation and not the
prediction.
"""

import os
import shlex
import statistics
import subprocess

ROUNDS = 3


def start(command, cpu):
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                            preexec_fn=lambda: os.sched_setaffinity(0, {cpu}))


def user_seconds(copies):
    """By copy, when all have ended. One that failed is an error."""
    times = []
    for copy in copies:
        _, status, usage = os.wait4(copy.pid, 0)
        copy.returncode = os.waitstatus_to_exitcode(status)
        if copy.returncode != 0:
            raise subprocess.CalledProcessError(copy.returncode, copy.args)
        times.append(usage.ru_utime)
    return times


def measured(command_of, before_of, cpus):
    """Mean user seconds of a copy, by round, alone and beside the others. `command_of` and `before_of` say what copy i runs, and
    what a shell does before it."""
    commands = [shlex.split(command_of(i)) for i in range(len(cpus))]

    def prepare():
        for i in range(len(cpus)):
            subprocess.run(before_of(i), shell=True, check=True)

    def alone():
        prepare()
        return statistics.mean(time for command, cpu in zip(commands, cpus) for time in user_seconds([start(command, cpu)]))

    def beside():
        prepare()
        return statistics.mean(user_seconds([start(command, cpu) for command, cpu in zip(commands, cpus)]))

    result = {"cpus": len(cpus), "alone_s": [], "beside_s": []}
    for number in range(ROUNDS):
        for name, run in (("alone_s", alone), ("beside_s", beside))[::1 if number % 2 == 0 else -1]:
            result[name].append(run())
    return result


def growth(result):
    """The growth of a copy's user time, fastest against fastest: 0.1 is ten percent more beside others."""
    return min(result["beside_s"]) / min(result["alone_s"]) - 1
