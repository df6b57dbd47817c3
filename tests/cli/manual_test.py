"""The pages for man say what the help says."""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from program import parcast

ROOT = pathlib.Path(__file__).resolve().parents[2]
VERBS = re.findall(r"^  parcast (\w+) ", parcast("help").stdout.decode(), re.MULTILINE)
DOCUMENTS = {"parcast-trace.5": "trace", "parcast-machine.5": "machine", "parcast-pamela.7": "pamela"}


def page_of(*words):
    return parcast("help", *words, "--man").stdout.decode()


def plain(page):
    """What a reader sees of it, more or less."""
    for sign, character in {r"\-": "-", r"\(aq": "'", r"\(ga": "`", r"\(ha": "^", r"\(ti": "~", r"\(rs": "\\"}.items():
        page = page.replace(sign, character)
    return re.sub(r"\\f[BIR]|\\&", "", page)


def options_in(help_text):
    """"--cpus", "-o", ... : they begin the lines of an option."""
    spelled = re.findall(r"^  (-[\w-]+(?:, --[\w-]+)?)", help_text, re.MULTILINE)
    return [name for spelling in spelled for name in spelling.split(", ")]


def document_page(page):
    name, _, section = page.rpartition(".")
    done = subprocess.run([sys.executable, "-B", ROOT / "cmake/package/document_page.py", "lowdown",
                           ROOT / f"docs/formats/{DOCUMENTS[page]}.md", name, section, "2026-11-28", "0.1.0"],
                          capture_output=True, text=True, check=True)
    return done.stdout


class Pages(unittest.TestCase):
    def test_parcast_1_names_every_verb(self):
        text = plain(page_of())
        self.assertTrue(VERBS)
        for verb in VERBS:
            self.assertIn(f".BR parcast-{verb} (1)", text)

    def test_the_page_of_a_verb_has_its_synopsis_and_every_option(self):
        for verb in VERBS:
            with self.subTest(verb=verb):
                said = parcast("help", verb).stdout.decode()
                text = plain(page_of(verb))
                self.assertIn(re.search(r"^Usage: (.*)$", said, re.MULTILINE).group(1), text)
                items = re.findall(r"^\.TP\n(-.*)$", text, re.MULTILINE)
                names = [name for item in items for name in re.findall(r"(?:^|, )(-[\w-]+)", item)]
                self.assertEqual(sorted(set(names)), sorted(set(options_in(said))))

    def test_the_name_line_is_what_apropos_reads(self):
        for verb in VERBS:
            self.assertRegex(page_of(verb), rf"\.SH NAME\nparcast\\-{verb} \\- \S")

    def test_see_also_leads_to_pages_that_exist(self):
        known = {"parcast", *(f"parcast-{verb}" for verb in VERBS), *(page.rpartition(".")[0] for page in DOCUMENTS)}
        for verb in VERBS:
            others = re.findall(r"^\.BR (\S+)", plain(page_of(verb)), re.MULTILINE)
            self.assertEqual([other for other in others if other not in known], [], verb)


class Languages(unittest.TestCase):
    def pages(self):
        yield "parcast.1", page_of()
        for verb in VERBS:
            yield f"parcast-{verb}.1", page_of(verb)
        if shutil.which("lowdown"):
            for page in DOCUMENTS:
                yield page, document_page(page)

    def complaints(self, *command):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in self.pages():
                path = pathlib.Path(folder) / name
                path.write_text(text)
                done = subprocess.run([*command, path], capture_output=True, text=True, check=False)
                yield name, [line for line in (done.stdout if "-Tlint" in command else done.stderr).splitlines() if line]

    @unittest.skipUnless(shutil.which("mandoc"), "there is no mandoc here")
    def test_mandoc_has_nothing_to_say(self):
        for name, said in self.complaints("mandoc", "-Tlint", "-W", "warning"):
            with self.subTest(page=name):
                self.assertEqual(said, [])

    @unittest.skipUnless(shutil.which("groff"), "there is no groff here")
    def test_groff_has_nothing_to_say(self):
        for name, said in self.complaints("groff", "-man", "-t", "-Kutf8", "-Tutf8", "-ww", "-z"):
            with self.subTest(page=name):
                self.assertEqual(said, [])


class Documents(unittest.TestCase):
    @unittest.skipUnless(shutil.which("lowdown"), "there is no lowdown here")
    def test_every_key_of_the_machine_file_is_on_its_page(self):
        document = (ROOT / "docs/formats/machine.md").read_text()
        keys = re.findall(r"^\| `([\w.]+)`", document, re.MULTILINE)
        self.assertTrue(keys)
        text = plain(document_page("parcast-machine.5"))
        self.assertEqual([key for key in keys if key not in text], [])


if __name__ == "__main__":
    unittest.main()
