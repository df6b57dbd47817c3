"""Recordings: a program, run once on one CPU."""

import dataclasses
import pathlib

from . import command


@dataclasses.dataclass(frozen=True)
class Recording:
    """A trace, and what `parcast record` said of it.

    file: the trace; cpu_time: of the program, in s; threads and events: their numbers; exit_status: the program's, None if a
    signal killed it; report: all of it, by docs/formats/record.schema.json.
    """

    file: pathlib.Path
    cpu_time: float
    threads: int
    events: int
    exit_status: int | None
    report: dict = dataclasses.field(repr=False)

    def __fspath__(self):
        return str(self.file)

    def __str__(self):
        return str(self.file)


def record(program, output=None, *, quiet=False, **options):
    """Runs a program on one CPU and records what its threads do.

    program: its words, ["./solver", "input.txt"], or its file; output: where the trace goes, otherwise NAME.PID.parcast in the working
    folder; quiet: what the program prints is dropped. Other options have the names of `parcast record`, with _ for -:
    pretend_cpus=16, sample="1ms", time_limit="2m".

    Returns the Recording of the program itself; those of its children are in its report. Error: nothing was recorded.
    """
    words = [*([] if output is None else ["-o", str(output)]), *command.words_of(options)]
    report = command.run("record", words, program, quiet)
    main = next((each for each in report["recordings"] if each["main"]), None)
    if main is None or main["file"] is None:
        problem = main["problem"] if main else "parcast saw no process of it"
        raise command.Error(f"{command.program_words(program)[0]} was not recorded: {problem}", report["exit_status"],
                            command.program_words(program))
    recorded = main["recorded"]
    return Recording(pathlib.Path(main["file"]), recorded["cpu_time_ns"] / 1e9, recorded["threads"], main["events"],
                     report["exit_status"], report)
