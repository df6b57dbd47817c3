"""Every code of parcast: its page, and the example that provokes it.

    codes_test.py --write    writes docs/findings.md from `parcast help codes --json`
"""

import concurrent.futures
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import textwrap
import unittest

from program import PARCAST, SCHEMAS, USAGE, parcast

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PAGE = ROOT / "docs/findings.md"
INPUT_FOLDERS = ["tests/changes/inputs", "tests/taskgraphs", "examples/taskgraphs", "examples/pamela", "examples/threads",
                 "tests/messages", "examples/messages", "tests/stg", "tests/fuzz/model_fuzz"]
INPUTS = {path.name: path for folder in INPUT_FOLDERS for path in (ROOT / folder).iterdir() if path.is_file()}
INPUTS["n50.stg"] = ROOT / "tests/stg/n50-rand0000.stg"
COMPILER = shutil.which("cc") or shutil.which("gcc")
TIME_LIMIT_S = 60
TITLES = {"finding": "Findings about recordings", "assumption": "Assumptions of forecasts", "error": "Errors"}


WIDTH = 110


def item(text):
    return textwrap.wrap("- " + text, WIDTH, subsequent_indent="  ", break_on_hyphens=False)


def codes():
    return json.loads(parcast("help", "codes", "--json").stdout)["codes"]


def page_of(rows):
    lines = ["# What the codes mean", "",
             "Each finding about a recording, each assumption of a forecast and each error has a short name. Messages print it in",
             "brackets, JSON has it as `kind` of a finding and in `assumption_codes`, and `parcast help CODE` prints what is below.",
             "Errors in the command line (`usage`) are printed without it. Codes keep their meaning from version to version.", "",
             "    $ parcast help spin_waiting", "",
             "Examples use the inputs of `tests/changes/inputs` and `examples/`; `./doubtful` is `tests/cli/doubtful.c`. A test runs all of",
             "them and writes this page: `tests/cli/codes_test.py --write`."]
    for kind, title in TITLES.items():
        lines += ["", f"## {title}"]
        for row in rows:
            if row["kind"] != kind:
                continue
            lines += ["", f"### {row['code']}", "", *textwrap.wrap(row["meaning"], WIDTH), ""]
            lines += item(f"Noticed: {row['noticed']}") + item(f"What to do: {row['remedy']}")
            if row["example"]:
                lines += ["", "```", *(f"$ {line}" for line in row["example"].split("\n")), "```"]
            else:
                lines += item(f"No example here: {row['without_example']}.")
    return "\n".join(lines) + "\n"


def build_programs(folder):
    """The programs that examples name as ./NAME."""
    def compile(name, *arguments):
        subprocess.run([COMPILER, "-O1", "-g", "-o", folder / name, *arguments], check=True, cwd=folder)
    empty = folder / "empty.c"
    empty.write_text("int main(void) { return 0; }\n")
    library = folder / "library.c"
    library.write_text("int of_tbb(void) { return 0; }\n")
    compile("doubtful", HERE / "doubtful.c", "-lpthread")
    compile("libtbb.so.12", "-shared", "-fPIC", "-Wl,-soname,libtbb.so.12", library)
    compile("with_tbb", empty, "-Wl,--no-as-needed", folder / "libtbb.so.12", "-Wl,-rpath,$ORIGIN")
    compile("static", "-static", empty)
    foreign = bytearray((folder / "doubtful").read_bytes())
    foreign[18:20] = (183).to_bytes(2, "little")  # e_machine: AArch64
    (folder / "foreign").write_bytes(foreign)
    (folder / "foreign").chmod(0o755)


def outputs_of(row, programs):
    """What the last command of the example prints."""
    environment = {"PATH": f"{pathlib.Path(PARCAST).resolve().parent}:/usr/bin:/bin", "HOME": "/nonexistent",
                   "XDG_CONFIG_HOME": "/nonexistent", "LC_ALL": "C", "NO_COLOR": "1"}
    with tempfile.TemporaryDirectory(prefix="parcast-codes-") as folder:
        for name in programs.iterdir():
            os.symlink(name, pathlib.Path(folder) / name.name)
        for word in row["example"].split():
            if word in INPUTS:
                shutil.copy(INPUTS[word], pathlib.Path(folder) / word)
        for line in row["example"].split("\n"):
            result = subprocess.run(["sh", "-c", line], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=TIME_LIMIT_S)
        return result.stdout.decode(errors="replace")


def provoked(row, output):
    """Lines break within a message, not within a code; usage is printed without it. JSON has it in `assumption_codes`."""
    expected = ["Did you mean: --cpus"] if row["code"] == "usage" else [f"[{row['code']}]", f'"{row["code"]}"']
    return any(text in output for text in expected)


class Codes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.rows = codes()

    def test_the_page_is_what_help_says(self):
        self.assertEqual(PAGE.read_text(), page_of(self.rows), "write it: tests/cli/codes_test.py --write")

    def test_codes_are_unique_and_explained(self):
        names = [row["code"] for row in self.rows]
        self.assertEqual(len(names), len(set(names)))
        for row in self.rows:
            self.assertTrue(row["meaning"] and row["noticed"] and row["remedy"], row["code"])
            self.assertNotEqual(bool(row["example"]), bool(row["without_example"]), row["code"])

    def test_every_example_provokes_its_code(self):
        if not COMPILER:
            self.skipTest("there is no C compiler")
        with tempfile.TemporaryDirectory(prefix="parcast-codes-") as folder:
            programs = pathlib.Path(folder)
            build_programs(programs)
            rows = [row for row in self.rows if row["example"]]
            with concurrent.futures.ThreadPoolExecutor(2) as pool:
                outputs = list(pool.map(lambda row: outputs_of(row, programs), rows))
            # What depends on time may fail beside other programs.
            for _ in range(4):
                outputs = [output if provoked(row, output) else outputs_of(row, programs) for row, output in zip(rows, outputs)]
        for row, output in zip(rows, outputs):
            with self.subTest(code=row["code"]):
                if row["code"] == "busy_waiting" and "was seen waiting" not in output:
                    continue  # programs may not be watched (ptrace) everywhere
                self.assertTrue(provoked(row, output), output[-2000:])

    def test_help_of_a_code(self):
        text = parcast("help", "spin_waiting").stdout.decode()
        self.assertTrue(text.startswith("spin_waiting: a finding about a recording\n"))
        for head in ("Meaning", "Noticed", "What to do", "Example"):
            self.assertIn(f"\n{head} ", text)

    def test_a_misspelt_code_gets_the_right_one(self):
        result = parcast("help", "spin_wating")
        self.assertEqual(result.returncode, USAGE)
        self.assertIn("Did you mean: parcast help spin_waiting", result.stderr.decode())

    def test_every_assumption_of_ours_has_a_code(self):
        with tempfile.TemporaryDirectory(prefix="parcast-codes-") as folder:
            for name, options in (("lu.parcast", []), ("told.parcast", []), ("gateway.parcast", []), ("radix_sort.parcast", []),
                                  ("stencil.json", ["--memory", "ddr4-2-channels"]), ("two.pam", ["--method", "both", "--runs", "100"]),
                                  ("allreduce.ti", ["--network", "loggopsim"]), ("two_steps.steps.json", ["--network", "meiko-cs2"])):
                shutil.copy(INPUTS[name], folder)
                result = parcast("predict", name, "--json", *options, cwd=folder)
                answer = json.loads(result.stdout)
                self.assertEqual(len(answer["assumptions"]), len(answer["assumption_codes"]))
                for sentence, code in zip(answer["assumptions"], answer["assumption_codes"]):
                    self.assertTrue(code, f"{name}: {sentence}")

    def test_json_is_what_its_schema_says(self):
        try:
            import jsonschema
        except ImportError:
            self.skipTest("python3-jsonschema is not installed")
        answer = json.loads(parcast("help", "codes", "--json").stdout)
        jsonschema.Draft202012Validator(json.loads((SCHEMAS / "codes.schema.json").read_text())).validate(answer)


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        PAGE.write_text(page_of(codes()))
    else:
        unittest.main()
