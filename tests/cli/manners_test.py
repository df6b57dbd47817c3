"""What a new user tries: words that are no verbs, files without a verb, names of outputs, options of every verb,
progress and Ctrl-C."""

import json
import os
import pathlib
import pty
import re
import shlex
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest

from program import EXAMPLES, INPUT, OUTPUT, PARCAST, TIME_LIMIT_S, USAGE, WithRecording, parcast

ROOT = pathlib.Path(__file__).parents[2]
VERBS = re.findall(r"^  parcast (\w+) ", parcast("help").stdout.decode(), re.MULTILINE)
INTERRUPTED = 128 + signal.SIGINT


class InFolder(WithRecording):
    """self.here is an empty folder, the working directory of self.run_here()."""

    def setUp(self):
        self.here = pathlib.Path(tempfile.mkdtemp(prefix="parcast-manners-"))
        self.addCleanup(shutil.rmtree, self.here)

    def run_here(self, *words, **options):
        return parcast(*words, cwd=self.here, **options)

    def files(self):
        return sorted(str(path.relative_to(self.here)) for path in self.here.rglob("*") if path.is_file())

    def graph(self, name="graph.json"):
        path = self.here / name
        result = parcast("generate", "taskgraph", "polyroots", "--size", "6", "-o", path)
        self.assertEqual(result.returncode, 0, result.stderr)
        return path


class FirstWords(InFolder):
    def test_parcast_alone_says_what_to_do_first_in_a_screen(self):
        result = self.run_here()
        self.assertEqual((result.returncode, result.stderr), (0, b""))
        text = result.stdout.decode()
        self.assertIn("parcast record -- PROGRAM ARGS...", text)
        self.assertIn("parcast help", text)
        self.assertLess(len(text.splitlines()), 20)

    def test_parcast_alone_lists_the_newest_recordings_here(self):
        for age in range(7):
            name = self.here / f"run{age}.parcast"
            shutil.copy(self.trace, name)
            os.utime(name, (1_000_000 - age, 1_000_000 - age))
        text = self.run_here().stdout.decode()
        self.assertIn("parcast predict run0.parcast", text)
        self.assertLess(text.index("run1.parcast"), text.index("run2.parcast"))
        self.assertNotIn("run6.parcast", text)
        self.assertRegex(text, r"and 2 more +all of them: parcast info \.")

    def test_a_recording_is_for_info_and_predict(self):
        result = parcast(self.trace)
        self.assertEqual(result.returncode, 0)
        self.assertEqual(result.stdout, parcast("info", self.trace).stdout + b"\n" + parcast("predict", self.trace).stdout)
        self.assertIn("is a recording: parcast info", result.stderr.decode())
        self.assertEqual(parcast(self.trace, "-q").stderr, b"")
        self.assertEqual(parcast(self.trace, "-q").stdout, result.stdout, "-q asks for nothing else")

    def test_a_file_with_options_is_for_predict(self):
        words = ["--cpus", "1,2", "--json"]
        self.assertEqual(parcast(self.trace, *words).stdout, parcast("predict", self.trace, *words).stdout)

    def test_other_inputs_are_for_predict(self):
        model = self.here / "m.pam"
        model.write_text("process main = delay(3)\n")
        for file, kind in [(self.graph(), "a task graph"), (model, "a model")]:
            with self.subTest(kind=kind):
                result = parcast(file)
                self.assertEqual((result.returncode, result.stdout), (0, parcast("predict", file).stdout), result.stderr)
                self.assertIn(f"is {kind}: parcast predict", result.stderr.decode())

    def test_a_folder_with_recordings_is_for_info(self):
        shutil.copy(self.trace, self.here / "a.parcast")
        result = parcast(self.here)
        self.assertEqual((result.returncode, result.stdout), (0, parcast("info", self.here).stdout))

    def test_a_toml_file_says_which_option_takes_it(self):
        for text, use in [("version = 1\ncpus = 4\n", "--machine m.toml"), ("version = 3\n", None)]:
            (self.here / "m.toml").write_text(text)
            result = self.run_here("m.toml")
            if use:
                self.assertEqual((result.returncode, result.stderr), (0, b""))
                self.assertIn(use, result.stdout.decode())
            else:
                self.assertEqual((result.returncode, result.stdout), (INPUT, b""))
                self.assertIn("parcast predict FILE --machine m.toml", result.stderr.decode())

    def test_the_examples_of_toml_files_say_what_they_are_for(self):
        for file, use in [("examples/messages/meiko-costs.toml", "--costs")]:
            self.assertIn(use, parcast(ROOT / file).stdout.decode())

    def test_a_program_leads_to_the_exact_command_that_records_it(self):
        local = self.here / "solver"
        local.write_text("#!/bin/sh\n")
        local.chmod(0o755)
        for words, command in [(["ls", "-l", "a b"], "parcast record -- ls -l 'a b'"),
                               (["solver", "8"], "parcast record -- ./solver 8"),
                               (["./solver"], "parcast record -- ./solver")]:
            with self.subTest(words=words):
                result = self.run_here(*words)
                self.assertEqual((result.returncode, result.stdout), (USAGE, b""))
                self.assertIn(f"Record it: {command}\n", result.stderr.decode())

    def test_a_file_that_is_nothing_of_ours_and_one_that_is_not_there(self):
        (self.here / "notes.txt").write_text("milk\n")
        shutil.copy(self.trace, self.here / "pigz.4711.parcast")
        for word, text in [("notes.txt", "nothing that parcast reads"), ("./none.parcast", "No such file"),
                           ("pigz.4712.parcast", "Did you mean: parcast pigz.4711.parcast")]:
            with self.subTest(word=word):
                result = self.run_here(word)
                self.assertEqual((result.returncode, result.stdout), (INPUT, b""))
                self.assertIn(text, result.stderr.decode())

    def test_words_of_other_tools_lead_to_the_verb_with_what_was_typed(self):
        table = (ROOT / "src/cli/start/words_elsewhere.h").read_text()
        words = dict.fromkeys(re.findall(r'\{"(\w+)", "\w+"\}', table))
        self.assertGreater(len(words), 40)
        self.assertLess({"stat", "diff", "annotate", "top", "script", "list", "show", "open", "plot", "timeline", "trace",
                         "profile"}, set(words))
        for word in words:
            if word in VERBS:
                continue  # it has become one
            with self.subTest(word=word):
                result = self.run_here(word, "x.parcast")
                self.assertEqual((result.returncode, result.stdout), (USAGE, b""))
                found = re.search(r"Try: parcast (\w+) x\.parcast\n", result.stderr.decode())
                self.assertTrue(found, result.stderr.decode())
                self.assertIn(found.group(1), VERBS)
                self.assertIn(b"Try: parcast ", self.run_here(word).stderr)

    def test_help_knows_these_words_too(self):
        self.assertIn(b"Try: parcast help advise", parcast("help", "annotate").stderr)
        self.assertIn(b"Did you mean: parcast help record", parcast("help", "recrod").stderr)

    def test_a_misspelt_verb_keeps_what_was_typed(self):
        self.assertIn(b"Did you mean: parcast predict a.parcast --cpus 4\n",
                      parcast("predcit", "a.parcast", "--cpus", "4").stderr)


class LongNames(InFolder):
    """Names are cut where a table would be wider than a usual wide line, and words where they fill a screen."""

    WIDEST_TABLE = 119

    def threads(self):
        name = "n" * 200
        path = self.here / "long.threads.json"
        works = [{"name": f"T{thread}{name}", "do": ["lock M", f"work {thread + 2} inside", "unlock M", f"work 3 f{name}"] * 4} for thread in range(3)]
        text = json.dumps({"schema": "parcast.threads/1", "unit": "ms", "objects": [{"name": "M", "kind": "mutex"}], "threads": works})
        path.write_text(text.replace("lock M", f"lock M{name}").replace('"M"', f'"M{name}"'))
        return path

    def test_no_table_is_wider_for_the_length_of_a_name(self):
        path = self.threads()
        for words in (["predict"], ["predict", "--threads-table"], ["predict", "--scheduler", "round-robin"], ["advise"]):
            result = self.run_here(words[0], path, "--cpus", "1,2", *words[1:])
            self.assertEqual(result.returncode, 0, result.stderr.decode())
            rows = [line for line in result.stdout.decode().splitlines() if re.search(r"\S {2,}\S", line)]
            self.assertTrue([line for line in rows if "…" in line], words)
            for line in rows:
                self.assertLessEqual(len(line), self.WIDEST_TABLE, words)

    def test_json_keeps_names_whole(self):
        self.assertIn("f" + "n" * 200, self.run_here("advise", self.threads(), "--json").stdout.decode())

    def test_an_assertion_about_a_lock_keeps_its_numbers(self):
        result = self.run_here("check", self.threads(), "--assert", f'held("M{"n" * 200}", 2) < 99.5%')
        rows = [line for line in result.stdout.decode().splitlines() if '", 2) < 99.5%  ' in line]
        self.assertEqual([line for line in rows if len(line) > self.WIDEST_TABLE], [], result.stderr)
        self.assertEqual(len(rows), 1, result.stdout.decode())

    def test_an_advice_does_not_echo_a_word_of_100_kb(self):
        model = self.here / "long.pam"
        model.write_text("l = delay(" + "x" * 100_000 + ")\n")
        result = self.run_here("predict", model)
        self.assertEqual(result.returncode, INPUT)
        self.assertLess(len(result.stderr), 3_000)

    def test_a_title_of_100_kb_is_cut(self):
        path = self.graph()
        graph = json.loads(path.read_text())
        graph["name"] = "x" * 100_000
        path.write_text(json.dumps(graph))
        for verb in ("predict", "advise"):
            result = self.run_here(verb, path, "--cpus", "1,2")
            self.assertEqual(result.returncode, 0, result.stderr.decode())
            self.assertLess(len(result.stdout), 10_000)


class OptionsOfEveryVerb(InFolder):
    def test_every_help_lists_them_once(self):
        for verb in VERBS:
            text = parcast("help", verb).stdout.decode()
            for option in ["-q, --quiet ", "-v, --verbose ", "--color WHEN ", "-h, --help "]:
                self.assertEqual(text.count(f"\n  {option}"), 1, verb)

    def test_quiet_leaves_results_and_errors(self):
        graph = self.graph()
        loud = self.run_here("generate", "taskgraph", "polyroots", "--size", "5")
        quiet = self.run_here("generate", "taskgraph", "polyroots", "--size", "6", "-q")
        self.assertIn(b"wrote", loud.stderr)
        self.assertEqual((quiet.returncode, quiet.stderr), (0, b""))
        self.assertEqual(self.run_here("-q", "predict", graph).stdout, self.run_here("predict", graph).stdout)
        self.assertIn(b"error", self.run_here("predict", "none", "--quiet").stderr)

    def test_quiet_record_says_nothing_about_itself(self):
        result = self.run_here("record", "-q", "-o", "a.parcast", "--", EXAMPLES / "producer_consumer_one_lock", "5")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertNotRegex(result.stderr, b"parcast: (?!warning)", "what others did to the recording may be worth a warning")
        self.assertEqual(self.files(), ["a.parcast"])

    def test_verbose_says_what_was_read_and_how_long_stages_took(self):
        usual = parcast("predict", self.trace)
        for words in (["predict", self.trace, "-v"], ["--verbose", "predict", self.trace]):
            result = parcast(*words)
            self.assertEqual(result.stdout, usual.stdout)
            said = result.stderr.decode()
            said = re.sub(r"\n +", " ", said)
            self.assertRegex(said, r"reading \S*one_lock\.parcast, [\d.]+ kB: [\d.]+ .?s\n")
            self.assertRegex(said, r"predicting \S*one_lock\.parcast: [\d.]+ .?s\n")
            self.assertRegex(said, r"of CPU time and at most [\d.]+ MB of memory\n")

    def test_quiet_and_verbose_exclude_each_other(self):
        self.assertEqual(parcast("predict", self.trace, "-q", "-v").returncode, USAGE)

    def test_color_is_as_asked_everywhere(self):
        words = ["predict", self.trace, "--cpus", "1,8"]
        self.assertIn(b"\x1b[", parcast(*words, "--color", "always", env=dict(os.environ, NO_COLOR="1")).stdout)
        self.assertNotIn(b"\x1b[", parcast(*words, "--color=never").stdout)
        self.assertEqual(parcast("--color", "auto", *words).stdout, parcast(*words).stdout)
        result = parcast(*words, "--color", "maybe")
        self.assertEqual(result.returncode, USAGE)
        self.assertIn(b"auto, always or never", result.stderr)


class OutputNames(InFolder):
    def test_signs_stand_for_process_host_and_program(self):
        result = self.run_here("record", "-o", "%e-%h-%p.parcast", "--", EXAMPLES / "producer_consumer_one_lock", "5")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(self.files()[0], rf"^producer_consumer_one_lock-{re.escape(socket.gethostname())}-\d+\.parcast$")
        shutil.copy(self.trace, self.here / "pigz.4711.parcast")
        self.run_here("report", "pigz.4711.parcast", "-o", "%e-100%%.html", "--cpus", "1,2")
        self.assertIn("pigz-100%.html", self.files())

    def test_another_sign_is_an_error_with_the_known_ones(self):
        for words in (["report", self.trace, "-o", "%d.html"], ["record", "-o", "%d", "--", "true"]):
            result = self.run_here(*words)
            self.assertEqual(result.returncode, USAGE)
            self.assertIn(b"%p (process)", re.sub(rb"\n +", b" ", result.stderr))
        self.assertEqual(self.files(), [])

    def test_nothing_is_overwritten_without_force(self):
        graph = self.graph()
        old = self.here / "old"
        model = self.here / "m.pam"
        model.write_text("numeric parameter P\nprocess main = delay(P)\n")
        writers = [
            ["report", self.trace, "--cpus", "1", "-o", old],
            ["export", self.trace, "--cpus", "2", "-o", old],
            ["extract", self.trace, "-o", old],
            ["generate", "taskgraph", "polyroots", "-o", old],
            ["bind", self.trace, "--cpus", "2", "-o", old],
            ["tune", graph, "--cpus", "2", "-o", old],
            ["tune", graph, "--cpus", "2,4", "--plot", old],
            ["predict", model, "--sweep", "P=1..3", "--plot", old],
            ["record", "-o", old, "--", EXAMPLES / "producer_consumer_one_lock", "5"],
        ]
        for words in writers:
            with self.subTest(words=words):
                old.write_text("precious")
                at = words.index("--") if "--" in words else len(words)
                result = self.run_here(*words)
                self.assertNotEqual(result.returncode, 0)
                self.assertIn(b"exists already", result.stderr)
                self.assertIn(b"--force", result.stderr)
                self.assertEqual(old.read_text(), "precious")
                forced = self.run_here(*words[:at], "--force", *words[at:])
                self.assertEqual(forced.returncode, 0, forced.stderr)
                self.assertNotEqual(old.read_bytes(), b"precious")

    def test_a_name_of_our_own_gets_a_number(self):
        shutil.copy(self.trace, self.here / "pigz.4711.parcast")
        for words, names in [
            (["report", "pigz.4711.parcast", "--cpus", "1"], ["pigz.4711.html", "pigz.4711.1.html"]),
            (["export", "pigz.4711.parcast", "--cpus", "2"], ["pigz.4711.2cpus.pftrace", "pigz.4711.2cpus.1.pftrace"]),
            (["extract", "pigz.4711.parcast"], ["pigz.4711.taskgraph.json", "pigz.4711.1.taskgraph.json"]),
            (["generate", "threads", "prime-filter", "--size", "9"],
             ["prime-filter-9.threads.json", "prime-filter-9.1.threads.json"]),
        ]:
            for name in names:
                before = self.files()
                self.assertEqual(self.run_here(*words).returncode, 0, words)
                self.assertEqual(sorted(set(self.files()) - set(before)), [name])
            before = self.files()
            self.assertEqual(self.run_here(*words, "--force").returncode, 0)
            self.assertEqual(self.files(), before)

    def test_minus_is_standard_output(self):
        graph = self.graph()
        for words, start in [(["report", self.trace, "--cpus", "1"], b"<!doctype html>"),
                             (["export", self.trace, "--cpus", "2", "--format", "csv"], b"thread"),
                             (["extract", self.trace], b"{"), (["generate", "taskgraph", "polyroots"], b"{")]:
            result = self.run_here(*words, "-o", "-")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertNotIn(b"wrote", result.stderr)
            self.assertEqual(result.stdout.lstrip()[:len(start)].lower(), start)
        chart = self.run_here("tune", graph, "--cpus", "2,4", "--plot", "-")
        self.assertIn(b"<svg", chart.stdout)
        self.assertEqual(self.files(), ["graph.json"])

    def test_binary_data_is_kept_from_a_terminal(self):
        main, terminal = pty.openpty()
        result = self.run_here("export", self.trace, "--cpus", "2", "-o", "-", stdout=terminal)
        os.close(terminal)
        os.close(main)
        self.assertEqual(result.returncode, USAGE)
        self.assertIn(b"is a terminal", re.sub(rb"\n +", b" ", result.stderr))
        self.assertTrue(self.run_here("export", self.trace, "--cpus", "2", "-o", "-").stdout)

    def test_record_leaves_standard_output_to_the_program(self):
        result = self.run_here("record", "-o", "-", "--", "echo", "hello")
        self.assertEqual((result.returncode, result.stdout), (USAGE, b""))


class Progress(InFolder):
    # Many random replays: seconds of work.
    SLOW = ["--runs", "1000", "--jobs", "1"]

    def slow_program(self):
        path = self.here / "slow.threads.json"
        self.run_here("generate", "threads", "prime-filter", "--size", "400", "-o", path)
        return path

    def on_terminal(self, *words):
        main, terminal = pty.openpty()
        process = subprocess.Popen([PARCAST, *map(str, words)], stdout=subprocess.DEVNULL, stderr=terminal,
                                   env=dict(os.environ, TERM="xterm"))
        os.close(terminal)
        written = b""
        while True:
            try:
                part = os.read(main, 65536)
            except OSError:
                break
            if not part:
                break
            written += part
        os.close(main)
        return process.wait(), written

    def test_on_a_terminal_one_line_counts_and_is_erased(self):
        status, written = self.on_terminal("predict", self.slow_program(), "--cpus", "2", *self.SLOW)
        self.assertEqual(status, 0, written)
        if b"\r\x1b[K" not in written:
            self.skipTest("it took less than a second")
        self.assertRegex(written, rb"\d+ of \d+")
        self.assertTrue(written.endswith(b"\r\x1b[K"), written[-200:])
        self.assertNotIn(b"\n", written)

    def test_simulated_runs_of_one_point_were_not_counted(self):
        status, written = self.on_terminal("predict", ROOT / "examples/pamela/lock.pam", "--method", "simulate", "--runs", "4000", "--jobs", "1")
        self.assertEqual(status, 0, written)
        if b"\r\x1b[K" not in written:
            self.skipTest("it took less than a second")
        self.assertRegex(written, rb"simulating run: \d+ of 4000")

    def test_quiet_has_no_progress_and_short_work_neither(self):
        self.assertEqual(self.on_terminal("predict", self.slow_program(), "--cpus", "2", "-q", *self.SLOW), (0, b""))
        self.assertEqual(self.on_terminal("info", self.trace), (0, b""))


def interrupt(words, after, folder, signal_to_send=signal.SIGINT, whole_group=False):
    """Starts a command, waits until `after` holds, sends a signal; its status, output and messages."""
    process = subprocess.Popen([PARCAST, *map(str, words)], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               start_new_session=True)
    end = time.monotonic() + TIME_LIMIT_S
    while not after() and process.poll() is None and time.monotonic() < end:
        time.sleep(0.02)
    if whole_group:  # as a terminal does
        os.killpg(process.pid, signal_to_send)
    else:
        process.send_signal(signal_to_send)
    try:
        out, messages = process.communicate(timeout=TIME_LIMIT_S)
    finally:
        if process.poll() is None:
            process.kill()
    return process.returncode, out.decode(), re.sub(r"\n +", " ", messages.decode())


def after_seconds(seconds):
    end = time.monotonic() + seconds
    return lambda: time.monotonic() > end


class CtrlC(InFolder):
    """What there is stays, and nothing else: each verb that works for long is interrupted."""

    def assert_no_debris(self, expected):
        self.assertEqual([name for name in self.files() if not re.fullmatch(expected, name)], [])

    def test_record_keeps_what_it_recorded(self):
        status, _, messages = interrupt(["record", "-o", "a.parcast", "--", "sh", "-c", "touch started; sleep 30"],
                                        lambda: (self.here / "started").exists(), self.here, whole_group=True)
        self.assertEqual(status, INTERRUPTED, messages)
        self.assertEqual(parcast("info", self.here / "a.parcast").returncode, 0)
        self.assert_no_debris(r"a\..*parcast|started")

    def test_scale_prints_the_counts_that_are_complete(self):
        (self.here / "work").write_text(f'test "$1" = 8 && touch last && sleep 30\nexec {shlex.quote(str(EXAMPLES / "producer_consumer_one_lock"))} 5\n')
        words = ["scale", "--no-bare-runs", "--cpus", "1,2,8", "--keep", "kept", "--json", "--", "sh", "work", "{cpus}"]
        status, out, messages = interrupt(words, lambda: (self.here / "last").exists(), self.here)
        self.assertEqual(status, INTERRUPTED, messages)
        self.assertEqual([count["cpus"] for count in json.loads(out)["counts"]], [1, 2])
        self.assertIn("interrupted: 2 numbers of CPUs of 3 are complete", messages)
        self.assert_no_debris(r"work|last|kept/.*\.[12]\.parcast")

    def test_scale_named_a_limit_that_was_not_reached(self):
        # Unrecorded runs are ended after twice the time of the recording, and this one is interrupted before.
        (self.here / "work").write_text(
            'test -n "$LD_PRELOAD" && sleep 3 || { touch bare; sleep 50; }\n'
            f'exec {shlex.quote(str(EXAMPLES / "producer_consumer_one_lock"))} 5\n')
        words = ["scale", "--cpus", "2", "--", "sh", "work", "{cpus}"]
        status, out, messages = interrupt(words, lambda: (self.here / "bare").exists(), self.here)
        if not (self.here / "bare").exists():
            self.skipTest("nothing was measured unrecorded")
        self.assertEqual(status, INTERRUPTED, messages)
        self.assertNotIn("limit of parcast", out + messages)
        self.assertIn("when parcast was interrupted", " ".join(out.split()))

    def test_scale_with_nothing_yet_says_so(self):
        words = ["scale", "--no-bare-runs", "--cpus", "1,2", "--", "sh", "-c", "touch started; sleep 30"]
        status, out, messages = interrupt(words, lambda: (self.here / "started").exists(), self.here)
        self.assertEqual((status, out), (INTERRUPTED, ""), messages)
        self.assertIn("interrupted", messages)

    def test_calibrate_prints_its_values_and_writes_no_file(self):
        status, out, messages = interrupt(["calibrate", "-o", "m.toml", "--seconds", "50"], after_seconds(4), self.here)
        self.assertEqual(status, INTERRUPTED, messages)
        self.assertIn("context switch", out)
        self.assertIn("no machine file is written", messages)
        self.assert_no_debris("")

    def test_tune_prints_the_best_so_far_and_goes_on_from_there(self):
        words = ["tune", "gaussian-elimination", "--size", "1920", "--ranks", "8", "--network", "meiko-cs2", "--jobs", "1",
                 "--sweep", "block=8,10,12,15,16,20,24,30,32,40,48,60,64,80,96,120", "--sweep", "layout=row-cyclic,diagonal",
                 "--results", "found", "--json"]
        found = self.here / "found"
        status, out, messages = interrupt(words, lambda: found.exists() and len(list(found.glob("*"))) > 1, self.here)
        self.assertEqual(status, INTERRUPTED, messages)
        self.assertRegex(messages, r"interrupted: \d+ of 32 points were evaluated")
        points = len(json.loads(out)["points"])
        self.assertLess(points, 32)
        self.assertEqual(json.loads(out)["sentences"][0],
                         f"The search was interrupted after {points} of 32 points, and what follows is about those.")
        self.assertGreaterEqual(len(list(found.glob("*"))), points)
        self.assert_no_debris(r"found/.*\.json")

    def test_signature_prints_what_was_analysed(self):
        for threads in range(1, 60):
            shutil.copy(self.trace, self.here / f"run.{threads}.parcast")
        for delay in (0.5, 0.3, 0.15, 0.05):
            status, out, messages = interrupt(["signature", ".", "--threads-from", "name", "--json"], after_seconds(delay), self.here)
            if "were analysed" in messages:
                break
        if "were analysed" not in messages:
            self.skipTest("it was too fast, or too slow, to be interrupted in between")
        self.assertEqual(status, INTERRUPTED, messages)
        self.assertRegex(messages, r"interrupted: \d+ of 59 recordings were analysed")

    def test_the_others_end_at_once_and_leave_no_file(self):
        program = self.here / "slow.threads.json"
        self.run_here("generate", "threads", "prime-filter", "--size", "700", "-o", program)
        for words in (["report", program, "--cpus", "1-32", "--jobs", "1", "-o", "out"],
                      ["export", program, "--cpus", "8", "-o", "out"],
                      ["predict", program, "--jobs", "1", "--runs", "1000"]):
            with self.subTest(words=words):
                status, _, messages = interrupt(words, after_seconds(0.3), self.here)
                if status != 0:  # else it was faster than the signal
                    self.assertEqual(status, -signal.SIGINT, messages)
                    self.assert_no_debris("slow.threads.json")
            (self.here / "out").unlink(missing_ok=True)


if __name__ == "__main__":
    unittest.main()
