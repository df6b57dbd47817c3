"""Predictions: a program on any number of CPUs."""

import dataclasses
import os

from . import command

SECOND = 1e9  # in the answer's nanoseconds


@dataclasses.dataclass(frozen=True)
class Range:
    """What nine of ten measurements should lie within."""

    low: float
    high: float

    def __contains__(self, value):
        return self.low <= value <= self.high


@dataclasses.dataclass(frozen=True)
class Loss:
    """Processor time that a cause takes: share of all processor time; object and place of a lock or the like."""

    cause: str
    share: float
    object: str | None
    place: str | None


@dataclasses.dataclass(frozen=True)
class WhatIf:
    """A change, tried: gain is 1 - time / time as it is. None: that replay deadlocks."""

    change: str
    time: float | None
    speed_up: float | None
    gain: float | None
    gain_range: Range | None


@dataclasses.dataclass(frozen=True)
class Row:
    """A program on a number of CPUs. Times in s. None: the replay deadlocks, or there is no such number for this form.

    schedule: of a task graph; losses: the largest first, shares of all processor time.
    """

    cpus: int
    time: float | None
    time_range: Range | None
    speed_up: float | None
    speed_up_range: Range | None
    efficiency: float | None
    losses: tuple[Loss, ...] = ()
    what_if: tuple[WhatIf, ...] = ()
    schedule: str | None = None

    def lost_to(self, cause):
        """The share of all processor time that this cause takes: "lock", "ready", ...; docs/predict.md lists them."""
        return sum(loss.share for loss in self.losses if loss.cause == cause)


@dataclasses.dataclass(frozen=True)
class Finding:
    """What is doubtful about the recording: kind is its code (parcast help CODE)."""

    kind: str
    severity: str
    message: str


@dataclasses.dataclass(frozen=True)
class Prediction:
    """The answer of `parcast predict`: rows in the order of the answer, by CPUs.

    scales_to: CPUs up to which each added one returned half of its time; None where that is withheld. verdict: what the
    command line says below its table. answer: all of it, by docs/formats/predict.schema.json.
    """

    name: str
    rows: tuple[Row, ...]
    scales_to: int | None
    verdict: tuple[str, ...]
    findings: tuple[Finding, ...]
    assumptions: tuple[str, ...]
    answer: dict = dataclasses.field(repr=False)

    def __len__(self):
        return len(self.rows)

    def __iter__(self):
        return iter(self.rows)

    def __getitem__(self, cpus):
        """The row for a number of CPUs. KeyError: it was not asked for."""
        for row in self.rows:
            if row.cpus == cpus:
                return row
        raise KeyError(f"{cpus} CPUs were not asked for; there are {', '.join(str(row.cpus) for row in self.rows)}")

    def columns(self):
        """The rows as {column: list of values}: what `frame` is made of."""
        def low(range_):
            return None if range_ is None else range_.low

        def high(range_):
            return None if range_ is None else range_.high

        columns = {"cpus": [row.cpus for row in self.rows]}
        if any(row.schedule for row in self.rows):
            columns["schedule"] = [row.schedule for row in self.rows]
        columns |= {"time": [row.time for row in self.rows],
                    "time_low": [low(row.time_range) for row in self.rows],
                    "time_high": [high(row.time_range) for row in self.rows],
                    "speed_up": [row.speed_up for row in self.rows],
                    "speed_up_low": [low(row.speed_up_range) for row in self.rows],
                    "speed_up_high": [high(row.speed_up_range) for row in self.rows],
                    "efficiency": [row.efficiency for row in self.rows]}
        for cause in dict.fromkeys(loss.cause for row in self.rows for loss in row.losses):
            columns[f"lost_to_{cause}"] = [row.lost_to(cause) for row in self.rows]
        return columns

    def frame(self):
        """The rows as a pandas.DataFrame, times in s. ImportError: pandas is not installed."""
        try:
            import pandas
        except ImportError as missing:
            raise ImportError("frame() needs pandas (Debian: python3-pandas); columns() has the same without it") from missing
        return pandas.DataFrame(self.columns())

    def plot(self, axes=None, *, label=None, ideal=True):
        """Draws the speed-ups, with a band for their ranges; returns the matplotlib axes.

        axes: where to draw, otherwise a new figure; label: of the curve, otherwise the program's name; ideal: with a line
        where each CPU brings all that one does.
        ImportError: matplotlib is not installed.
        """
        try:
            from matplotlib import pyplot, ticker
        except ImportError as missing:
            raise ImportError("plot() needs matplotlib (Debian: python3-matplotlib)") from missing
        if axes is None:
            _, axes = pyplot.subplots(layout="constrained")
        for schedule in dict.fromkeys(row.schedule for row in self.rows):
            rows = [row for row in self.rows if row.schedule == schedule and row.speed_up is not None]
            (line,) = axes.plot([row.cpus for row in rows], [row.speed_up for row in rows], marker="o", markersize=4,
                                label=" ".join(filter(None, [label or self.name, schedule])))
            ranged = [row for row in rows if row.speed_up_range]
            axes.fill_between([row.cpus for row in ranged], [row.speed_up_range.low for row in ranged],
                              [row.speed_up_range.high for row in ranged], color=line.get_color(), alpha=0.2, linewidth=0)
        counts = sorted({row.cpus for row in self.rows})
        if ideal:
            axes.plot(counts, counts, color="grey", linewidth=1, linestyle=":", label="ideal", zorder=0)
        if counts[-1] / counts[0] >= 4:
            axes.set_xscale("log", base=2)
            axes.set_yscale("log", base=2)
            axes.set_xticks(counts)
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter(ticker.StrMethodFormatter("{x:g}"))
        axes.set_xlabel("CPUs")
        axes.set_ylabel("predicted speed-up")
        axes.grid(True, alpha=0.3)
        axes.legend(frameon=False)
        return axes

    def __str__(self):
        lines = [f"{'CPUs':>6}  {'time, s':>10}  {'speed-up':>8}  {'90 %':>15}  efficiency"]
        for row in self.rows:
            between = row.speed_up_range
            lines.append("  ".join([
                f"{row.cpus:6}",
                "  deadlocks" if row.time is None else f"{row.time:10.4g}",
                " " * 8 if row.speed_up is None else f"{row.speed_up:8.2f}",
                " " * 15 if between is None else f"{between.low:6.2f} - {between.high:6.2f}",
                "" if row.efficiency is None else f"{row.efficiency:8.0%}",
                *([row.schedule] if row.schedule else [])]).rstrip())
        next_command = (self.answer.get("scaling") or {}).get("next_command")
        return "\n".join([*(f"{each.severity}: {each.message}" for each in self.findings), *lines, *self.verdict,
                          *([f"    {next_command}"] if next_command else [])])


def counts_of(cpus):
    """For the command line: one number, several, or as it has them: "1,2,4-16"."""
    return cpus if cpus is None or isinstance(cpus, (int, str)) else list(cpus)


def predict(program, cpus=None, *, what_if=(), **options):
    """How long a program takes on these numbers of CPUs.

    program: a Recording or its file, a program of threads that was written down, a task graph; cpus: a number, several, or
    a text such as "1,2,4-16", otherwise 1 to 64 in powers of two; what_if: changes, as on the command line. Other options have the names of
    `parcast predict`, with _ for -: machine="server.toml", scheduler="ideal", runs=0.

    Other forms (PAMELA models, message programs) have no rows by CPUs: ask("predict", ...) answers for them.
    Error: there is no answer.
    """
    changes = [what_if] if isinstance(what_if, str) else list(what_if)
    words = [os.fspath(program), *command.words_of({"cpus": counts_of(cpus), "what_if": changes, **options})]
    answer = command.run("predict", words)
    if not all("cpus" in row for row in answer["predictions"]):
        raise command.Error(f"{os.fspath(program)} has no rows by CPUs: it is of the form {answer['input']['form']}; "
                            'ask("predict", ...) returns its answer', None, words)
    scaling = answer.get("scaling", {})
    return Prediction(name=name_of(answer["input"]), rows=tuple(row_of(row) for row in answer["predictions"]),
                      scales_to=scaling.get("scales_to_cpus"), verdict=tuple(scaling.get("verdict", ())),
                      findings=tuple(Finding(each["kind"], each["severity"], each["message"]) for each in answer["findings"]),
                      assumptions=tuple(assumption_text(each) for each in answer["assumptions"]), answer=answer)


def advise(program, cpus=None, **options):
    """What to change first, in sentences. Options and errors as of predict; ask("advise", ...) returns all of the answer."""
    return command.run("advise", [os.fspath(program), *command.words_of({"cpus": counts_of(cpus), **options})])["sentences"]


def assumption_text(assumption):
    return assumption if isinstance(assumption, str) else assumption["text"]


def name_of(program):
    return os.path.basename(program["command"][0] if program.get("command") else program["file"])


def range_of(range_, unit=1.0):
    return None if range_ is None else Range(range_["low"] / unit, range_["high"] / unit)


def in_seconds(time_ns):
    return None if time_ns is None else time_ns / SECOND


def object_name(thing):
    return thing["text"] if isinstance(thing, dict) else thing


def row_of(row):
    between = row.get("range") or {"time_ns": None, "speed_up": None}
    return Row(cpus=row["cpus"], time=in_seconds(row["time_ns"]), time_range=range_of(between["time_ns"], SECOND),
               speed_up=row["speed_up"], speed_up_range=range_of(between["speed_up"]), efficiency=row["efficiency"],
               losses=tuple(Loss(each["cause"], each["share"], object_name(each["object"]), each["site"])
                            for each in row["limits"] if each["cause"] != "busy"),
               what_if=tuple(WhatIf(each["change"], in_seconds(each["time_ns"]), each["speed_up"], each["gain"],
                                    range_of(each.get("gain_range"))) for each in row.get("what_if", ())),
               schedule=row.get("schedule"))
