"""Message programs of other tools: predicted on a network, held to the times of their own tools, and refused with a way out."""

import json
import pathlib
import tempfile
import unittest

try:
    import jsonschema
except ImportError:
    jsonschema = None

from program import IMPOSSIBLE, INPUT, SCHEMAS, USAGE, parcast

ROOT = pathlib.Path(__file__).parents[2]
RING = ROOT / "tests/messages/ring.goal"
TRACE = ROOT / "tests/messages/allreduce.ti"
SAMPLES = ROOT.parent / "shared/data/samples"
# LogGOPSim's own times: "LogGOPSim -f pingpong.bin" and so on, with its default values and with others.
OTHER = "loggops:L=1us,o=200ns,g=300ns,G=2ns,O=1ns,S=65535"
OF_LOGGOPSIM = {("pingpong", "loggopsim"): [15688, 10594], ("pingpong", OTHER): [6696, 4897],
                ("fork", "loggopsim"): [17268, 10042, 10542, 11042], ("fork", OTHER): [5928, 4621, 3935, 3249],
                ("rendezvous", "loggopsim"): [1000010, 1601494], ("rendezvous", OTHER): [1000010, 1200198],
                ("unexpected", "loggopsim"): [1510, 1007494]}


class Messages(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="parcast-messages-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def predicted(self, file, *words, status=0):
        result = parcast("predict", file, "--json", *words)
        self.assertEqual(result.returncode, status, result.stderr.decode())
        answer = json.loads(result.stdout)
        if jsonschema:
            jsonschema.validate(answer, json.loads((SCHEMAS / "predict.schema.json").read_text()))
        return answer

    def error(self, status, *words):
        result = parcast(*words)
        self.assertEqual(result.returncode, status, result.stderr.decode())
        return " ".join(result.stderr.decode().split())

    @unittest.skipUnless(SAMPLES.is_dir(), "the samples of other tools are not beside this clone")
    def test_the_samples_of_goal_take_what_their_own_tool_says(self):
        for (name, network), finish in OF_LOGGOPSIM.items():
            for ending, form in ((".goal", "goal"), (".bin", "goal-binary")):
                with self.subTest(sample=name + ending, network=network):
                    answer = self.predicted(SAMPLES / (name + ending), "--network", network)
                    self.assertEqual(answer["input"]["format"], form)
                    self.assertEqual(answer["predictions"][0]["finish_ns"], finish)

    @unittest.skipUnless(SAMPLES.is_dir(), "the samples of other tools are not beside this clone")
    def test_every_sample_is_predicted(self):
        for name in ("recv_order.goal", "twocpu.goal", "zero.goal", "pingpong.dim", "sg_shared.ti", "sg_shared.list", "sg_split.list",
                     "sg_nonblocking.list"):
            with self.subTest(sample=name):
                answer = self.predicted(SAMPLES / name, "--network", "loggops:L=2500ns,G=0.1ns")
                self.assertGreater(answer["predictions"][0]["time_ns"], 0)

    def test_efficiencies_multiply_and_the_time_of_ranks_adds_up(self):
        row = self.predicted(RING, "--network", "infiniband-qdr", "--ranks-table")["predictions"][0]
        of = row["efficiency"]
        self.assertAlmostEqual(of["parallel"], of["load_balance"] * of["serialisation"] * of["transfer"])
        for rank in row["ranks"]:
            self.assertEqual(rank["computing_ns"] + rank["communicating_ns"] + rank["waiting_ns"], rank["finish_ns"])

    def test_collective_operations_are_done_as_somebody_chooses(self):
        usual = self.predicted(TRACE, "--network", "loggopsim")
        linear = self.predicted(TRACE, "--network", "loggopsim", "--collectives", "allreduce=linear")
        self.assertEqual([each["kind"] for each in usual["method"]["collectives"]], ["allreduce"])
        self.assertEqual([each["algorithm"] for each in linear["method"]["collectives"]], ["linear"])
        self.assertNotEqual(usual["predictions"], linear["predictions"])

    def test_a_receive_that_nobody_sends_to_is_a_deadlock_that_names_the_ranks(self):
        file = self.folder / "stuck.goal"
        file.write_text("num_ranks 2\nrank 0 {\nr: recv 8b from 1 tag 5\n}\nrank 1 {\nc: calc 10\n}\n")
        answer = self.predicted(file, "--network", "loggopsim", status=IMPOSSIBLE)
        row = answer["predictions"][0]
        self.assertEqual((row["deadlock"], row["time_ns"]), (True, None))
        self.assertEqual(row["unmatched"], [{"rank": 0, "operation": 0, "peer": 1, "tag": 5, "bytes": 8, "stuck": True}])
        text = parcast("predict", file, "--network", "loggopsim")
        self.assertEqual(text.returncode, IMPOSSIBLE)
        self.assertIn("rank 0, operation 0: waits for rank 1, tag 5", text.stdout.decode())

    def test_what_does_not_fit_says_what_to_do(self):
        self.assertIn("Name a network with --network", self.error(USAGE, "predict", RING))
        self.assertIn("no values inside a node", self.error(USAGE, "predict", RING, "--network", "loggopsim", "--nodes", "2"))
        self.assertIn("has no collective operation", self.error(USAGE, "predict", RING, "--network", "loggopsim", "--collectives", "mpich"))
        self.assertIn("--place needs --nodes", self.error(USAGE, "predict", RING, "--network", "loggopsim", "--place", "round-robin"))
        file = self.folder / "bad.goal"
        file.write_text("num_ranks 2\nrank 0 {\ns: send 8b to 7\n}\nrank 1 {\n}\n")
        self.assertIn("bad.goal:3", self.error(INPUT, "predict", file, "--network", "loggopsim"))


if __name__ == "__main__":
    unittest.main()
