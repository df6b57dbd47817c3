"""Executions as other tools read them, from a real recording: each format by its own rules."""

import collections
import csv
import io
import json
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from program import IMPOSSIBLE, INPUT, OUTPUT, USAGE, WithRecording, parcast

HERE = pathlib.Path(__file__).resolve().parent
KINDS = [("--cpus", "4"), ("--cpus", "4", "--events"), ("--cpus", "2", "--scheduler", "ideal"), ("--recorded",),
         ("--recorded", "--events")]


class Exports(WithRecording):
    def exported(self, *options):
        result = parcast("export", self.trace, *options, "-o", "-")
        self.assertEqual((result.returncode, result.stderr), (0, b""))
        return result.stdout

    def facts(self, *options):
        target = self.folder / "facts"
        result = parcast("export", self.trace, *options, "--json", "--force", "-o", target)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)["execution"]

    def test_chrome(self):
        for kind in KINDS:
            with self.subTest(kind=kind):
                events = json.loads(self.exported(*kind, "--format", "chrome"))["traceEvents"]
                depth, last = collections.Counter(), {}
                for event in events:
                    self.assertLessEqual({"ph", "ts", "pid", "tid", "name"}, set(event))
                    track = event["pid"], event["tid"]
                    if event["ph"] in "BE":
                        self.assertGreaterEqual(event["ts"], last.get(track, 0))
                        last[track] = event["ts"]
                        depth[track] += 1 if event["ph"] == "B" else -1
                        self.assertIn(depth[track], (0, 1))
                self.assertEqual(set(depth.values()), {0})
                flows = collections.defaultdict(dict)
                for event in events:
                    if event["ph"] in "sf":
                        self.assertNotIn(event["ph"], flows[event["id"]])
                        flows[event["id"]][event["ph"]] = event["ts"]
                self.assertTrue(all(set(ends) == {"s", "f"} and ends["s"] == ends["f"] for ends in flows.values()))
                slices = sum(event["ph"] == "B" and event["pid"] == 1 for event in events)
                self.assertEqual(slices, self.facts(*kind)["intervals"])
                named = {(e["pid"], e["tid"]) for e in events if e["ph"] == "M" and e["name"] == "thread_name"}
                self.assertLessEqual(set(depth), named)

    def test_csv(self):
        for kind in KINDS:
            with self.subTest(kind=kind):
                text = self.exported(*kind, "--format", "csv").decode()
                rows = list(csv.DictReader(io.StringIO(text, newline=""), strict=True))
                facts = self.facts(*kind)
                self.assertEqual(len(rows), facts["events"] if "--events" in kind else facts["intervals"])
                if "--events" not in kind:
                    last = max(int(row["end_ns"]) for row in rows)
                    # The recorded process goes on for a moment when its last thread has ended.
                    self.assertLessEqual(last, facts["time_ns"])
                    if "--recorded" not in kind:
                        self.assertEqual(last, facts["time_ns"])
                    self.assertTrue(all(int(row["end_ns"]) - int(row["begin_ns"]) == int(row["duration_ns"]) > 0
                                        for row in rows))

    def test_paraver(self):
        for kind in KINDS:
            with self.subTest(kind=kind):
                target = self.folder / "execution.prv"
                result = parcast("export", self.trace, *kind, "--format", "paraver", "-o", target, "--force")
                self.assertEqual((result.returncode, result.stderr), (0, b""))
                header, *records = target.read_text(encoding="ascii").splitlines()
                match = re.fullmatch(r"#Paraver \(\d\d/\d\d/\d{4} at \d\d:\d\d\):(\d+)_ns:1\((\d+)\):1:1\((\d+):1\)", header)
                end, cpus, threads = map(int, match.groups())
                now, kinds = 0, collections.Counter()
                for record in (list(map(int, record.split(":"))) for record in records):
                    kinds[record[0]] += 1
                    self.assertTrue(now <= record[5] <= end)
                    now = record[5]
                    self.assertTrue(0 <= record[1] <= cpus and 1 <= record[4] <= threads)
                facts = self.facts(*kind)
                self.assertEqual((end, threads, kinds[1]), (facts["time_ns"], facts["threads"], facts["intervals"]))
                self.assertGreaterEqual(kinds[3], facts["releases"])
                names = target.with_suffix(".row").read_text(encoding="ascii")
                self.assertIn(f"LEVEL THREAD SIZE {threads}\n", names)
                self.assertIn("\nSTATES\n", target.with_suffix(".pcf").read_text(encoding="ascii"))

    @unittest.skipUnless(shutil.which("protoc"), "protobuf-compiler is not installed")
    def test_perfetto_is_a_protobuf_of_packets(self):
        for kind in KINDS:
            with self.subTest(kind=kind):
                text = subprocess.run(["protoc", "--decode_raw"], input=self.exported(*kind), check=True,
                                      stdout=subprocess.PIPE).stdout.decode()
                self.assertEqual(set(re.findall(r"^\S+ \{$", text, re.MULTILINE)), {"1 {"}, "packets and nothing else")
                begun, ended = text.count("\n    9: 1\n"), text.count("\n    9: 2\n")
                self.assertEqual(begun, ended)
                self.assertGreaterEqual(begun, self.facts(*kind)["intervals"])
                departing = re.findall(r"^    47: (\S+)$", text, re.MULTILINE)
                arriving = re.findall(r"^    48: (\S+)$", text, re.MULTILINE)
                self.assertEqual(sorted(departing), sorted(arriving))
                self.assertEqual(len(set(departing)), len(departing))

    def test_the_time_is_that_of_the_prediction(self):
        for scheduler in ("linux", "ideal"):
            options = ["--cpus", "3", "--scheduler", scheduler]
            predicted = json.loads(parcast("predict", self.trace, *options, "--json").stdout)["predictions"][0]
            self.assertEqual(self.facts(*options)["time_ns"], predicted["time_ns"])

    def test_messages_name_a_way_out(self):
        existing = self.folder / "existing.json"
        existing.write_text("mine")
        for words, status, way_out in [
            ([self.trace], USAGE, "--cpus N"),
            ([self.trace, "--cpus", "2", "-o", existing], OUTPUT, "--force"),
            ([self.trace, "--cpus", "2", "-o", self.trace, "--force"], USAGE, "Name another file"),
            ([self.trace, "--cpus", "2", "-o", self.folder / "missing" / "x"], OUTPUT, "Name another file"),
            (["no-such.parcast", "--recorded"], INPUT, "parcast record"),
        ]:
            with self.subTest(words=words):
                result = parcast("export", *words)
                self.assertEqual((result.returncode, result.stdout), (status, b""))
                self.assertIn(way_out, result.stderr.decode())
        self.assertEqual(existing.read_text(), "mine")


class Program(WithRecording):
    """As a workload for rt-app."""

    def written(self, source, *options):
        target = self.folder / "written.json"
        result = parcast("export", source, "--format", "rt-app", "-o", target, "--force", "--json", *options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(target.read_text()), json.loads(result.stdout)

    @staticmethod
    def events(task):
        """Its events in order: the word without its number, and the value."""
        for phase in task["phases"].values():
            events = [(re.fullmatch(r"(\w+?)\d+", key)[1], value) for key, value in phase.items()
                      if key not in ("loop", "cpus", "policy", "priority")]
            for _ in range(phase.get("loop", 1)):
                yield from events

    def assert_it_can_end(self, workload):
        """Locks are unlocked by who holds them, all waits have a post, and every barrier has those that it waits for."""
        posts = collections.Counter()
        for name, task in workload["tasks"].items():
            self.assertEqual(task["loop"], 1)
            held = set()
            for word, value in self.events(task):
                if word == "lock":
                    self.assertNotIn(value, held, name)
                    self.assertEqual(workload["resources"][value], {"type": "mutex"})
                    held.add(value)
                elif word == "unlock":
                    held.remove(value)
                elif word in ("sem_post", "sem_wait"):
                    posts[value] += 1 if word == "sem_post" else -1
                else:
                    self.assertIn(word, ("run", "sleep", "barrier", "yield"))
            self.assertEqual(held, set(), name)
        self.assertGreaterEqual(min(posts.values(), default=0), 0, posts)

    def test_every_thread_runs_as_long_as_it_was_recorded(self):
        workload, answer = self.written(self.trace)
        self.assert_it_can_end(workload)
        threads = json.loads(parcast("info", self.trace, "--json").stdout)["threads"]
        self.assertEqual(len(workload["tasks"]), len(threads))
        self.assertEqual((answer["execution"], answer["program"]["tasks"]), (None, len(threads)))
        extracted = self.folder / "extracted.threads.json"
        self.assertEqual(parcast("extract", self.trace, "-o", extracted, "--force").returncode, 0)
        for task, thread, replayed in zip(workload["tasks"].values(), threads, json.loads(extracted.read_text())["threads"]):
            run_us = sum(value for word, value in self.events(task) if word == "run")
            work_ns = sum(int(step.split()[1]) for step in replayed["do"] if step.startswith("work "))
            self.assertAlmostEqual(run_us * 1000, work_ns, delta=1000)
            # Without what it cost to record it.
            self.assertLessEqual(work_ns, thread["cpu_time_ns"])

    def test_a_written_program_is_a_workload_too(self):
        for program in sorted((HERE.parents[1] / "examples/threads").glob("*.json")):
            with self.subTest(program=program.name):
                workload, answer = self.written(program)
                self.assert_it_can_end(workload)
                run_us = sum(value for task in workload["tasks"].values() for word, value in self.events(task) if word == "run")
                self.assertAlmostEqual(run_us * 1000, answer["program"]["work_ns"], delta=1000 * len(workload["tasks"]))

    def test_what_is_no_program_of_threads_or_for_executions_is_refused(self):
        graph = self.folder / "graph.json"
        parcast("generate", "taskgraph", "polyroots", "--size", "5", "-o", graph)
        for words, message in ((["--cpus", "2"], "writes the program, not an execution"),
                               (["--recorded"], "writes the program, not an execution"),
                               (["--scheduler", "ideal"], "writes the program, not an execution")):
            result = parcast("export", self.trace, "--format", "rt-app", *words)
            self.assertEqual((result.returncode, result.stdout), (USAGE, b""))
            self.assertIn(message, " ".join(result.stderr.decode().split()))
        result = parcast("export", graph, "--format", "rt-app")
        self.assertEqual(result.returncode, USAGE)
        self.assertIn("is for programs that have threads", " ".join(result.stderr.decode().split()))

    def test_what_rt_app_does_otherwise_is_reported_and_what_it_cannot_is_an_error(self):
        def program(*steps):
            path = self.folder / "made_up.threads.json"
            path.write_text(json.dumps({
                "schema": "parcast.threads/1", "unit": "us",
                "objects": [{"name": "X", "kind": "spin lock"}, {"name": "M", "kind": "mutex"}],
                "threads": [{"name": "main", "do": ["lock M", "create T", "join T"]}, {"name": "T", "do": steps}]}))
            return path
        result = parcast("export", program("lock X", "work 2", "unlock X"), "--format", "rt-app", "-o", "-")
        self.assertEqual(result.returncode, 0)
        self.assertIn("became a mutex", result.stderr.decode())
        self.assertEqual(json.loads(result.stdout)["tasks"]["T"]["phases"]["phase0"]["run2"], 2)
        result = parcast("export", program("release M"), "--format", "rt-app", "-o", "-")
        self.assertEqual((result.returncode, result.stdout), (IMPOSSIBLE, b""))
        self.assertIn("which it does not hold", " ".join(result.stderr.decode().split()))


class TaskGraphs(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.graph = self.folder / "graph.json"
        parcast("generate", "taskgraph", "polyroots", "--size", "20", "-o", self.graph)

    def test_the_schedule_is_that_of_the_prediction(self):
        for schedule in ("fifo", "lpt", "block", "ps"):
            with self.subTest(schedule=schedule):
                options = ["--cpus", "6", "--schedule", schedule]
                predicted = json.loads(parcast("predict", self.graph, *options, "--json").stdout)
                result = parcast("export", self.graph, *options, "--format", "csv", "-o", "-")
                self.assertEqual((result.returncode, result.stderr), (0, b""))
                rows = list(csv.DictReader(io.StringIO(result.stdout.decode(), newline="")))
                running = [row for row in rows if row["state"] == "running"]
                self.assertEqual(len(running), predicted["graph"]["tasks"])
                time_ns = predicted["predictions"][0]["time_ns"]
                self.assertEqual(max(int(row["end_ns"]) for row in running), round(time_ns))
                if schedule != "ps":
                    self.assertEqual(sum(int(row["duration_ns"]) for row in running), predicted["work_ns"])
                    self.assertEqual({row["cpu"] for row in running}, {"0", "1", "2", "3", "4", "5"})

    def test_the_other_formats_are_written(self):
        for form in ("perfetto", "chrome", "paraver"):
            with self.subTest(form=form):
                target = self.folder / "out.prv"
                result = parcast("export", self.graph, "--cpus", "4", "--format", form, "--json", "--force", "-o", target)
                self.assertEqual(result.returncode, 0, result.stderr)
                answer = json.loads(result.stdout)
                self.assertEqual(answer["input"], {"file": str(self.graph), "form": "task_graph", "format": "json"})
                self.assertEqual(answer["execution"]["scheduler"], "fifo")

    def test_what_is_for_recordings_is_refused(self):
        for words in (["--recorded"], ["--cpus", "2", "--events"], ["--cpus", "2", "--scheduler", "ideal"]):
            with self.subTest(words=words):
                result = parcast("export", self.graph, *words)
                self.assertEqual((result.returncode, result.stdout), (USAGE, b""))
                self.assertRegex(" ".join(result.stderr.decode().split()), "is for recordings( and thread programs)?; this is a task graph")

    def test_the_output_is_tried_before_the_execution(self):
        # A long replay ended with "exists already".
        self.graph.write_text('{"schema": "parcast.taskgraph/2", "groups": [{"count": "P", "time": 1}]}')
        existing = self.folder / "existing.csv"
        existing.write_text("mine")
        for output, status, message in ((existing, OUTPUT, "exists already"), ("new.csv", USAGE, "use P, the number")):
            result = parcast("export", self.graph, "--cpus", "2", "--format", "csv", "-o", output)
            self.assertEqual(result.returncode, status)
            self.assertIn(message, result.stderr.decode())

    def test_one_execution_is_exported(self):
        for words in (["--cpus", "2", "--schedule", "fifo,lpt"], []):
            with self.subTest(words=words):
                result = parcast("export", self.graph, *words)
                self.assertEqual((result.returncode, result.stdout), (USAGE, b""))
                self.assertIn("parcast export graph.json --cpus 8", result.stderr.decode())


if __name__ == "__main__":
    unittest.main()
