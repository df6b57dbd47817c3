"""The tutorials: their commands run one after the other, and print what the pages show.

A page that records is compared without its numbers, which differ from run to run; any other one exactly.
"""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

from program import EXAMPLES, PARCAST, TIME_LIMIT_S

ROOT = pathlib.Path(__file__).resolve().parents[2]
TUTORIALS = ROOT / "docs/tutorials"
LEFT_OUT = "…"


def steps(text):
    """(command, printed lines) of each indented block that begins with `$ parcast`."""
    for block in re.findall(r"(?:^    .*\n|^\n(?=    ))+", text, re.MULTILINE):
        for step in re.split(r"^    \$ ", block, flags=re.MULTILINE)[1:]:
            command, _, printed = step.partition("\n")
            yield command, [line[4:] for line in printed.rstrip().split("\n")]


def without_numbers(text):
    """What differs from run to run, gone: numbers and their units, how lines are wrapped, what little is lost beside the first cause."""
    text = re.sub(r"<?\d[\d,.:]*(?: (?:ns|µs|ms|s|B|kB|MB)\b)?", "N", text)
    text = re.sub(r"\s+", " ", text)
    # A second cause comes and goes with a disturbed thread, and takes the width of the first one's name.
    text = re.sub(r", (?:joining|no thread|waiting for a CPU) N %", "", text)
    return text.replace("(h…ogram.c:", "(histogram.c:")


class Tutorials(unittest.TestCase):
    maxDiff = None

    def follow(self, page):
        commands = list(steps(page.read_text()))
        self.assertGreaterEqual(len(commands), 3, page)
        if not any(command.startswith("parcast record") for command, _ in commands):
            self.follow_once(page, commands, str)
            return
        # What is recorded while others hold the CPU may name other causes: one of three recordings is as the page says.
        for chance in range(3):
            try:
                self.follow_once(page, commands, without_numbers)
                return
            except AssertionError:
                if chance == 2:
                    raise

    def follow_once(self, page, commands, same):
        with tempfile.TemporaryDirectory() as folder:
            there = pathlib.Path(folder)
            (there / "examples").symlink_to(ROOT / "examples")
            (there / "build/release").mkdir(parents=True)
            (there / "build/release/examples").symlink_to(EXAMPLES)
            (there / "bin").mkdir()
            (there / "bin/parcast").symlink_to(PARCAST)
            environment = os.environ | {"PATH": f"{there / 'bin'}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8"}
            for command, shown in commands:
                done = subprocess.run(command, shell=True, cwd=there, env=environment, stdout=subprocess.PIPE,
                                      stderr=subprocess.STDOUT, timeout=TIME_LIMIT_S, text=True, check=False)
                self.assertEqual(done.returncode, 0, f"{page.name}: {command}\n{done.stdout}")
                self.assert_shown(shown, done.stdout, same, f"{page.name}: {command}")

    def assert_shown(self, shown, printed, same, place):
        """Each run of lines between those left out is printed, one after the other."""
        # Of a busy host.
        rest = re.sub(r"parcast: note: others had .*? --repeat \S+ ", "", same(printed))
        for part in "\n".join(shown).split(LEFT_OUT):
            wanted = same(part.strip("\n")).strip()
            at = rest.find(wanted)
            self.assertGreaterEqual(at, 0, f"{place} does not print\n{wanted}\nbut\n{rest}")
            rest = rest[at + len(wanted):]

    def test_a_lock(self):
        self.follow(TUTORIALS / "a-lock.md")

    def test_before_there_is_code(self):
        self.follow(TUTORIALS / "before-there-is-code.md")

    def test_every_tutorial_has_a_test(self):
        tested = {name.removeprefix("test_").replace("_", "-") for name in dir(self) if name.startswith("test_")}
        self.assertEqual([page.name for page in TUTORIALS.glob("*.md") if page.stem not in tested], [])


class Site(unittest.TestCase):
    # ./dev docs: every page has its place, and no link is broken.
    def test_it_is_built_of_every_page(self):
        if subprocess.run(["sh", "-c", "command -v mkdocs"], capture_output=True, check=False).returncode != 0:
            self.skipTest("mkdocs is not installed (Debian: mkdocs-material)")
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([ROOT / "docs/site/build.py", folder], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            html = pathlib.Path(folder) / "html"
            self.assertTrue((html / "search/search_index.json").exists())
            self.assertEqual([page.stem for page in (ROOT / "docs").glob("*.md") if not (html / f"{page.stem}.html").exists()], [])
            # It needs no network: nothing is fetched from elsewhere.
            fetched = re.findall(r'<(?:script|link|img)[^>]*(?:src|href)="(https?://[^"]*)"', (html / "index.html").read_text())
            self.assertEqual(fetched, [])


if __name__ == "__main__":
    unittest.main()
