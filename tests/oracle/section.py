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


# Errors of more than this are explained below the table.
EXPLAINED = 0.04

# What was found out about them; how, is in README.md.
CAUSES = {
    "six_step_fft": "Its threads allocate rows of 8 KB at once, glibc grows the heap of each with mprotect, and the kernel lets one thread of a "
                    "process change the map of its memory at a time: a lock that no recording shows. With the memory taken at once "
                    "(GLIBC_TUNABLES=glibc.malloc.top_pad=16777216) it takes 15.7 ms on 16 CPUs, and 44 ms on 4.",
    "red_black_grid": "A barrier every 17 us on 16 CPUs, and always the same thread is the last to arrive. To wake the 15 others takes it 21 us in the recording, where "
                      "each joins the queue of the one CPU; in the emulation about 11 us (by subtraction), since CPUs that poll are told by a word in "
                      "memory. Real CPUs need an interrupt each.",
    "prime_filters": "Emulated CPUs are idle for an eighth to a fifth of the time, partly while threads wait for others: a busy Linux searches fewer CPUs for "
                     "an idle one (SIS_UTIL), and an idle CPU takes no thread that ran within the last 0.5 ms. Without both rules it takes 56.5 ms instead of 60 on 4 "
                     "CPUs; the rest is not explained.",
    "producer_consumer_many_locks": "Sixty threads of 4 ms each: how evenly they lie on 16 CPUs decides. Without the two rules of Linux that are named for prime_filters it takes "
                                    "24.5 ms instead of 28.6 (medians of two runs each); the rest is not explained.",
    "gateway": "Not explained. Which worker gets which packet differs from run to run (three runs on 4 CPUs: 80.9 to 96.3 ms).",
}


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


def explanations(results):
    missed = [(result["program"], run) for result in results for run in result["runs"] if abs(error(run)) > EXPLAINED]
    if not missed:
        return ""
    text = f"\n### Errors over {100 * EXPLAINED:.0f} %\n\n"
    for program in dict.fromkeys(program for program, _ in missed):
        errors = ", ".join(f"{100 * error(run):+.1f} % on {run['cpus']}" for name, run in missed if name == program)
        text += f"- **{program}**, {errors}. {CAUSES.get(program, 'Not looked at closer yet.')}\n"
    return text


def of_results(folder):
    results = [{**result, "runs": runs} for result in results_of(folder)
               if (runs := [run for run in result["runs"] if "predicted_ns" in run])]
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
    return text + explanations(results)


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
