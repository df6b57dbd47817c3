#!/usr/bin/env python3
"""Predicted against emulated: `./dev accuracy --emulated [NAME...]`, or `./dev accuracy --emulated -- PROGRAM {cpus}`.

For each program and number of CPUs: records the program in a guest with one CPU and instruction time, runs it in a guest with that many
CPUs in lock-step, predicts it here for the guest's machine (guest.toml), and writes what came out to RESULTS/NAME.json.
README.md tells what this shows and what it does not.
"""

import argparse
import datetime
import json
import os
import shlex
import subprocess
import sys

import debian
import foreign
import guest
import programs
import section

HERE = os.path.dirname(os.path.abspath(__file__))
MACHINE = os.path.join(HERE, "guest.toml")
ROUND_NS = 2000
LOG_LINES = 15  # of a job that failed
# Linux looks for idle CPUs the less, the busier they were lately, and for waiting threads the less, the longer that ever took: what
# went on before a run, on the host's clock, must not count. A CPU that leaves and comes back makes it forget the second.
FORGET = "for online in 0 1; do echo $online >/sys/devices/system/cpu/cpu1/online; done\n"
REST = FORGET + "sleep 1\n"


def parsed_arguments(words):
    known, foreign_words = foreign.split_words(words)
    parser = argparse.ArgumentParser(prog="./dev accuracy --emulated", description=__doc__.splitlines()[0],
                                     epilog="./dev accuracy --emulated [OPTIONS] -- [NAME=VALUE...] PROGRAM [ARGUMENTS] compares any program "
                                            "that is linked dynamically; {cpus} in a word becomes the number of CPUs")
    parser.add_argument("names", nargs="*", metavar="NAME", help="programs; default: all that have no result yet")
    parser.add_argument("--cpus", type=lambda text: [int(word) for word in text.split(",")],
                        help="default: 2,4,8,16, and 1 as well for a PROGRAM")
    parser.add_argument("--runs", type=int, default=3, help="runs on each number of CPUs (default: 3)")
    parser.add_argument("--build", default="build/release", help="where parcast and the examples were built")
    parser.add_argument("--folder", default="build/oracle", help="for the emulator")
    parser.add_argument("--results", help="default: build/accuracy/emulated, for a PROGRAM build/accuracy/foreign; with another --round a "
                        "folder of its own")
    parser.add_argument("--document", default="docs/accuracy.md",
                        help="takes the table in its section for the emulation; that of a PROGRAM is only printed")
    parser.add_argument("--round", type=int, default=ROUND_NS, metavar="N",
                        help=f"instructions that every CPU executes before it waits for the others (default: {ROUND_NS})")
    parser.add_argument("--limit", type=int, default=180, metavar="S", help="seconds that a guest may take (default: 180)")
    parser.add_argument("--again", action="store_true", help="predict again from the kept recordings, emulate nothing")
    parser.add_argument("--record", action="store_true", help="record and predict again, keep the emulated times")
    parser.add_argument("--costs", action="store_true", help="only measure the costs that guest.toml holds")
    parser.add_argument("--data", action="append", default=[], metavar="PATH",
                        help="a file or folder that PROGRAM reads, at the same place in the guest; may be repeated")
    parser.add_argument("--input", metavar="FILE", help="the standard input of PROGRAM; default: empty")
    arguments = parser.parse_args(known)
    arguments.foreign = None
    unknown = [name for name in arguments.names if name not in programs.PROGRAMS]
    if foreign_words is not None:
        if arguments.names or arguments.costs:
            parser.error("either names of programs, --costs, or a PROGRAM behind --")
        arguments.foreign = foreign.program_of(foreign_words, arguments.data, arguments.input)
    elif arguments.data or arguments.input:
        parser.error("--data and --input are for a PROGRAM behind --")
    elif unknown:
        parser.error(f"no program '{unknown[0]}'; there are {', '.join(programs.PROGRAMS)}. One that is not ours: -- {unknown[0]} {{cpus}}")
    least = 1 if arguments.foreign else 2
    arguments.cpus = arguments.cpus or [count for count in (1, 2, 4, 8, 16) if count >= least]
    # The document is about one round: others are measured beside it.
    other_round = "" if arguments.round == ROUND_NS else f"-round-{arguments.round}"
    arguments.results = arguments.results or f"build/accuracy/{'foreign' if arguments.foreign else 'emulated'}{other_round}"
    if arguments.round < 100:
        parser.error("--round: 100 instructions at least")
    if not all(least <= cpus <= 64 for cpus in arguments.cpus):
        parser.error(f"numbers of CPUs are {least} to 64")
    return arguments


def say(text):
    print(text, file=sys.stderr, flush=True)


def guest_files(build, program):
    """{path in the guest: path here} of what a run needs."""
    folder = "oracle" if program.theory else "examples"
    built = {f"/programs/{program.command[0]}": f"{build}/{folder}/{program.command[0]}"}
    its_own = {program.executable: os.path.realpath(program.executable), **dict(program.files)} if program.executable else built
    return {"/opt/bin/parcast": f"{build}/bin/parcast",
            **{f"/opt/lib/parcast/{library}": f"{build}/lib/parcast/{library}"
               for library in ("libparcast-recorder.so", "libparcast-binder.so")},
            "/lib/span.so": f"{build}/oracle/span.so", **its_own}


def command_line(program, cpus):
    return shlex.join([program.executable or "/programs/" + program.command[0], *program.arguments(cpus)])


def assignments(program, cpus):
    return "".join(f"{name}={shlex.quote(value)} " for name, value in (word.split("=", 1) for word in program.assignments(cpus)))


def in_place(program):
    """Lines before a run, and what its command ends with: a foreign program finds its files as they were, and prints what it likes."""
    if not program.executable:
        return "cd /tmp\n", ">>/out/stdout"
    data, here = guest.DATA_FOLDER, guest.RUN_FOLDER
    has_input = any(path == guest.INPUT for path, _ in program.files)
    return (f"cd /; rm -rf {here}; mkdir -p {data}; cp -a {data} {here}; cd {here}\n",
            f">/dev/null <{guest.INPUT if has_input else '/dev/null'}")


def bare_run(program, cpus, span):
    before, streams = in_place(program)
    return (f"{before}LD_PRELOAD=/lib/span.so SPAN_FILE=/out/{span} {assignments(program, cpus)}{command_line(program, cpus)} {streams} "
            f"|| echo {program.name}: $? >>/out/failed\n")


def recording_script(program, cpus):
    """Leaves span.CPUS, the unrecorded time in ns, and recording.CPUS.parcast."""
    before, streams = in_place(program)
    return (bare_run(program, cpus, f"span.{cpus}") + before +
            f"{assignments(program, cpus)}/opt/bin/parcast record -o /out/recording.{cpus}.parcast --pretend-cpus {cpus} --memory-map -- "
            f"{command_line(program, cpus)} {streams} || echo {program.name}: $? >>/out/failed\n")


def checked(output):
    """A job that failed once fails each time: the status is told once, and the log's first lines."""
    if "failed" in output:
        failed = ", ".join(dict.fromkeys(output["failed"].decode().splitlines()))
        log = output["log"].decode(errors="replace").splitlines()
        raise guest.GuestFailed("\n".join([f"exit status of {failed}", *log[:LOG_LINES]]))
    return output


def lockstep_spans(marks):
    """Lengths in ns of the spans between the marks, and the broken rounds. Lines: `begin NS`, `end NS BROKEN`."""
    words = [line.split() for line in marks.decode().splitlines()]
    begins = [int(line[1]) for line in words if line[0] == "begin"]
    ends = [line for line in words if line[0] == "end"]
    if len(begins) != len(ends) or not ends:
        raise guest.GuestFailed(f"{len(begins)} spans began and {len(ends)} ended")
    return [int(end[1]) - begin for begin, end in zip(begins, ends)], int(ends[-1][2])


def record(emulator, program, counts, arguments):
    """One guest for all counts. Keeps the recordings beside the results; returns {count: unrecorded time on one CPU in ns}."""
    script = "".join(recording_script(program, cpus) for cpus in counts)
    output = checked(emulator.run_in_instruction_time(script, guest_files(arguments.build, program), len(counts)))
    for cpus in counts:
        with open(recording_path(arguments, program, cpus), "wb") as file:
            file.write(output[f"recording.{cpus}.parcast"])
    return {cpus: int(output[f"span.{cpus}"]) for cpus in counts}


def recording_path(arguments, program, cpus):
    return os.path.join(arguments.results, f"{program.name}.{cpus}.parcast")


def emulate(emulator, program, cpus, arguments):
    """Times of the runs in lock-step in ns, and the number of broken rounds."""
    script = (REST + bare_run(program, cpus, "span")) * arguments.runs
    output = checked(emulator.run_in_lockstep(script, guest_files(arguments.build, program), cpus, arguments.round))
    return lockstep_spans(output["marks"])


def waiting(program):
    """How the program is told to wait, for the prediction."""
    policies = [word.removeprefix("OMP_WAIT_POLICY=") for word in program.environment if word.startswith("OMP_WAIT_POLICY=")]
    return ["--waiting", policies[0]] if policies else []


def predict(program, cpus, arguments):
    command = [f"{arguments.build}/bin/parcast", "predict", recording_path(arguments, program, cpus), "--cpus", str(cpus),
               "--machine", MACHINE, *waiting(program), "--json"]
    answered = subprocess.run(command, capture_output=True, text=True, check=False)
    answer = json.loads(answered.stdout) if answered.stdout else {}
    if not answer.get("predictions"):
        raise guest.GuestFailed(f"{program.name}, {cpus} CPUs: no prediction\n{answered.stderr}")
    row = answer["predictions"][0]
    return {"predicted_ns": row["time_ns"], "range_ns": row["range"] and row["range"]["time_ns"], "model": answer["method"]["model"],
            "findings": sorted({finding["kind"] for finding in answer["findings"] if finding["severity"] == "warning"})}


def result_path(arguments, program):
    return os.path.join(arguments.results, program.name + ".json")


def read_result(arguments, program):
    """Without runs if those that are kept are of another command."""
    empty = {"program": program.name, "command": " ".join(program.environment + program.command), "runs": []}
    if not os.path.exists(result_path(arguments, program)):
        return empty
    with open(result_path(arguments, program), encoding="utf-8") as file:
        kept = json.load(file)
    return kept if kept["command"] == empty["command"] else empty


def write_result(arguments, program, result):
    path = result_path(arguments, program)
    with open(path + ".part", "w", encoding="utf-8") as file:
        json.dump(result, file, indent=1)
        file.write("\n")
    os.replace(path + ".part", path)


def with_run(result, run):
    """The result with this run in the place of another one on as many CPUs."""
    others = [other for other in result["runs"] if other["cpus"] != run["cpus"]]
    return {**result, "runs": sorted(others + [run], key=lambda each: each["cpus"])}


def compare(emulator, program, cpus, one_cpu_ns, arguments):
    """Keeps what was emulated before it predicts: a prediction can be made again, `--again`. On one CPU the bare run is the measurement."""
    emulated, broken_rounds = ([one_cpu_ns], 0) if cpus == 1 else emulate(emulator, program, cpus, arguments)
    run = {"cpus": cpus, "date": datetime.date.today().isoformat(), "emulator": emulator.version(), "round_ns": arguments.round,
           "kernel": os.path.basename(emulator.kernel()), "broken_rounds": broken_rounds, "one_cpu_ns": one_cpu_ns,
           "emulated_ns": emulated}
    write_result(arguments, program, with_run(read_result(arguments, program), run))
    run.update(predict(program, cpus, arguments))
    write_result(arguments, program, with_run(read_result(arguments, program), run))
    say(f"{program.name} on {cpus} CPU{'s' * (cpus > 1)}: emulated {section.emulated_ns(run) / 1e6:.1f} ms, predicted "
        f"{run['predicted_ns'] / 1e6:.1f} ms ({100 * section.error(run):+.1f} %)")


def compare_counts(emulator, program, counts, arguments):
    """How many of the comparisons failed."""
    try:
        say(f"{program.name}: recording it for {', '.join(map(str, counts))} CPUs")
        one_cpu_ns = record(emulator, program, counts, arguments)
    except guest.GuestFailed as failure:
        say(f"./dev accuracy --emulated: {program.name}: {failure}")
        return len(counts)
    failed = 0
    for cpus in counts:
        try:
            compare(emulator, program, cpus, one_cpu_ns[cpus], arguments)
        except guest.GuestFailed as failure:
            failed += 1
            say(f"./dev accuracy --emulated: {program.name} on {cpus} CPUs: {failure}")
    return failed


def predict_again(program, arguments):
    result = read_result(arguments, program)
    for run in result["runs"]:
        run.update(predict(program, run["cpus"], arguments))
    write_result(arguments, program, result)


def record_again(emulator, program, arguments):
    """What ran on many CPUs does not depend on the recorder."""
    result = read_result(arguments, program)
    counts = [run["cpus"] for run in result["runs"]]
    if not counts:
        return
    one_cpu_ns = record(emulator, program, counts, arguments)
    for run in result["runs"]:
        run.update(predict(program, run["cpus"], arguments), one_cpu_ns=one_cpu_ns[run["cpus"]])
        say(f"{program.name} on {run['cpus']} CPUs: predicted {run['predicted_ns'] / 1e6:.1f} ms ({100 * section.error(run):+.1f} %)")
    write_result(arguments, program, result)


def measure_costs(emulator, arguments):
    files = {"/programs/costs": f"{arguments.build}/oracle/costs"}
    for cpus in (1, 2, 16):
        script = "for run in 1 2 3; do /programs/costs; done\n"
        output = (emulator.run_in_instruction_time(script, files) if cpus == 1
                  else emulator.run_in_lockstep(script, files, cpus, arguments.round))
        print(f"{cpus} CPU{'s' * (cpus > 1)}:\n{output['log'].decode()}", end="")


def named_programs(arguments):
    if arguments.foreign:
        return [arguments.foreign]
    return [programs.PROGRAMS[name] for name in arguments.names] or list(programs.PROGRAMS.values())


def missing_comparisons(arguments):
    """(program, CPUs), program by program: those named, else those that have no result yet."""
    return [(program, cpus) for program in named_programs(arguments) for cpus in arguments.cpus
            if arguments.names or arguments.foreign or all(run["cpus"] != cpus for run in read_result(arguments, program)["runs"])]


def compare_all(arguments):
    root = debian.set_up(os.path.abspath(arguments.folder), say)
    emulator = guest.Emulator(root, os.path.abspath(f"{arguments.build}/oracle/lockstep.so"), os.path.abspath(arguments.folder),
                              arguments.limit)
    if arguments.costs:
        measure_costs(emulator, arguments)
        return
    if arguments.record:
        for program in named_programs(arguments):
            try:
                record_again(emulator, program, arguments)
            except guest.GuestFailed as failure:
                raise guest.GuestFailed(f"{program.name}: {failure}") from failure
        return
    missing = missing_comparisons(arguments)
    failed = 0
    for number, program in enumerate(dict.fromkeys(program for program, _ in missing), start=1):
        counts = [cpus for other, cpus in missing if other == program]
        say(f"[{number} of {len({other.name for other, _ in missing})}] {program.name}")
        failed += compare_counts(emulator, program, counts, arguments)
    if failed:
        kept = "" if arguments.foreign else ", the others are kept; run it again for what is missing"
        raise guest.GuestFailed(f"{failed} of {len(missing)} comparisons failed{kept}")


def run(arguments):
    if arguments.again:
        for program in named_programs(arguments):
            predict_again(program, arguments)
    else:
        compare_all(arguments)


def write_section(arguments):
    text = section.of_results(arguments.results)
    section.put_into(arguments.document, text)
    print(text, end="")


def main():
    failed = False
    try:
        arguments = parsed_arguments(sys.argv[1:])
        os.makedirs(arguments.results, exist_ok=True)
        os.makedirs(arguments.folder, exist_ok=True)
        run(arguments)
    except foreign.Unusable as unusable:
        say(f"./dev accuracy --emulated: {unusable}")
        return 2
    except debian.Unavailable as missing:
        say(f"./dev accuracy --emulated: skipped: {missing}")
        return 77
    except guest.GuestFailed as failure:
        say(f"./dev accuracy --emulated: {failure}")
        failed = True
    if arguments.foreign:
        print(section.of_foreign(read_result(arguments, arguments.foreign)), end="")
    elif not failed and not arguments.costs and arguments.round == ROUND_NS:
        write_section(arguments)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
