"""parcast calibrate: measures, writes a machine file that predict reads, and says what it cannot do."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import tomllib
import unittest

from program import INPUT, OUTPUT, WithRecording, beside_progress, parcast

QUICK = ["calibrate", "--seconds", "1"]


def with_configuration(folder):
    return {"env": os.environ | {"XDG_CONFIG_HOME": str(folder)}}


class Calibration(WithRecording):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="parcast-calibrate-")
        self.addCleanup(folder.cleanup)
        self.configuration = pathlib.Path(folder.name)

    def said(self, result):
        return " ".join(result.stderr.decode().split())

    def host_file(self):
        return self.configuration / "parcast" / "machines" / f"{os.uname().nodename}.toml"

    def test_the_file_is_that_of_the_host_and_predict_reads_it(self):
        written = self.host_file()
        result = parcast(*QUICK, **with_configuration(self.configuration))
        if result.returncode == INPUT:  # other tests run beside this one: it is written if it is asked for
            self.assertIn("or write it all the same: parcast calibrate --force", self.said(result))
            result = parcast(*QUICK, "--force", **with_configuration(self.configuration))
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        self.assertEqual(list(written.parent.iterdir()), [written])
        self.assertIn(f"wrote {written}", result.stderr.decode())
        text = result.stdout.decode()
        for row in ("context switch", "uncontended lock", "creating a thread"):
            self.assertIn(row, text)
        predicted = parcast("predict", self.trace, "--cpus", "1,2", "--machine", written, "--json")
        self.assertEqual(predicted.returncode, 0, predicted.stderr.decode())
        self.assertEqual(json.loads(predicted.stdout)["machine"]["name"], os.uname().nodename)

    def test_the_operations_of_an_elimination_are_a_file_of_costs(self):
        costs = self.configuration / "costs.toml"
        result = parcast(*QUICK, "--kernels", "gaussian-elimination", "--force", "-o", costs)
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        self.assertIn("160 x 160", result.stdout.decode())
        self.assertIn(f"next: parcast generate messages gaussian-elimination --costs {costs}", self.said(result))
        self.assertFalse(self.host_file().exists(), "the machine was not measured")
        written = tomllib.loads(costs.read_text())
        self.assertEqual(written["edge"], [10, 12, 16, 20, 24, 30, 40, 48, 60, 64, 80, 96, 120, 160])
        for times in (written["warm_ns"], written["cold_ns"]):
            for operation in ("op1", "op2", "op3", "op4"):
                self.assertGreater(times[operation][-1], times[operation][0], "larger blocks take longer")

    def test_a_measurement_beside_busy_processes_became_the_hosts_file(self):
        for cpu in os.sched_getaffinity(0):
            busy = subprocess.Popen([sys.executable, "-c", f"import os; os.sched_setaffinity(0, {{{cpu}}})\nwhile True: pass"])
            self.addCleanup(busy.wait)
            self.addCleanup(busy.kill)
        result = parcast(*QUICK, **with_configuration(self.configuration))
        self.assertEqual(result.returncode, INPUT, result.stderr.decode())
        self.assertIn(f"{self.host_file()} is not written, predictions keep the defaults", self.said(result))
        self.assertIn("context switch", result.stdout.decode(), "what was measured is said all the same")
        self.assertFalse(self.host_file().exists())
        self.host_file().parent.mkdir(parents=True, exist_ok=True)
        self.host_file().write_text("version = 1\n")
        result = parcast(*QUICK, **with_configuration(self.configuration))
        self.assertIn(f"{self.host_file()} stays as it is", self.said(result))
        self.assertEqual(self.host_file().read_text(), "version = 1\n")
        # With -o it was written all the same.
        named = self.configuration / "named.toml"
        result = parcast(*QUICK, "-o", named)
        self.assertEqual(result.returncode, INPUT, result.stderr.decode())
        self.assertIn(f"parcast calibrate --force -o {named}", self.said(result))
        self.assertFalse(named.exists())

    def test_the_file_holds_what_the_answer_says(self):
        file = self.configuration / "machine.toml"
        for former in (None, str(file) + "~"):
            result = parcast(*QUICK, "-o", file, "--json", "--force")
            self.assertEqual((result.returncode, beside_progress(result.stderr)), (0, []))
            answer = json.loads(result.stdout)
            self.assertEqual((answer["file"], answer["former_file"]), (str(file), former))
        text = file.read_text()
        self.assertIn(f'context_switch_ns = {answer["machine"]["context_switch_ns"]}\n', text)
        for value in answer["values"]:
            self.assertIn(value["name"] + " = { median = ", text)
            self.assertLessEqual(value["low"], value["median"])
            self.assertLessEqual(value["median"], value["high"])

    def test_a_dry_run_writes_nothing(self):
        result = parcast(*QUICK, "--dry-run", **with_configuration(self.configuration))
        self.assertEqual(result.returncode, 0)
        self.assertRegex(result.stderr.decode(), r"\A(parcast: measuring for .*\n)*\Z", "nothing but what it waits for")
        self.assertEqual(list(self.configuration.iterdir()), [])

    def test_on_one_cpu_it_says_what_it_cannot_measure(self):
        cpu = min(os.sched_getaffinity(0))
        result = parcast(*QUICK, "--dry-run", "--json", preexec_fn=lambda: os.sched_setaffinity(0, {cpu}))
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        answer = json.loads(result.stdout)
        self.assertEqual(answer["input"]["cpus"], [cpu], "the affinity mask is respected")
        self.assertTrue(any("one CPU" in note for note in answer["notes"]))
        names = {value["name"] for value in answer["values"]}
        self.assertIn("hand_off_ns", names)
        self.assertNotIn("wake_up_ns", names)

    def test_a_file_that_cannot_be_written_is_an_error(self):
        result = parcast(*QUICK, "-o", "/proc/no-such/machine.toml")
        self.assertEqual((result.returncode, result.stdout), (OUTPUT, b""))
        self.assertIn("/proc/no-such/machine.toml", result.stderr.decode())

    def test_without_a_home_it_asks_for_a_file(self):
        result = parcast(*QUICK, env={})
        self.assertEqual((result.returncode, result.stdout), (OUTPUT, b""))
        self.assertIn("parcast calibrate -o", result.stderr.decode())


if __name__ == "__main__":
    unittest.main()
