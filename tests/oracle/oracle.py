#!/usr/bin/env python3
"""Predicted against emulated: `./dev accuracy --emulated [NAME...]`.

For each program and number of CPUs: records it in a guest with one CPU and instruction time, predicts it here for the guest's
machine (guest.toml), runs it in a guest with that many CPUs in lock-step, and writes what came out to RESULTS/NAME.json.
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
    folder = "oracle" if program.command[0] == "known_speedups" else "examples"
    return {"/opt/bin/parcast": f"{build}/bin/parcast",
            "/opt/lib/parcast/libparcast-recorder.so": f"{build}/lib/parcast/libparcast-recorder.so",
            "/lib/span.so": f"{build}/oracle/span.so",
            f"/programs/{program.command[0]}": f"{build}/{folder}/{program.command[0]}"}


def command_line(program, cpus):
    return shlex.join(["/programs/" + program.command[0], *program.arguments(cpus)])


def bare_run(program, cpus, span):
    return f"LD_PRELOAD=/lib/span.so SPAN_FILE=/out/{span} {command_line(program, cpus)} >>/out/stdout || echo $? >>/out/failed\n"


def recording_script(program, counts):
    script = "cd /tmp\n"
    for cpus in counts:
        script += bare_run(program, cpus, f"span.{cpus}")
        script += (f"/opt/bin/parcast record -o /out/{cpus}.parcast --pretend-cpus {cpus} -- {command_line(program, cpus)} "
                   ">>/out/stdout || echo $? >>/out/failed\n")
    return script


def checked(output, what):
    if "failed" in output:
        raise guest.GuestFailed(f"{what}: exit status {output['failed'].decode().split()[0]}\n{output['log'].decode(errors='replace')}")
    return output


def spans(text):
    return [int(line) for line in text.split()]


def lockstep_spans(marks):
    """Lengths in ns of the spans between the marks, and the broken rounds. Lines: `begin NS`, `end NS BROKEN`."""
    words = [line.split() for line in marks.decode().splitlines()]
    begins = [int(line[1]) for line in words if line[0] == "begin"]
    ends = [line for line in words if line[0] == "end"]
    if len(begins) != len(ends) or not ends:
        raise guest.GuestFailed(f"{len(begins)} spans began and {len(ends)} ended")
    return [int(end[1]) - begin for begin, end in zip(begins, ends)], int(ends[-1][2])


def record(emulator, program, arguments):
    """Recordings of all counts, kept beside the results; returns the unrecorded times on one CPU, {cpus: ns}."""
    say(f"{program.name}: recording on 1 CPU")
    output = checked(emulator.run_in_instruction_time(recording_script(program, arguments.cpus), guest_files(arguments.build, program)),
                     program.name)
    for cpus in arguments.cpus:
        with open(recording_path(arguments, program, cpus), "wb") as file:
            file.write(output[f"{cpus}.parcast"])
    return {cpus: spans(output[f"span.{cpus}"])[0] for cpus in arguments.cpus}


def recording_path(arguments, program, cpus):
    return os.path.join(arguments.results, f"{program.name}.{cpus}.parcast")


def emulate(emulator, program, cpus, arguments):
    say(f"{program.name}: running on {cpus} CPUs in lock-step")
    script = "cd /tmp\n" + bare_run(program, cpus, "span") * arguments.runs
    output = checked(emulator.run_in_lockstep(script, guest_files(arguments.build, program), cpus, ROUND_NS), program.name)
    times, broken = lockstep_spans(output["marks"])
    return {"emulated_ns": times, "broken_rounds": broken}


def predict(program, cpus, arguments):
    command = [f"{arguments.build}/bin/parcast", "predict", recording_path(arguments, program, cpus), "--cpus", str(cpus),
               "--machine", MACHINE, "--json"]
    answered = subprocess.run(command, capture_output=True, text=True, check=False)
    answer = json.loads(answered.stdout) if answered.stdout else {}
    if not answer.get("predictions"):
        raise guest.GuestFailed(f"{program.name}: no prediction\n{answered.stderr}")
    return {"predicted_ns": answer["predictions"][0]["time_ns"], "model": answer.get("model"),
            "findings": sorted({finding["kind"] for finding in answer["findings"] if finding["severity"] == "warning"})}


def result_path(arguments, program):
    return os.path.join(arguments.results, program.name + ".json")


def write_result(arguments, program, result):
    path = result_path(arguments, program)
    with open(path + ".part", "w", encoding="utf-8") as file:
        json.dump(result, file, indent=1)
        file.write("\n")
    os.replace(path + ".part", path)


def compare(emulator, program, arguments):
    one_cpu = record(emulator, program, arguments)
    runs = []
    for cpus in arguments.cpus:
        runs.append({"cpus": cpus, "one_cpu_ns": one_cpu[cpus], **emulate(emulator, program, cpus, arguments),
                     **predict(program, cpus, arguments)})
    write_result(arguments, program, {"program": program.name, "command": " ".join(program.command),
                                      "date": datetime.date.today().isoformat(), "emulator": emulator.version(),
                                      "kernel": os.path.basename(emulator.kernel()), "round_ns": ROUND_NS, "runs": runs})


def predict_again(program, arguments):
    with open(result_path(arguments, program), encoding="utf-8") as file:
        result = json.load(file)
    for run in result["runs"]:
        run.update(predict(program, run["cpus"], arguments))
    write_result(arguments, program, result)


def measure_costs(emulator, arguments):
    files = {"/programs/costs": f"{arguments.build}/oracle/costs"}
    for cpus in (1, 2):
        script = "for run in 1 2 3 4 5; do /programs/costs; done\n"
        output = (emulator.run_in_instruction_time(script, files) if cpus == 1
                  else emulator.run_in_lockstep(script, files, cpus, ROUND_NS))
        print(f"{cpus} CPU{'s' * (cpus > 1)}:\n{output['log'].decode()}", end="")


def chosen_programs(arguments):
    if arguments.names:
        return [programs.PROGRAMS[name] for name in arguments.names]
    has_result = arguments.again
    return [program for program in programs.PROGRAMS.values()
            if os.path.exists(result_path(arguments, program)) == has_result]


def main():
    arguments = parsed_arguments()
    os.makedirs(arguments.results, exist_ok=True)
    os.makedirs(arguments.folder, exist_ok=True)
    try:
        if arguments.again:
            for program in chosen_programs(arguments):
                predict_again(program, arguments)
        else:
            root = debian.set_up(os.path.abspath(arguments.folder), say)
            emulator = guest.Emulator(root, os.path.abspath(f"{arguments.build}/oracle/lockstep.so"),
                                      os.path.abspath(arguments.folder), arguments.limit)
            if arguments.costs:
                measure_costs(emulator, arguments)
                return 0
            for program in chosen_programs(arguments):
                compare(emulator, program, arguments)
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
