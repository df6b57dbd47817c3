#!/usr/bin/env python3
"""Predicted against emulated: `./dev accuracy --emulated [NAME...]`.

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
import guest
import programs
import section

HERE = os.path.dirname(os.path.abspath(__file__))
MACHINE = os.path.join(HERE, "guest.toml")
ROUND_NS = 2000
# Linux looks for idle CPUs the less, the busier they were lately, and for waiting threads the less, the longer that ever took: what
# went on before a run, on the host's clock, must not count. A CPU that leaves and comes back makes it forget the second.
FORGET = "for online in 0 1; do echo $online >/sys/devices/system/cpu/cpu1/online; done\n"
REST = FORGET + "sleep 1\n"


def parsed_arguments():
    parser = argparse.ArgumentParser(prog="./dev accuracy --emulated", description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="programs; default: all that have no result yet")
    parser.add_argument("--cpus", type=lambda text: [int(word) for word in text.split(",")], default=[2, 4, 8, 16])
    parser.add_argument("--runs", type=int, default=3, help="runs on each number of CPUs (default: 3)")
    parser.add_argument("--build", default="build/release", help="where parcast and the examples were built")
    parser.add_argument("--folder", default="build/oracle", help="for the emulator")
    parser.add_argument("--results", default="build/accuracy/emulated")
    parser.add_argument("--document", default="docs/accuracy.md", help="takes the table in its section for the emulation")
    parser.add_argument("--limit", type=int, default=180, metavar="S", help="seconds that a guest may take (default: 180)")
    parser.add_argument("--again", action="store_true", help="predict again from the kept recordings, emulate nothing")
    parser.add_argument("--costs", action="store_true", help="only measure the costs that guest.toml holds")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.names if name not in programs.PROGRAMS]
    if unknown:
        parser.error(f"no program '{unknown[0]}'; there are {', '.join(programs.PROGRAMS)}")
    if not all(1 < cpus <= 64 for cpus in arguments.cpus):
        parser.error("numbers of CPUs are 2 to 64")
    return arguments


def say(text):
    print(text, file=sys.stderr, flush=True)


def guest_files(build, program):
    """{path in the guest: path here} of what a run needs."""
    folder = "oracle" if program.theory else "examples"
    return {"/opt/bin/parcast": f"{build}/bin/parcast",
            **{f"/opt/lib/parcast/{library}": f"{build}/lib/parcast/{library}"
               for library in ("libparcast-recorder.so", "libparcast-binder.so")},
            "/lib/span.so": f"{build}/oracle/span.so",
            f"/programs/{program.command[0]}": f"{build}/{folder}/{program.command[0]}"}


def command_line(program, cpus):
    return shlex.join(["/programs/" + program.command[0], *program.arguments(cpus)])


def assignments(program):
    return "".join(word + " " for word in program.environment)


def bare_run(program, cpus, span):
    return (f"LD_PRELOAD=/lib/span.so SPAN_FILE=/out/{span} {assignments(program)}{command_line(program, cpus)} >>/out/stdout "
            f"|| echo {program.name}: $? >>/out/failed\n")


def recording_script(program, cpus):
    return ("cd /tmp\n" + bare_run(program, cpus, "span") +
            f"{assignments(program)}/opt/bin/parcast record -o /out/recording.parcast --pretend-cpus {cpus} -- {command_line(program, cpus)} "
            f">>/out/stdout || echo {program.name}: $? >>/out/failed\n")


def checked(output):
    if "failed" in output:
        failed = output["failed"].decode().strip().replace("\n", ", ")
        raise guest.GuestFailed(f"exit status of {failed}\n{output['log'].decode(errors='replace')}")
    return output


def lockstep_spans(marks):
    """Lengths in ns of the spans between the marks, and the broken rounds. Lines: `begin NS`, `end NS BROKEN`."""
    words = [line.split() for line in marks.decode().splitlines()]
    begins = [int(line[1]) for line in words if line[0] == "begin"]
    ends = [line for line in words if line[0] == "end"]
    if len(begins) != len(ends) or not ends:
        raise guest.GuestFailed(f"{len(begins)} spans began and {len(ends)} ended")
    return [int(end[1]) - begin for begin, end in zip(begins, ends)], int(ends[-1][2])


def record(emulator, program, cpus, arguments):
    """Keeps a recording beside the results; returns the unrecorded time on one CPU in ns."""
    output = checked(emulator.run_in_instruction_time(recording_script(program, cpus), guest_files(arguments.build, program)))
    with open(recording_path(arguments, program, cpus), "wb") as file:
        file.write(output["recording.parcast"])
    return int(output["span"])


def recording_path(arguments, program, cpus):
    return os.path.join(arguments.results, f"{program.name}.{cpus}.parcast")


def emulate(emulator, program, cpus, arguments):
    """Times of the runs in lock-step in ns, and the number of broken rounds."""
    script = "cd /tmp\n" + (REST + bare_run(program, cpus, "span")) * arguments.runs
    output = checked(emulator.run_in_lockstep(script, guest_files(arguments.build, program), cpus, ROUND_NS))
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
    return {"predicted_ns": answer["predictions"][0]["time_ns"], "model": answer["method"]["model"],
            "findings": sorted({finding["kind"] for finding in answer["findings"] if finding["severity"] == "warning"})}


def result_path(arguments, program):
    return os.path.join(arguments.results, program.name + ".json")


def read_result(arguments, program):
    if not os.path.exists(result_path(arguments, program)):
        return {"program": program.name, "command": " ".join(program.environment + program.command), "runs": []}
    with open(result_path(arguments, program), encoding="utf-8") as file:
        return json.load(file)


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


def compare(emulator, program, cpus, arguments):
    """Keeps what was emulated before it predicts: a prediction can be made again, `--again`."""
    one_cpu = record(emulator, program, cpus, arguments)
    emulated, broken_rounds = emulate(emulator, program, cpus, arguments)
    run = {"cpus": cpus, "date": datetime.date.today().isoformat(), "emulator": emulator.version(), "round_ns": ROUND_NS,
           "kernel": os.path.basename(emulator.kernel()), "broken_rounds": broken_rounds, "one_cpu_ns": one_cpu,
           "emulated_ns": emulated}
    write_result(arguments, program, with_run(read_result(arguments, program), run))
    run.update(predict(program, cpus, arguments))
    write_result(arguments, program, with_run(read_result(arguments, program), run))
    say(f"{program.name} on {cpus} CPUs: emulated {section.emulated_ns(run) / 1e6:.1f} ms, predicted "
        f"{run['predicted_ns'] / 1e6:.1f} ms ({100 * section.error(run):+.1f} %)")


def predict_again(program, arguments):
    result = read_result(arguments, program)
    for run in result["runs"]:
        run.update(predict(program, run["cpus"], arguments))
    write_result(arguments, program, result)


def measure_costs(emulator, arguments):
    files = {"/programs/costs": f"{arguments.build}/oracle/costs"}
    for cpus in (1, 2, 16):
        script = "for run in 1 2 3; do /programs/costs; done\n"
        output = (emulator.run_in_instruction_time(script, files) if cpus == 1
                  else emulator.run_in_lockstep(script, files, cpus, ROUND_NS))
        print(f"{cpus} CPU{'s' * (cpus > 1)}:\n{output['log'].decode()}", end="")


def named_programs(arguments):
    return [programs.PROGRAMS[name] for name in arguments.names] or list(programs.PROGRAMS.values())


def missing_comparisons(arguments):
    """(program, CPUs), program by program: those named, else those that have no result yet."""
    return [(program, cpus) for program in named_programs(arguments) for cpus in arguments.cpus
            if arguments.names or all(run["cpus"] != cpus for run in read_result(arguments, program)["runs"])]


def compare_all(arguments):
    root = debian.set_up(os.path.abspath(arguments.folder), say)
    emulator = guest.Emulator(root, os.path.abspath(f"{arguments.build}/oracle/lockstep.so"), os.path.abspath(arguments.folder),
                              arguments.limit)
    if arguments.costs:
        measure_costs(emulator, arguments)
        return
    failed = 0
    missing = missing_comparisons(arguments)
    for number, (program, cpus) in enumerate(missing, start=1):
        say(f"[{number} of {len(missing)}] {program.name} on {cpus} CPUs")
        try:
            compare(emulator, program, cpus, arguments)
        except guest.GuestFailed as failure:
            failed += 1
            say(f"./dev accuracy --emulated: {program.name} on {cpus} CPUs: {failure}")
    if failed:
        raise guest.GuestFailed(f"{failed} of {len(missing)} comparisons failed, the others are kept; run it again for what is missing")


def main():
    arguments = parsed_arguments()
    os.makedirs(arguments.results, exist_ok=True)
    os.makedirs(arguments.folder, exist_ok=True)
    try:
        if arguments.again:
            for program in named_programs(arguments):
                predict_again(program, arguments)
        else:
            compare_all(arguments)
        if arguments.costs:
            return 0
    except debian.Unavailable as missing:
        say(f"./dev accuracy --emulated: skipped: {missing}")
        return 77
    except guest.GuestFailed as failed:
        say(f"./dev accuracy --emulated: {failed}")
        return 1
    text = section.of_results(arguments.results)
    section.put_into(arguments.document, text)
    print(text, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
