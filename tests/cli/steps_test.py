"""Programs of steps: predicted by both algorithms on a network, generated, and refused with a place and a way out."""

import json
import pathlib
import tempfile
import unittest

try:
    import jsonschema
except ImportError:
    jsonschema = None

from program import INPUT, SCHEMAS, USAGE, parcast

ROOT = pathlib.Path(__file__).parents[2]
WAVE = ROOT / "examples/messages/diagonal-wave.json"
TWO_STEPS = ROOT / "tests/messages/two_steps.steps.json"


class Steps(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="parcast-steps-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def predicted(self, file, *words):
        result = parcast("predict", file, "--json", *words)
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        answer = json.loads(result.stdout)
        if jsonschema:
            jsonschema.validate(answer, json.loads((SCHEMAS / "predict.schema.json").read_text()))
        return answer

    def error(self, status, *words):
        result = parcast(*words)
        self.assertEqual(result.returncode, status, result.stderr.decode())
        return " ".join(result.stderr.decode().split())

    def test_the_wave_of_the_paper_takes_67_us_and_76_at_worst(self):
        standard, worst, overlapped = self.predicted(WAVE, "--network", "meiko-cs2")["predictions"]
        self.assertEqual((standard["method"], standard["time_ns"]), ("standard", 67000))
        self.assertEqual((worst["method"], worst["time_ns"]), ("overestimate", 76000))
        self.assertEqual((overlapped["method"], overlapped["time_ns"]), ("overlapped", 67000))
        self.assertEqual([rank for rank, ns in enumerate(standard["finish_ns"]) if ns == 67000], [6])
        self.assertEqual([rank for rank, ns in enumerate(worst["finish_ns"]) if ns == 76000], [5, 6, 7])
        self.assertEqual((worst["computation_ns"], worst["communication_ns"], worst["cycle_breaks"]), (0, 76000, 0))

    def test_a_network_is_a_preset_values_or_a_machine_file(self):
        preset = self.predicted(WAVE, "--network", "meiko-cs2")
        typed = self.predicted(WAVE, "--network", "loggp:L=9us,o=2us,g=14us,G=30ns")
        self.assertEqual(typed["predictions"], preset["predictions"])
        file = self.folder / "machine.toml"
        file.write_text('version = 1\nnetwork.kind = "loggp"\nnetwork.latency_ns = 9000\nnetwork.overhead_ns = 2000\n'
                        'network.gap_ns = 14000\nnetwork.gap_per_byte_ns = 30\n')
        for option in ("--network", "--machine"):
            self.assertEqual(self.predicted(WAVE, option, file)["predictions"], preset["predictions"])

    def test_clocks_are_carried_and_ties_are_drawn_the_same_by_the_same_seed(self):
        words = ("--network", "meiko-cs2", "--clocks", "carry", "--ties", "7")
        answer = self.predicted(TWO_STEPS, *words)
        self.assertEqual(answer["method"], {"name": "loggp", "clocks": "carry", "tie_seed": 7})
        self.assertEqual(answer, self.predicted(TWO_STEPS, *words))
        barrier = self.predicted(TWO_STEPS, "--network", "meiko-cs2")
        self.assertEqual(barrier["predictions"][0]["computation_ns"], 9000 + 3000)

    def test_ranks_are_listed(self):
        answer = self.predicted(TWO_STEPS, "--network", "infiniband-qdr", "--ranks-table")
        for row in answer["predictions"]:
            for rank, finish in zip(row["ranks"], row["finish_ns"], strict=True):
                self.assertEqual(rank["finish_ns"], finish)
                self.assertEqual(rank["computing_ns"] + rank["communicating_ns"] + rank["waiting_ns"], finish)

    def test_generated_programs_are_predicted(self):
        for words in (("gaussian-elimination", "--size", "96", "--block", "12", "--ranks", "3", "--layout", "diagonal"),
                      ("gaussian-elimination", "--size", "96", "--block", "32+16+48", "--layout", "block-cyclic-2d"),
                      ("cannon", "--size", "12", "--ranks", "9"), ("halo", "--size", "64", "--iterations", "3"),
                      ("matrix-product", "--size", "6", "--ranks", "27"), ("banded-lu", "--size", "5", "--window", "6", "--ranks", "9")):
            file = self.folder / "x.json"
            made = parcast("generate", "messages", *words, "-o", file, "--force", "--json")
            self.assertEqual(made.returncode, 0, made.stderr.decode())
            answer = json.loads(made.stdout)
            if jsonschema:
                jsonschema.validate(answer, json.loads((SCHEMAS / "generate.schema.json").read_text()))
            predicted = self.predicted(file, "--network", "loggopsim")
            self.assertEqual(predicted["input"]["messages"], answer["messages"])
            self.assertGreater(predicted["predictions"][0]["time_ns"], 0)

    def test_advice_is_what_a_change_brings_by_each_method(self):
        words = ("--network", "meiko-cs2", "--clocks", "carry")
        result = parcast("advise", TWO_STEPS, *words, "--json")
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        answer = json.loads(result.stdout)
        if jsonschema:
            schema = json.loads((SCHEMAS / "advise.schema.json").read_text())
            store = {"file:///predict.schema.json": json.loads((SCHEMAS / "predict.schema.json").read_text())}
            resolver = jsonschema.RefResolver("file:///advise.schema.json", schema, store=store)
            jsonschema.Draft202012Validator(schema, resolver=resolver).validate(answer)
        usual = self.predicted(TWO_STEPS, *words)["predictions"]
        self.assertEqual([at["method"] for at in answer["counts"]], [row["method"] for row in usual])
        self.assertEqual([at["time_ns"] for at in answer["counts"]], [row["time_ns"] for row in usual])
        tried = {(row["kind"], row["name"]): [each["change"] for each in row["what_if"]] for row in answer["counts"][0]["rows"]}
        self.assertEqual(set(tried), {("rank", ""), ("rank", "2"), ("rank", "0"), ("network", "L"), ("network", "o"),
                                      ("network", "g"), ("network", "G")})
        for key, changes in tried.items():
            for number, change in enumerate(changes):
                rows = self.predicted(TWO_STEPS, *words, "--no-sensitivity", "--what-if", change)["predictions"]
                for at, row in zip(answer["counts"], rows):
                    same = next(each for each in at["rows"] if (each["kind"], each["name"]) == key)
                    self.assertEqual(same["what_if"][number]["time_ns"], row["what_if"][0]["time_ns"], change)
        for at in answer["counts"]:
            halves = [each["gain"] for row in at["rows"] for each in row["what_if"] if each["factor"] == 0.5]
            self.assertEqual(halves, sorted(halves, reverse=True))
        text = " ".join(parcast("advise", TWO_STEPS, *words).stdout.decode().split())
        self.assertIn("half, overestimate half, overlapped", text)
        self.assertIn("--network meiko-cs2 --clocks carry --what-if", text)
        # Nothing is computed in the wave: only the network is left to be changed.
        text = " ".join(parcast("advise", WAVE, "--network", "meiko-cs2").stdout.decode().split())
        self.assertIn("computing takes 0 % of the time and communicating 100 %", text)
        self.assertIn("Computing does not decide the time", text)

    def test_without_a_network_it_is_said_which_there_are(self):
        self.assertIn("Name a network with --network: meiko-cs2", self.error(USAGE, "predict", WAVE))
        self.assertIn("there is no file meiko-cs", self.error(INPUT, "predict", WAVE, "--network", "meiko-cs"))
        self.assertIn("L is a time", self.error(USAGE, "predict", WAVE, "--network", "loggp:L=9"))
        self.assertIn("are L, o, O, g, G and S", self.error(USAGE, "predict", WAVE, "--network", "loggp:X=9us"))

    def test_errors_have_a_place(self):
        file = self.folder / "bad.json"
        file.write_text('{"ranks": 2, "steps": [{"messages": [[0, 0, 5]]}]}')
        self.assertIn("bad.json:1:38: rank 0 sends a message to itself", self.error(INPUT, "predict", file, "--network", "meiko-cs2"))
        self.assertIn("the nearest that do are 48 and 60",
                      self.error(USAGE, "generate", "messages", "gaussian-elimination", "--block", "50"))
        self.assertIn("--layout is for gaussian-elimination", self.error(USAGE, "generate", "messages", "halo", "--layout", "diagonal"))
        self.assertIn("what messages cost here is not known", self.error(USAGE, "view", WAVE))


if __name__ == "__main__":
    unittest.main()
