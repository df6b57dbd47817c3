"""Task graphs on the command line: generated, predicted under schedules, extracted from a recording, condensed."""

import json
import pathlib
import unittest

from program import EXAMPLES, IMPOSSIBLE, INPUT, OUTPUT, USAGE, WithRecording, parcast

TASK_GRAPHS = pathlib.Path(__file__).parent.parent / "taskgraphs"


def predicted(file, *words):
    result = parcast("predict", file, *words, "--json")
    if result.returncode != 0:
        raise AssertionError(result.stderr.decode())
    return json.loads(result.stdout)


def times(answer):
    """{schedule: {cpus: time_ns}}"""
    found = {}
    for row in answer["predictions"]:
        found.setdefault(row["schedule"], {})[row["cpus"]] = row["time_ns"]
    return found


class TaskGraphs(WithRecording):
    def generated(self, structure, *words):
        file = self.folder / f"{structure}.json"
        result = parcast("generate", "taskgraph", structure, "-o", file, "--force", *words)
        self.assertEqual((result.returncode, result.stdout), (0, b""), result.stderr)
        return file

    def test_polyroots_jumps_where_the_large_tasks_fit_and_lpt_wins_before(self):
        # Adve 1993, figures 6.1 (a) and 7.3: 30 large tasks, so that 15 and 30 processors have a round less than 14 and 29.
        answer = predicted(self.generated("polyroots", "--size", "30"), "--cpus", "1-30", "--schedule", "fifo,lpt,ps")
        fifo, lpt, ps = (times(answer)[schedule] for schedule in ("fifo", "lpt", "ps"))
        usual = fifo[13] / fifo[14]
        for cpus in (15, 30):
            self.assertGreater(fifo[cpus - 1] / fifo[cpus], 1.1)
            self.assertGreater(fifo[cpus - 1] / fifo[cpus], usual)
        self.assertLess(lpt[24] / fifo[24], 0.95)
        for cpus in range(1, 31):
            self.assertLessEqual(ps[cpus], 1.0001 * fifo[cpus])
        for row in answer["predictions"]:
            if row["schedule"] == "fifo":
                self.assertLessEqual(row["bounds"]["lower"], 1.0001 * row["speed_up"])
                self.assertLessEqual(row["speed_up"], 1.0001 * row["bounds"]["upper"])

    def test_all_schedules_are_those_that_can_differ_and_the_others_are_named(self):
        # `pinned` was offered for loops of process subsets, where it had put all tasks on three processes.
        for structure, left_out in (("psim", {"lpt-estimate", "queues", "queues-lpt", "pinned"}), ("locusroute", {"split"})):
            with self.subTest(structure=structure):
                file = self.generated(structure)
                answer = predicted(file, "--cpus", "4", "--schedule", "all")
                self.assertEqual({each["schedule"] for each in answer["method"]["schedules_left_out"]}, left_out)
                self.assertFalse(left_out & set(times(answer)))
                text = parcast("predict", file, "--cpus", "4", "--schedule", "all").stdout.decode()
                self.assertIn("Left out:", text)
                self.assertNotIn("Left out:", parcast("predict", file, "--cpus", "4").stdout.decode())

    def test_every_form_of_a_graph_gives_the_same_times(self):
        # The diamond takes 14 units on one processor and 12 on more: tests/taskgraphs.
        for name, unit in (("diamond.stg", 1), ("diamond.dot", 1e9), ("diamond.wfformat.json", 1e9)):
            with self.subTest(name=name):
                self.assertEqual(times(predicted(TASK_GRAPHS / name, "--cpus", "1,2")), {"fifo": {1: 14 * unit, 2: 12 * unit}})
        self.assertEqual(times(predicted(TASK_GRAPHS / "diamond.stg", "--cpus", "2", "--unit", "us")), {"fifo": {2: 12e3}})

    def test_a_parameter_is_given_its_value(self):
        file = self.folder / "loop.json"
        file.write_text('{"schema": "parcast.taskgraph/2", "unit": "us", "parameters": {"n": 4}, "groups": [{"count": "n", "time": "k"}]}')
        self.assertEqual(times(predicted(file, "--cpus", "2", "--set", "k=3", "--set", "n=2*k"))["fifo"], {2: 9e3})
        result = parcast("predict", file)
        self.assertEqual(result.returncode, INPUT)
        self.assertIn(b"loop.json:1:", result.stderr)
        self.assertIn(b"with --set k=VALUE", b" ".join(result.stderr.split()))

    def test_all_schedules_that_a_graph_allows_are_compared(self):
        dynprog = times(predicted(self.generated("dynprog", "--size", "20"), "--cpus", "1,4", "--schedule", "all"))
        self.assertTrue({"fifo", "lpt", "critical-path", "block", "cyclic", "guided", "pinned", "ps"} <= dynprog.keys())
        self.assertNotIn("queues", dynprog)
        self.assertEqual({round(by_cpus[1]) for schedule, by_cpus in dynprog.items()}, {round(dynprog["fifo"][1])})

    def test_options_of_the_other_kind_of_file_are_refused(self):
        graph = TASK_GRAPHS / "diamond.stg"
        for words in (["--scheduler", "ideal"], ["--model", "strict"], ["--threads-table"]):
            result = parcast("predict", graph, *words)
            self.assertEqual(result.returncode, USAGE, result.stderr)
            self.assertIn(f"{words[0]} is for recordings", " ".join(result.stderr.decode().split()))
        for words in (["--schedule", "fifo"], ["--set", "n=3"], ["--unit", "us"], ["--retire", "all"]):
            result = parcast("predict", self.trace, *words)
            self.assertEqual(result.returncode, USAGE, result.stderr)
            self.assertIn(f"{words[0]} is for task graphs".encode(), result.stderr)

    def test_a_file_that_is_not_there_is_not_said_to_be_of_the_other_kind(self):
        for verb in ("predict", "view", "report", "export"):
            result = parcast(verb, self.folder / "nosuch.json", "--schedule", "fifo")
            self.assertEqual(result.returncode, INPUT, result.stderr)
            self.assertIn(b"No such file", result.stderr)

    def test_the_higher_speed_up_is_the_less_time(self):
        file = self.folder / "loop.json"
        file.write_text('{"schema": "parcast.taskgraph/2", "unit": "us", "groups": [{"count": 8, "time": 10}]}')
        answer = predicted(file, "--cpus", "1,2", "--schedule", "fifo,batch:4", "--overhead", "1us")
        self.assertEqual(answer["time_on_one_cpu_ns"], 80e3)
        for row in answer["predictions"]:
            self.assertAlmostEqual(row["speed_up"] * row["time_ns"], 80e3, msg="one baseline: the work")

    def test_mistakes_name_what_there_is(self):
        graph = TASK_GRAPHS / "diamond.stg"
        for words, status, text in (
            (["predict", graph, "--schedule", "fif"], USAGE, b"fifo"),
            (["predict", graph, "--schedule", "queues"], USAGE, b"have no queue"),
            (["predict", graph, "--schedule", "fifo,pinned"], USAGE, b"--schedule pinned: no task is pinned"),
            (["predict", graph, "--schedule", "lpt-estimate"], USAGE, b"no estimates"),
            (["predict", graph, "--schedule", "all,fifo"], USAGE, b"stands alone"),
            (["export", graph, "--cpus", "2", "--schedule", "all"], USAGE, b"name one"),
            (["predict", graph, "--memory", "nosuch"], INPUT, b"and lock"),
            (["generate", "taskgraph", "polyroots", "--size", "100000"], USAGE, b"from 4 to 50000"),
            (["predict", graph, "--overhead", "2"], USAGE, b"no time with its unit (ns, us, ms or s), such as 2us"),
            (["predict", graph, "--unit", "days"], USAGE, b"ns, us, ms or s"),
            (["predict", graph, "--set", "n"], USAGE, b"n=1024"),
            (["predict", graph, "--set", "n=3"], INPUT, b"only a task graph in parcast's JSON"),
            (["generate", "taskgraphs", "psim"], USAGE, b"Did you mean: taskgraph"),
            (["generate", "taskgraph", "polyrot"], USAGE, b"Did you mean: polyroots"),
            (["generate", "taskgraph", "polyroots", "--size", "1"], USAGE, b"degree of the polynomial"),
            (["info", graph], INPUT, b"info takes a recording; this is a task graph"),
            (["extract", graph, "-o", graph], USAGE, b"is the input itself"),
            (["extract", graph, "-o", "-", "--json"], USAGE, b"standard output"),
        ):
            with self.subTest(words=words):
                result = parcast(*words)
                self.assertEqual(result.returncode, status, result.stderr)
                self.assertIn(text, b" ".join(result.stderr.split()))

    def test_a_question_does_not_end_with_a_full_stop_too(self):
        file = self.folder / "loop.json"
        file.write_text('{"schema": "parcast.taskgraph/2", "unit": "ns", "parameters": {"n": 4}, "groups": [{"count": "n", "time": 1}]}')
        result = parcast("predict", file, "--set", "m=3")
        self.assertEqual(result.returncode, INPUT)
        self.assertRegex(b" ".join(result.stderr.split()), rb"did you mean 'n'\? \[not_found\] How a task graph is read")

    def test_a_cycle_in_a_file_of_more_than_64_mib_has_its_line(self):
        file = self.folder / "large.json"
        file.write_text('{"schema": "parcast.taskgraph/2", "assumptions": ["' + "x" * (65 << 20) + '"], "groups": [\n'
                        '{"name": "a", "time": 1, "after": ["b"]},\n{"name": "b", "time": 1, "after": ["a"]}]}')
        result = parcast("predict", file)
        self.assertEqual(result.returncode, INPUT)
        self.assertRegex(result.stderr, rb"large.json:[23]:")
        file.unlink()

    def test_formulas_may_use_the_number_of_cpus(self):
        # Adve 1993, section 4.4.2: one block a processor, and a tree of joins.
        file = self.folder / "blocks.json"
        file.write_text('{"schema": "parcast.taskgraph/2", "unit": "us", "parameters": {"n": 96}, "groups": ['
                        '{"name": "blocks", "count": "P", "time": "n / P"},'
                        '{"name": "join", "time": "2 * ceil(log2(P))", "after": ["blocks"]}]}')
        answer = predicted(file, "--cpus", "1,2,4,8")
        self.assertEqual(times(answer)["fifo"], {1: 96e3, 2: 50e3, 4: 28e3, 8: 18e3})
        for row in answer["predictions"]:
            self.assertAlmostEqual(row["speed_up"], 96e3 / row["time_ns"])
            self.assertLessEqual(row["bounds"]["lower"], 1.0001 * row["speed_up"])
            self.assertLessEqual(row["speed_up"], 1.0001 * row["bounds"]["upper"])
        self.assertIn("depends on the number of CPUs", " ".join(answer["assumptions"]))
        self.assertEqual(times(predicted(file, "--cpus", "2,8", "--set", "P=4"))["fifo"], {2: 52e3, 8: 28e3})
        text = parcast("predict", file, "--cpus", "1,2,8").stdout.decode()
        self.assertIn("depends on the number of CPUs; for 1: 2 tasks", text)
        self.assertNotIn("more do not help", text)
        for of_one_graph in (["extract", file, "-o", "-"], ["predict", file, "--compare"],
                             ["report", file, "-o", self.folder / "blocks.html"]):
            result = parcast(*of_one_graph)
            self.assertEqual(result.returncode, USAGE)
            self.assertIn(b"use P, the number of CPUs", result.stderr)
        result = parcast("report", file, "--set", "P=8", "-o", self.folder / "blocks.html")
        self.assertEqual(result.returncode, 0, result.stderr)
        condensed = json.loads(parcast("extract", file, "--condense", "4", "-o", "-").stdout)
        self.assertEqual(sum(group.get("count", 1) for group in condensed["groups"]), 5)

    def test_speeds_by_running_tasks_are_contention(self):
        file = self.folder / "speeds.json"
        file.write_text('{"schema": "parcast.taskgraph/2", "groups": [{"count": 4, "time": 60, "speeds": [1, 0.75, 0.6]}]}')
        self.assertEqual(times(predicted(file, "--cpus", "1,2,4"))["fifo"], {1: 240, 2: 160, 4: 100})
        refused = parcast("predict", file, "--memory", "sequent")
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn(b"speeds", refused.stderr)

    def test_under_ps_a_task_on_one_cpu_meets_nobody(self):
        # 100 tasks with differing rates took 5.17 s instead of 0.100.
        groups = ",".join(f'{{"time": 1000000, "uses": {{"memory.rate": {0.0001 * (1 + i)}}}}}' for i in range(100))
        file = self.folder / "rates.json"
        file.write_text(f'{{"schema": "parcast.taskgraph/2", "groups": [{groups}]}}')
        answer = predicted(file, "--cpus", "1", "--schedule", "fifo,ps", "--memory", "ddr4-2-channels")
        self.assertAlmostEqual(times(answer)["ps"][1] / times(answer)["fifo"][1], 1, 9)
        self.assertIn("Under ps", " ".join(answer["assumptions"]))

    def test_a_standard_task_graph_may_begin_with_a_comment(self):
        file = self.folder / "commented.stg"
        file.write_text("# by hand\n" + (TASK_GRAPHS / "diamond.stg").read_text())
        self.assertEqual(times(predicted(file, "--cpus", "1,2")), {"fifo": {1: 14, 2: 12}})

    def test_taking_tasks_costs_what_overhead_says_and_batches_pay_less_often(self):
        file = self.folder / "loop.json"
        file.write_text('{"schema": "parcast.taskgraph/2", "unit": "us", "groups": [{"count": 8, "time": 10}]}')
        overhead = times(predicted(file, "--cpus", "2", "--schedule", "fifo,batch:4,block", "--overhead", "1us"))
        self.assertEqual(overhead, {"fifo": {2: 44e3}, "batch:4": {2: 41e3}, "block": {2: 40e3}})
        answer = predicted(file, "--cpus", "2", "--overhead", "1us,3us")
        self.assertEqual(answer["machine"]["overhead_ns"], [1e3, 3e3])
        self.assertIsNone(answer["predictions"][0]["bounds"], "they know of no overhead")
        self.assertEqual(answer["predictions"][0]["lost"]["overhead_ns"], 22e3)

    def test_a_generated_graph_is_written_whole_or_to_standard_output(self):
        file = self.generated("psim", "--size", "64")
        again = parcast("generate", "taskgraph", "psim", "--size", "64", "-o", "-")
        self.assertEqual(again.stdout, file.read_bytes())
        kept = parcast("generate", "taskgraph", "psim", "-o", file)
        self.assertEqual(kept.returncode, OUTPUT)
        self.assertEqual(again.stdout, file.read_bytes())

    def test_a_condensed_graph_takes_as_long_as_the_original_divided_in_blocks(self):
        # Adve 1993, section 4.2.2.
        original = self.generated("mp3d", "--size", "800")
        condensed = self.folder / "condensed.json"
        result = parcast("extract", original, "--condense", "4", "-o", condensed, "--force")
        self.assertEqual(result.returncode, 0, result.stderr)
        blocks = times(predicted(original, "--cpus", "4", "--schedule", "block"))["block"]
        self.assertEqual(times(predicted(condensed, "--cpus", "4", "--schedule", "pinned"))["pinned"], blocks)

    def test_the_example_is_slower_with_a_memory(self):
        example = pathlib.Path(__file__).parents[2] / "examples" / "taskgraphs" / "stencil.json"
        alone = times(predicted(example, "--cpus", "1,16"))["fifo"]
        shared = times(predicted(example, "--cpus", "1,16", "--memory", "ddr4-2-channels"))["fifo"]
        self.assertEqual(shared[1], alone[1], "its CPU times were measured alone")
        self.assertGreater(shared[16], 1.1 * alone[16])

    def test_a_recording_becomes_a_task_graph_with_its_work(self):
        file = self.folder / "extracted.json"
        result = parcast("extract", self.trace, "-o", file, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        answer = json.loads(result.stdout)
        of_graph = predicted(file, "--cpus", "1,2")
        for field in ("tasks", "groups", "precedences"):
            self.assertEqual(answer[field], of_graph["graph"][field])
        self.assertAlmostEqual(answer["work_ns"], of_graph["work_ns"], delta=1)
        replayed = json.loads(parcast("predict", self.trace, "--cpus", "1", "--json").stdout)
        self.assertEqual(answer["work_ns"], replayed["work_ns"])
        self.assertTrue(any("Waiting for locks is left out" in sentence for sentence in answer["assumptions"]))

    def test_of_a_graph_with_a_lock_the_next_command_does_not_leave_out_the_waiting_for_it(self):
        result = parcast("extract", self.trace, "-o", self.folder / "locked.json")
        self.assertIn(b"--memory lock", result.stderr)

    def test_a_series_parallel_graph_becomes_a_model_of_its_repetitions(self):
        graph, model = self.folder / "phases.json", self.folder / "phases.pam"
        groups = [{"name": "fork", "time": 1}]
        for phase in range(5):
            groups.append({"name": f"phase {phase}", "count": 8, "time": 3, "after": [groups[-1]["name"]]})
        graph.write_text(json.dumps({"schema": "parcast.taskgraph/1", "unit": "ms", "groups": groups}))
        result = parcast("extract", graph, "-o", model, "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        answer = json.loads(result.stdout)["model"]
        self.assertEqual((answer["series_parallel"], answer["parameters"]), (True, [{"name": "P", "value": 8}, {"name": "N", "value": 5}]))
        self.assertEqual(answer["span_ns"], json.loads(result.stdout)["span_ns"])
        self.assertIn("seq (i1 = 1, N) par (p2 = 1, P) delay(3)", model.read_text())

    def test_the_formula_of_a_recorded_program_has_the_critical_path_of_its_task_graph(self):
        trace, model = self.folder / "sort.parcast", self.folder / "sort.pam"
        recorded = parcast("record", "-o", trace, "--", EXAMPLES / "radix_sort", "4")
        self.assertEqual(recorded.returncode, 0, recorded.stderr)
        extracted = parcast("extract", trace, "-o", model, "--json")
        self.assertEqual(extracted.returncode, 0, extracted.stderr)
        answer = json.loads(extracted.stdout)
        self.assertIn({"name": "P", "value": 4}, answer["model"]["parameters"])
        self.assertAlmostEqual(answer["model"]["span_ns"], answer["span_ns"], delta=1)
        evaluated = parcast("predict", model, "--json")
        self.assertEqual(evaluated.returncode, 0, evaluated.stderr)
        (point,) = json.loads(evaluated.stdout)["predictions"]
        # Its segments are random times in the formula: on a busy machine some were interrupted and took longer.
        mean_ns = point["time"]["mean"] * answer["model"]["unit_ns"]
        self.assertAlmostEqual(mean_ns / answer["span_ns"], 1, delta=0.15)

    def test_of_what_is_not_series_parallel_the_closest_structure_is_written_only_if_asked_for(self):
        graph, model = self.folder / "n.dot", self.folder / "n.pam"
        graph.write_text("digraph { node [time=1000000]; a -> c; b -> c; b -> d; d [time=2000000] }")
        refused = parcast("extract", graph, "-o", model)
        self.assertEqual((refused.returncode, model.exists()), (IMPOSSIBLE, False))
        said = b" ".join(refused.stderr.split())
        self.assertIn(b"both go before task c, but not before the same tasks", said)
        self.assertIn(b"--closest -o model.pam", said)
        written = parcast("extract", graph, "-o", model, "--closest")
        self.assertEqual(written.returncode, 0, written.stderr)
        said = b" ".join(written.stderr.split())
        self.assertIn(b"not series-parallel; the critical path of the closest structure is 0 % longer", said)
        self.assertIn("process main", model.read_text())
        self.assertEqual(parcast("extract", graph, "--closest").returncode, USAGE)


if __name__ == "__main__":
    unittest.main()
