"""`parcast view` and `parcast report` of a task graph: the numbers of `parcast predict`, for every schedule."""

import json
import unittest

from json_test import Documented
from program import INPUT, USAGE, parcast, without_advice
from report_test import columns_of, elements_of
from task_graph_test import TASK_GRAPHS, predicted, times
from view_test import Viewed

SCHEDULES = "fifo,batch:4,ps"


class PagesOfTaskGraphs(Documented):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.graph = cls.folder / "polyroots.json"
        result = parcast("generate", "taskgraph", "polyroots", "--size", "30", "-o", cls.graph)
        assert result.returncode == 0, result.stderr

    def report(self, *words, graph=None):
        file = self.folder / f"{self.id()}.html"
        result = parcast("report", graph or self.graph, "-o", file, "--force", "--json", *words)
        self.assertEqual((result.returncode, result.stderr), (0, b""))
        self.assert_documented("report", json.loads(result.stdout))
        return elements_of(file.read_text(encoding="utf-8"))

    def test_a_report_has_what_was_predicted_and_no_simulator(self):
        elements = self.report("--cpus", "3,8", "--schedule", SCHEDULES)
        self.assertEqual(set(elements), {"overview"} | {f"execution-{schedule}-{cpus}"
                                                        for schedule in ("fifo", "batch-4", "ps") for cpus in (3, 8)})
        overview = json.loads(elements["overview"])
        self.assert_documented("view", overview)
        answer = predicted(self.graph, "--cpus", "3,8", "--schedule", SCHEDULES)
        self.assertEqual(overview["prediction"], without_advice(answer))
        self.assertEqual(overview["schedulers"], ["fifo", "batch:4", "ps"])
        self.assertFalse(overview["capabilities"]["simulate"])
        for schedule, by_cpus in times(answer).items():
            for cpus, time_ns in by_cpus.items():
                columns = columns_of(elements[f"execution-{schedule.replace(':', '-')}-{cpus}"], b"PCEX")
                self.assertAlmostEqual(columns["totals"][1], time_ns, delta=1)
                self.assertEqual(len(columns["thread.ended"]), answer["graph"]["tasks"])
                self.assertEqual(sum(columns["totals"][2:13]), columns["totals"][1] * cpus, "processor time is conserved")
                self.assertEqual((columns["path.begin"][0], columns["path.end"][-1]), (0, columns["totals"][1]))

    def test_a_report_is_named_after_its_graph_without_the_ending(self):
        # It was polyroots.json.html.
        result = parcast("report", self.graph, "--cpus", "2", cwd=self.folder)
        self.assertEqual((result.returncode, result.stderr), (0, b""))
        self.assertIn(b"wrote polyroots.html (", result.stdout)

    def test_a_report_names_tasks_and_has_their_precedences(self):
        groups = json.loads(self.report("--cpus", "2", graph=TASK_GRAPHS / "diamond.stg")["overview"])["groups"]
        self.assertEqual(len(groups["first_task"]), len(groups["first_successor"]))
        self.assertEqual(groups["first_successor"][-1], len(groups["successors"]))

    def test_what_speed_ups_refer_to_is_said_where_one_cpu_pays_too(self):
        # It said "242 ms on 1 CPU" and "8 CPUs are 3.68 times as fast as one", of 30.9 ms.
        notes = json.loads(self.report("--cpus", "1,2", "--schedule", "fifo", "--overhead", "1ms")["overview"])["notes"]
        self.assertEqual(sum("against one CPU that pays nothing" in note for note in notes), 1)
        self.assertEqual(json.loads(self.report("--cpus", "1,2", "--schedule", "fifo")["overview"])["notes"], [])

    def test_a_view_executes_what_it_is_asked_for(self):
        viewed = Viewed(self.graph, "--cpus", "1,2")
        try:
            overview = viewed.json("overview.json")
            self.assert_documented("view", overview)
            self.assertTrue({"fifo", "lpt", "critical-path", "block", "ps"} <= set(overview["schedulers"]))
            for schedule, by_cpus in times(predicted(self.graph, "--cpus", "1,5", "--schedule", "all")).items():
                for cpus, time_ns in by_cpus.items():
                    for detail in ("", "&timeline=0"):
                        with self.subTest(schedule=schedule, cpus=cpus, detail=detail):
                            totals = viewed.totals(f"cpus={cpus}&scheduler={schedule}{detail}")
                            self.assertEqual(totals[0], cpus)
                            self.assertAlmostEqual(totals[1], time_ns, delta=1)
            for question, words in (("cpus=0&scheduler=fifo", b"cpus from 1"), ("cpus=2&scheduler=best", b"no schedule 'best'")):
                status, _, content = viewed.ask(f"execution?{question}")
                self.assertEqual(status, 400)
                self.assertIn(words, content)
            self.assertEqual(viewed.ask("execution?cpus=2&scheduler=batch")[0], 400)
            self.assertEqual(viewed.ask("source?site=0")[0], 404)
        finally:
            viewed.end()

    def test_two_graphs_and_a_graph_beside_a_recording_are_compared(self):
        for other in (TASK_GRAPHS / "diamond.stg", self.trace):
            viewed = Viewed(self.graph, "--compare", other)
            try:
                self.assertEqual(viewed.json("overview.json")["prediction"]["input"]["form"], "task_graph")
                self.assertTrue(viewed.json("overview.json")["capabilities"]["compare"])
                form = "recording" if other == self.trace else "task_graph"
                self.assertEqual(viewed.json("b/overview.json")["prediction"]["input"]["form"], form)
            finally:
                viewed.end()

    def test_what_a_task_graph_has_not_is_refused(self):
        for words, text in (
            (["view", self.graph, "--measured", "scale.json"], b"--measured is for recordings"),
            (["view", self.graph, "--compare", "recorded"], b"--compare recorded is for recordings"),
            (["view", self.graph, "--scheduler", "ideal"], b"--scheduler is for recordings"),
            (["report", self.graph, "--no-source-text"], b"--no-source-text is for recordings"),
            (["report", self.graph, "--schedule", "best"], b"there is no schedule 'best'"),
            (["report", self.trace, "--schedule", "fifo"], b"--schedule is for task graphs"),
            (["view", self.trace, "--overhead", "2us"], b"--overhead is for task graphs"),
        ):
            with self.subTest(words=words):
                result = parcast(*words)
                self.assertEqual(result.returncode, USAGE, result.stderr)
                self.assertIn(text, b" ".join(result.stderr.split()))

    def test_more_tasks_than_a_browser_has_room_for_are_refused_with_what_to_do(self):
        graph = self.folder / "large.json"
        graph.write_text('{"schema": "parcast.taskgraph/2", "unit": "ns", "groups": [{"count": 2000001, "time": 1}]}')
        result = parcast("report", graph, "--cpus", "2")
        self.assertEqual(result.returncode, INPUT)
        self.assertIn(b"2,000,001 tasks; a browser has room for 2,000,000", b" ".join(result.stderr.split()))
        self.assertIn(b"--condense", result.stderr)


if __name__ == "__main__":
    unittest.main()
