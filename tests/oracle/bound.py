#!/usr/bin/env python3
"""A binding's gain, predicted against emulated: `./dev accuracy --bound [NAME...]`.

Each program is recorded in a guest with one CPU; `parcast bind` searches a binding for 4 and for 8 CPUs of the guest's machine, and the
program runs there without it and, by `parcast run --plan`, with it, in turn.
"""

import dataclasses
import json
import os
import statistics
import subprocess
import sys

import debian
import experiment
import guest
import oracle
import programs

CPUS = (4, 8)
RUNS = 5
MARK = "<!-- bound: written by ./dev accuracy --bound -->"
END = "<!-- end of bound -->"
SUBJECTS = tuple(programs.PROGRAMS[name] for name in ("prime_filters", "gateway", "producer_consumer_many_locks"))


def parsed_arguments():
    parser = experiment.parser_of("--bound", __doc__, "build/accuracy/bound", "programs; default: all that have no result yet")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.names if name not in [subject.name for subject in SUBJECTS]]
    if unknown:
        parser.error(f"no program '{unknown[0]}'; there are {', '.join(subject.name for subject in SUBJECTS)}")
    return arguments


def path_of(options, subject, what):
    return os.path.join(options.results, f"{subject.name}.{what}")


def record(emulator, subject, options):
    output = oracle.checked(emulator.run_in_instruction_time(oracle.recording_script(subject, max(CPUS)),
                                                             oracle.guest_files(options.build, subject)))
    with open(path_of(options, subject, "parcast"), "wb") as file:
        file.write(output[f"recording.{max(CPUS)}.parcast"])


def search(subject, cpus, options):
    """The answer of `parcast bind`, whose plan lies beside the recording."""
    plan = path_of(options, subject, f"{cpus}.toml")
    answered = subprocess.run([f"{options.build}/bin/parcast", "bind", path_of(options, subject, "parcast"), "--cpus", str(cpus),
                               "--machine", oracle.MACHINE, "-o", plan, "--force", "--json"], capture_output=True, text=True, check=False)
    if answered.returncode != 0:
        raise guest.GuestFailed(answered.stderr)
    return json.loads(answered.stdout)["counts"][0]


def bound_run(subject, cpus):
    return (f"LD_PRELOAD=/lib/span.so SPAN_OF={subject.command[0]} /opt/bin/parcast run --plan /plan.toml -- "
            f"{oracle.command_line(subject, cpus)} >>/out/stdout || echo {subject.name}: $? >>/out/failed\n")


def emulate(emulator, subject, cpus, options):
    """Times of the runs in ns, without the plan and with it."""
    files = {**oracle.guest_files(options.build, subject), "/plan.toml": path_of(options, subject, f"{cpus}.toml")}
    script = (oracle.REST + oracle.bare_run(subject, cpus, "span") + oracle.REST + bound_run(subject, cpus)) * RUNS
    times, broken = oracle.lockstep_spans(oracle.checked(emulator.run_in_lockstep(script, files, cpus, oracle.ROUND_NS))["marks"])
    oracle.say(f"{subject.name} on {cpus} CPUs: {[round(ns / 1e6, 2) for ns in times]} ms, {broken} broken rounds")
    return times[0::2], times[1::2]


def measure(emulator, subject, options):
    record(emulator, subject, options)
    result = {"program": " ".join(subject.command), "counts": {}}
    for cpus in CPUS:
        found = search(subject, cpus, options)
        unbound, bound = emulate(emulator, subject, cpus, options)
        result["counts"][cpus] = {"unbound_ns": found["unbound_ns"], "bound_ns": found["time_ns"], "lower_bound_ns": found["lower_bound_ns"],
                                  "emulated_unbound_ns": unbound, "emulated_bound_ns": bound}
    return result


@dataclasses.dataclass(frozen=True)
class Gain:
    """Share of the time that binding saves, by the medians."""
    predicted: float
    emulated: float


def gain(count):
    unbound, bound = (statistics.median(count[f"emulated_{what}_ns"]) for what in ("unbound", "bound"))
    return Gain(1 - count["bound_ns"] / count["unbound_ns"], 1 - bound / unbound)


def milliseconds(times):
    middle = f"{statistics.median(times) / 1e6:.1f}"
    return f"{middle} ({min(times) / 1e6:.1f}-{max(times) / 1e6:.1f})"


def section(results):
    lines = ["| program | CPUs | at least, ms | unbound, ms | emulated | bound, ms | emulated | binding saves, % | emulated |",
             "|---|---:|---:|---:|---:|---:|---:|---:|---:|"]
    for result in results:
        for cpus, count in result["counts"].items():
            saves = gain(count)
            lines.append(f"| `{result['program']}` | {cpus} | {count['lower_bound_ns'] / 1e6:.1f} | {count['unbound_ns'] / 1e6:.1f} | "
                         f"{milliseconds(count['emulated_unbound_ns'])} | {count['bound_ns'] / 1e6:.1f} | "
                         f"{milliseconds(count['emulated_bound_ns'])} | {100 * saves.predicted:.1f} | {100 * saves.emulated:.1f} |")
    return "\n".join([MARK, "### Bound threads, predicted and emulated", "",
                      "The binding that `parcast bind` found, by `parcast run --plan` in the emulated machine, in turn with runs without it: median and",
                      f"range of {RUNS} runs. To repeat it: `./dev accuracy --bound`.", "", *lines, "", END])


def missing(options):
    return [subject for subject in SUBJECTS
            if subject.name in options.names or not options.names and not os.path.exists(path_of(options, subject, "json"))]


def main():
    options = parsed_arguments()
    os.makedirs(options.results, exist_ok=True)
    os.makedirs(options.folder, exist_ok=True)
    try:
        wanted = missing(options)
        if wanted:
            emulator = guest.Emulator(debian.set_up(os.path.abspath(options.folder), oracle.say),
                                      os.path.abspath(f"{options.build}/oracle/lockstep.so"), os.path.abspath(options.folder), options.limit)
        for subject in wanted:
            result = measure(emulator, subject, options)
            with open(path_of(options, subject, "json"), "w", encoding="utf-8") as file:
                json.dump(result, file, indent=1)
    except debian.Unavailable as absent:
        oracle.say(f"./dev accuracy --bound: skipped: {absent}")
        return 77
    except guest.GuestFailed as failed:
        oracle.say(f"./dev accuracy --bound: {failed}")
        return 1
    results = []
    for subject in SUBJECTS:
        if os.path.exists(path_of(options, subject, "json")):
            with open(path_of(options, subject, "json"), encoding="utf-8") as file:
                results.append(json.load(file))
    text = section(results)
    experiment.put_into(options.document, MARK, END, text)
    print(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
