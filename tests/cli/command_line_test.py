"""Help, versions, streams and colours: what does not depend on what is in a recording."""

import json
import os
import pathlib
import pty
import re
import shlex
import subprocess
import tempfile
import unittest

from program import INPUT, OUTPUT, PARCAST, USAGE, WithRecording, parcast

ROOT = pathlib.Path(__file__).resolve().parents[2]
INPUTS = ROOT / "tests/changes/inputs"
VERBS = re.findall(r"^  parcast (\w+) ", parcast("help").stdout.decode(), re.MULTILINE)


class Help(unittest.TestCase):
    def test_help_is_a_result_and_opens_with_examples(self):
        for verb in VERBS:
            for words in (["help", verb], [verb, "--help"], [verb, "-h"]):
                with self.subTest(words=words):
                    result = parcast(*words)
                    self.assertEqual((result.returncode, result.stderr), (0, b""))
                    self.assertTrue(result.stdout.startswith(f"Examples:\n  parcast {verb}".encode()))

    def test_there_are_verbs(self):
        self.assertLess({"record", "info", "predict", "view", "report", "export", "help"}, set(VERBS))

    def test_help_alone_says_what_it_does_and_its_statuses(self):
        result = parcast("help")
        self.assertEqual((result.returncode, result.stderr), (0, b""))
        self.assertIn(b"Exit status", result.stdout)
        for verb in VERBS:
            self.assertIn(f"parcast {verb} ".encode(), result.stdout)

    def test_the_version_is_a_number(self):
        self.assertRegex(parcast("--version").stdout.decode(), r"^parcast \d+\.\d+\.\d+\n$")


class Messages(unittest.TestCase):
    # It ended with a segmentation fault.
    def test_nothing_to_compare_is_an_error(self):
        for words in ([], ["--json"], ["--cpus", "4"], ["--what-if", "lock:all/2"], ["--scheduler", "linux", "--scheduler", "ideal"]):
            with self.subTest(words=words):
                result = parcast("compare", *words)
                self.assertEqual((result.returncode, result.stdout), (USAGE, b""))
                self.assertIn(b"parcast compare A B", result.stderr)

    def test_two_recordings_are_no_question_of_predict_but_of_compare(self):
        files = [str(INPUTS / name) for name in ("lu.parcast", "one_lock.parcast")]
        result = parcast("predict", *files)
        self.assertEqual(result.returncode, USAGE)
        self.assertIn("parcast compare " + shlex.join(files), " ".join(result.stderr.decode().split()))

    # A plan and JSON, a page and JSON, a chart without the JSON.
    def test_standard_output_had_two_documents_or_one_of_two(self):
        lu, lock = INPUTS / "lu.parcast", INPUTS / "one_lock.parcast"
        for words in (["compare", lu, lock, "-o", "-"], ["bind", lu, "--cpus", "2", "-o", "-"], ["report", lu, "-o", "-"],
                      ["predict", ROOT / "examples/pamela/mrm.pam", "--plot", "-"]):
            with self.subTest(words=words):
                result = parcast(*words, "--json")
                self.assertEqual((result.returncode, result.stdout), (USAGE, b""))
                self.assertIn(b"both write to standard output", result.stderr)

    # A name with a sign of the shell was a command of its own when it was pasted.
    def test_the_next_command_can_be_typed_as_it_stands(self):
        with tempfile.TemporaryDirectory() as folder:
            name = "$(touch pwned) b.json"
            result = parcast("generate", "taskgraph", "polyroots", "-o", name, cwd=folder)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn(f"next: parcast predict '{name}'", result.stderr.decode())

    # The program ran to its end before it turned out that nothing could be written.
    def test_a_name_that_is_too_long_is_refused_before_the_program_runs(self):
        with tempfile.TemporaryDirectory() as folder:
            result = parcast("record", "-o", "x" * 300, "--", "touch", "ran", cwd=folder)
            self.assertEqual(result.returncode, 125)
            self.assertIn(b"too long", result.stderr)
            self.assertEqual(os.listdir(folder), [])

    def test_quiet_reports_and_exports_print_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            for verb in ("report", "export"):
                result = parcast("-q", verb, INPUTS / "lu.parcast", *(["--cpus", "2"] if verb == "export" else []), cwd=folder)
                self.assertEqual((result.returncode, result.stdout, result.stderr), (0, b"", b""))
            self.assertEqual(len(os.listdir(folder)), 2)

    def test_a_wrong_word_gets_the_right_one(self):
        result = parcast("predcit", "x.parcast")
        self.assertEqual((result.returncode, result.stdout), (USAGE, b""))
        self.assertEqual(result.stderr.decode(), 'parcast: error: there is no verb "predcit".\n'
                                                 "                Did you mean: parcast predict x.parcast\n")

    def test_every_message_ends_with_a_way_out(self):
        for words, status, way_out in [
            (["predict", "x.parcast", "--cpus", "0"], USAGE, "parcast help predict"),
            (["predict", "x.parcast", "--cpus", "8-4"], USAGE, "4-8"),
            (["variance"], USAGE, "parcast help variance"),
            (["variance", "x.parcast", "--delay", "3"], USAGE, "parcast help variance"),
            (["variance", "--cpu-time", "1", "--processing", "x", "--delay", "3"], USAGE, "parcast help variance"),
            (["info", "no-such.parcast"], INPUT, "parcast record --"),
            (["info", "/"], INPUT, "folder"),
        ]:
            with self.subTest(words=words):
                result = parcast(*words)
                self.assertEqual((result.returncode, result.stdout), (status, b""))
                self.assertTrue(result.stderr.startswith(b"parcast: error: "))
                self.assertIn(way_out, result.stderr.decode())


class OlderTraces(unittest.TestCase):
    def test_a_trace_of_the_version_before_is_still_read(self):
        trace = pathlib.Path(__file__).parents[1] / "fuzz/recording_file_fuzz/recorded_pipe"
        self.assertEqual(trace.read_bytes()[8], 2, "the version")
        answer = json.loads(parcast("info", trace, "--json").stdout)
        self.assertIsNone(answer["recorded"]["system_time_ns"], "which it does not tell")


class Streams(WithRecording):
    def on_terminal(self, arguments, **variables):
        """What the program writes when its standard output is a terminal."""
        try:
            main, terminal = pty.openpty()
        except OSError as error:
            self.skipTest(f"no pseudo-terminal here: {error}")
        environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
        environment.update({"TERM": "xterm"} | variables)
        process = subprocess.Popen([PARCAST, *map(str, arguments)], stdout=terminal, stderr=subprocess.PIPE,
                                   env=environment)
        os.close(terminal)
        written = b""
        while True:
            try:
                part = os.read(main, 65536)
            except OSError:  # Linux ends a terminal without a program on its other side with EIO
                break
            if not part:
                break
            written += part
        os.close(main)
        self.assertEqual(process.wait(), 0, process.stderr.read().decode())
        process.stderr.close()
        return written

    def test_colour_is_for_terminals_and_no_color_turns_it_off(self):
        # One lock around everything: the efficiency on 8 CPUs is far below one half.
        arguments = ["predict", self.trace, "--cpus", "1,8"]
        self.assertIn(b"\x1b[", self.on_terminal(arguments))
        self.assertNotIn(b"\x1b[", self.on_terminal(arguments, NO_COLOR="1"))
        self.assertNotIn(b"\x1b[", self.on_terminal(arguments, TERM="dumb"))
        self.assertNotIn(b"\x1b[", parcast(*arguments).stdout)

    def test_a_full_disk_is_an_error(self):
        for words in (["info", self.trace], ["predict", self.trace, "--cpus", "1"], ["help"]):
            with self.subTest(words=words), open("/dev/full", "wb") as full:
                result = parcast(*words, stdout=full)
                self.assertEqual(result.returncode, OUTPUT)
                self.assertIn(b"standard output cannot be written", result.stderr)

    def test_results_go_to_standard_output_alone(self):
        for words in (["info", self.trace], ["predict", self.trace, "--cpus", "1,2"]):
            with self.subTest(words=words):
                result = parcast(*words)
                self.assertEqual((result.returncode, result.stderr), (0, b""))
                self.assertNotEqual(result.stdout, b"")

    def test_a_machine_file_is_read_over_the_scheduler(self):
        wrong = self.folder / "wrong.toml"
        wrong.write_text("version = 1\nnonsense = 3\n")
        result = parcast("predict", self.trace, "--machine", wrong)
        self.assertEqual((result.returncode, result.stdout), (INPUT, b""))
        self.assertIn("nonsense", result.stderr.decode())
        self.assertIn("wrong.toml:2", result.stderr.decode())

    def test_an_unknown_version_is_refused_with_the_known_ones(self):
        trace = bytearray(self.trace.read_bytes())
        self.assertEqual(trace[8], 9, "the version follows the magic (docs/formats/trace.md)")
        trace[8] = 10
        other = self.folder / "other.parcast"
        other.write_bytes(trace)
        for verb in ("info", "predict"):
            result = parcast(verb, other)
            self.assertEqual((result.returncode, result.stdout), (INPUT, b""))
            self.assertRegex(result.stderr.decode(), r"(?s)version 10\b.*versions 2 to 9\b")

    def test_info_names_program_threads_and_objects(self):
        text = parcast("info", self.trace).stdout.decode()
        # The path may be long, and is quoted if it has spaces.
        self.assertRegex(text, r"producer_consumer_one_lock'?\s+5\n")
        self.assertIn("main", text)
        self.assertRegex(text, r"mutex .*\d")
        self.assertRegex(text, r"semaphore .*\d")

    def test_predict_has_a_row_for_each_count(self):
        text = parcast("predict", self.trace, "--cpus", "2,4-5", "--threads-table", "--assumptions").stdout.decode()
        rows = re.findall(r"^ +(\d+) .* (\S+) +(\S+) - (\S+) +(\d+) %", text, re.MULTILINE)
        self.assertEqual([int(row[0]) for row in rows], [2, 4, 5])
        self.assertIn("replayed on 1 CPU it takes", text)
        self.assertIn("threads on 4 CPUs", text)


if __name__ == "__main__":
    unittest.main()
