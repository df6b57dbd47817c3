"""Does the help of ./dev name what there is, and do the README, CONTRIBUTING and CI call the same commands?"""

import json
import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
HELP = subprocess.run([ROOT / "dev", "help"], capture_output=True, check=True, text=True).stdout


def commands_in(name):
    """What stands behind ./dev in a document, up to a comment."""
    return [command.strip() for command in re.findall(r"\./dev ([a-z][^#`\n]*)", (ROOT / name).read_text())]


class Help(unittest.TestCase):
    # It left out queueing.
    def test_it_names_the_word_of_every_benchmark(self):
        named = re.search(r"with WORD in their names \(([^)]*)\), on a machine", HELP).group(1)
        benchmarks = {name for file in (ROOT / "bench").rglob("CMakeLists.txt")
                      for name in re.findall(r"\b(\w+_bench)\.cpp", file.read_text())}
        self.assertTrue(benchmarks)
        words = re.split(r",\s+", named)
        self.assertEqual([], sorted(name for name in benchmarks if not any(word in name for word in words)))
        self.assertEqual([], [word for word in words if not any(word in name for name in benchmarks)])

    def test_it_names_every_preset_that_is_built(self):
        named = re.search(r"build only \(presets: ([^;]*);", HELP).group(1)
        presets = {preset["name"] for preset in json.loads((ROOT / "CMakePresets.json").read_text())["configurePresets"]
                   if not preset.get("hidden")}
        self.assertEqual(presets - {"package", "portable"}, set(named.split(", ")))

    def test_it_names_every_verb_that_documents_use(self):
        verbs = set(re.findall(r"^  ([a-z]+)", HELP, re.MULTILINE))
        for name in ("README.md", "CONTRIBUTING.md", ".ci/run"):
            with self.subTest(name):
                self.assertEqual(set(), {command.split()[0].rstrip(",.:;") for command in commands_in(name)} - verbs)


class Commands(unittest.TestCase):
    # CI built another preset than the README, which did not compile.
    def test_ci_runs_the_tests_as_the_readme_does(self):
        readme = [command for command in commands_in("README.md") if command.startswith("test")]
        self.assertEqual(["test"], readme)
        lines = (ROOT / ".ci/run").read_text().splitlines()
        self.assertEqual(["./dev test"], [line for line in lines if re.match(r"\S*dev\S* test", line)])

    def test_contributing_says_what_ci_runs(self):
        run = re.findall(r"^\./dev (.*)$", (ROOT / ".ci/run").read_text(), re.MULTILINE)
        self.assertEqual(["packages", "test"], run)
        self.assertIn("CI runs `./dev packages` and `./dev test`,",
                      " ".join((ROOT / "CONTRIBUTING.md").read_text().split()))


if __name__ == "__main__":
    unittest.main()
