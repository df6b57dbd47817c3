#!/usr/bin/env python3
"""Predicted against emulated, for a change: `./dev accuracy --what-if [NAME...]`.

Each program of Broberg 2002, paper VI, has functions whose work is an argument. A function is made about 20 % cheaper: what does that bring
on 2 to 16 CPUs? The program is recorded as it is, in a guest with one CPU. How much cheaper the change makes it on one CPU sets the factor
of `predict --what-if`; what it brings on many is then predicted, and emulated with the program as it is and as it was changed.
"""

import dataclasses
import json
import os
import re
import statistics
import subprocess
import sys

import debian
import experiment
import guest
import oracle
import programs

CPUS = (2, 4, 8, 16)
RUNS = 7
HERE = os.path.dirname(os.path.abspath(__file__))
MARK = "<!-- what if: written by ./dev accuracy --what-if -->"
END = "<!-- end of what if -->"


def line_of(source, text):
    with open(os.path.join(HERE, "../../examples", source), encoding="utf-8") as file:
        return next(number for number, line in enumerate(file, start=1) if text in line)


def threads(*numbers):
    return tuple(f"thread:{number}" for number in numbers)


@dataclasses.dataclass(frozen=True)
class Change:
    function: str
    owners: tuple  # whose work it is, as --what-if names them
    arguments: tuple


@dataclasses.dataclass(frozen=True)
class Subject:
    name: str
    arguments: tuple
    changes: tuple


SUBJECTS = (
    Subject("quicksort", ("60000", "3000", "10", "10"), (
        Change("parallel_sort", (f"place:quicksort.cpp:{line_of('quicksort.cpp', 'std::thread lower(')}",), ("60000", "3000", "8", "10")),
        Change("sort", ("function:threads of parallel_sort", f"place:quicksort.cpp:{line_of('quicksort.cpp', 'lower.join()')}"),
               ("60000", "3000", "10", "8")))),
    Subject("n_largest", ("8", "20", "2000", "672", "10"), (
        Change("f", threads(*range(1, 9)), ("8", "20", "2000", "672", "8")),
        Change("g", threads(*range(9, 17)), ("8", "20", "2000", "538", "10")))),
    Subject("gateway", ("2", "3", "40000", "60", "60", "60"), (
        Change("receive", threads(1, 5), ("2", "3", "40000", "48", "60", "60")),
        Change("convert", threads(2, 6), ("2", "3", "40000", "60", "48", "60")),
        Change("format", threads(3, 4, 7, 8), ("2", "3", "40000", "60", "60", "48")))),
)


def parsed_arguments():
    parser = experiment.parser_of("--what-if", __doc__, "build/accuracy/what_if", "programs; default: all")
    parser.add_argument("--again", action="store_true", help="predict again from the kept recordings, emulate nothing")
    return parser.parse_args()


def program_of(subject, arguments):
    return programs.Program(subject.name, (subject.name, *arguments))


def emulated_times(emulator, program, options):
    """{CPUs: times of the runs in ns}"""
    times = {}
    for cpus in CPUS:
        script = (oracle.REST + oracle.bare_run(program, cpus, "span")) * RUNS
        output = oracle.checked(emulator.run_in_lockstep(script, oracle.guest_files(options.build, program), cpus, oracle.ROUND_NS))
        times[cpus], broken = oracle.lockstep_spans(output["marks"])
        oracle.say(f"{' '.join(program.command)} on {cpus} CPUs: {[round(ns / 1e6, 2) for ns in times[cpus]]} ms, {broken} broken rounds")
    return times


def recording_of(options, subject):
    return os.path.join(options.results, subject.name + ".parcast")


def time_on_one(emulator, program, options, recording=None):
    script = oracle.recording_script(program, 8) if recording else oracle.bare_run(program, 1, "span")
    output = oracle.checked(emulator.run_in_instruction_time(script, oracle.guest_files(options.build, program)))
    if recording:
        with open(recording, "wb") as file:
            file.write(output["recording.8.parcast"])
    return int(output["span.8" if recording else "span"])


def measure(emulator, subject, options):
    base = program_of(subject, subject.arguments)
    result = {"program": subject.name, "arguments": subject.arguments, "changes": {},
              "one_ns": time_on_one(emulator, base, options, recording_of(options, subject)),
              "emulated_ns": emulated_times(emulator, base, options)}
    for change in subject.changes:
        cheaper = program_of(subject, change.arguments)
        result["changes"][change.function] = {"one_ns": time_on_one(emulator, cheaper, options),
                                              "emulated_ns": emulated_times(emulator, cheaper, options)}
    return result


def answer(options, *words):
    answered = subprocess.run([f"{options.build}/bin/parcast", *words, "--machine", oracle.MACHINE, "--json"], capture_output=True, text=True,
                              check=False)
    if answered.returncode != 0:
        raise guest.GuestFailed(answered.stderr)
    return json.loads(answered.stdout)


def own_work(options, recording, owner):
    """CPU time of an owner in ns, and the name it has in `advise`."""
    kind, _, name = owner.partition(":")
    rows = answer(options, "advise", recording, "--cpus", "1")["counts"][0]["rows"]
    matching = [row for row in rows if row["kind"] == kind and
                (row["name"] == name or (kind == "thread" and re.match(rf"thread {name}\b", row["name"])))]
    if len(matching) != 1:
        raise guest.GuestFailed(f"{recording} has {len(matching)} owners of work that are called {owner}")
    return matching[0]["self_ns"]


def predict(subject, result, options):
    recording = recording_of(options, subject)
    for change in subject.changes:
        measured = result["changes"][change.function]
        saved = result["one_ns"] - measured["one_ns"]
        measured["factor"] = 1 - saved / sum(own_work(options, recording, owner) for owner in change.owners)
        scenario = ",".join(f'{owner}*{measured["factor"]:.4f}' for owner in change.owners)
        predicted = answer(options, "predict", recording, "--cpus", ",".join(map(str, CPUS)), "--what-if", scenario)
        measured["predicted_ns"] = {row["cpus"]: [row["time_ns"], row["what_if"][0]["time_ns"]] for row in predicted["predictions"]}


@dataclasses.dataclass(frozen=True)
class Gain:
    """Shares of the time that the change saves."""
    predicted: float
    emulated: float
    error: float  # standard error of `emulated`

    def cell(self):
        return f"{100 * self.predicted:.1f}, {100 * self.emulated:.1f} ± {100 * self.error:.1f}"


def gain(result, measured, cpus):
    before, after = measured["predicted_ns"][cpus]
    base, cheaper = (times["emulated_ns"][cpus] for times in (result, measured))
    variances = sum(statistics.variance(times) / len(times) for times in (base, cheaper))
    return Gain(1 - after / before, 1 - statistics.mean(cheaper) / statistics.mean(base), variances ** 0.5 / statistics.mean(base))


def table(results):
    lines = ["| program | cheaper | on one CPU | " + " | ".join(f"{cpus} CPUs" for cpus in CPUS) + " |",
             "|---|---|---:|" + "---:|" * len(CPUS)]
    differences = []
    orders = 0
    for result in results:
        for function, measured in result["changes"].items():
            gains = [gain(result, measured, cpus) for cpus in CPUS]
            differences += [(abs(each.predicted - each.emulated), 2 * each.error) for each in gains]
            one = 1 - measured["one_ns"] / result["one_ns"]
            lines.append(f"| {result['program']} | {function} | {100 * one:.1f} | " + " | ".join(each.cell() for each in gains) + " |")
        for cpus in CPUS:
            by_function = {function: gain(result, measured, cpus) for function, measured in result["changes"].items()}
            orders += max(by_function, key=lambda each: by_function[each].predicted) == max(by_function, key=lambda each: by_function[each].emulated)
    count = len(differences)
    within = sum(difference <= 0.03 for difference, _ in differences)
    unsure = sum(difference <= 0.03 + error for difference, error in differences)
    summary = (f"The gain is within 3 % of the run time in {within} of {count} cases, and in {unsure} with two standard errors of the emulated one; "
               f"mean difference {100 * sum(difference for difference, _ in differences) / count:.1f} %, largest "
               f"{100 * max(differences)[0]:.1f} %. The function that brings most is the predicted one in {orders} of {len(results) * len(CPUS)}.")
    return summary, lines


def put_into(document, results):
    summary, lines = table(results)
    body = "\n".join([MARK, "## A function made cheaper: predicted and emulated gains", "",
                      "Per cent of the run time that a function about 20 % cheaper saves: predicted by `predict --what-if`, then emulated,",
                      f"with its standard error (means of {RUNS} runs; Linux places threads otherwise each time).", "", summary, "",
                      *lines, "", END])
    experiment.put_into(document, MARK, END, body)
    print(summary)
    print("\n".join(lines))


def with_numbers(result):
    """What JSON made of the numbers of CPUs."""
    def numbered(times):
        return {int(cpus): value for cpus, value in times.items()}
    result["emulated_ns"] = numbered(result["emulated_ns"])
    for measured in result["changes"].values():
        measured["emulated_ns"] = numbered(measured["emulated_ns"])
    return result


def main():
    options = parsed_arguments()
    os.makedirs(options.results, exist_ok=True)
    results = []
    try:
        emulator = None
        for subject in SUBJECTS:
            path = os.path.join(options.results, subject.name + ".json")
            wanted = not options.names or subject.name in options.names
            if wanted and not options.again:
                if emulator is None:
                    root = debian.set_up(os.path.abspath(options.folder), oracle.say)
                    emulator = guest.Emulator(root, os.path.abspath(f"{options.build}/oracle/lockstep.so"), os.path.abspath(options.folder),
                                              options.limit)
                measured = measure(emulator, subject, options)
                with open(path, "w", encoding="utf-8") as file:
                    json.dump(measured, file, indent=1)
            if os.path.exists(path):
                with open(path, encoding="utf-8") as file:
                    result = with_numbers(json.load(file))
                predict(subject, result, options)
                results.append(result)
    except debian.Unavailable as missing:
        oracle.say(f"./dev accuracy --what-if: skipped: {missing}")
        return 77
    except guest.GuestFailed as failed:
        oracle.say(f"./dev accuracy --what-if: {failed}")
        return 1
    put_into(options.document, results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
