"""parcast signature of task graphs, steps and messages: the static analysis of a mapping."""

import json
import pathlib
import tempfile
import unittest

from program import INPUT, SCHEMAS, USAGE, parcast

ROOT = SCHEMAS.parent.parent
ALLREDUCE = ROOT / "tests/messages/allreduce.ti"


class Mapping(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="parcast-mapping-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def generated(self, *words):
        file = self.folder / "generated.json"
        made = parcast("generate", *words, "-o", file, "--force")
        self.assertEqual(made.returncode, 0, made.stderr.decode())
        return file

    def answer(self, *words):
        result = parcast("signature", *words, "--json")
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        answer = json.loads(result.stdout)
        try:
            import jsonschema
        except ImportError:
            return answer
        jsonschema.validate(answer, json.loads((SCHEMAS / "signature-mapping.schema.json").read_text()))
        return answer

    def refusal(self, status, *words):
        result = parcast("signature", *words)
        self.assertEqual(result.returncode, status, result.stderr.decode())
        return result.stderr.decode()

    def test_the_examples_of_the_report_have_its_events(self):
        row = self.answer(self.generated("messages", "matrix-product", "--size", "12", "--ranks", "64"))["mappings"][0]
        self.assertEqual((row["threads"], row["events"]), (64, 304))
        row = self.answer(self.generated("messages", "banded-lu", "--size", "100", "--window", "16", "--ranks", "16"))["mappings"][0]
        self.assertEqual((row["events"], row["alpha_ns"], row["beta_bytes"]), (4016, 11.65, 32))

    def test_a_graph_is_mapped_by_each_static_schedule(self):
        graph = self.generated("taskgraph", "dynprog", "--size", "40")
        for schedule in ("block", "cyclic", "pinned"):
            found = self.answer(graph, "--cpus", "2,4,8", "--schedule", schedule)
            self.assertEqual([row["threads"] for row in found["mappings"]], [2, 4, 8])
            for row in found["mappings"]:
                self.assertEqual(sum(each["tasks"] for each in row["rows"]), row["tasks"])
                self.assertAlmostEqual(sum(each["work_ns"] for each in row["rows"]), row["work_ns"], delta=1e-6 * row["work_ns"])
                self.assertEqual(sum(each["events"] for each in row["rows"]), row["events"])
            self.assertIsNotNone(found["characteristic"])

    def test_a_list_of_threads_is_a_mapping(self):
        graph = self.folder / "four.json"
        graph.write_text(json.dumps({"schema": "parcast.taskgraph/2", "groups": [{"count": 4, "time": 10}]}))
        mapping = self.folder / "mapping.txt"
        mapping.write_text("# a thread each\n0\n0\n0\n1\n")
        row = self.answer(graph, "--mapping", mapping, "--matrices")["mappings"][0]
        self.assertEqual([each["tasks"] for each in row["rows"]], [3, 1])
        self.assertAlmostEqual(row["imbalance"], 0.5)
        self.assertEqual(row["matrices"]["thread_of_task"], [0, 0, 0, 1])
        mapping.write_text("0\n1\n")
        self.assertIn("2 threads", self.refusal(INPUT, graph, "--mapping", mapping))
        mapping.write_text("0\nx\n")
        self.assertIn("mapping.txt:2", self.refusal(INPUT, graph, "--mapping", mapping))

    def test_collective_operations_are_events_with_data(self):
        row = self.answer(ALLREDUCE)["mappings"][0]
        self.assertGreater(row["events"], row["threads"])
        self.assertGreater(row["beta_bytes"], 0)

    def test_what_has_no_answer_says_what_to_do(self):
        graph = self.generated("taskgraph", "polyroots")
        self.assertIn("--cpus 4,16", self.refusal(USAGE, graph))
        self.assertIn("block, cyclic, split and pinned", self.refusal(USAGE, graph, "--cpus", "4", "--schedule", "fifo"))
        self.assertIn("erlang:K", self.refusal(USAGE, graph, "--cpus", "4", "--law", "gamma"))
        steps = self.generated("messages", "cannon", "--size", "12", "--ranks", "9")
        self.assertIn("9 ranks", self.refusal(USAGE, steps, "--cpus", "4"))


if __name__ == "__main__":
    unittest.main()
