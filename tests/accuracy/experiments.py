"""What closes the gap between a prediction and a measurement?

A program whose error is too large runs again, each variant in turn: on one CPU, on several as before, on several that are kept from
halting, and on several with each thread bound to one of them. A variant that comes closer to the prediction shows a cause; if the
variant that changes nothing comes as close, the measurement was the cause.
"""

import contextlib
import os
import shlex
import signal
import subprocess
import time

import idle_while_waiting

ROUNDS = 3
PAUSE_S = 0.2
# What a variant keeps away from the program, as it is said of a cause.
REMOVED = {"plain": "chance", "awake": "halting CPUs", "bound": "placement of threads"}


def keep_awake(cpu):
    """The process that does: it runs whenever nobody else wants to."""
    process = os.fork()
    if process == 0:
        os.sched_setaffinity(0, {cpu})
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
        while True:
            pass
    return process


@contextlib.contextmanager
def awake(cpus):
    processes = [keep_awake(cpu) for cpu in cpus]
    try:
        yield
    finally:
        for process in processes:
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)


def seconds(command, cpus, environment=None):
    """From start to end. A run that failed says nothing."""
    begin = time.monotonic()
    subprocess.run(shlex.split(command), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True,
                   env=os.environ | (environment or {}), preexec_fn=lambda: os.sched_setaffinity(0, cpus))
    return time.monotonic() - begin


def measured(command, before, cpus, bound_threads):
    """Seconds of each variant, by round. `before` is what a shell does first; `bound_threads` is bound_threads.c, built. A variant
    in which the program fails (ffmpeg does, with each thread bound) is left out."""
    def awake_seconds():
        with awake(cpus):
            return seconds(command, cpus)

    variants = {"one": lambda: seconds(command, cpus[:1]), "plain": lambda: seconds(command, cpus), "awake": awake_seconds,
                "bound": lambda: seconds(command, cpus, {"LD_PRELOAD": bound_threads})}
    result = {name: [] for name in variants}
    for number in range(ROUNDS):
        for name in list(variants)[::1 if number % 2 == 0 else -1]:
            subprocess.run(before, shell=True, check=True)
            time.sleep(PAUSE_S)
            if name not in result:
                continue
            try:
                result[name].append(variants[name]())
            except subprocess.CalledProcessError:
                if name in ("one", "plain"):
                    raise
                del result[name]
    return result


def idle_shares(command, before, cpus):
    """Shares of the CPUs' time, by run: idle, while a thread waited for a CPU; at least. None: the kernel lets nobody see."""
    if not idle_while_waiting.is_possible():
        return None
    program = os.path.basename(shlex.split(command)[0])
    shares = []
    for _ in range(ROUNDS):
        subprocess.run(before, shell=True, check=True)
        time.sleep(PAUSE_S)
        wall, trace = idle_while_waiting.traced(lambda: seconds(command, cpus))
        shares.append(idle_while_waiting.seconds(trace, program) / (wall * len(cpus)))
    return shares


def speed_ups(result):
    """By variant on several CPUs: the fastest run on one over its fastest."""
    return {name: min(result["one"]) / min(times) for name, times in result.items() if name != "one"}


def shown_cause(result, predicted, large_error):
    """The variant that brings the error below the limit, by at least half of what the unchanged one is off; None: none of them does.
    Chance comes first: if the same again is close enough, nothing else has to be."""
    found = speed_ups(result)

    def error(variant):
        return abs(predicted / found[variant] - 1)

    if error("plain") <= large_error:
        return "plain"
    closest = min((variant for variant in found if variant != "plain"), key=error)
    return closest if error(closest) <= min(large_error, error("plain") / 2) else None
