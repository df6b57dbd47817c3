#!/usr/bin/python3
"""How well is the speed-up on two CPUs predicted without and with `record --sense-memory`? Writes the table of docs/record.md.

    tests/accuracy/sensing.py [--rounds N] [NAME...]

A round of a program: calibrate, two measurements on one CPU and two each in turn, record and sense, two more, calibrate. So all is
of the same minute; where a machine changes from minute to minute, medians over rounds say little more. It needs two CPUs,
the programs of Debian that are there are measured. The program of parcast is $PARCAST.
"""

import argparse
import json
import os
import pathlib
import random
import re
import shutil
import statistics
import subprocess
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
PARCAST = os.path.abspath(os.environ.get("PARCAST", HERE.parents[1] / "build/dev/bin/parcast"))
PROGRAMS = {
    "triad": "./memory_loops triad 2 100",
    "stencil": "./memory_loops stencil 2 100",
    "sparse": "./memory_loops sparse 2 80",
    "xz": "xz -1 --block-size=1MiB -k -c -T2 small.data",
    "zstd": "zstd -9 -c -T2 -B1MiB large.data",
    "convert": "convert -limit thread 2 -size 1200x900 gradient:red-blue -blur 0x8 -resize 150% null:",
}
ENVIRONMENT = os.environ | {"OMP_NUM_THREADS": "2"}


def prepare(folder):
    subprocess.run(["cc", "-O2", "-o", folder / "memory_loops", HERE / "memory_loops.c", "-lpthread"], check=True)
    chance = random.Random(1)
    words = [bytes(chance.choices(b"abcdefghijklmnopqrstuvwxyz", k=chance.randint(2, 9))) for _ in range(5000)]
    text = b" ".join(chance.choices(words, k=2_000_000))
    (folder / "large.data").write_bytes(text[:12_000_000])
    (folder / "small.data").write_bytes(text[:5_000_000])


def times(command, cpus):
    """Wall and CPU time, s."""
    start = time.monotonic()
    process = subprocess.Popen(["taskset", "-c", cpus, *command], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL, env=ENVIRONMENT)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
    return time.monotonic() - start, used.ru_utime + used.ru_stime


def one_and_two(command, cpus):
    """Speed-up on two CPUs, and CPU time there over that on one."""
    one, two = times(command, cpus[-1]), times(command, ",".join(cpus))
    return one[0] / two[0], two[1] / one[1]


def parcast(*words):
    done = subprocess.run([PARCAST, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT, text=True,
                          errors="replace")
    return done.stdout


def calibrated(name):
    parcast("calibrate", "--seconds", "2", "--force", "-o", name)
    text = pathlib.Path(name).read_text()
    return text, float(re.search(r"memory_rate_2 = \{ median = ([\d.]+)", text).group(1))


def predicted(text, memory):
    """The speed-up on two CPUs by that machine, with these rates of the memory, and how much longer the work takes there."""
    pathlib.Path("machine.toml").write_text(re.sub(r"^memory = \[.*\]", f"memory = {memory}", text, flags=re.M))
    answer = json.loads(parcast("predict", "run.parcast", "--cpus", "2", "--machine", "machine.toml", "--json"))
    row = answer["predictions"][0]
    used = {each["cause"]: each["processor_time_ns"] for each in row["limits"]}
    return row["speed_up"], 1 + used.get("slowed", 0) / used["busy"]


def round_of(command, cpus):
    text, before = calibrated("before.toml")
    measured = [one_and_two(command, cpus) for _ in range(2)]
    pathlib.Path("run.parcast").unlink(missing_ok=True)
    parcast("record", "--cpu", cpus[-1], "--sense-memory", "-o", "run.parcast", "--", *command)
    measured += [one_and_two(command, cpus) for _ in range(2)]
    rate = min(1.0, (before + calibrated("after.toml")[1]) / 2)
    sensed = json.loads(parcast("info", "run.parcast", "--json"))["recorded"]["memory"]
    return {"measured": [statistics.median(values) for values in zip(*measured)], "without": predicted(text, "[]"),
            "with": predicted(text, f"[1, {rate:.3f}]"), "rate": rate, "sensed": sensed}


def numbers(values):
    return f"{statistics.median(values):.2f} ({min(values):.2f} - {max(values):.2f})" if values else ""


def row(name, rounds):
    sensed = [each["sensed"] for each in rounds if each["sensed"]]
    error = {kind: statistics.median(100 * (each[kind][0] / each["measured"][0] - 1) for each in rounds) for kind in ("without", "with")}
    return (f"| {name} | {len(sensed)} of {len(rounds)} | {numbers([each['rate'] for each in rounds])} "
            f"| {numbers([each['sensitivity']['value'] for each in sensed])} | {numbers([each['pressure']['value'] for each in sensed])} "
            f"| {numbers([each['measured'][1] for each in rounds])} | {numbers([each['with'][1] for each in rounds])} "
            f"| {numbers([each['measured'][0] for each in rounds])} | {error['without']:+.0f} | {error['with']:+.0f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(PROGRAMS))
    arguments = parser.parse_args()
    cpus = [str(cpu) for cpu in sorted(os.sched_getaffinity(0))][:2]
    with tempfile.TemporaryDirectory(prefix="parcast-sensing-") as folder:
        prepare(pathlib.Path(folder))
        os.chdir(folder)
        print("| program | sensed | memory rate | sensitivity | pressure | CPU time, two CPUs over one | predicted | speed-up | error without, % | with, % |")
        print("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
        for name in arguments.names or PROGRAMS:
            command = PROGRAMS[name].split()
            if shutil.which(command[0]):
                print(row(name, [round_of(command, cpus) for _ in range(arguments.rounds)]), flush=True)


if __name__ == "__main__":
    main()
