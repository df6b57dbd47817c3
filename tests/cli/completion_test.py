"""What shells offer: the shells themselves are asked."""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile
import unittest

from program import USAGE, parcast

HELP = parcast("help").stdout.decode()
VERBS = re.findall(r"^  parcast (\w+) ", HELP, re.MULTILINE)


def script(shell):
    return parcast("completion", shell).stdout.decode()


def options_of(verb):
    spelled = re.findall(r"^  (-[\w-]+(?:, --[\w-]+)?)", parcast("help", verb).stdout.decode(), re.MULTILINE)
    return {name for spelling in spelled for name in spelling.split(", ")}


def schedulers():
    """As the program itself lists them."""
    said = parcast("predict", "x.parcast", "--scheduler", "none").stderr.decode()
    listed = re.search(r"it is (.*), not", re.sub(r"\s+", " ", said)).group(1)
    return set(re.split(r", | or ", listed))


class WithFiles(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="parcast-completion-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for name in ("run.1.parcast", "server.toml", "notes.txt", "model.pam", "config/parcast/machines/build7.toml"):
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
        (self.folder / "script").write_text(script(self.SHELL))

    def run_in_shell(self, *command):
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, check=False, timeout=60,
                              env={"PATH": "/usr/bin:/bin", "HOME": str(self.folder), "XDG_CONFIG_HOME": str(self.folder / "config")})
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.splitlines()


@unittest.skipUnless(shutil.which("bash"), "there is no bash here")
class Bash(WithFiles):
    SHELL = "bash"

    def offered(self, *words):
        """For the last of the words behind `parcast`."""
        line = " ".join(shlex.quote(word) for word in ("parcast", *words))
        return self.run_in_shell("bash", "--norc", "-c", f"source ./script; COMP_WORDS=({line}) COMP_CWORD={len(words)}; "
                                 "_parcast; printf '%s\\n' \"${COMPREPLY[@]}\"")

    def test_every_verb(self):
        self.assertLessEqual(set(VERBS), set(self.offered("")))
        self.assertEqual(self.offered("pred"), ["predict"])
        self.assertEqual(self.offered("-q", "pred"), ["predict"], "options of every verb stand before it, too")
        self.assertEqual(self.offered("--color", "never", "-q", "pred"), ["predict"])
        self.assertEqual(set(self.offered("-q", "predict", "x.parcast", "--scheduler", "")), schedulers())

    def test_every_option_of_every_verb(self):
        for verb in VERBS:
            with self.subTest(verb=verb):
                self.assertEqual(set(self.offered(verb, "-")), options_of(verb))

    def test_values_from_the_tables(self):
        self.assertEqual(set(self.offered("predict", "x.parcast", "--scheduler", "")), schedulers())
        self.assertEqual(self.offered("predict", "--scheduler", "=", "lin"), ["linux", "linux-2.2"])
        self.assertIn("fifo,lpt", self.offered("predict", "--schedule", "fifo,l"))
        self.assertEqual(self.offered("completion", ""), ["bash", "zsh", "fish"])
        self.assertIn("taskgraph", self.offered("generate", ""))
        self.assertIn("cannon", self.offered("generate", "messages", "c"))
        self.assertLessEqual(set(VERBS), set(self.offered("help", "")))

    def test_recordings_and_models_are_inputs(self):
        found = self.offered("predict", "")
        self.assertLessEqual({"run.1.parcast", "model.pam"}, set(found))
        self.assertNotIn("notes.txt", found)
        self.assertEqual(self.offered("info", "run"), ["run.1.parcast"])

    def test_machine_files_are_those_here_and_those_measured(self):
        found = self.offered("predict", "run.1.parcast", "--machine", "")
        self.assertLessEqual({"server.toml", "default", f"{self.folder}/config/parcast/machines/build7.toml"}, set(found))
        self.assertNotIn("notes.txt", found)

    def test_nothing_is_offered_for_a_number(self):
        self.assertEqual([word for word in self.offered("predict", "--jobs", "") if word], [])

    def test_a_recorded_program_has_its_own_words(self):
        self.assertIn("bash", self.offered("record", "--", "bas"))
        self.assertIn("notes.txt", self.offered("record", "-o", "x.parcast", "--", "cat", "no"))
        self.assertNotIn("--pretend-cpus", self.offered("record", "--", "ls", "--"))


@unittest.skipUnless(shutil.which("fish"), "there is no fish here")
class Fish(WithFiles):
    SHELL = "fish"

    def offered(self, line):
        lines = self.run_in_shell("fish", "--no-config", "-c", f"source ./script; complete -C {shlex.quote(line)}")
        return [word.partition("\t")[0] for word in lines]

    def test_verbs_options_and_values(self):
        self.assertLessEqual(set(VERBS), set(self.offered("parcast ")))
        for verb in VERBS:
            with self.subTest(verb=verb):
                named = {name for name in options_of(verb) if name.startswith("--")}
                self.assertLessEqual(named, set(self.offered(f"parcast {verb} --")))
        self.assertEqual(set(self.offered("parcast predict x.parcast --scheduler ")), schedulers())
        self.assertIn("run.1.parcast", self.offered("parcast info "))
        self.assertIn("server.toml", self.offered("parcast predict --machine "))

    # Once an option preceded the program, nothing was offered.
    def test_a_recorded_program_has_its_own_words(self):
        for line in ("record -- bas", "record -o x.parcast -- bas", "record --cpu 1 -- bas", "scale --cpus 1,2 -- bas", "record --cpu 1 bas"):
            self.assertIn("bash", self.offered(f"parcast {line}"), line)
        self.assertIn("notes.txt", self.offered("parcast record -o x.parcast -- cat no"))

    # It complained about a wildcard without matches.
    def test_without_measured_machines_nothing_is_said(self):
        done = subprocess.run(["fish", "--no-config", "-c", "source ./script; __parcast_machines"], cwd=self.folder,
                              env=os.environ | {"XDG_CONFIG_HOME": str(self.folder)}, capture_output=True, check=False)
        self.assertEqual((done.stdout, done.stderr), (b"", b""))


@unittest.skipUnless(shutil.which("zsh"), "there is no zsh here")
class Zsh(WithFiles):
    SHELL = "zsh"

    # _arguments itself judges the specifications: compadd stands for what it would show.
    def test_verbs_options_and_values(self):
        self.run_in_shell("zsh", "-f", "-n", "./script")
        offered = "\n".join(self.run_in_shell("zsh", "-f", "-c", ZPTY))
        for word in ("--schedule ", "linux-2.2", "run.1.parcast"):
            self.assertIn(word, offered)


# A shell in a terminal of its own, in which tabs are typed. Each answer is waited for.
ZPTY = r"""
zmodload zsh/zpty
zpty -b shell zsh -f
await() { zpty -r -m shell answer "*$1*" && print -r -- $answer }
zpty -w shell 'PS1=; autoload -U compinit; compinit -u -D; source ./script; setopt list_packed; stty cols 200; print rea""dy'
await ready
zpty -w -n shell $'parcast predict --sched\t\t'; await schedule
zpty -w -n shell $'\x15parcast predict x.parcast --scheduler lin\t\t'; await linux-2.2
zpty -w -n shell $'\x15parcast info run\t'; await run.1.parcast
zpty -d shell
"""


class Errors(unittest.TestCase):
    def test_another_shell_is_an_error_that_names_those_that_there_are(self):
        result = parcast("completion", "csh")
        self.assertEqual((result.returncode, result.stdout), (USAGE, b""))
        self.assertIn(b"bash, zsh and fish", result.stderr)


if __name__ == "__main__":
    unittest.main()
