"""How are the results of the emulation said in docs/accuracy.md?

The section between the two marks is this module's; the rest of the document is not touched.
"""

import glob
import json
import os
import statistics

import programs

BEGIN = "<!-- emulated: written by ./dev accuracy --emulated -->\n"
END = "<!-- end of emulated -->\n"


def results_of(folder):
    """In the order of the table of programs."""
    results = []
    for path in glob.glob(os.path.join(folder, "*.json")):
        with open(path, encoding="utf-8") as file:
            results.append(json.load(file))
    order = list(programs.PROGRAMS)
    return sorted((result for result in results if result["program"] in order), key=lambda result: order.index(result["program"]))


def emulated_ns(run):
    return statistics.median(run["emulated_ns"])


def error(run):
    return (run["predicted_ns"] - emulated_ns(run)) / emulated_ns(run)


def summary(results):
    errors = [(abs(error(run)), result["program"], run["cpus"]) for result in results for run in result["runs"] if not run["findings"]]
    if not errors:
        return "no program without findings\n"
    worst = max(errors)
    mean = statistics.mean(value for value, _, _ in errors)
    return (f"Over the {len(errors)} runs without findings: mean error {100 * mean:.1f} %, worst {100 * worst[0]:.1f} % "
            f"({worst[1]} on {worst[2]} CPUs).\n")


def row(result, run):
    theory = programs.PROGRAMS[result["program"]].theory
    times = run["emulated_ns"]
    # One run has no spread: an empty cell, not a zero.
    spread = f"{100 * (max(times) - min(times)) / emulated_ns(run):.1f}" if len(times) > 1 else ""
    cells = (f"`{result['command']}`" if run is result["runs"][0] else "", run["cpus"],
             f"{run['one_cpu_ns'] / 1e6:.1f}", f"{emulated_ns(run) / 1e6:.2f}", spread, f"{run['predicted_ns'] / 1e6:.2f}",
             f"{theory(run['cpus']):.2f}" if theory else "", f"{run['one_cpu_ns'] / emulated_ns(run):.2f}",
             f"{run['one_cpu_ns'] / run['predicted_ns']:.2f}", f"{100 * error(run):+.1f}", ", ".join(run["findings"]))
    return "| " + " | ".join(str(cell) for cell in cells) + " |\n"


def of_results(folder):
    results = [result for result in results_of(folder) if result["runs"]]
    text = "## Predicted against emulated: 2 to 16 CPUs\n\n"
    if not results:
        return text + "Not measured yet: `./dev accuracy --emulated`.\n"
    first = results[0]["runs"][0]
    text += (f"{first['emulator']}, {first['kernel']}, rounds of {first['round_ns']} instructions, "
             f"{min(run['date'] for result in results for run in result['runs'])}. "
             "What this machine is, and what it cannot show, is in `tests/oracle/README.md`.\n"
             f"{summary(results)}\n"
             "| program | CPUs | 1 CPU, ms | emulated, ms | spread, % | predicted, ms | theory | emulated | predicted | error, % | findings |\n"
             "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---|\n")
    for result in results:
        for run in result["runs"]:
            text += row(result, run)
    return text


def with_section(document, text):
    """The document with its section replaced, or with the section at its end if it had none."""
    if BEGIN in document and END in document:
        before, rest = document.split(BEGIN, 1)
        return before + BEGIN + text + END + rest.split(END, 1)[1]
    return document + ("\n" if document else "") + BEGIN + text + END


def put_into(path, text):
    document = ""
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            document = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(with_section(document, text))
