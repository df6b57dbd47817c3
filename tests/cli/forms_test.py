"""Every option of every verb on every form of input: it changes what comes out, or is rejected with exit status 2.

The options, and the forms that each of them serves, are those of the help: a new option needs a value here."""

import pathlib
import re
import tempfile
import unittest

from program import IMPOSSIBLE, USAGE, parcast

ROOT = pathlib.Path(__file__).parents[2]
KEPT = ROOT / "tests/changes/inputs"
COSTS = ROOT / "tests/fuzz/block_costs_toml_fuzz/complete.toml"
INPUTS = {"recordings": KEPT / "hand_out.parcast", "task graphs": ROOT / "examples/taskgraphs/stencil.json",
          "models": ROOT / "examples/pamela/psrs.pam", "thread programs": ROOT / "examples/threads/two_producers.threads.json",
          "step programs": ROOT / "tests/messages/two_steps.steps.json", "message programs": ROOT / "tests/messages/ring.goal"}
RUN = ["recordings", "task graphs", "thread programs"]
RANKS = ["step programs", "message programs"]
EVERY = ["recordings", "task graphs", "models", "thread programs", *RANKS]
TAKEN = {"predict": EVERY, "report": EVERY, "export": [*RUN, *RANKS], "extract": [*RUN, "message programs"], "info": ["recordings"], "variance": ["recordings"],
         "advise": [*RUN, *RANKS], "formula": ["models"], "view": EVERY, "tune": ["task graphs", "models", *RANKS],
         "bind": ["recordings", "thread programs"], "compare": ["recordings", "thread programs"], "signature": ["recordings", "task graphs", *RANKS]}
# Words without which the verb, or the option, has nothing to show.
OF_VERB = {**{f"{verb} step programs": ["--network", "meiko-cs2"] for verb in TAKEN},
           **{f"{verb} message programs": ["--network", ROOT / "tests/messages/machine.toml"] for verb in TAKEN if verb != "extract"},
           "signature task graphs": ["--cpus", "4"], "signature step programs": [], "signature message programs": [],
           "predict models": ["--set", "N=64", "--set", "P=2"], "report models": ["--set", "N=64", "--set", "P=2"],
           "export recordings": ["--cpus", "2"], "export task graphs": ["--cpus", "4"],
           "export thread programs": ["--cpus", "2"],
           "bind recordings": ["--cpus", "2"], "bind thread programs": ["--cpus", "2"], "--cpus of bind": [],
           "tune models": ["--set", "N=64", "--sweep", "P=2..4"],
           "tune step programs": ["--network", "meiko-cs2", "--sweep", "clocks=barrier,carry"],
           "tune message programs": ["--network", ROOT / "tests/messages/machine.toml", "--sweep", "cpu-speed=1,2"],
           "compare recordings": ["--what-if", "thread:1*0.5"], "compare thread programs": ["--what-if", "thread:1*0.5"],
           # What takes the place of what is usual.
           "--what-if of compare": [],
           "--recorded of export": [], "--cpus of export": [],
           "--network of tune step programs": ["--sweep", "clocks=barrier,carry"], "--machine of tune step programs": ["--sweep", "clocks=barrier,carry"],
           "--network of tune message programs": ["--sweep", "cpu-speed=1,2"], "--machine of tune message programs": ["--sweep", "cpu-speed=1,2"],
           "--network step programs": [], "--machine step programs": [], "--network message programs": [], "--machine message programs": [],
           "--clocks of tune": ["--network", "meiko-cs2", "--sweep", "ties=1,2"],
           "--cpu-speed of tune": ["--network", ROOT / "tests/messages/machine.toml", "--sweep", "nodes=1,2"],
           "--set of tune models": ["--sweep", "P=2..4"],
           "--search of tune models": ["--set", "N=64", "--set", "P=2", "--sweep", "t_m=1..30"],
           "--search of tune step programs": ["--network", "meiko-cs2", "--sweep", "ties=1..30"],
           "--search of tune message programs": ["--network", "loggopsim", "--sweep", "cpu-speed=1..30"],
           "--plot of tune step programs": ["--network", "meiko-cs2", "--sweep", "ties=1,2"]}
BESIDE = {"--schedule of extract": ["--condense", "2"], "--cpus of extract": ["--closest"], "--runs": ["--method", "both"], "--runs recordings": [], "--runs thread programs": [], "--seed": ["--method", "both"],
          "--precision": ["--method", "both"], "--plot": ["--sweep", "t_m=1..3"], "--plot of tune": [], "--plot of signature": [], "--correlation": ["--cv", "0.5", "--law", "normal"], "--cv": ["--law", "normal"],
          **{f"{option} of tune": ["--size", "100", "--block", "10", "--costs", COSTS] for option in ("--cache", "--copies", "--visits")},
          "--model of export": ["--json"], "--confidence": ["--json"], "--place": ["--nodes", "2"], "--seed of bind": ["--json"],
          "--lwps": ["--scheduler", "two-level"]}
# Where the usual input gives the option nothing to change.
OTHER_INPUT = {**{f"--{name} of tune": "gaussian-elimination" for name in ("size", "ranks", "block", "layout", "costs", "cache", "copies", "visits")},
               "--iterations of tune": "halo", "--window of tune": "banded-lu", "--unit": ROOT / "tests/taskgraphs/diamond.stg",
               "--retire": KEPT / "loops.json", "--scaled": KEPT / "lock_series", "--threads-from": KEPT / "lock_series",
               "--compare of signature": KEPT / "lock_series", "--compare of report": KEPT / "lock_series", "--same-event of report": KEPT / "lock_series", "--schedule": KEPT / "loops.json", "--measured": KEPT / "lu.parcast",
               "--all of info": KEPT / "many_locks.parcast", "--all of formula": KEPT / "two.pam",
               "--model recordings": KEPT / "taken_wake_up.parcast", "--parameter": ROOT / "examples/pamela/mrm.pam", "--waiting": KEPT / "teams.parcast", "--waiting thread programs": KEPT / "team.threads.json",
               "--collectives": ROOT / "tests/messages/allreduce.ti", "--flops-per-ns": ROOT / "tests/messages/allreduce.ti",
               "--confidence": KEPT / "sleeper.parcast", "--json of variance": KEPT / "sleeper.parcast"}
VALUES = {"--cpus": "3", "--same-event": "1ms", "--threads-from": "name", "--compare of signature": KEPT / "lock_series", "--compare of report": KEPT / "lock_series", "--compare of view": KEPT / "lu.parcast", "--cv": "0.4", "--correlation": "0.5",
          "--schedule of signature": "cyclic", "--law": "exponential", "--scheduler": "ideal", "--scheduler of bind": "round-robin", "--algorithm": "binpack", "--plan": KEPT / "plan.toml", "--tests": "3", "--lwps": "2", "--waiting": "passive", "--machine": KEPT / "machine.toml",
          "--machine step programs": ROOT / "tests/messages/machine.toml",
          "--machine message programs": ROOT / "tests/messages/slow_machine.toml", "--collectives": "mpich,allreduce=linear", "--cpu-speed": "2",
          "--flops-per-ns": "2", "--nodes": "2", "--place": "round-robin", "--model": "strict",
          "--tasks": "recorded", "--memory": KEPT / "memory.toml", "--memory task graphs": "ddr4-2-channels",
          "--schedule": "lpt", "--schedule of extract": "cyclic", "--set task graphs": "rows=16", "--set models": "P=2",
          "--unit": "us", "--retire": "all", "--overhead": "2ms", "--sweep": "t_m=1..3",
          "--sweep step programs": "L=1us,2us", "--sweep message programs": "L=1us,2us", "--quantiles": "10",
          "--method": "both", "--runs": "7", "--precision": "0.02", "--seed": "2", "--of": "t_m", "--per": "N",
          "--plot": "-", "--format": "csv", "--condense": "2", "--parameter": "P", "--measured": KEPT / "scale_lu.json",
          "--confidence": "50", "--what-if": "thread:1*0.5", "--what-if task graphs": "group:sweep*0.5",
          "--what-if step programs": "rank:0*0.5", "--what-if message programs": "rank:1*0.5", "--top": "1", "--compare": "recorded", "--port": "8420", "--editor": "true {file}",
          "--network": "infiniband-qdr", "--clocks": "carry", "--ties": "1",
          "--size": "480", "--ranks": "4", "--block": "24", "--layout": "diagonal", "--cache": "1M", "--iterations": "3", "--window": "8",
          "--costs": ROOT / "examples/messages/meiko-costs.toml", "--search": "coarse", "--set of tune models": "N=64",
          **{f"--sweep of tune {form}": values for form, values in
             {"task graphs": "rows=8,16", "models": "t_m=1..3", "step programs": "ties=1,2", "message programs": "nodes=1,2"}.items()}}
# They show in the time that parcast takes, in which file is written, or only in larger recordings.
UNSEEN = {"--g", "--alpha", "--mapping", "--cpus of signature", "--measured of signature", "--scaled of signature", "--scaled of report", "--jobs", "--results", "--shard", "--force", "--output", "--help", "--no-config", "--no-source-text", "--all of variance", "--all of compare",
          "--cpu-time", "--processing", "--delay", "--assumptions of bind", "--measure of bind", "--latency", "--processes", "--profile", "--granularity"}


def options_in_help(verb):
    """Names, whether each takes a value, and the forms that it serves."""
    forms = TAKEN[verb]
    for line in parcast("help", verb).stdout.decode().splitlines():
        if line.startswith("For every verb"):
            return  # manners_test.py
        if heading := re.fullmatch(r"For (.*):", line):
            forms = re.split(", | and ", heading[1])
        if option := re.match(r"  (?:-\w, )?(--[\w-]+)( \S+)?(?:  |$)", line):
            yield option[1], option[2] is not None, forms


class Forms(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="parcast-forms-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def outcome(self, verb, *words):
        written = []
        if verb in ("report", "export", "extract"):
            is_trace = any(str(word).endswith((".goal", ".ti")) for word in words)
            name = self.folder / ("x.goal" if is_trace else "x.pam" if "--closest" in words else "x")
            written = ["-o", name, "--force"]
        result = parcast(verb, *words, *written)
        return result, (result.returncode, result.stdout, [path.read_bytes() for path in self.folder.iterdir()])

    def words(self, table, verb, option, form, otherwise):
        for key in (f"{option} of {verb} {form}", f"{option} of {verb}", f"{option} {form}", option):
            if key in table:
                return table[key]
        return otherwise

    def try_option(self, verb, option, has_value, forms, form):
        given = [option]
        if has_value:
            given.append(self.words(VALUES, verb, option, form if form in forms else forms[0], None))
        if form not in forms:
            result = parcast(verb, INPUTS[form], *given)
            self.assertEqual(result.returncode, USAGE, result.stderr.decode())
            listed = ", ".join(forms[:-1]) + " and " + forms[-1] if len(forms) > 1 else forms[0]
            said = " ".join(result.stderr.decode().split())
            if f"{option} needs --" not in said:  # which is refused, too
                self.assertIn(f"{option} is for {listed}; this is a", said)
            return
        if verb == "view":
            return  # it would serve a page: view_test.py asks it
        file = self.words(OTHER_INPUT, verb, option, form, INPUTS[form])
        usual = [*self.words(OF_VERB, verb, option, form, OF_VERB.get(f"{verb} {form}", [])),
                 *self.words(BESIDE, verb, option, form, [])]
        _, without = self.outcome(verb, file, *usual)
        result, outcome = self.outcome(verb, file, *usual, *given)
        self.assertIn(result.returncode, (0, IMPOSSIBLE), result.stderr.decode())
        self.assertFalse(without == outcome, "it changes nothing")

    def test_every_option_is_used_or_rejected(self):
        for verb, taken in TAKEN.items():
            for option, has_value, forms in options_in_help(verb):
                for form in taken:
                    if not {option, f"{option} of {verb}"} & UNSEEN:
                        with self.subTest(verb=verb, option=option, form=form):
                            self.try_option(verb, option, has_value, forms, form)


if __name__ == "__main__":
    unittest.main()
