"""An installation works wherever it is moved, and its libraries fit into programs of old systems."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

BUILD = pathlib.Path(os.environ["PARCAST_BUILD"])
CMAKE = os.environ.get("PARCAST_CMAKE", "cmake")
# Debian 11's. What runs there runs on every later one.
OLDEST_GLIBC = (2, 31)


def run(*command, **options):
    return subprocess.run([*map(str, command)], capture_output=True, text=True, check=False, timeout=100, **options)


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="parcast-install-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        done = run(CMAKE, "--install", BUILD, "--prefix", cls.folder / "first")
        if done.returncode != 0:
            raise AssertionError(done.stdout + done.stderr)
        cls.prefix = cls.folder / "moved here: later"
        (cls.folder / "first").rename(cls.prefix)
        cls.program = cls.prefix / "bin/parcast"
        cls.environment = {**os.environ, "XDG_CONFIG_HOME": "/nonexistent"}

    def parcast(self, *words):
        done = run(self.program, *words, cwd=self.folder, env=self.environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def test_it_records_and_predicts_where_it_was_moved(self):
        self.parcast("record", "-o", "one.parcast", "--", BUILD / "examples/histogram", "2", "8", "10000")
        text = self.parcast("predict", "one.parcast", "--cpus", "1,2").stdout
        self.assertRegex(text, r"(?m)^ +2 +\S+ [µm]s")
        self.parcast("report", "one.parcast", "-o", "one.html")
        self.assertIn("<!DOCTYPE html>", (self.folder / "one.html").read_text()[:100])

    def test_it_finds_the_library_that_binds_threads(self):
        (self.folder / "plan.toml").write_text("version = 1\n\n[[thread]]\nname = \"*\"\ncpu = 0\n")
        for _ in range(2):  # a link that the first run left behind kept the second one from being bound
            done = run(self.program, "run", "--plan", "plan.toml", "--", BUILD / "examples/histogram", "2", "8", "10000",
                       cwd=self.folder, env=self.environment)
            self.assertIn("no thread had", done.stderr, "the plan was read, and names none of them")
            self.assertNotIn("preloaded", done.stderr)
            self.assertIn("items counted", done.stdout)
        self.assertFalse((pathlib.Path(tempfile.gettempdir()) / "libparcast-binder.so").is_symlink())

    def test_every_verb_has_a_page_and_every_shell_its_completion(self):
        overview = self.parcast("help").stdout
        verbs = re.findall(r"^  parcast (\w+) ", overview, re.MULTILINE)
        pages = {page.name for page in self.prefix.glob("share/man/man1/*")}
        self.assertEqual(pages, {"parcast.1.gz", *(f"parcast-{verb}.1.gz" for verb in verbs)})
        for name in ("bash-completion/completions/parcast", "fish/vendor_completions.d/parcast.fish"):
            self.assertIn("predict", (self.prefix / "share" / name).read_text())
        self.assertEqual(len(list(self.prefix.glob("share/zsh/*/_parcast"))), 1)

    def test_documents_and_examples_are_there(self):
        for name in ("docs/formats/machine.md", "docs/record.md", "examples/histogram.c", "copyright", "changelog.gz"):
            self.assertTrue((self.prefix / "share/doc/parcast" / name).is_file(), name)

    def test_libraries_for_host_programs_need_no_symbol_of_a_newer_glibc(self):
        libraries = list(self.prefix.rglob("libparcast-*.so"))
        self.assertEqual({library.name for library in libraries}, {"libparcast-recorder.so", "libparcast-binder.so"})
        for library in libraries:
            needed = run("objdump", "-T", library).stdout
            versions = {tuple(map(int, version.split("."))) for version in re.findall(r"\(GLIBC_([\d.]+)\)", needed)}
            self.assertTrue(versions)
            newer = [line for line in needed.splitlines() for version in re.findall(r"\(GLIBC_([\d.]+)\)", line)
                     if tuple(map(int, version.split("."))) > OLDEST_GLIBC]
            self.assertEqual(newer, [], library.name)


if __name__ == "__main__":
    unittest.main()
