"""parcast check: a program is held to its contract."""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
import xml.etree.ElementTree

try:
    import yaml
except ImportError:
    yaml = None

from json_test import Documented
from program import EXAMPLES, IMPOSSIBLE, INPUT, OUTPUT, PARCAST, TIME_LIMIT_S, USAGE, parcast

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM_FAILED, BROKEN = 6, 7

# Two threads that each compute 300 us and write 100 us under a lock: on two CPUs main's 10 us, 300, 100, 100 us of the
# other one, 10 us. The ideal scheduler charges nothing.
PROGRAM = {
    "schema": "parcast.threads/1", "name": "two writers", "unit": "us",
    "objects": [{"name": "write_list", "kind": "mutex"}],
    "threads": [
        {"name": "main", "do": ["work 10 start", "create one", "create two", "join one", "join two", "work 10 end"]},
        *({"name": name, "do": ["work 300 solve", "lock write_list", "work 100 write", "unlock write_list"]}
          for name in ("one", "two"))]}
IDEAL = ["--scheduler", "ideal", "--machine", "default"]
TIME_US = {1: 820, 2: 520}


class Check(Documented):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="parcast-check-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.program = self.folder / "two.threads.json"
        self.program.write_text(json.dumps(PROGRAM))

    def checked(self, *assertions, options=(), file=None, **more):
        words = [word for text in assertions for word in ("--assert", text)]
        return parcast("check", file or self.program, *IDEAL, *words, *options, **more)

    def answer(self, *assertions, options=(), file=None, status=0):
        result = self.checked(*assertions, options=("--json", *options), file=file)
        self.assertEqual(result.returncode, status, result.stderr.decode())
        return json.loads(result.stdout)

    def assert_judged(self, expected):
        answer = self.answer(*expected, status=BROKEN if "fails" in expected.values() else 0)
        self.assertEqual({each["assertion"]: each["judgement"] for each in answer["assertions"]}, expected)


class Judgements(Check):
    def test_numbers_are_those_that_one_can_count(self):
        self.assert_judged({
            "time(1) <= 820us": "holds", "time(1) < 820us": "fails", "time(2) <= 520us": "holds",
            "time(2) < 0.52ms": "fails", "speed_up(2) > 1.57": "holds", "speed_up(2) > 1.58": "fails",
            "efficiency(2) >= 78%": "holds", "efficiency(2) >= 0.79": "fails"})

    def test_a_lock_is_held_for_what_is_done_under_it(self):
        # 200 of 520 us on two CPUs, 200 of 820 on one.
        self.assert_judged({
            "held('write_list', 2) < 38.5%": "holds", "held('write_list', 2) < 38.4%": "fails",
            "held('mutex write_list', 1) < 24.4%": "holds", "held(write_list, 1) < 24.3%": "fails"})

    def test_the_limit_is_the_cause_that_loses_most(self):
        # Idle on two CPUs: one while main starts and ends, 20 us, and one while a writer waits or has ended, 200 us.
        answer = self.answer("limit(2) != 'input_output'", "limit(1) == none")
        self.assertEqual([each["judgement"] for each in answer["assertions"]], ["holds", "holds"])
        limits = answer["predictions"][1]["limits"]
        most = max((each for each in limits if each["cause"] != "busy"), key=lambda each: each["share"])
        self.assertEqual(answer["assertions"][0]["predicted"], most["cause"])
        failed = self.answer(f"limit(2) != '{most['cause']}'", status=BROKEN)["assertions"][0]
        self.assertEqual(failed["judgement"], "fails")
        self.assertTrue(failed["explanation"])

    def test_a_lock_that_the_program_does_not_have_cannot_be_told(self):
        answer = self.answer("held(write_lst, 2) < 90%")
        self.assertEqual(answer["assertions"][0]["judgement"], "cannot_tell")
        self.assertIn('did you mean "write_list"', answer["assertions"][0]["explanation"])
        self.answer("held(write_lst, 2) < 90%", options=["--strict"], status=BROKEN)

    def test_a_range_that_the_bound_lies_in_cannot_tell(self):
        answer = self.answer("time(2) < 521us", options=["--runs", "6"])
        judged = answer["assertions"][0]
        self.assertEqual(judged["judgement"], "cannot_tell")
        self.assertLess(judged["range"]["low"], 520000)
        self.assertGreater(judged["range"]["high"], 521000)
        self.answer("time(2) < 521us", options=["--runs", "6", "--strict"], status=BROKEN)

    def test_a_deadlock_was_nothing_that_breaks_the_contract(self):
        crossed = json.loads(json.dumps(PROGRAM))
        crossed["objects"].append({"name": "other_list", "kind": "mutex"})
        for thread, (first, second) in zip(crossed["threads"][1:], [("write_list", "other_list"), ("other_list", "write_list")]):
            thread["do"] = ["work 300 solve", f"lock {first}", "work 100 write", f"lock {second}", f"unlock {second}", f"unlock {first}"]
        path = self.folder / "crossed.threads.json"
        path.write_text(json.dumps(crossed))
        result = self.checked("speed_up(2) >= 1", file=path)
        self.assertEqual(result.returncode, IMPOSSIBLE, result.stdout)
        self.assertIn(b"deadlocks on 2 CPUs", result.stdout)
        self.assertIn(b"cannot be told", result.stdout)
        self.assertNotIn(b"Nothing breaks", result.stdout)
        self.assertIn(b"deadlocks", result.stderr)
        self.assertEqual(self.checked("speed_up(2) >= 1", file=path, options=["--strict"]).returncode, BROKEN)
        self.assertEqual(self.checked("findings = none", file=path).returncode, 0, "it is about no replay")

    def test_a_task_graph_has_a_contract_too(self):
        graph = self.folder / "graph.json"
        graph.write_text(json.dumps({"schema": "parcast.taskgraph/2", "unit": "us", "groups": [
            {"name": "loop", "time": [30, 30, 30, 30]}]}))
        result = parcast("check", graph, "--assert", "time(2) <= 60us", "--assert", "speed_up(4) >= 4", "--json")
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        self.assert_documented("check", json.loads(result.stdout))


class Baselines(Check):
    def slower(self, factor):
        program = json.loads(json.dumps(PROGRAM))
        for thread in program["threads"][1:]:
            thread["do"] = [f"work {300 * factor:g} solve" if step == "work 300 solve" else step for step in thread["do"]]
        path = self.folder / "slower.threads.json"
        path.write_text(json.dumps(program))
        return path

    def test_an_earlier_answer_of_check_or_predict_or_an_earlier_program_is_a_baseline(self):
        was = self.folder / "was.json"
        was.write_bytes(self.checked("time(2) > 0s", options=["--json"]).stdout)
        predicted = self.folder / "predicted.json"
        predicted.write_bytes(parcast("predict", self.program, *IDEAL, "--cpus", "2", "--json").stdout)
        now = self.slower(1.1)  # 550 us
        for name in (was, predicted, self.program):
            with self.subTest(name=name):
                answer = self.answer(f"regression({name}, 2) < 6%", f"regression({name}, 2) < 5%", file=now, status=BROKEN)
                self.assertEqual([each["judgement"] for each in answer["assertions"]], ["holds", "fails"])
                self.assertAlmostEqual(answer["assertions"][0]["predicted"], 550 / 520 - 1)

    def test_a_baseline_without_that_number_of_cpus_or_of_another_machine_cannot_tell(self):
        was = self.folder / "was.json"
        was.write_bytes(self.checked("time(2) > 0s", options=["--json"]).stdout)
        answer = self.answer(f"regression({was}, 4) < 5%")
        self.assertIn("no prediction for 4 CPUs", answer["assertions"][0]["explanation"])
        result = parcast("check", self.program, "--machine", "default", "--assert", f"regression({was}, 2) < 5%")
        self.assertEqual(result.returncode, 0)
        self.assertIn("another machine", " ".join(result.stdout.decode().split()))

    def test_what_is_no_baseline_is_an_error(self):
        other = self.folder / "other.json"
        other.write_text('{"schema": "else"}')
        result = self.checked(f"regression({other}, 2) < 5%")
        self.assertEqual(result.returncode, INPUT)
        result = self.checked("regression(missing.json, 2) < 5%")
        self.assertEqual(result.returncode, INPUT)
        self.assertIn(b"missing.json", result.stderr)

    def test_the_file_lies_beside_the_contract(self):
        (self.folder / "ci").mkdir()
        (self.folder / "ci/was.json").write_bytes(self.checked("time(2) > 0s", options=["--json"]).stdout)
        contract = self.folder / "ci/parcast.check.toml"
        contract.write_text("version = 1\nassertions = ['regression(was.json, 2) < 1%']\n")
        self.assertEqual(parcast("check", self.program, *IDEAL, "--contract", contract).returncode, 0)


class Contracts(Check):
    def test_the_file_of_the_working_directory_is_the_contract_unless_something_is_asserted(self):
        (self.folder / "parcast.check.toml").write_text("version = 1\nassertions = ['time(2) < 1us']\n")
        run = lambda *words: parcast("check", self.program, *IDEAL, *words, cwd=self.folder).returncode
        self.assertEqual(run(), BROKEN)
        self.assertEqual(run("--assert", "time(2) < 1s"), 0)
        self.assertEqual(run("--assert", "time(2) < 1s", "--contract", "parcast.check.toml"), BROKEN)

    def test_without_any_contract_it_says_how_to_write_one(self):
        result = parcast("check", self.program, cwd=self.folder)
        self.assertEqual(result.returncode, INPUT)
        self.assertIn(b"parcast.check.toml", result.stderr)
        self.assertIn(b"--assert", result.stderr)

    def test_errors_have_a_place_a_caret_and_the_nearest_name(self):
        contract = self.folder / "c.toml"
        contract.write_text("version = 1\nassertions = [\n    'sped_up(16) >= 11',\n]\n")
        result = parcast("check", self.program, "--contract", "c.toml", cwd=self.folder)
        self.assertEqual(result.returncode, INPUT)
        lines = result.stderr.decode().splitlines()
        self.assertEqual(lines[0], 'parcast: error: c.toml:3:6: there is no function "sped_up". [unsupported]')
        self.assertEqual(lines[1].index("sped_up"), lines[2].index("^"))
        self.assertEqual(lines[2].count("^"), len("sped_up"))
        self.assertIn("speed_up", lines[3])
        result = self.checked("time(8) <= 120")
        self.assertEqual(result.returncode, USAGE)
        self.assertIn(b"^^^", result.stderr)

    def test_it_needs_one_thing_to_check(self):
        self.assertEqual(parcast("check", "--assert", "time(2) < 1s").returncode, USAGE)
        self.assertEqual(parcast("check", self.program, "--assert", "time(2) < 1s", "--", "true").returncode, USAGE)


class Outputs(Check):
    def test_text_has_a_line_for_each_assertion_and_a_verdict(self):
        text = self.checked("time(2) <= 530us", "speed_up(2) >= 1.9").stdout.decode()
        lines = [" ".join(line.split()) for line in text.splitlines()]
        self.assertIn("holds time(2) <= 530us 520 µs 1.9 % to spare", lines)
        self.assertIn("fails speed_up(2) >= 1.9 1.58 17 % too little", lines)
        self.assertEqual(lines[-1], "The contract is broken: 1 of 2 assertions fails.")
        self.assertIn("change", text, "what would mend it")

    def test_json_is_documented(self):
        answer = self.answer("time(2) <= 530us", "speed_up(2) >= 1.9", "limit(2) != 'lock'", "findings = none",
                             "held(write_list, 2) < 1%", status=BROKEN)
        self.assert_documented("check", answer)
        self.assertTrue(answer["broken"])

    def test_junit_has_a_case_for_each(self):
        target = self.folder / "check.xml"
        result = self.checked("time(2) <= 530us", "speed_up(2) >= 1.9", "held(nobody, 2) < 1%", options=["--junit", target])
        self.assertEqual(result.returncode, BROKEN)
        suite = xml.etree.ElementTree.parse(target).getroot().find("testsuite")
        self.assertEqual([suite.get(key) for key in ("tests", "failures", "skipped", "errors")], ["3", "1", "1", "0"])
        self.assertEqual([len(case.findall("failure")) for case in suite.findall("testcase")], [0, 1, 0])
        self.assertEqual([len(case.findall("skipped")) for case in suite.findall("testcase")], [0, 0, 1])

    def test_markdown_has_a_table_and_the_reasons(self):
        target = self.folder / "check.md"
        self.checked("time(2) <= 530us", "speed_up(2) >= 1.9", options=["--markdown", target])
        text = target.read_text()
        self.assertTrue(text.startswith("### The contract is broken"))
        self.assertIn("| **fails** | `speed_up(2) >= 1.9` | 1.58 |", text)

    def test_a_report_replaced_what_it_was_made_of(self):
        contract = self.folder / "c.toml"
        contract.write_text("version = 1\nassertions = ['time(2) < 1s', 'regression(was.json, 2) < 5%']\n")
        was = self.folder / "was.json"
        was.write_bytes(self.checked("time(2) > 0s", options=["--json"]).stdout)
        for kept in (self.program, contract, was):
            for option in ("--junit", "--markdown"):
                with self.subTest(kept=kept, option=option):
                    before = kept.read_bytes()
                    result = parcast("check", self.program, *IDEAL, "--contract", contract, option, kept)
                    self.assertEqual(result.returncode, USAGE, result.stderr)
                    self.assertEqual(kept.read_bytes(), before)
        (self.folder / "gl-code-quality-report.json").symlink_to(was)
        self.assertEqual(parcast("check", self.program, *IDEAL, "--contract", contract, "--annotations", "gitlab", cwd=self.folder).returncode, USAGE)

    def test_a_report_replaced_a_file_that_was_there(self):
        for options, name in ((["--junit", "notes.md"], "notes.md"), (["--markdown", "notes.md"], "notes.md"),
                              (["--annotations", "gitlab"], "gl-code-quality-report.json")):
            with self.subTest(options=options):
                notes = self.folder / name
                notes.write_text("precious")
                run = lambda *more: parcast("check", self.program, *IDEAL, "--assert", "time(2) < 1s", *options, *more, cwd=self.folder)
                result = run()
                self.assertEqual((result.returncode, result.stdout), (OUTPUT, b""))
                self.assertIn(b"--force", result.stderr)
                self.assertEqual(notes.read_text(), "precious")
                self.assertEqual(run("--force").returncode, 0)
                self.assertNotEqual(notes.read_text(), "precious")

    def test_signs_in_the_names_of_reports_stayed(self):
        result = parcast("check", self.program, *IDEAL, "--assert", "time(2) < 1s", "--junit", "%e-100%%.xml", "--markdown", "%e.md", cwd=self.folder)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual({path.name for path in self.folder.iterdir()}, {self.program.name, "two-100%.xml", "two.md"})

    def test_a_pipe_was_no_place_for_a_report(self):
        here, there = os.pipe()
        result = self.checked("time(2) < 1s", options=["--junit", f"/dev/fd/{there}"], pass_fds=[there])
        os.close(there)
        self.assertEqual(result.returncode, 0, result.stderr)
        with os.fdopen(here) as pipe:
            self.assertEqual(xml.etree.ElementTree.fromstring(pipe.read()).tag, "testsuites")

    def test_a_full_device_led_to_an_option_that_check_has_for_something_else(self):
        result = self.checked("time(2) < 1s", options=["--junit", "/dev/full"])
        self.assertEqual(result.returncode, OUTPUT)
        self.assertNotIn(b"-o", result.stderr)

    def test_two_reports_replaced_each_other(self):
        target = self.folder / "both"
        self.assertEqual(self.checked("time(2) < 1s", options=["--junit", target, "--markdown", self.folder / "." / "both"]).returncode, USAGE)
        self.assertFalse(target.exists())
        result = parcast("check", "--assert", "time(1) < 1s", "-o", target, "--junit", target, "--", "true")
        self.assertEqual(result.returncode, USAGE)

    def test_standard_output_had_two_documents(self):
        for options in (["--json", "--junit", "-"], ["--json", "--markdown", "-"], ["--junit", "-", "--markdown", "-"]):
            with self.subTest(options=options):
                result = self.checked("time(2) < 1s", options=options)
                self.assertEqual(result.returncode, USAGE)
                self.assertEqual(result.stdout, b"")
        result = self.checked("time(2) < 1s", options=["--junit", "-", "--annotations", "github"])
        self.assertEqual(xml.etree.ElementTree.fromstring(result.stdout).tag, "testsuites", "no text stands before it")

    def test_a_line_end_in_an_assertion_broke_the_table(self):
        target = self.folder / "check.md"
        self.checked("time(2)\n<= 530us", options=["--markdown", target])
        self.assertIn("| `time(2) <= 530us` |", target.read_text())

    def test_bytes_that_are_no_text_made_junit_no_xml(self):
        target = self.folder / "check.xml"
        odd = self.folder / os.fsdecode(b"\xff.threads.json")
        odd.write_text(json.dumps(PROGRAM))
        result = self.checked("time(2) <= 530us", options=["--junit", target], file=odd)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("\ufffd", xml.etree.ElementTree.parse(target).getroot().find("testsuite").get("name"))

    def test_reports_that_cannot_be_written_are_an_error_before_anything_is_done(self):
        self.assertEqual(self.checked("time(2) < 1s", options=["--junit", self.folder / "missing/x.xml"]).returncode, OUTPUT)


class Annotations(Check):
    """Of a recording: they point to the source of the lock."""

    def test_github_gets_a_command_with_the_line_of_the_lock(self):
        result = parcast("check", self.trace, "--assert", "speed_up(8) >= 7.9", "--annotations", "github", cwd=ROOT)
        self.assertEqual(result.returncode, BROKEN, result.stderr.decode())
        commands = [line for line in result.stdout.decode().splitlines() if line.startswith("::")]
        self.assertEqual(len(commands), 1)
        self.assertRegex(commands[0], r"^::error file=examples/[\w.]+\.c,line=\d+,title=parcast check::speed_up\(8\) >= 7\.9 fails")

    def test_gitlab_gets_a_code_quality_report(self):
        result = parcast("check", self.trace, "--assert", "speed_up(8) >= 7.9", "--annotations", "gitlab", cwd=self.folder)
        self.assertEqual(result.returncode, BROKEN, result.stderr.decode())
        (entry,) = json.loads((self.folder / "gl-code-quality-report.json").read_text())
        self.assertEqual(set(entry), {"description", "check_name", "fingerprint", "severity", "location"})
        self.assertRegex(entry["location"]["path"], r"producer_consumer_one_lock\.c$")
        self.assertGreater(entry["location"]["lines"]["begin"], 1)

    def test_json_stays_json(self):
        result = parcast("check", self.trace, "--assert", "speed_up(8) >= 7.9", "--annotations", "github", "--json")
        json.loads(result.stdout)
        self.assertIn(b"::error", result.stderr)
        self.assert_documented("check", json.loads(result.stdout))


class Programs(Check):
    def run_check(self, *words, **options):
        return parcast("check", *words, cwd=self.folder, **options)

    def test_a_program_is_recorded_first_for_as_many_cpus_as_are_asserted_about(self):
        result = self.run_check("--assert", "speed_up(4) >= 1", "--recordings", "1", "--json", "-o", "kept.parcast", "--", EXAMPLES / "lu", "{cpus}", "256")
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        answer = json.loads(result.stdout)
        self.assertEqual(answer["input"]["command"][1], "4")
        again = json.loads(parcast("check", self.folder / "kept.parcast", "--assert", "speed_up(4) >= 1", "--json").stdout)
        self.assertEqual(again["predictions"], answer["predictions"])

    def test_several_recordings_are_judged_by_the_ranges_of_all(self):
        one, two = ({each["cpus"]: each["range"]["time_ns"] for each in self.predictions(recordings)}
                    for recordings in (["-o", "run.parcast", "--recordings", "1"], ["-o", "run.1.parcast", "--recordings", "1"]))
        result = self.run_check("run.parcast", "run.1.parcast", "--assert", "time(2) > 0s", "--json")
        answer = json.loads(result.stdout)
        self.assertEqual(answer["recordings"], 2)
        (both,) = [each["range"]["time_ns"] for each in answer["predictions"]]
        self.assertEqual(both, {"low": min(one[2]["low"], two[2]["low"]), "high": max(one[2]["high"], two[2]["high"])})

    def predictions(self, options):
        result = self.run_check("--assert", "time(2) > 0s", "--json", *options, "--", EXAMPLES / "lu", "2", "128")
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        return json.loads(result.stdout)["predictions"]

    def test_a_program_is_recorded_three_times_and_all_are_kept_on_request(self):
        result = self.run_check("--assert", "time(1) < 1000s", "--json", "-o", "kept.parcast", "--", EXAMPLES / "lu", "2", "64")
        self.assertEqual(json.loads(result.stdout)["recordings"], 3)
        self.assertEqual(len(list(self.folder.glob("kept*.parcast"))), 3)

    def test_a_recording_that_was_there_led_to_an_option_that_check_lacked(self):
        kept = self.folder / "kept.parcast"
        kept.write_text("precious")
        words = ["--assert", "time(2) > 0s", "--recordings", "1", "-o", kept]
        program = ["--", EXAMPLES / "lu", "2", "64"]
        result = self.run_check(*words, *program)
        self.assertEqual((result.returncode, result.stdout, kept.read_text()), (OUTPUT, b"", "precious"))
        self.assertIn(b"--force", result.stderr)
        result = self.run_check(*words, "--force", *program)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual([path.name for path in self.folder.glob("*.parcast")], ["kept.parcast"])
        self.assertEqual(parcast("info", kept).returncode, 0)
        self.assertEqual(self.run_check(*words[:-1], "%e-%p.parcast", *program).returncode, 0)
        self.assertEqual(len([path for path in self.folder.iterdir() if re.fullmatch(r"lu-\d+\.parcast", path.name)]), 1)

    def test_a_name_for_the_recording_of_no_program_was_ignored(self):
        result = self.checked("time(2) < 1s", options=["-o", self.folder / "x.parcast"])
        self.assertEqual((result.returncode, result.stdout), (USAGE, b""))
        self.assertIn(b"-- PROGRAM", result.stderr)

    def test_recordings_of_two_programs_were_judged_as_one(self):
        for file, size in (("one.parcast", "64"), ("two.parcast", "128")):
            self.assertEqual(self.run_check("--assert", "time(2) > 0s", "--recordings", "1", "-o", file, "--", EXAMPLES / "lu", "2", size).returncode, 0)
        result = self.run_check("one.parcast", "two.parcast", "--assert", "time(2) > 0s")
        self.assertEqual(result.returncode, INPUT)
        self.assertIn(b"two.parcast of ", b" ".join(result.stderr.split()))

    def test_a_recording_without_ranges_was_judged_as_exact(self):
        self.assertEqual(self.run_check("--assert", "time(2) > 0s", "--recordings", "1", "-o", "run.parcast", "--", EXAMPLES / "lu", "2", "64").returncode, 0)
        result = self.run_check("run.parcast", "--assert", "time(2) < 1000s", "--runs", "0", "--json")
        self.assertEqual([each["judgement"] for each in json.loads(result.stdout)["assertions"]], ["cannot_tell"])

    def test_several_files_are_recordings(self):
        self.assertEqual(parcast("check", self.program, self.program, "--assert", "time(2) < 1s").returncode, USAGE)

    def test_what_it_prints_does_not_disturb_the_result(self):
        result = self.run_check("--assert", "time(1) < 1000s", "--json", "--", "echo", "hello")
        json.loads(result.stdout)
        self.assertIn(b"hello", result.stderr)
        self.assertEqual(sorted(self.folder.glob("*.parcast")), [], "the recording is kept only on request")

    def test_a_signal_for_parcast_was_a_failure_of_the_program(self):
        for signal_to_send in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(signal=signal_to_send):
                started = self.folder / f"started.{signal_to_send}"
                process = subprocess.Popen(
                    [PARCAST, "check", "--assert", "time(1) < 1000s", "--", "sh", "-c", f"echo $$ > {started}; sleep 50"],
                    stderr=subprocess.PIPE, cwd=self.folder)
                while process.poll() is None and not (started.exists() and started.read_text()):
                    time.sleep(0.02)
                process.send_signal(signal_to_send)
                _, messages = process.communicate(timeout=TIME_LIMIT_S)
                self.assertEqual(process.returncode, 128 + signal_to_send, messages)
                self.assertIn(b"interrupted", messages)
                self.assertNotIn(b"program_failed", messages)
                self.assertFalse(pathlib.Path("/proc", started.read_text().strip()).exists(), "it is ended, too")

    def test_a_program_that_fails_is_not_a_broken_contract(self):
        result = self.run_check("--assert", "time(1) < 1000s", "--", "sh", "-c", "exit 3")
        self.assertEqual(result.returncode, PROGRAM_FAILED)
        self.assertIn(b"status 3", result.stderr)
        self.assertEqual(self.run_check("--assert", "time(1) < 1000s", "--", "no-such-program").returncode, 127)


def commands_of(job):
    """The shell steps of both kinds of workflow, but for those that install parcast."""
    if "steps" in job:
        return [step["run"] for step in job["steps"] if "run" in step and step["name"] != "install parcast"], ""
    return ["\n".join(job["script"])], "\n".join(job["after_script"])


class Workflows(Check):
    """The steps of examples/ci, run as a runner would: a shell each that stops at the first failure."""

    def run_workflow(self, name, flags):
        if yaml is None:
            self.skipTest("python3-yaml is not installed")
        folder = self.folder / f"{name}{len(flags)}"
        shutil.copytree(ROOT / "examples/ci", folder)
        (folder / "bin").mkdir()
        (folder / "bin/parcast").symlink_to(pathlib.Path(PARCAST).resolve())
        workflow = yaml.safe_load((folder / name).read_text().replace("cc -O2", f"cc {flags} -O2"))
        job = workflow["jobs"]["contract"] if "jobs" in workflow else workflow["scalability"]
        environment = {**os.environ, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}",
                       "GITHUB_STEP_SUMMARY": str(folder / "summary.md"), "CI_PROJECT_DIR": str(folder)}
        run = lambda script: subprocess.run(["bash", "-e", "-c", script], cwd=folder, env=environment, stdout=subprocess.PIPE,
                                            stderr=subprocess.STDOUT, text=True, timeout=250)
        steps, after = commands_of(job)
        printed = ""
        for number, script in enumerate(steps):
            done = run(script)
            printed += done.stdout
            if done.returncode:
                # What always runs, in GitHub's the steps behind it.
                for rest in [*steps[number + 1:], after]:
                    self.assertEqual(run(rest).returncode, 0, rest)
                return done.returncode, folder, printed
        self.assertEqual(run(after).returncode, 0)
        return 0, folder, printed

    # On a busy machine something may be impossible to tell.
    kept = "The contract holds|Nothing breaks the contract|Whether the contract holds cannot be told"

    def assert_good(self, name):
        status, folder, printed = self.run_workflow(name, "")
        self.assertEqual(status, 0, printed)
        self.assertRegex(printed, self.kept)
        return folder

    def assert_broken(self, name):
        status, folder, printed = self.run_workflow(name, "-DSHARED_TABLE")
        self.assertEqual(status, BROKEN, printed)
        return folder, printed

    def test_github_lets_the_good_program_pass(self):
        folder = self.assert_good("github.yml")
        self.assertRegex((folder / "summary.md").read_text(), self.kept)
        self.assertTrue((folder / "report.html").exists())

    def test_github_stops_the_change_that_shares_the_table_and_marks_its_line(self):
        folder, printed = self.assert_broken("github.yml")
        self.assertRegex(printed, r"::error file=word_count\.c,line=\d+")
        self.assertIn("The contract is broken", (folder / "summary.md").read_text())

    def test_gitlab_lets_the_good_program_pass(self):
        folder = self.assert_good("gitlab.yml")
        found = json.loads((folder / "gl-code-quality-report.json").read_text())
        self.assertEqual([entry for entry in found if entry["severity"] == "major"], [])

    def test_gitlab_stops_the_change_that_shares_the_table_and_marks_its_line(self):
        folder, _ = self.assert_broken("gitlab.yml")
        found = json.loads((folder / "gl-code-quality-report.json").read_text())
        self.assertIn("word_count.c", {entry["location"]["path"] for entry in found})

    def test_the_manual_shows_the_same_files(self):
        text = (ROOT / "docs/ci.md").read_text()
        for name in ("github.yml", "gitlab.yml"):
            shown = "".join(f"    {line}\n" if line else "\n" for line in (ROOT / "examples/ci" / name).read_text().splitlines())
            self.assertIn(shown, text, name)


if __name__ == "__main__":
    unittest.main()
