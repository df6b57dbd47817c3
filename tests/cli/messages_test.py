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
WAVE = ROOT / "examples/messages/diagonal-wave.json"
SAMPLES = ROOT / "tests/messages/samples"
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

    def predicted(self, *words, status=0):
        result = parcast("predict", "--json", *words)
        self.assertEqual(result.returncode, status, result.stderr.decode())
        answer = json.loads(result.stdout)
        if jsonschema:
            jsonschema.validate(answer, json.loads((SCHEMAS / "predict.schema.json").read_text()))
        return answer

    def error(self, status, *words):
        result = parcast(*words)
        self.assertEqual(result.returncode, status, result.stderr.decode())
        return " ".join(result.stderr.decode().split())

    def test_the_samples_of_goal_take_what_their_own_tool_says(self):
        for (name, network), finish in OF_LOGGOPSIM.items():
            for ending, form in ((".goal", "goal"), (".bin", "goal-binary")):
                with self.subTest(sample=name + ending, network=network):
                    answer = self.predicted(SAMPLES / (name + ending), "--network", network)
                    self.assertEqual(answer["input"]["format"], form)
                    self.assertEqual(answer["predictions"][0]["finish_ns"], finish)

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

    def test_waiting_in_collective_operations_stands_apart(self):
        # The trace computes and calls an allreduce; GOAL has lost which of its messages are of one.
        file = self.folder / "allreduce.goal"
        self.assertEqual(parcast("extract", TRACE, "-o", file).returncode, 0)
        network = ("--network", "loggopsim", "--ranks-table")
        called, converted = (self.predicted(each, *network)["predictions"][0] for each in (TRACE, file))
        for row in (called, converted):
            for cause, waiting_ns in row["waiting_ns"].items():
                self.assertEqual(waiting_ns, sum(rank[cause + "_ns"] for rank in row["ranks"]), cause)
        self.assertEqual(called["finish_ns"], converted["finish_ns"])
        self.assertGreater(called["waiting_ns"]["collective"], 0)
        self.assertEqual(called["waiting_ns"]["late_sender"], 0)
        self.assertEqual(converted["waiting_ns"], called["waiting_ns"] | {"collective": 0, "late_sender": called["waiting_ns"]["collective"]})

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

    def test_a_sweep_has_a_row_for_each_point_and_agrees_with_the_network_named(self):
        swept = self.predicted(RING, "--network", "loggopsim", "--sweep", "L=1us,20us", "--sweep", "G=1ns,6ns")["predictions"]
        self.assertEqual([row["parameters"] for row in swept],
                         [{"L": latency, "G": gap} for latency in (1000, 20000) for gap in (1, 6)])
        self.assertIn("--ranks-table is of one network", self.error(USAGE, "predict", RING, "--network", "loggopsim", "--sweep", "L=1us,2us", "--ranks-table"))
        alone = self.predicted(RING, "--network", "loggops:L=20us,o=1500ns,g=1us,G=1ns")["predictions"][0]
        self.assertEqual((swept[2]["time_ns"], swept[2]["finish_ns"], swept[2]["sensitivity"]),
                         (alone["time_ns"], alone["finish_ns"], alone["sensitivity"]))
        text = parcast("predict", RING, "--network", "loggopsim", "--sweep", "L=1us,20us").stdout.decode()
        self.assertRegex(text, r"20 µs +\S+ µs")

    def test_the_sensitivity_is_what_a_replay_with_half_says_the_greatest_first(self):
        row = self.predicted(RING, "--network", "loggopsim")["predictions"][0]
        gains = [each["gain"] for each in row["sensitivity"]]
        self.assertEqual(gains, sorted(gains, reverse=True))
        self.assertEqual([each["change"] for each in row["sensitivity"] if each["gain"] > 0.01], ["G=half", "o=half", "L=half"])
        halves = {"G=half": "G=3ns,L=2500ns,o=1500ns", "L=half": "G=6ns,L=1250ns,o=1500ns", "o=half": "G=6ns,L=2500ns,o=750ns"}
        for each in row["sensitivity"]:
            if each["change"] in halves:
                alone = self.predicted(RING, "--network", f"loggops:g=1us,{halves[each['change']]}")["predictions"][0]
                self.assertEqual(each["time_ns"], alone["time_ns"], each["change"])
        self.assertNotIn("sensitivity", self.predicted(RING, "--network", "loggopsim", "--no-sensitivity")["predictions"][0])
        text = " ".join(parcast("predict", RING, "--network", "loggopsim").stdout.decode().split())
        self.assertRegex(text, r"Half the gap of a byte \(G\) would bring \d+ %, half the overhead of a message \(o\) \d+ %, half the latency")

    def test_steps_have_both_algorithms_at_each_point(self):
        rows = self.predicted(WAVE, "--network", "meiko-cs2", "--sweep", "L=9us,18us")["predictions"]
        self.assertEqual([row["method"] for row in rows], ["standard", "overestimate", "overlapped"] * 2)
        self.assertEqual([row["time_ns"] for row in rows[:2]], [67000, 76000])
        self.assertEqual({each["parameter"] for each in rows[0]["sensitivity"]}, {"L", "o", "g", "G"})
        alone = self.predicted(WAVE, "--network", "loggp:L=18us,o=2us,g=14us,G=30ns")["predictions"]
        self.assertEqual([row["time_ns"] for row in rows[3:]], [row["time_ns"] for row in alone])

    def test_a_change_is_tried_and_says_what_it_brings(self):
        row = self.predicted(RING, "--network", "loggopsim", "--what-if", "rank:1*0", "--what-if", "L=half,G=3ns", "--what-if", "tag:1*0.5")["predictions"][0]
        self.assertEqual([each["change"] for each in row["what_if"]], ["rank:1*0", "L=half,G=3ns", "tag:1*0.5"])
        self.assertEqual(row["what_if"][0]["time_ns"], row["time_ns"] - 9000, "rank 1 computes 9 us on the only path")
        other = self.predicted(RING, "--network", "loggops:L=1250ns,o=1500ns,g=1us,G=3ns")["predictions"][0]
        self.assertEqual(row["what_if"][1]["time_ns"], other["time_ns"])
        collective = self.predicted(TRACE, "--network", "loggopsim", "--what-if", "collective:allreduce=free")["predictions"][0]
        self.assertLess(collective["what_if"][0]["time_ns"], collective["time_ns"])
        for change, message in (("rank:9*0.5", "no rank \"9\""), ("tag:8*0.5", "no message with tag \"8\""), ("lock:m*0.5", "for programs of threads"),
                                ("L=fast", "a value is half"), ("S=1us", "number of bytes"), ("node.L=half", "no value \"node.L\"")):
            self.assertIn(message, self.error(USAGE, "predict", RING, "--network", "loggopsim", "--what-if", change))

    def test_other_collective_algorithms_are_compared_by_replays(self):
        compared = self.predicted(TRACE, "--network", "loggopsim", "--collectives", "compare")["method"]["compared"]
        self.assertEqual([group["kind"] for group in compared], ["allreduce", None])
        times = {each["choice"]: each["time_ns"] for each in compared[0]["alternatives"]}
        self.assertEqual(list(times.values()), sorted(times.values()))
        for choice in ("allreduce=linear", "allreduce=recursive-doubling"):
            alone = self.predicted(TRACE, "--network", "loggopsim", "--collectives", choice)["predictions"][0]
            self.assertEqual(times[choice], alone["time_ns"])
        self.assertEqual(sum(each["chosen"] for each in compared[0]["alternatives"]), 1)
        text = parcast("predict", TRACE, "--network", "loggopsim", "--collectives", "compare").stdout.decode()
        self.assertRegex(text, r"(?s)allreduce.*\(now\)")
        self.assertIn("no collective operation", self.error(USAGE, "predict", RING, "--network", "loggopsim", "--collectives", "compare"))
        self.assertIn("of one network", self.error(USAGE, "predict", TRACE, "--network", "loggopsim", "--collectives", "compare", "--sweep", "L=1us,2us"))

    def test_ranks_are_where_a_file_says(self):
        file = self.folder / "nodes"
        machine = ROOT / "tests/messages/machine.toml"
        times = {}
        for name, text in (("apart", "a\nb\nc\nd\n"), ("together", "a\na\na\na\n"), ("rankfile", "".join(f"rank {rank}=n{rank % 2} slot=0\n" for rank in range(4)))):
            file.write_text(text)
            answer = self.predicted(RING, "--network", machine, "--place", file)
            times[name] = answer["predictions"][0]["time_ns"]
        self.assertEqual(answer["method"]["node_of_rank"], [0, 1, 0, 1])
        self.assertEqual(answer["method"]["node_names"], ["n0", "n1"])
        usual = self.predicted(RING, "--network", machine)["predictions"][0]["time_ns"]
        packed = self.predicted(RING, "--network", machine, "--cpus", "4")["predictions"][0]["time_ns"]
        self.assertEqual((times["apart"], times["together"]), (usual, packed))
        self.assertNotEqual(usual, packed)
        typed = "loggp:L=4us,o=1us,g=2us,G=1.5ns,node.L=300ns,node.o=200ns,node.g=0,node.G=0.1ns"
        self.assertEqual(self.predicted(RING, "--network", typed, "--cpus", "4")["predictions"][0]["time_ns"], packed)
        file.write_text("a\nrank 1=b\n")
        self.assertIn(f"{file}:2", self.error(INPUT, "predict", RING, "--network", machine, "--place", file))
        self.assertIn("its ranks compute on 2", self.error(USAGE, "predict", RING, "--network", machine, "--nodes", "2", "--cpus", "1"))
        self.assertIn("one number of CPUs", self.error(USAGE, "predict", RING, "--network", machine, "--cpus", "1,2"))

    def test_a_machine_that_knows_the_inside_of_a_node_only_says_nothing_of_messages_between_nodes(self):
        machine = self.folder / "host.toml"
        machine.write_text('version = 1\n[network.node]\nlatency_ns = 60\noverhead_ns = 4\ngap_per_byte_ns = 0.03\n')
        self.assertIn("inside a node, and not between nodes", self.error(USAGE, "predict", RING, "--machine", machine))
        self.assertIn("inside a node, and not between nodes", self.error(USAGE, "predict", RING, "--machine", machine, "--nodes", "2"))
        self.assertIn("inside a node, and not between nodes", self.error(USAGE, "predict", WAVE, "--machine", machine))
        alone = self.predicted(RING, "--machine", machine, "--nodes", "1")["predictions"][0]
        typed = self.predicted(RING, "--network", "loggops:L=60ns,o=4ns,G=0.03ns")["predictions"][0]
        self.assertEqual(alone["time_ns"], typed["time_ns"])
        both = self.predicted(RING, "--machine", machine, "--network", "infiniband-qdr", "--nodes", "2")["predictions"][0]
        typed = self.predicted(RING, "--network", "infiniband-qdr:node.L=60ns,node.o=4ns,node.G=0.03ns", "--nodes", "2")["predictions"][0]
        self.assertEqual(both["time_ns"], typed["time_ns"])

    def test_programs_side_by_side_take_what_each_takes_alone(self):
        network = ["--network", ROOT / "tests/messages/machine.toml"]
        file = self.folder / "nodes"
        file.write_text("a\nb\n" * 4)
        answer = self.predicted(RING, TRACE, *network)
        row = answer["predictions"][0]
        alone = [self.predicted(job, *network)["predictions"][0] for job in (RING, TRACE)]
        self.assertEqual(row["job_time_ns"], [each["time_ns"] for each in alone])
        self.assertEqual(row["finish_ns"], alone[0]["finish_ns"] + alone[1]["finish_ns"])
        self.assertEqual([job["first_rank"] for job in answer["jobs"]], [0, 4])
        text = " ".join(parcast("predict", RING, TRACE, *network).stdout.decode().split())
        self.assertIn("2 programs side by side", text)
        self.assertIn("ends last", text)
        self.assertIn("They share no node.", text)
        self.assertIn("several files only if they are message programs", self.error(USAGE, "predict", RING, WAVE, *network))

    def test_advice_is_tried_and_sorted_by_what_it_brings(self):
        result = parcast("advise", RING, "--network", "loggopsim", "--json")
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        answer = json.loads(result.stdout)
        if jsonschema:
            self.validate_advice(answer)
        at = answer["counts"][0]
        self.assertEqual(sum(answer["critical_path"].values()), at["time_ns"])
        halves = [each["gain"] for row in at["rows"] for each in row["what_if"] if each["factor"] == 0.5]
        self.assertEqual(halves, sorted(halves, reverse=True))
        rows = {(row["kind"], row["name"]): row for row in at["rows"]}
        for key in (("rank", "1"), ("tag", "1"), ("network", "L"), ("network", "G")):
            for tried in rows[key]["what_if"]:
                alone = self.predicted(RING, "--network", "loggopsim", "--no-sensitivity", "--what-if", tried["change"])
                self.assertEqual(alone["predictions"][0]["what_if"][0]["time_ns"], tried["time_ns"], tried["change"])
        text = parcast("advise", RING, "--network", "loggopsim").stdout.decode()
        self.assertIn("The critical path is ", text)
        self.assertIn("Next: parcast predict ", text)
        file = self.folder / "stuck.goal"
        file.write_text("num_ranks 2\nrank 0 {\nr: recv 8b from 1 tag 5\n}\nrank 1 {\nc: calc 10\n}\n")
        self.error(IMPOSSIBLE, "advise", file, "--network", "loggopsim")

    def validate_advice(self, answer):
        schema = json.loads((SCHEMAS / "advise.schema.json").read_text())
        predict = json.loads((SCHEMAS / "predict.schema.json").read_text())
        resolver = jsonschema.RefResolver("file:///advise.schema.json", schema, store={"file:///predict.schema.json": predict})
        jsonschema.Draft202012Validator(schema, resolver=resolver).validate(answer)

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
