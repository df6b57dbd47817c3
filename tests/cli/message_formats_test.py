"""Message programs of other tools, written in each other's formats by parcast extract."""

import json
import pathlib
import tempfile
import unittest

try:
    import jsonschema
except ImportError:
    jsonschema = None

from program import IMPOSSIBLE, INPUT, SCHEMAS, USAGE, parcast

GOAL = """num_ranks 2

rank 0 {
l0: calc 1000
l1: send 100b to 1 tag 7
l1 requires l0
}

rank 1 {
recv 100b from 0 tag 7
}
"""
TRACE = "0 init\n0 compute 1000\n0 send 1 7 100\n0 finalize\n1 init\n1 recv 0 7 100\n1 finalize\n"


class MessageFormats(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="parcast-messages-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def file(self, name, text=None):
        if text is not None:
            (self.folder / name).write_text(text)
        return self.folder / name

    def extract(self, source, target, *options, status=0):
        result = parcast("extract", source, "-o", target, *options)
        self.assertEqual(result.returncode, status, result.stderr.decode())
        return result

    def said(self, *words, **status):
        return " ".join(self.extract(*words, **status).stderr.decode().split())

    def test_each_format_becomes_each_other(self):
        source = self.file("a.goal", GOAL)
        for name in ("b.bin", "c.ti", "d.dim", "e.goal"):
            self.extract(source, self.file(name))
            source = self.file(name)
        self.assertEqual(self.file("e.goal").read_text(), GOAL)
        self.assertEqual(self.file("c.ti").read_text(), TRACE)

    def test_a_trace_may_be_a_list_of_files(self):
        self.file("0.ti", TRACE[:TRACE.index("1 init")])
        self.file("1.ti", TRACE[TRACE.index("1 init"):])
        self.extract(self.file("all.list", "0.ti\n1.ti\n"), self.file("a.goal"))
        self.assertEqual(self.file("a.goal").read_text(), GOAL)

    def test_collectives_become_messages_by_the_named_algorithm(self):
        trace = self.file("b.ti", "".join(f"{rank} init\n{rank} barrier\n" for rank in range(4)))
        said = self.said(trace, self.file("b.goal"), "--collectives", "barrier=linear")
        self.assertIn("in this format: collective operations are messages: barrier by linear (1)", said)
        self.assertEqual(self.file("b.goal").read_text().count("send"), 2 * 3)
        self.extract(trace, self.file("c.dim"))
        self.assertEqual(self.file("c.dim").read_text().count("10:"), 4)
        wrong = self.said(trace, self.file("d.goal"), "--collectives", "barrier=ring", status=USAGE)
        self.assertIn("barrier has no algorithm 'ring'", wrong)

    def test_the_answer_is_documented(self):
        result = self.extract(self.file("a.goal", GOAL), self.file("a.bin"), "--json")
        answer = json.loads(result.stdout)
        self.assertEqual((answer["ranks"], answer["operations"], answer["format"], answer["work_ns"]),
                         (2, 3, "goal-binary", 1000))
        if jsonschema:
            jsonschema.validate(answer, json.loads((SCHEMAS / "extract.schema.json").read_text()))

    def test_what_cannot_be_written_is_refused(self):
        source = self.file("a.goal", GOAL)
        self.assertIn("NAME.goal, NAME.bin, NAME.ti or NAME.dim", self.said(source, self.file("a.json"), status=USAGE))
        backwards = self.file("b.goal", "num_ranks 1\nrank 0 {\na: calc 1\nb: calc 2\na requires b\n}\n")
        self.assertIn("listed behind it", self.said(backwards, self.file("b.ti"), status=IMPOSSIBLE))
        graph = self.file("g.json", '{"schema": "parcast.taskgraph/2", "groups": [{"time": 1}]}')
        self.assertIn("is for a message program", self.said(graph, self.file("g.bin"), status=USAGE))

    def test_damage_has_a_place(self):
        said = self.said(self.file("a.goal", GOAL.replace("to 1", "to 2")), self.file("a.bin"), status=INPUT)
        self.assertIn("a.goal:5:18: there is no rank 2; the last one is rank 1", said)


if __name__ == "__main__":
    unittest.main()
