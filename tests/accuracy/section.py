"""The section of measured results in docs/accuracy.md.

Only the text between the two marks is replaced; the abstract above it is held to the summaries by accuracy_test.py.
"""

import glob
import json
import os
import statistics

import experiments
import neighbours
import programs

BEGIN = "<!-- measured: written by ./dev accuracy -->\n"
END = "<!-- end of measured -->\n"
LARGE_ERROR = 0.06
GOAL_MEAN, GOAL_WORST = 0.02, 0.06

HEAD = """# How accurate are the predictions?

`./dev accuracy` measures what has no result yet in `build/accuracy` and writes the first part; `./dev accuracy --emulated` writes
the second.

"""

METHOD = """**Method.** Each program is told to use 2 threads and then 4, or 2 alone with `--quick` (programs without such an argument
run as they are), and runs on one CPU and on two, or on as many as it is told where there are so many. Every result is
`parcast scale --measure`, whose [protocol](scale.md#the-table-of-measurements) is: quiet start, disturbed runs
discarded, interleaved rounds. The prediction comes from the fastest of three recordings on one CPU, with the machine
file that `parcast calibrate` wrote before the first program (the least disturbed of three calibrations). Programs whose
recording has a warning are in the tables and not in the summary.
"""

COLUMNS = """| column | meaning |
|---|---|
| 1 CPU, error | of the predicted time on one CPU, against the fastest measured one |
| predicted | speed-up, the time of the same threads on one CPU over that on two, from the recording alone |
| 90 % | its [range](trust.md): nine of ten measurements should lie within |
| holds | the measured median lies in that range |
| measured | the median of the rounds, with minimum and maximum |
| best/best | the fastest run on one CPU over the fastest on two |
| error | (predicted - best/best) / best/best: positive if the prediction is too optimistic |
| in range | the prediction lies within minimum and maximum |
| time, error | of the predicted time on these CPUs, against the fastest measured one |
| neighbour | for programs with an error over 6 %: copies with one thread each, on CPUs of their own, against one alone: how much more user time a copy takes beside the others (fastest of each, in turn). That much is the platform's: shared caches and memory, hardware threads of one core |
| recording | CPU time of the recorded runs over that of the bare ones, on one CPU, median over median |
| findings | warnings in the recording |
"""

EXPERIMENTS = """Each error is the sum of its *parts* ([how](scale.md#what-explains-a-deviation)); a positive part made the measured run
slower than predicted. To find the cause, the program ran three more rounds on one CPU and on these CPUs: the same
again, with CPUs kept from halting, with each thread bound to a CPU. The error of the same prediction is taken against
the best/best of each:

* If that of the same again is 6 % or less, the cause is chance.
* Else the variant with the least error is the cause if that error is 6 % or less, and at most half of that of the same
  again. A cause that is removed shows where time went; it is no proof that nothing else would have done as much.
* Else no cause is shown.

*Idle beside waiting*: while a thread waited for a CPU, another CPU idled, by the scheduler's trace; at least this share
of the CPUs' time (median, least and most of the runs; empty below 1 %). *Neighbours explain*: at most this much of the
error comes from busy neighbours; in brackets the user time that a copy with one thread takes more beside the others,
and what the prediction expected.
"""


def results_of(folder):
    results = []
    for path in glob.glob(os.path.join(folder, "*.json")):
        with open(path, encoding="utf-8") as file:
            results.append(json.load(file))
    order = list(programs.PROGRAMS)
    known = [result for result in results if result.get("program") in order]
    return sorted(known, key=lambda result: order.index(result["program"]))


def comparisons(results):
    """(result, count, comparison) of everything that was compared."""
    return [(result, count, count["same_threads"]) for result in results for count in result["scale"]["counts"]
            if count["same_threads"]]


def signed_error(comparison):
    return (comparison["predicted"] - comparison["best"]) / comparison["best"]


def warnings(count):
    kinds = [finding["kind"] for finding in count["findings"] if finding["severity"] == "warning"]
    return sorted(set(kinds))


def summary_of(rows, what):
    if not rows:
        return f"- {what}: none without findings\n"
    errors = [abs(signed_error(comparison)) for _, _, comparison in rows]
    worst = max(range(len(rows)), key=errors.__getitem__)
    in_range = sum(comparison["within_range"] for _, _, comparison in rows)
    return (f"- {what}: mean error {100 * statistics.mean(errors):.1f} %, worst {100 * errors[worst]:.1f} % "
            f"({rows[worst][0]['program']}, {rows[worst][1]['cpus']} threads); {in_range} of {len(rows)} predictions lie in the measured range\n")


def goal_text(rows):
    errors = [abs(signed_error(comparison)) for _, _, comparison in rows]
    if not errors:
        return ""
    is_met = statistics.mean(errors) <= GOAL_MEAN and max(errors) <= GOAL_WORST
    return f"- goal: mean error {100 * GOAL_MEAN:.0f} %, worst {100 * GOAL_WORST:.0f} %: **{'met' if is_met else 'missed'}**\n"


def times_summary(rows):
    """The speed-up is a quotient of two times, in which what makes both longer cancels out."""
    if not rows:
        return ""
    parts = []
    for name, errors in (("on one CPU", [abs(one_cpu_error(count)) for _, count, _ in rows]), ("on two", [abs(compared_time_error(count)) for _, count, _ in rows])):
        parts.append(f"{name} mean error {100 * statistics.mean(errors):.1f} %, worst {100 * max(errors):.1f} %")
    return f"- the predicted times themselves, against the fastest runs: {'; '.join(parts)}\n"


def own_spread(rows):
    """How far the measured speed-ups differ from each other: no prediction can be judged more closely than that."""
    spreads = [(measured["max"] - measured["min"]) / measured["median"] for measured in (comparison["measured"] for _, _, comparison in rows)]
    if not spreads:
        return ""
    return f"- the measurement itself: from the lowest to the highest speed-up of the rounds, median over the programs {100 * statistics.median(spreads):.0f} %\n"


def holds(comparison):
    """Whether the measured median lies in the range of the prediction; None: that has no range."""
    return comparison.get("median_in_range")


def coverage_summary(rows):
    """Ranges: how many hold, and how wide they are. Warnings widen them, so programs with findings count, too."""
    ranged = [comparison for _, _, comparison in rows if holds(comparison) is not None]
    if not ranged:
        return ""
    held = sum(holds(comparison) for comparison in ranged)
    width = statistics.median((comparison["range"]["high"] - comparison["range"]["low"]) / comparison["predicted"] for comparison in ranged)
    return (f"- 90 % ranges, programs with findings included: {held} of {len(ranged)} hold the measured median ({100 * held / len(ranged):.0f} %); "
            f"median width {100 * width:.1f} %\n")


def summary(results):
    rows = [row for row in comparisons(results) if not warnings(row[1])]
    text = "**Summary**, best against best, over the programs without findings:\n\n"
    text += summary_of(rows, f"all {len(rows)} comparisons")
    told_two = [row for row in rows if row[1]["cpus"] == 2]
    text += summary_of(told_two, "2 threads, or the program as it is")
    if any(count["cpus"] > 2 for _, count, _ in comparisons(results)):
        text += summary_of([row for row in rows if row[1]["cpus"] > 2], "4 threads on 2 CPUs")
    text += goal_text(rows) + times_summary(rows) + own_spread(rows) + coverage_summary(comparisons(results))
    text += causes_summary(rows)
    costs = [count["recording_cost"] for result in results for count in result["scale"]["counts"] if count["recording_cost"] is not None]
    if costs:
        text += f"- recording: median {100 * statistics.median(costs):+.1f} % CPU time over the bare runs\n"
    return text


def tried_with(result, count):
    """The experiments on this count; None: none were made."""
    return (result.get("experiments") or {}).get(str(count["cpus"]))


def cause_shown(result, count, comparison):
    tried = tried_with(result, count)
    return experiments.shown_cause(tried["seconds"], comparison["predicted"], LARGE_ERROR) if tried else None


def causes_summary(rows):
    """How many of the large errors an experiment explains."""
    large = [row for row in rows if row[2]["error"] > LARGE_ERROR]
    shown = [cause for cause in (cause_shown(*row) for row in large) if cause]
    if not shown:
        return ""
    each = ", ".join(f"{shown.count(cause)} {what}" for cause, what in experiments.REMOVED.items() if cause in shown)
    return f"- errors over 6 %: {len(large)}; an experiment closes the gap for {len(shown)} of them ({each})\n"


def series_on(count, cpus):
    return next(series for series in count["measured"] if series["cpus"] == cpus)


def predicted_ns(count, cpus):
    return next(run["time_ns"] for run in count["predictions"] if run["cpus"] == cpus)


def one_cpu_error(count):
    fastest = min(run["time_ns"] for run in series_on(count, 1)["runs"])
    return predicted_ns(count, 1) / fastest - 1


def neighbour_growth(result):
    """What a copy with one thread takes more beside others; None: not measured."""
    return neighbours.growth(result["neighbours"]) if result.get("neighbours") else None


def percent(share):
    return "" if share is None else f"{100 * share:+.1f}"


def compared_time_error(count):
    """The error of the time on the compared CPUs: no speed-up, so it does not matter what one CPU took."""
    fastest = min(run["time_ns"] for run in series_on(count, count["compared_cpus"])["runs"])
    return predicted_ns(count, count["compared_cpus"]) / fastest - 1


def range_text(range_):
    return f"{range_['low']:.2f} - {range_['high']:.2f}" if range_ else ""


def row(result, count, comparison):
    spread = comparison["measured"]
    lost = sum(series["discarded"] for series in count["measured"])
    kept = sum(series["disturbed"] for series in count["measured"])
    cost = count["recording_cost"]
    error = f"{100 * signed_error(comparison):+.1f}"
    large = comparison["error"] > LARGE_ERROR
    cells = (result["program"], count["cpus"], count["compared_cpus"],
             f"{min(run['time_ns'] for run in series_on(count, 1)['runs']) / 1e9:.2f}", f"{100 * one_cpu_error(count):+.1f}",
             f"{comparison['predicted']:.2f}", range_text(comparison.get("range")), {True: "yes", False: "no", None: ""}[holds(comparison)], f"{spread['median']:.2f} ({spread['min']:.2f} - {spread['max']:.2f})",
             f"{comparison['best']:.2f}", f"**{error}**" if large else error, "yes" if comparison["within_range"] else "no",
             percent(compared_time_error(count)), percent(neighbour_growth(result)), percent(cost), f"{lost}" + (f", {kept} kept" if kept else ""), ", ".join(warnings(count)))
    return "| " + " | ".join(str(cell) for cell in cells) + " |\n"


def part_text(cause):
    names = {"user": "own code", "system": "system", "idle": "idling", "one_cpu": "one CPU"}
    return f"{names[cause['part']]} {100 * cause['share']:+.1f}"


def platform_share(result, count, comparison):
    """The part of the error that busy neighbours explain, at most: what a copy loses beside another, beyond what the machine file let
    the prediction expect."""
    growth = neighbour_growth(result)
    if growth is None:
        return None
    one = min(series_on(count, 1)["runs"], key=lambda run: run["time_ns"])
    unforeseen = growth - predicted_neighbour_growth(comparison)
    return unforeseen * one["user_ns"] / one["time_ns"] * comparison["predicted"] / count["compared_cpus"]


def predicted_neighbour_growth(comparison):
    """User time that is predicted to grow on more CPUs. It falls where threads no longer take turns, which copies with one thread never do."""
    return max(comparison["predicted_user_growth"], 0.0)


def platform_text(result, count, comparison):
    share = platform_share(result, count, comparison)
    if share is None:
        return "not measured"
    return f"{100 * share:+.1f} ({100 * neighbour_growth(result):+.1f}, expected {100 * predicted_neighbour_growth(comparison):+.1f})"


def strict_text(count):
    if count["model"] != "strict":
        return ""
    return ("The direct model deadlocks here, so the strict one predicts; where both have an answer, they differ by at most 4.5 % on two CPUs and 5.9 % on four, "
            "for sort ([replay models](replay-models.md#strict)).")


def idle_text(shares):
    if not shares or max(shares) < 0.01:
        return ""
    return f"{100 * statistics.median(shares):.1f} ({100 * min(shares):.1f} - {100 * max(shares):.1f}, {len(shares)} runs)"


def miss_row(result, count, comparison):
    parts = ", ".join(part_text(cause) for cause in comparison["causes"] if abs(cause["share"]) >= 0.01)
    tried = tried_with(result, count)
    found = experiments.speed_ups(tried["seconds"]) if tried else {}
    cause = cause_shown(result, count, comparison)
    cells = (result["program"], count["cpus"], f"{100 * signed_error(comparison):+.1f}", parts, f"{comparison['predicted']:.2f}",
             *(f"{found[variant]:.2f}" if variant in found else "" for variant in experiments.REMOVED),
             f"**{experiments.REMOVED[cause]}**" if cause else ("none shown" if tried else "not tried"),
             idle_text(tried["idle_while_waiting"]) if tried else "", platform_text(result, count, comparison))
    return "| " + " | ".join(str(cell) for cell in cells) + " |\n"


MISSES_HEAD = ("| program | threads | error, % | parts, % | predicted | the same again | kept from halting | bound | cause | idle beside waiting, % | neighbours explain, % |\n"
               "|---|---:|---:|---|---:|---:|---:|---:|---|---|---|\n")


def known_text(result, counts):
    """What was found out about a program by hand."""
    strict = next(filter(None, map(strict_text, counts)), None)
    known = " ".join(filter(None, (strict, programs.PROGRAMS[result["program"]].cause)))
    return f"- **{result['program']}.** {known}\n" if known else ""


def misses(results):
    """Every error that is too large, with its parts and what is known about it."""
    large = [row for row in comparisons(results) if row[2]["error"] > LARGE_ERROR]
    if not large:
        return ""
    text = "\n### Errors over 6 %\n\n" + EXPERIMENTS + "\n" + MISSES_HEAD + "".join(miss_row(*row) for row in large)
    known = "".join(known_text(result, [count for other, count, _ in large if other is result]) for result in
                    {id(result): result for result, _, _ in large}.values())
    return text + (f"\nWhat else is known about them:\n\n{known}" if known else "")


def commands(results):
    text = "\n### The programs\n\n| program | Debian package | command | how it synchronises |\n|---|---|---|---|\n"
    for result in results:
        program = programs.PROGRAMS[result["program"]]
        text += f"| {program.name} | {result['package'] or '(an example)'} | `{result['shown_command']}` | {program.about} |\n"
    return text


def of_results(folder):
    results = results_of(folder)
    text = "## Predicted against measured: this machine's CPUs\n\n"
    if not comparisons(results):
        return text + "Not measured yet: `./dev accuracy`.\n"
    dates = sorted(result["date"] for result in results)
    host = results[0]["host"]
    text += (f"{host['processor']}, {host['cpus']} CPUs{', a virtual machine' if host['is_virtual'] else ''}, {host['kernel']}; "
             f"measured {dates[0]} to {dates[-1]}. To repeat it: `./dev accuracy`.\n\n")
    text += summary(results) + "\n" + METHOD + "\n"
    text += ("| program | threads | on CPUs | 1 CPU, s | 1 CPU, error % | predicted | 90 % | holds | measured (min - max) | best/best | error, % | in range | time, error % | neighbour, % | recording, % | discarded | findings |\n"
             "|---|---:|---:|---:|---:|---:|---:|---|---:|---:|---:|---|---:|---:|---:|---|---|\n")
    for result, count, comparison in comparisons(results):
        text += row(result, count, comparison)
    return text + "\n" + COLUMNS + misses(results) + commands(results)


def with_section(document, text):
    """The document with its section replaced, or put before everything else if it had none."""
    if BEGIN in document and END in document:
        before, rest = document.split(BEGIN, 1)
        return before + BEGIN + text + END + rest.split(END, 1)[1]
    if not document:
        return HEAD + BEGIN + text + END
    return HEAD + BEGIN + text + END + "\n" + document


def put_into(path, text):
    document = ""
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            document = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(with_section(document, text))
