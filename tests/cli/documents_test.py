"""The documents name files, options and output that exist."""

import pathlib
import re
import shlex
import subprocess
import unittest

from program import PARCAST

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"


def documents():
    return [*ROOT.glob("*.md"), *DOCS.rglob("*.md"), *(ROOT / "examples").glob("*.md"), *(ROOT / "tests").glob("*/README.md")]


def anchors(path):
    """As GitHub names them: of each heading its words in small letters, without punctuation."""
    found = set()
    for heading in re.findall(r"^#+ (.*)$", path.read_text(), re.MULTILINE):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").strip().lower()
        found.add(re.sub(r"[^\w\- ]", "", words).replace(" ", "-"))
    return found


def joined(text):
    """Commands that go on in the next line, in one."""
    return re.sub(r"\\\n +", "", text)


def printed_examples(text):
    """(command, output) of each indented block that begins with `$ parcast`."""
    for block in re.findall(r"^    \$ parcast (.*\n(?:(?:    (?!\$ ).*)?\n)*)", joined(text), re.MULTILINE):
        command, _, output = block.partition("\n")
        yield command, re.sub(r"^    ", "", output, flags=re.MULTILINE).strip("\n")


def shows(output, printed):
    """Whether it is what was printed; `...` stands for any lines."""
    pattern = "".join("(?:.*\n)*" if line == "..." else re.escape(line) + "\n" for line in output.split("\n"))
    return re.fullmatch(pattern, printed.strip("\n") + "\n") is not None


class Documents(unittest.TestCase):
    def test_no_link_is_dead(self):
        dead = []
        for document in documents():
            for target in re.findall(r"(?:\]\(|src=\"|srcset=\")([^)\"\s]+)", document.read_text()):
                if target.startswith("http"):
                    continue
                path, _, anchor = target.partition("#")
                place = (document.parent / path).resolve() if path else document
                if not place.exists() or (anchor and anchor not in anchors(place)):
                    dead.append(f"{document.relative_to(ROOT)}: {target}")
        self.assertEqual(dead, [])

    def test_the_index_has_every_page(self):
        index = (DOCS / "index.md").read_text()
        pages = [page.relative_to(DOCS).as_posix() for page in (*DOCS.glob("*.md"), *(DOCS / "formats").glob("*.md")) if page.name != "index.md"]
        self.assertEqual([page for page in pages if f"({page}" not in index], [])

    def test_every_decision_is_listed_by_topic(self):
        folder = DOCS / "decisions"
        listed = (folder / "README.md").read_text()
        self.assertEqual([page.name for page in sorted(folder.glob("2*.md")) if f"({page.name})" not in listed], [])

    def test_files_of_the_source_that_are_named_exist(self):
        missing = []
        # Decisions are of their day.
        for document in (document for document in documents() if document.parent.name != "decisions"):
            for path in re.findall(r"`((?:src|tests|web|bench|docs|examples|cmake)/[\w./*-]+)`", document.read_text()):
                if not list(ROOT.glob(path.rstrip("/"))):
                    missing.append(f"{document.relative_to(ROOT)}: {path}")
        self.assertEqual(missing, [])

    def test_the_page_of_a_verb_has_every_option_of_its_help(self):
        for page in DOCS.glob("*.md"):
            done = subprocess.run([PARCAST, "help", page.stem], capture_output=True, text=True, check=False)
            if done.returncode == 0:
                own, of_every_verb = done.stdout.split("\nFor every verb (docs/command-line.md):\n")
                options = set(re.findall(r"^  (?:-\w, )?(--[a-z-]+)", own, re.MULTILINE))
                text = page.read_text()
                self.assertEqual([option for option in sorted(options) if option not in text], [], page.name)
                shared = re.findall(r"^  (?:-\w, )?(--[a-z-]+)", of_every_verb, re.MULTILINE)
                self.assertEqual([option for option in shared if f"`{option}" not in (DOCS / "command-line.md").read_text()], [])

    def test_examples_print_what_the_pages_show(self):
        checked = 0
        for page in ("formula.md", "messages.md", "pamela.md", "predict.md", "signature.md", "tune.md"):
            for command, output in printed_examples((DOCS / page).read_text()):
                # Simulations take seconds, psrs is shown with its lines broken, model.pam is any model.
                if any(word in command for word in ("--method", "psrs.pam", " model.pam")):
                    continue
                command = re.sub(r" --plot \S+", "", command)  # test_pictures_are_what_their_commands_draw
                done = subprocess.run([PARCAST, *shlex.split(command)], cwd=ROOT, capture_output=True, text=True, check=True)
                if not shows(output, done.stdout):
                    self.assertEqual(done.stdout.strip("\n"), output, f"{page}: parcast {command}")
                checked += 1
        self.assertGreaterEqual(checked, 10)

    def test_pictures_are_what_their_commands_draw(self):
        drawn = set()
        for page in DOCS.glob("*.md"):
            for command, name in re.findall(r"^    (?:\$ )?parcast (.*) --plot ([\w-]+\.svg)$", joined(page.read_text()), re.MULTILINE):
                picture = DOCS / "images" / name
                if picture.exists() and (command, name) not in drawn:
                    drawn.add((command, name))
                    done = subprocess.run([PARCAST, *shlex.split(command), "--plot", "-"], cwd=ROOT, capture_output=True, text=True, check=True)
                    self.assertEqual(done.stdout, picture.read_text(), f"{page}: parcast {command} --plot docs/images/{name}")
        self.assertGreaterEqual(len(drawn), 3)


if __name__ == "__main__":
    unittest.main()
