#!/usr/bin/env python3
"""Predicted against measured: `./dev accuracy [NAME...]`.

Measures with `parcast scale --measure` each program that has no result yet, or those that are named, leaves the answers in
build/accuracy and writes the table in docs/accuracy.md from all that are there. Interrupted, it goes on where it was.
"""

import argparse
import datetime
import json
import os
import platform
import shlex
import shutil
import subprocess
import sys
import tomllib

import experiments
import inputs
import neighbours
import programs
import section

CALIBRATIONS = 3
HERE = os.path.dirname(os.path.abspath(__file__))


def parsed_arguments():
    parser = argparse.ArgumentParser(prog="./dev accuracy", description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="programs; default: all that have no result yet")
    parser.add_argument("--runs", type=int, default=5, help="runs of each measurement (default: 5)")
    parser.add_argument("--quick", action="store_true",
                        help="2 threads only, 5 runs, and no experiments on large errors: all programs in some 20 quiet minutes")
    parser.add_argument("--build", default="build/release", help="where parcast and the examples were built")
    parser.add_argument("--results", default="build/accuracy")
    parser.add_argument("--document", default="docs/accuracy.md")
    parser.add_argument("--again", action="store_true", help="forget all results first")
    parser.add_argument("--keep", action="store_true", help="keep the recordings, in RESULTS/recordings")
    parser.add_argument("--list", action="store_true", help="only say which programs there are")
    parser.add_argument("--document-only", action="store_true", help="measure nothing")
    arguments = parser.parse_args()
    unknown = [name for name in arguments.names if name not in programs.PROGRAMS]
    if unknown:
        parser.error(f"no program '{unknown[0]}'; there are {', '.join(programs.PROGRAMS)}")
    return arguments


def say(text):
    print(text, file=sys.stderr, flush=True)


def result_file(arguments, name):
    return os.path.join(arguments.results, f"{name}.json")


def build_solver(folder):
    target = os.path.join(folder, "blas_solve")
    if not os.path.exists(target):
        subprocess.run(["cc", "-O2", "-o", target, os.path.join(HERE, "blas_solve.c"), "-lopenblas", "-lm"], check=True)


def bound_threads(folder):
    target = os.path.abspath(os.path.join(folder, "bound_threads.so"))
    if not os.path.exists(target):
        subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", target, os.path.join(HERE, "bound_threads.c")], check=True)
    return target


def folders(arguments):
    return {"{examples}": os.path.join(arguments.build, "examples"), "{inputs}": os.path.join(arguments.results, "inputs"),
            "{built}": os.path.join(arguments.results, "built"), "{outputs}": os.path.join(arguments.results, "outputs")}


def placed(text, arguments):
    for name, folder in folders(arguments).items():
        text = text.replace(name, os.path.relpath(folder))
    return text


def prepare(program, arguments):
    """None, or why the program cannot be measured here."""
    for name in ("{built}", "{outputs}"):
        os.makedirs(folders(arguments)[name], exist_ok=True)
    try:
        for name in program.inputs:
            inputs.make(name, folders(arguments)["{inputs}"])
        if program.name == "openblas":
            build_solver(folders(arguments)["{built}"])
    except (OSError, subprocess.CalledProcessError) as error:
        return str(error)
    executable = placed(shlex.split(program.command)[0], arguments)
    if not (os.path.exists(executable) or shutil.which(executable)):
        return f"{executable} is not there" + (f": install {program.package}" if program.package else "")
    return None


def version_of(package):
    if not package:
        return ""
    found = subprocess.run(["dpkg-query", "--show", "--showformat=${Version}", package], capture_output=True, text=True, check=False)
    return f"{package} {found.stdout}".strip()


def processor():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        for line in file:
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.machine()


def is_virtual():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        return any(line.startswith("flags") and " hypervisor" in line for line in file)


def rate_of_all(path):
    """How fast each of all CPUs computes if all do."""
    with open(path, "rb") as file:
        return tomllib.load(file)["rates"]["compute"][-1]


def calibrated(arguments):
    """The machine file of this host, made before the first program. Among several calibrations the one that the host disturbed least
    stands, as the fastest runs stand in best/best."""
    path = os.path.join(arguments.results, "machine.toml")
    if not os.path.exists(path):
        attempts = [f"{path}.{i}" for i in range(CALIBRATIONS)]
        for attempt in attempts:
            say("calibrating")
            subprocess.run([os.path.join(arguments.build, "bin/parcast"), "calibrate", "--seconds", "10", "-o", attempt], check=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.replace(max(attempts, key=rate_of_all), path)
    return path


def beside_neighbours(program, arguments):
    """What copies with one thread take on CPUs of their own; None for a program that cannot be told to use one, or on one CPU."""
    cpus = sorted(os.sched_getaffinity(0))[:int(program.cpus.split(",")[0])]
    if "{cpus}" not in program.command or len(cpus) < 2:
        return None

    def of_copy(text):
        def placed_for(copy):
            own = text.replace("{outputs}", os.path.join("{outputs}", str(copy))).replace("{cpus}", "1")
            return placed(own, arguments)
        return placed_for

    for copy in range(len(cpus)):
        os.makedirs(os.path.join(folders(arguments)["{outputs}"], str(copy)), exist_ok=True)
    say(f"{program.name}: copies side by side")
    return neighbours.measured(of_copy(program.command), of_copy(program.before), cpus)


def experiments_on(program, answer, arguments):
    """What was tried for each count whose error is too large."""
    tried = {}
    for count in answer["counts"]:
        if not count["same_threads"] or count["same_threads"]["error"] <= section.LARGE_ERROR:
            continue
        told = str(count["cpus"])
        cpus = sorted(os.sched_getaffinity(0))[:count["compared_cpus"]]
        say(f"{program.name}, told {told}: what closes the gap?")
        command, before = (placed(text.replace("{cpus}", told), arguments) for text in (program.command, program.before))
        tried[told] = {"seconds": experiments.measured(command, before, cpus, bound_threads(folders(arguments)["{built}"])),
                       "idle_while_waiting": experiments.idle_shares(command, before, cpus)}
    return tried


def measure(program, arguments):
    cpus = program.cpus.split(",")[0] if arguments.quick else program.cpus
    command = ["scale", "--json", "--measure", "--runs", str(arguments.runs), "--cpus", cpus,
               "--machine", calibrated(arguments), "--time-limit", "60"]
    if program.before:
        command += ["--before", placed(program.before, arguments)]
    if arguments.keep:
        command += ["--keep", os.path.join(arguments.results, "recordings")]
    command += ["--", *shlex.split(placed(program.command, arguments))]
    done = subprocess.run([os.path.join(arguments.build, "bin/parcast"), *command], stdout=subprocess.PIPE, check=False)
    if done.returncode != 0:
        return False
    answer = json.loads(done.stdout)
    tried = {} if arguments.quick else experiments_on(program, answer, arguments)
    result = {"program": program.name, "package": version_of(program.package), "shown_command": program.command.replace("{examples}/", "").replace("{inputs}/", "").replace("{built}/", "").replace("{outputs}/", ""),
              "date": datetime.datetime.now().isoformat(" ", "minutes"),
              "host": {"processor": processor(), "cpus": len(os.sched_getaffinity(0)), "is_virtual": is_virtual(),
                       "kernel": f"{platform.system()} {platform.release()}"},
              "scale": answer, "experiments": tried, "neighbours": beside_neighbours(program, arguments) if tried else None}
    with open(result_file(arguments, program.name), "w", encoding="utf-8") as file:
        json.dump(result, file, indent=1)
    return True


def measure_all(names, arguments):
    """The names of those that could not be measured."""
    failed = []
    for position, name in enumerate(names, 1):
        program = programs.PROGRAMS[name]
        problem = prepare(program, arguments)
        if problem:
            say(f"{name}: not measured: {problem}")
            failed.append(name)
            continue
        say(f"{name} ({position} of {len(names)})")
        if not measure(program, arguments):
            failed.append(name)
    return failed


def main():
    arguments = parsed_arguments()
    if arguments.list:
        print("\n".join(programs.PROGRAMS))
        return 0
    os.makedirs(arguments.results, exist_ok=True)
    if arguments.again:
        for name in programs.PROGRAMS:
            if os.path.exists(result_file(arguments, name)):
                os.remove(result_file(arguments, name))
    missing = [name for name in programs.PROGRAMS if not os.path.exists(result_file(arguments, name))]
    failed = [] if arguments.document_only else measure_all(arguments.names or missing, arguments)
    section.put_into(arguments.document, section.of_results(arguments.results))
    say(section.summary(section.results_of(arguments.results)) + f"in {arguments.document}")
    if failed:
        say(f"not measured: {', '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
