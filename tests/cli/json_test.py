"""The JSON of every verb is what its schema in docs/formats says, and the schema names every field."""

import json
import pathlib
import shlex
import subprocess
import sys
import unittest

try:
    import jsonschema
except ImportError:
    print("skipped: python3-jsonschema is not installed")
    sys.exit(77)

from program import EXAMPLES, IMPOSSIBLE, INPUT, SCHEMAS, WithRecording, beside_progress, parcast
from report_test import elements_of

HERE = pathlib.Path(__file__).parent
KEPT = HERE.parent / "changes/inputs"


# Whose parts a schema refers to.
shared_schemas = {verb: ["predict"] for verb in ("advise", "bind", "check", "export", "info", "scale", "signature", "view")} | {"record": ["predict", "scale"], "report": ["predict", "signature"]}


def schema_of(verb):
    return json.loads((SCHEMAS / f"{verb}.schema.json").read_text())


def documented_names(schema):
    """Names of all properties anywhere in a schema."""
    if isinstance(schema, list):
        return set().union(*map(documented_names, schema))
    if not isinstance(schema, dict):
        return set()
    names = set(schema["properties"]) if isinstance(schema.get("properties"), dict) else set()
    return names.union(*map(documented_names, schema.values()))


def used_names(answer):
    if isinstance(answer, list):
        return set().union(*map(used_names, answer))
    if not isinstance(answer, dict):
        return set()
    # The parameters of a machine are documented with the machine file.
    return set(answer).union(*(used_names(value) for name, value in answer.items() if name != "machine"))


class Documented(WithRecording):
    def assert_documented(self, verb, answer):
        schema = schema_of(verb)
        jsonschema.Draft202012Validator.check_schema(schema)
        # Parts that it shares with another verb are described there.
        others = {f"file:///{name}.schema.json": schema_of(name)
                  for name in shared_schemas.get(verb, [])}
        resolver = jsonschema.RefResolver(f"file:///{verb}.schema.json", schema, store=others)
        jsonschema.Draft202012Validator(schema, resolver=resolver).validate(answer)
        names = documented_names(schema).union(*map(documented_names, others.values()))
        self.assertEqual(used_names(answer) - names, set(), "fields without documentation")
        self.assertEqual(answer["schema"], f"parcast.{verb}/1" if "oneOf" in schema else schema["properties"]["schema"]["const"])


class Answers(Documented):
    def answer(self, *words):
        result = parcast(*words, "--json")
        self.assertEqual((result.returncode, beside_progress(result.stderr)), (0, []))
        return json.loads(result.stdout)

    def test_info(self):
        answer = self.answer("info", self.trace)
        self.assert_documented("info", answer)
        self.assertEqual(answer["input"]["file"], str(self.trace))
        self.assertEqual(answer["recorded"]["events"], sum(thread["events"] for thread in answer["threads"]))

    def test_predict(self):
        for options in ([], ["--cpus", "1,3"], ["--scheduler", "ideal"], ["--threads-table"]):
            with self.subTest(options=options):
                self.assert_documented("predict", self.answer("predict", self.trace, *options))

    def test_bind(self):
        self.assert_documented("bind", self.answer("bind", self.trace, "--cpus", "2", "--tests", "10"))
        self.assert_documented("bind", self.answer("bind", "--processes", "4", "--cpus", "2"))

    def test_a_program_of_threads(self):
        written = HERE.parents[1] / "examples/threads/two_producers.threads.json"
        self.assert_documented("predict", self.answer("predict", written, "--cpus", "1,3", "--threads-table"))
        self.assert_documented("report", self.answer("report", written, "-o", self.folder / "written.html"))
        self.assert_documented("export", self.answer("export", written, "--cpus", "2", "-o", self.folder / "written.pftrace"))
        self.assert_documented("view", json.loads(elements_of((self.folder / "written.html").read_text())["overview"]))

    def test_export(self):
        for options in (["--cpus", "2"], ["--cpus", "2", "--events", "--scheduler", "ideal"], ["--recorded"]):
            with self.subTest(options=options):
                target = self.folder / "exported"
                answer = self.answer("export", self.trace, *options, "-o", target, "--force")
                self.assert_documented("export", answer)
                self.assertEqual(answer["files"], [{"file": str(target), "bytes": target.stat().st_size}])
                self.assertEqual(answer["input"], self.answer("info", self.trace)["input"])
        answer = self.answer("export", self.trace, "--format", "rt-app", "-o", self.folder / "workload.json")
        self.assert_documented("export", answer)

    def test_calibrate(self):
        answer = self.answer("calibrate", "--seconds", "1", "--dry-run")
        self.assert_documented("calibrate", answer)
        blocks = self.answer("calibrate", "--kernels", "gaussian-elimination", "--seconds", "1", "--dry-run")
        self.assert_documented("calibrate", blocks)
        self.assertIsNone(blocks["machine"])
        self.assertEqual(len(blocks["block_costs"]["warm_ns"]["op4"]), len(blocks["block_costs"]["edge"]))
        self.assertIsNone(answer["file"])

    def test_predict_beside_other_theories(self):
        # A fork, three tasks of 2, 3 and 4, a join: on two processors 8 if times are constant, 173/21 if exponential.
        graph = self.folder / "fork_join.json"
        graph.write_text(json.dumps({"schema": "parcast.taskgraph/2", "unit": "ns", "groups": [
            {"name": "fork", "time": 1}, {"name": "loop", "time": [2, 3, 4], "after": ["fork"]},
            {"name": "join", "time": 1, "after": ["loop"]}]}))
        (count,) = self.answer("predict", graph, "--cpus", "2", "--compare")["comparison"]["counts"]
        times = {theory["theory"]: theory["time_ns"] for theory in count["theories"]}
        self.assertEqual(count["deterministic_ns"], 8)
        self.assertAlmostEqual(times["markov_chain"], 173 / 21)
        self.assertAlmostEqual(times["mak_lundstrom"], 10477 / 1365)
        self.assertIsNone(self.answer("predict", graph, "--cpus", "2")["comparison"])

    def test_advise(self):
        answer = self.answer("advise", self.trace, "--cpus", "1,2,8")
        self.assert_documented("advise", answer)
        for at in answer["counts"]:
            self.assertGreater(len(at["rows"]), 0)
            gains = [row["gain_ns"] for row in at["rows"]]
            self.assertEqual(gains, sorted(gains, reverse=True))
            if at["cpus"] == 1:  # there each piece decides what it takes
                for row in at["rows"]:
                    self.assertAlmostEqual(row["weight"], 1)
        self.assertTrue(answer["sentences"])
        self.assertEqual(answer["segments"], [])

    def test_segments(self):
        answer = self.answer("advise", self.trace, "--cpus", "1,2", "--segments")
        self.assert_documented("advise", answer)
        self.assertTrue(answer["segments"])
        for segment in answer["segments"]:
            self.assertEqual(segment["weight_times_cpus"][0], 1, "on one CPU each piece decides what it takes")
            self.assertLess(segment["begin_ns"], segment["end_ns"])

    def test_advice_on_a_task_graph(self):
        answer = self.answer("advise", pathlib.Path(__file__).parents[2] / "examples/taskgraphs/stencil.json", "--cpus", "2,4", "--segments")
        self.assert_documented("advise", answer)
        self.assertEqual({row["kind"] for at in answer["counts"] for row in at["rows"]}, {"group"})
        self.assertEqual([segment["task"] for segment in answer["segments"]], list(range(len(answer["segments"]))))

    def test_what_if(self):
        answer = self.answer("predict", self.trace, "--cpus", "1,4", "--what-if", "thread:0*1", "--what-if", "sleep:*1")
        self.assert_documented("predict", answer)
        for row in answer["predictions"]:
            for change in row["what_if"]:
                self.assertEqual((change["time_ns"], change["gain"]), (row["time_ns"], 0), "it changes nothing")

    def test_compare(self):
        self.assert_documented("compare", self.answer("compare", self.trace, self.trace, "--cpus", "1,2"))
        self.assert_documented("compare", self.answer("compare", self.trace, "--what-if", "thread:1*0.5", "--cpus", "2", "--runs", "0"))

    def test_variance_of_numbers(self):
        # MP3D, Res-Move, small input: table 3.2 of Adve (1993), whose CV is by the asymptotic formula.
        answer = self.answer("variance", "--cpu-time", "7700", "--processing", "236.9,2", "--delay", "12,1.68")
        self.assert_documented("variance", answer)
        by_method = {prediction["method"]: prediction for prediction in answer["predictions"]}
        self.assertEqual(set(by_method), {"exact_gamma", "exact_hyperexponential", "refined_gamma",
                                          "refined_hyperexponential", "asymptotic"})
        self.assertAlmostEqual(by_method["asymptotic"]["time"]["cv"], 0.02208829, places=8)
        self.assertAlmostEqual(by_method["asymptotic"]["delays"], 32.503166, places=6)

    def test_variance_of_recordings(self):
        traces = [self.folder / f"sleep{i}.parcast" for i in range(2)]
        for trace in traces:
            self.assertEqual(parcast("record", "-o", trace, "--", "sleep", "0.02").returncode, 0)
        one = self.answer("variance", traces[0])
        self.assert_documented("variance", one)
        self.assertIsNone(one["runs"])
        (thread,) = one["threads"]
        self.assertEqual((thread["delays"], thread["parameters"]["delay"]["mean"]), (1, 20_000_000))
        both = self.answer("variance", *traces)
        self.assert_documented("variance", both)
        self.assertEqual((both["runs"]["recordings"], both["runs"]["delays"]["mean"]), (2, 20_000_000))

    def test_predict_accounts_for_every_nanosecond(self):
        for row in self.answer("predict", self.trace)["predictions"]:
            total = sum(limit["processor_time_ns"] for limit in row["limits"])
            self.assertEqual(total, row["cpus"] * row["time_ns"])

    def test_predict_with_threads_accounts_for_their_lives(self):
        (row,) = self.answer("predict", self.trace, "--cpus", "4", "--threads-table")["predictions"]
        states = ["running_ns", "switching_ns", "spinning_ns", "ready_ns", "blocked_ns", "sleeping_ns", "input_output_ns"]
        for thread in row["threads"]:
            self.assertEqual(sum(thread[state] for state in states), thread["ended_ns"] - thread["created_ns"])

    def test_the_number_of_jobs_changes_no_byte(self):
        words = ["predict", self.trace, "--json", "--threads-table"]
        self.assertEqual(parcast(*words, "--jobs", "1").stdout, parcast(*words, "--jobs", "4").stdout)

    def test_task_graphs(self):
        graph = self.folder / "p.json"
        result = parcast("generate", "taskgraph", "locusroute", "-o", graph, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assert_documented("generate", json.loads(result.stdout))
        jsonschema.Draft202012Validator(schema_of("taskgraph")).validate(json.loads(graph.read_text()))
        answer = self.answer("predict", graph, "--cpus", "1,16", "--schedule", "all")
        self.assert_documented("predict", answer)
        self.assert_documented("predict", self.answer("predict", graph, "--cpus", "2", "--compare"))
        extracted = parcast("extract", self.trace, "-o", self.folder / "e.json", "--json")
        self.assertEqual((extracted.returncode, extracted.stderr), (0, b""))
        self.assert_documented("extract", json.loads(extracted.stdout))
        model = parcast("extract", graph, "-o", self.folder / "m.pam", "--closest", "--json")
        self.assertEqual((model.returncode, model.stderr), (0, b""))
        self.assert_documented("extract", json.loads(model.stdout))
        jsonschema.Draft202012Validator(schema_of("taskgraph")).validate(json.loads((self.folder / "e.json").read_text()))

    def test_predict_with_deadlocks(self):
        # New recordings of these programs deadlock only where no other program takes the CPU at the wrong moment.
        trace = KEPT / "crossed_locks.parcast"
        for model in ("auto", "direct", "strict"):
            with self.subTest(model=model):
                result = parcast("predict", trace, "--cpus", "1,2", "--model", model, "--json")
                self.assertEqual(result.returncode, IMPOSSIBLE, result.stderr.decode())
                answer = json.loads(result.stdout)
                self.assert_documented("predict", answer)
                one, two = answer["predictions"]
                self.assertIsNone(two["time_ns"])
                self.assertEqual({entry["object"]["name"] for entry in two["deadlock"]["threads"] if entry["object"]},
                                 {"left", "right"})
                self.assertEqual((one["speed_up"], answer["method"]["abandoned"]), (1, []))

    def test_predict_where_a_condition_pairs_as_recorded(self):
        answer = self.answer("predict", KEPT / "taken_wake_up.parcast", "--cpus", "1,4")
        self.assert_documented("predict", answer)
        self.assertEqual(answer["method"]["model"], "direct")
        self.assertEqual([entry["cpus"] for entry in answer["method"]["abandoned"]], [4])
        self.assertEqual([entry["kind"] for entry in answer["method"]["paired_conditions"]], ["condition"])
        self.assertTrue(all("deadlock" not in row for row in answer["predictions"]))

    def test_info_of_a_killed_program(self):
        trace = self.folder / "killed.parcast"
        result = parcast("record", "--json", "-o", trace, "--", "sh", "-c", "kill -9 $$")
        self.assertEqual(result.returncode, 128 + 9)
        answer = json.loads(result.stderr)
        self.assert_documented("record", answer)
        self.assertEqual((answer["exit_status"], answer["death_signal"]), (None, 9))
        self.assert_documented("info", self.answer("info", trace))

    def test_record_of_many_processes(self):
        script = "for i in 1 2 3 4 5 6 7 8 9 10; do /bin/true; done"
        result = parcast("record", "--json", "-o", self.folder / "many.parcast", "--", "sh", "-c", script)
        self.assertEqual(result.returncode, 0)
        answer = json.loads(result.stderr)
        self.assert_documented("record", answer)
        main, *others = answer["recordings"]
        self.assertEqual((main["main"], {entry["main"] for entry in others}), (True, {False}))
        self.assertTrue(all((self.folder / entry["file"]).is_file() for entry in others))

    def test_info_of_a_folder(self):
        folder = self.folder / "pipeline"
        folder.mkdir()
        recorded = parcast("record", "-o", folder / "sh.parcast", "--", "sh", "-c", "seq 1 200000 | sort -n | tail -n 1; true")
        self.assertEqual((recorded.returncode, recorded.stdout), (0, b"200000\n"))
        (folder / "torn.parcast").write_bytes(b"no recording")
        answer = self.answer("info", folder)
        self.assert_documented("info-folder", answer)
        *readable, torn = answer["recordings"]
        self.assertEqual({entry["command"].split()[0].rpartition("/")[2] for entry in readable}, {"sh", "seq", "sort", "tail"})
        times = [entry["cpu_time_ns"] for entry in readable]
        self.assertEqual(times, sorted(times, reverse=True))
        self.assertEqual(torn["file"], "torn.parcast")
        self.assertIn("error", torn)
        text = parcast("info", folder).stdout.decode()
        self.assertIn(f"{len(answer['recordings'])} recordings", text)
        self.assertIn("cannot be read", text)

    # One recording was listed, beside a folder with all the others.
    def test_info_of_a_folder_says_where_further_processes_are(self):
        folder = self.folder / "script"
        folder.mkdir()
        script = "for i in 1 2 3 4 5 6 7 8 9 10; do /bin/true; done"
        self.assertEqual(parcast("record", "-o", folder / "many.parcast", "--", "sh", "-c", script).returncode, 0)
        count = len(list((folder / "many.processes").iterdir()))
        answer = self.answer("info", folder)
        self.assert_documented("info-folder", answer)
        self.assertEqual([entry["file"] for entry in answer["recordings"]], ["many.parcast"])
        self.assertEqual(answer["process_folders"], [{"folder": "many.processes", "recordings": count}])
        self.assertIn(f"many.processes: {count} recordings", parcast("info", folder).stdout.decode())
        (folder / "many.parcast").unlink()
        self.assertIn(f"parcast info {folder}/many.processes", " ".join(parcast("info", folder).stderr.decode().split()))

    def test_info_of_a_folder_names_the_processes_whose_recordings_are_cut(self):
        folder = self.folder / "cut"
        folder.mkdir()
        small = EXAMPLES / "producer_consumer_many_locks"
        recorded = parcast("record", "--max-size", "2M", "-o", folder / "sh.parcast", "--", "sh", "-c", f"{shlex.quote(str(small))} 1000 400; {shlex.quote(str(small))} 2 50")
        self.assertEqual(recorded.returncode, 0)
        answer = self.answer("info", folder)
        self.assert_documented("info-folder", answer)
        cut = [entry for entry in answer["recordings"] if entry["cut"]]
        self.assertEqual([shlex.split(entry["command"])[1:] for entry in cut], [["1000", "400"]])
        self.assertEqual(cut[0]["cut"], "size_limit")
        self.assertLess(cut[0]["covered"], 1)
        self.assertEqual({entry["covered"] for entry in answer["recordings"] if not entry["cut"]}, {1})
        text = parcast("info", folder).stdout.decode()
        self.assertRegex(text, f"{cut[0]['file']}: the first [0-9.]+ % of the run: full")

    def test_info_of_a_folder_without_recordings(self):
        folder = self.folder / "nothing"
        folder.mkdir()
        result = parcast("info", folder)
        self.assertEqual(result.returncode, INPUT)
        self.assertIn(b"no recording", result.stderr)

    def test_scale(self):
        for options in ([], ["--measure", "--runs", "1"]):
            with self.subTest(options=options):
                result = parcast("scale", "--cpus", "1,2", *options, "--json", "--", EXAMPLES / "lu", "{cpus}", "256")
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assert_documented("scale", json.loads(result.stdout))

    def test_cpu_times_of_a_program_here_and_there(self):
        command = ["--", EXAMPLES / "lu", "{cpus}", "256"]
        result = parcast("scale", "--cpu-times", "--cpus", "1,2", "--runs", "1", "--json", *command)
        self.assertEqual(result.returncode, 0, result.stderr)
        there = json.loads(result.stdout)
        self.assert_documented("cpu-times", there)
        self.assertEqual([count["cpus"] for count in there["counts"]], [1, 2])
        self.assertEqual(there["counts"][0]["growth"], 1)
        there["counts"][1].update(cpu_ns={"median": 4e9, "min": 4e9, "max": 4e9}, turn_share=0.5)
        there["counts"][0].update(cpu_ns={"median": 1e9, "min": 1e9, "max": 1e9})
        file = self.folder / "there.json"
        file.write_text(json.dumps(there))
        result = parcast("scale", "--cpu-times-of", file, "--cpus", "1,2,4", "--no-bare-runs", "--json", *command)
        self.assertEqual(result.returncode, 0, result.stderr)
        answer = json.loads(result.stdout)
        one, two, four = answer["counts"]
        self.assertEqual((one["cpu_growth"], one["cpu_growth_there"]), (1, 1))
        self.assertEqual(two["cpu_growth_there"], 2, "without what turns cost")
        self.assertAlmostEqual(two["speed_up_there"], two["speed_up"] * two["cpu_growth"] / 2)
        self.assertIsNone(four["speed_up_there"], "it was not measured there")
        self.assertEqual(answer["cpu_times_of"], str(file))

    def test_report(self):
        file = self.folder / "answer.html"
        answer = self.answer("report", self.trace, "-o", file)
        self.assert_documented("report", answer)
        self.assertEqual((answer["file"], answer["bytes"]), (str(file), file.stat().st_size))
        overview = elements_of(file.read_text())["overview"]
        self.assert_documented("view", json.loads(overview))

    def test_report_of_a_series(self):
        runs = self.folder / "runs"
        made = parcast("scale", "--cpus", "2,3,4", "--no-bare-runs", "--keep", runs, "--", EXAMPLES / "jacobi", "{cpus}", "tree", "33", "3", "10")
        self.assertEqual(made.returncode, 0, made.stderr)
        file = self.folder / "series.html"
        self.assert_documented("report", self.answer("report", runs, "-o", file))
        self.assert_documented("signature", json.loads(elements_of(file.read_text())["signature"]))

    def test_record(self):
        result = parcast("record", "--json", "-o", self.folder / "again.parcast", "--",
                         EXAMPLES / "producer_consumer_one_lock", "5")
        self.assertEqual(result.returncode, 0)
        self.assert_documented("record", json.loads(result.stderr))


if __name__ == "__main__":
    unittest.main()
