"""parcast doctor: what this host and a program offer and lack."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from program import EXAMPLES, SCHEMAS, parcast

HOST_LACKS = 8


def doctor(*arguments, **options):
    return parcast("doctor", *arguments, **options)


def checks_of(*arguments, **options):
    return {check["name"]: check for check in json.loads(doctor("--json", *arguments, **options).stdout)["checks"]}


class Doctor(unittest.TestCase):
    def test_the_status_tells_whether_something_is_missing(self):
        result = doctor("--json")
        is_missing = any(check["state"] == "missing" for check in json.loads(result.stdout)["checks"])
        self.assertEqual(result.returncode, HOST_LACKS if is_missing else 0)

    def test_a_trial_recording_tells_the_clock(self):
        check = checks_of()["cpu_clock"]
        if check["state"] == "missing":
            self.skipTest("nothing can be recorded here")
        self.assertRegex(check["found"], r"^(rseq|the page|the thread's clock).* \d+ ns an event")

    def test_a_forced_clock_is_said(self):
        environment = dict(os.environ, PARCAST_RECORD_CLOCK="thread")
        check = checks_of(env=environment)["cpu_clock"]
        self.assertEqual(check["state"], "limited")
        self.assertEqual(check["remedy"], "unset PARCAST_RECORD_CLOCK")

    def test_a_program_with_debug_information(self):
        checks = checks_of(EXAMPLES / "producer_consumer_one_lock")
        self.assertEqual(checks["program_file"]["state"], "ok")

    def test_a_program_that_is_not_there(self):
        result = doctor("./no_such_program")
        self.assertEqual(result.returncode, HOST_LACKS)
        self.assertIn("missing  program file", result.stdout.decode())

    def test_a_program_of_100_kb_is_not_echoed_whole(self):
        for words in ([], ["--json"]):
            result = doctor("x" * 100_000, *words)
            self.assertEqual(result.returncode, HOST_LACKS)
            self.assertIn("xxx…xxx", json.dumps(result.stdout.decode(), ensure_ascii=False))
            self.assertLess(len(result.stdout + result.stderr), 20_000)

    def test_programs_and_what_they_lack(self):
        compiler = shutil.which("cc")
        if not compiler:
            self.skipTest("there is no C compiler")
        with tempfile.TemporaryDirectory(prefix="parcast-doctor-") as folder:
            source = pathlib.Path(folder) / "nothing.c"
            source.write_text("int main(void) { return 0; }\n")
            script = pathlib.Path(folder) / "script"
            script.write_text("#!/bin/sh\n")
            script.chmod(0o755)
            for name, options in (("plain", []), ("with_lines", ["-g"]), ("static", ["-static"]), ("openmp", ["-fopenmp", "-Wl,--no-as-needed"])):
                subprocess.run([compiler, *options, "-o", name, source], cwd=folder, check=True)
            self.assertEqual(checks_of("./with_lines", cwd=folder)["debug_information"]["state"], "ok")
            plain = checks_of("./plain", cwd=folder, env=dict(os.environ, DEBUGINFOD_URLS=""))
            self.assertEqual(plain["debug_information"]["state"], "limited")
            self.assertIn("-g", plain["debug_information"]["remedy"])
            self.assertNotIn("openmp", plain)
            static = checks_of("./static", cwd=folder)["program_file"]
            self.assertEqual(static["state"], "missing")
            self.assertIn("Link it dynamically", static["remedy"])
            self.assertIn("libgomp", checks_of("./openmp", cwd=folder)["openmp"]["found"])
            self.assertIn("a script of /bin/sh", checks_of("./script", cwd=folder)["program_file"]["found"])

    def test_text_says_what_json_says(self):
        lines = doctor().stdout.decode().split("\n")
        for name, check in checks_of().items():
            if name in ("other_load", "event_space", "cpu_clock"):
                continue  # they change
            self.assertTrue(any(line.split()[:1] == [check["state"]] and name.replace("_", " ") in line for line in lines), name)
            if check["remedy"]:
                self.assertTrue(any(line.strip() == "> " + check["remedy"] for line in lines), name)

    def test_json_is_what_its_schema_says(self):
        try:
            import jsonschema
        except ImportError:
            self.skipTest("python3-jsonschema is not installed")
        schema = json.loads((SCHEMAS / "doctor.schema.json").read_text())
        jsonschema.Draft202012Validator(schema).validate(json.loads(doctor("--json", "/bin/sh").stdout))


if __name__ == "__main__":
    unittest.main()
