"""parcast record: what it refuses before it runs anything, and what it leaves to the program."""

import json
import os
import shutil
import signal
import unittest

from whole import PARCAST, InFolder, json_of, record, run


class Refused(InFolder):
    """Each with a reason and a way out, and nothing run."""

    def program(self, name, content, mode=0o755):
        path = self.folder / name
        path.write_bytes(content)
        path.chmod(mode)
        return path

    def test_programs_that_cannot_be_run(self):
        cases = [
            (self.folder / "missing", 127, "missing", "a path of nothing"),
            ("no-such-program-at-all", 127, "PATH", "a name of nothing"),
            (self.folder, 126, "folder", "a folder"),
            (self.program("plain", b"text", 0o644), 126, "chmod", "a file without the right to execute"),
            (self.program("words", b"just words"), 126, "-- sh", "neither a program nor a script"),
            (self.program("script", b"#!/no/such/shell\n"), 127, "/no/such/shell", "its interpreter is missing"),
        ]
        for program, status, word, why in cases:
            with self.subTest(why):
                self.assert_explains(record(self.folder / "x.parcast", program), status, word)

    def test_a_32_bit_program(self):
        header = b"\x7fELF\x01\x01\x01" + bytes(9) + b"\x02\x00\x03\x00" + bytes(100)
        self.assert_explains(record(self.folder / "x.parcast", self.program("old", header)), 125, "machine")

    @unittest.skipUnless(os.geteuid() == 0, "only root can make a file that is another's and setuid")
    def test_a_setuid_program(self):
        program = self.folder / "privileged"
        shutil.copy("/bin/true", program)
        os.chown(program, 65534, 65534)
        program.chmod(0o4755)
        self.assert_explains(record(self.folder / "x.parcast", program), 125, "setuid", "cp")

    def test_a_cpu_that_is_not_there(self):
        result = run(PARCAST, "record", "--cpu", "8000", "--", "true", cwd=self.folder)
        self.assert_explains(result, 125, "8000", "--cpu")

    def test_an_output_that_exists(self):
        trace = self.folder / "there.parcast"
        trace.write_text("precious")
        mark = self.folder / "mark"
        self.assert_explains(record(trace, "touch", mark), 125, "there.parcast", "Remove")
        self.assertFalse(mark.exists())


class LeftToTheProgram(InFolder):
    def test_status_and_output(self):
        for command in (["sh", "-c", "echo out; echo err >&2; exit 7"], ["sh", "-c", "kill -TERM $$"]):
            with self.subTest(command=command):
                trace = self.folder / f"{len(list(self.folder.iterdir()))}.parcast"
                plain, recorded = run(*command), record(trace, *command)
                status = plain.returncode if plain.returncode >= 0 else 128 - plain.returncode
                self.assertEqual(recorded.returncode, status)
                self.assertEqual(recorded.stdout, plain.stdout)
                self.assertTrue(recorded.stderr.startswith(plain.stderr))

    def test_pretended_processors(self):
        result = run(PARCAST, "record", "--pretend-cpus", "24", "-o", self.folder / "n.parcast", "--", "nproc")
        self.assertEqual(result.stdout, b"24\n")


class Traces(InFolder):
    def test_a_program_that_replaces_the_first_one_has_the_named_trace(self):
        trace = self.recorded("main", "env", "X=1", "true")
        self.assertEqual(json_of("info", trace)["input"]["command"], ["true"])
        names = sorted(path.name for path in self.folder.iterdir())
        self.assertRegex(names[0], r"^main\.[0-9]+\.parcast$", "env itself")
        self.assertEqual(names[1:], ["main.parcast"])

    def test_every_process_has_one(self):
        self.recorded("main", "sh", "-c", "true & /bin/true; wait")
        self.assertGreaterEqual(len(list(self.folder.iterdir())), 3)

    def test_a_killed_program_is_named_with_its_signal(self):
        trace = self.folder / "x.parcast"
        result = record(trace, "sh", "-c", "kill -9 $$")
        self.assertEqual(result.returncode, 128 + signal.SIGKILL)
        self.assertIn(b"signal 9", result.stderr)
        self.assertEqual(json_of("info", trace)["schema"], "parcast.info/1")

    def test_the_report_as_json(self):
        trace = self.folder / "x.parcast"
        result = run(PARCAST, "record", "--json", "-o", trace, "--", "sh", "-c", "echo hi; exit 3")
        answer = json.loads(result.stderr)
        self.assertEqual(answer["schema"], "parcast.record/1")
        self.assertEqual(answer["exit_status"], 3)
        self.assertEqual([entry["file"] for entry in answer["recordings"]], [str(trace)])
        self.assertEqual(answer["recordings"][0]["bytes"], trace.stat().st_size)


if __name__ == "__main__":
    unittest.main()
