"""How long did a CPU idle while a thread of the program waited for one?

A prediction lets no CPU idle while there is somebody to run. Linux does: it searches few CPUs for an idle one when it wakes a thread,
and an idle one takes no thread that ran a moment ago. Needs the kernel's trace of its scheduler (tracefs, for root only).

A lower bound: of a CPU that idles, some kernels do not tell when it stops, nor whom it runs then. Such an interval counts as nothing,
and while a second CPU seems to idle, who seems to wait may run there.
"""

import os
import re

TRACING = "/sys/kernel/tracing"
EVENTS = ("sched_switch", "sched_wakeup", "sched_wakeup_new")
LINE = re.compile(r".{16}-\d+\s+\[(\d+)\]\s+\S+\s+([\d.]+): (\w+): (.*)")
SWITCH = re.compile(r"prev_comm=(.*) prev_pid=(\d+) prev_prio=\S+ prev_state=(\S+) ==> next_comm=(.*) next_pid=(\d+)")
WAKE_UP = re.compile(r"comm=(.*) pid=(\d+)")
IDLE = 0  # the process number of a CPU's idle loop


def is_possible():
    return os.access(os.path.join(TRACING, "trace"), os.W_OK)


def put(name, text):
    with open(os.path.join(TRACING, name), "w", encoding="ascii") as file:
        file.write(text)


def traced(run):
    """What `run` returns, and what the scheduler did meanwhile."""
    put("tracing_on", "0")
    try:
        put("buffer_size_kb", "16000")
        for event in EVENTS:
            put(f"events/sched/{event}/enable", "1")
        put("trace", "")
        put("tracing_on", "1")
        result = run()
        put("tracing_on", "0")
        with open(os.path.join(TRACING, "trace"), encoding="utf-8", errors="replace") as file:
            return result, file.read()
    finally:
        put("tracing_on", "0")
        for event in EVENTS:
            put(f"events/sched/{event}/enable", "0")
        put("trace", "")


def of_program(name, program):
    """Threads may change their names; the kernel keeps 15 letters."""
    return name.startswith(program[:15])


class Watch:
    """Which of the program's threads wait for a CPU, and which CPUs idle."""

    def __init__(self, program):
        self.program = program
        self.waiting = set()
        self.running = {}  # thread by CPU
        self.idle_with_waiting = {}  # seconds of the current idle interval, by CPU
        self.total = 0.0
        self.last = None

    def pass_to(self, now):
        if self.waiting and len(self.idle_with_waiting) == 1:
            for cpu in self.idle_with_waiting:
                self.idle_with_waiting[cpu] += now - self.last
        self.last = now

    def switch(self, cpu, name, thread, state, following):
        interval = self.idle_with_waiting.pop(cpu, 0.0)
        self.total += interval if thread == IDLE else 0.0
        self.waiting -= {thread, following}
        if thread != IDLE and state.startswith("R") and of_program(name, self.program):
            self.waiting.add(thread)
        self.running[cpu] = following
        if following == IDLE:
            self.idle_with_waiting[cpu] = 0.0

    def wake_up(self, name, thread):
        if of_program(name, self.program) and thread not in self.running.values():
            self.waiting.add(thread)


def seconds(trace, program):
    """Summed over CPUs."""
    watch = Watch(program)
    for cpu, time, event, rest in (match.groups() for match in map(LINE.search, trace.splitlines()) if match):
        watch.pass_to(float(time))
        if event == "sched_switch" and (switch := SWITCH.match(rest)):
            watch.switch(int(cpu), switch[1], int(switch[2]), switch[3], int(switch[5]))
        elif wake_up := WAKE_UP.match(rest):
            watch.wake_up(wake_up[1], int(wake_up[2]))
    return watch.total
