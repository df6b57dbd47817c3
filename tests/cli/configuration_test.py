"""Default values of options: the command line, the environment, the folder, the user."""

import json
import os
import pathlib
import shutil
import tempfile
import unittest

from program import USAGE, parcast

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
INPUTS = ROOT / "tests/changes/inputs"


class Configuration(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="parcast-configuration-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "user/parcast").mkdir(parents=True)
        self.environment = {**{name: value for name, value in os.environ.items() if not name.startswith("PARCAST_")},
                            "XDG_CONFIG_HOME": str(self.folder / "user")}
        for name in ("lu.parcast", "loops.json"):
            shutil.copy(INPUTS / name, self.folder)

    def run_here(self, *arguments, **variables):
        return parcast(*arguments, cwd=self.folder, env={**self.environment, **variables})

    def counts(self, *arguments, **variables):
        result = self.run_here("predict", "lu.parcast", "--json", "--runs", "0", *arguments, **variables)
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        return [row["cpus"] for row in json.loads(result.stdout)["predictions"]]

    def write(self, text, user=False):
        (self.folder / ("user/parcast/config.toml" if user else ".parcast.toml")).write_text(text)

    def test_the_strongest_wins(self):
        self.write("cpus = 2\n", user=True)
        self.assertEqual(self.counts(), [2])
        self.write("cpus = [3]\n")
        self.assertEqual(self.counts(), [3], "the folder before the user")
        self.assertEqual(self.counts(PARCAST_CPUS="4"), [4], "the environment before both")
        self.assertEqual(self.counts(PARCAST_CPUS="4", PARCAST_PREDICT_CPUS="5"), [5], "the verb before all verbs")
        self.assertEqual(self.counts("--cpus", "6", PARCAST_CPUS="4"), [6], "the command line before everything")

    def test_no_config_ignores_all(self):
        usual = self.counts()
        self.write("cpus = 3\n")
        self.assertEqual(self.counts("--no-config", PARCAST_CPUS="4"), usual)
        self.write("cpuss = 3\n")
        self.assertEqual(self.counts("--no-config"), usual, "not even read")

    def test_a_verb_without_the_option_is_not_bothered(self):
        self.write("cpus = 3\nschedule = \"lpt\"\n")
        self.assertEqual(self.run_here("info", "lu.parcast").returncode, 0)
        self.assertEqual(self.counts(), [3], "--schedule is for task graphs: left out for a recording")
        text = self.run_here("predict", "loops.json").stdout.decode()
        self.assertIn("lpt", text)

    def test_an_unknown_key_has_its_line_and_the_nearest_name(self):
        self.write("\n[predict]\ncpu = 3\n")
        result = self.run_here("predict", "lu.parcast")
        self.assertEqual(result.returncode, USAGE)
        message = " ".join(result.stderr.decode().split())
        self.assertRegex(message, r"\.parcast\.toml:3:\d+: predict has no option --cpu\.")
        self.assertIn("Did you mean: cpus", message)

    def test_a_wrong_value_has_its_place(self):
        self.write("[predict]\ncpus = \"four\"\n")
        result = self.run_here("predict", "lu.parcast")
        self.assertEqual(result.returncode, USAGE)
        self.assertIn(".parcast.toml:2: predict: --cpus: \"four\"", " ".join(result.stderr.decode().split()))
        self.assertIn("--no-config", result.stderr.decode())

    def test_help_and_doctor_work_beside_a_bad_file(self):
        self.write("nonsense = 1\n")
        self.assertEqual(self.run_here("help", "predict").returncode, 0)
        text = " ".join(self.run_here("doctor").stdout.decode().split())
        self.assertRegex(text, r"missing configuration file \.parcast\.toml:1:\d+: no verb has an option --nonsense")

    def test_doctor_says_where_values_come_from(self):
        self.write("cpus = 2\n", user=True)
        self.write("cpus = 3\n[view]\nport = 9000\n")
        values = json.loads(self.run_here("doctor", "--json", PARCAST_CPUS="4").stdout)["configuration"]
        self.assertEqual([(each["verb"], each["option"], each["value"], each["overridden"]) for each in values],
                         [(None, "cpus", "4", False), ("view", "port", "9000", False), (None, "cpus", "3", True), (None, "cpus", "2", True)])
        self.assertEqual(values[0]["source"], "PARCAST_CPUS")
        self.assertEqual(values[1]["source"], ".parcast.toml:3")

    def test_what_is_written_is_said_on_the_command_line_alone(self):
        self.write("[report]\noutput = \"x.html\"\nforce = true\n")
        result = self.run_here("report", "lu.parcast")
        self.assertEqual(result.returncode, USAGE)
        self.assertIn("is for the command line alone", result.stderr.decode())

    def test_an_error_of_the_verb_names_what_is_set(self):
        self.write("[predict]\nruns = 1\n")
        result = self.run_here("predict", "lu.parcast")
        self.assertEqual(result.returncode, USAGE)
        self.assertIn("--runs by .parcast.toml:2; without that: --no-config", " ".join(result.stderr.decode().split()))

    def test_the_recorders_variables_are_no_options(self):
        self.assertEqual(self.counts(PARCAST_CALL_DEPTH="x", PARCAST_RECORD_CPU="x"), self.counts())


if __name__ == "__main__":
    unittest.main()
