"""Programs of threads that are written down: predicted, exported and reported like recordings, and written from them."""

import csv
import json
import pathlib
import re
import tempfile
import unittest

try:
    import jsonschema
except ImportError:
    jsonschema = None

from program import IMPOSSIBLE, INPUT, OUTPUT, SCHEMAS, USAGE, parcast

ROOT = pathlib.Path(__file__).parents[2]
EXAMPLE = ROOT / "examples/threads/two_producers.threads.json"
RECORDINGS = [path for path in sorted((ROOT / "tests/changes/inputs").glob("*.parcast"))
              if path.stem in {"fft", "gateway", "hand_out", "killed", "lu", "many_locks", "n_body", "one_lock", "pigz", "prime_filters",
                               "quicksort", "radix_sort", "sleeper", "taken_wake_up", "yields", "crossed_locks"}]


def objects(*lines):
    return [dict(zip(("name", "kind", "count"), line)) for line in lines]


def thread(name, *steps, **others):
    return {"name": name, **others, "do": list(steps)}


class Threads(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="parcast-threads-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def written(self, threads, used=(), unit="us", **others):
        path = self.folder / "program.threads.json"
        program = {"schema": "parcast.threads/1", "unit": unit, "objects": list(used), "threads": threads, **others}
        path.write_text(json.dumps(program))
        if jsonschema:
            jsonschema.validate(program, json.loads((SCHEMAS / "threads.schema.json").read_text()))
        return path

    def predicted(self, path, *options, status=0):
        machine = [] if "--machine" in options else ["--machine", "default"]
        result = parcast("predict", path, *machine, "--json", *options)
        self.assertEqual(result.returncode, status, result.stderr.decode())
        return json.loads(result.stdout)

    def times(self, path, *options):
        return [row["time_ns"] for row in self.predicted(path, *options)["predictions"]]

    def gantt(self, path, cpus, *scheduler, unit_ns=1000):
        """Who runs when, as "P1": [(0, 3), (5, 9)], pieces that touch put together."""
        table = self.folder / "intervals.csv"
        result = parcast("export", path, "--cpus", cpus, *scheduler, "--format", "csv", "-o", table, "--force")
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        runs = {}
        for row in csv.DictReader(table.read_text().splitlines()):
            if row["state"] == "running":
                begin, end = int(row["begin_ns"]) // unit_ns, int(row["end_ns"]) // unit_ns
                pieces = runs.setdefault(row["thread_name"], [])
                if pieces and pieces[-1][1] == begin:
                    begin = pieces.pop()[0]
                if begin < end:
                    pieces.append((begin, end))
        return runs


class Forms(Threads):
    def test_the_text_says_where_the_program_is_from(self):
        text = parcast("predict", EXAMPLE, "--machine", "default", "--cpus", "1,2").stdout.decode()
        self.assertTrue(" ".join(text.split()).startswith("two producers, one consumer: 4 threads, written down in "), text)
        self.assertIn("1.71 ms of CPU time", " ".join(text.split()))
        self.assertNotIn("recorded", text)

    def test_the_example_takes_what_one_can_count(self):
        # The consumer takes 4 * 160 us behind the first item: main 20, right 200 and 10, then 4 * (10 + 150), and main's 5.
        self.assertEqual(self.times(EXAMPLE, "--scheduler", "ideal", "--cpus", "1,4"), [1705000, 875000])

    def test_json_names_the_form_and_nothing_that_was_recorded(self):
        answer = self.predicted(EXAMPLE)
        self.assertEqual(answer["input"], {"file": str(EXAMPLE), "form": "threads", "name": "two producers, one consumer", "threads": 4})
        self.assertNotIn("recorded", answer)
        self.assertEqual(answer["findings"], [])

    def test_places_are_lines_of_the_file(self):
        answer = self.predicted(EXAMPLE, "--cpus", "1", "--scheduler", "ideal")
        self.assertEqual(answer["work_ns"], 1705000)
        stuck = self.written([thread("A", "lock M", "work 1 f", "lock N"), thread("B", "lock N", "work 1 g", "lock M")],
                             objects(("M", "mutex"), ("N", "mutex")))
        stuck.write_text(stuck.read_text().replace('"lock N"]', '\n\n"lock N"]'))
        place = self.predicted(stuck, "--cpus", "2", status=IMPOSSIBLE)["predictions"][0]["deadlock"]["threads"][0]["place"]
        self.assertEqual((place["frames"][0]["function"], place["frames"][0]["line"]), ("f", 3))

    def test_what_is_about_recordings_says_so(self):
        for words in (["info", EXAMPLE], ["variance", EXAMPLE]):
            result = parcast(*words)
            self.assertEqual(result.returncode, INPUT)
            self.assertIn("takes a recording; this is a thread program", " ".join(result.stderr.decode().split()))
        for words in (["predict", EXAMPLE, "--tasks", "recorded"], ["export", EXAMPLE, "--recorded"],
                      ["view", EXAMPLE, "--compare", "recorded"]):
            result = parcast(*words)
            self.assertEqual(result.returncode, USAGE)
            self.assertIn("for recordings; this is a thread program", " ".join(result.stderr.decode().split()))

    def test_export_and_report_take_it(self):
        result = parcast("export", EXAMPLE, "--cpus", "2", "--format", "csv", "-o", self.folder / "intervals.csv")
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        self.assertIn("consumer", (self.folder / "intervals.csv").read_text())
        result = parcast("report", EXAMPLE, "-o", self.folder / "report.html")
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        self.assertIn("<title>two producers, one consumer", (self.folder / "report.html").read_text())

    def test_threads_that_wait_in_a_circle_have_no_prediction(self):
        path = self.written([thread("A", "lock M", "work 1", "lock N", "unlock N", "unlock M"),
                             thread("B", "lock N", "work 1", "lock M", "unlock M", "unlock N")], objects(("M", "mutex"), ("N", "mutex")))
        result = parcast("predict", path, "--cpus", "1,2", "--machine", "default")
        self.assertEqual(result.returncode, IMPOSSIBLE)
        text = " ".join(result.stdout.decode().split())
        place = "(A, program.threads.json:1)"
        self.assertRegex(text, r"On 2 CPUs the direct model deadlocks after [12]\.\d\d µs; 2 threads cannot go on: "
                               + re.escape(f"A waits for mutex N {place}, held by B"))
        self.assertIn(f"B waits for mutex M {place}, held by A", text)


def bound(name, cpu, level, *steps):
    return thread(name, *steps, cpu=cpu, real_time=level)


# Broberg 2002, paper VIII: processes on fixed processors, P1 with the highest priority. An Activate blocks until it is accepted.
PROGRAM_P = [bound("P1", 0, 40, "create P2", "work 1", "create P3", "work 2", "accept", "work 1", "create P4", "work 1", "accept", "work 2"),
             bound("P2", 0, 30, "work 2", "activate P1", "work 1"),
             bound("P3", 1, 20, "work 2", "activate P1", "work 3"),
             bound("P4", 1, 10, "work 3")]
# As P1 served its clients when it was recorded on one processor.
PROGRAM_Q = [bound("P1", 0, 30, "create P2", "work 1", "create P3", "work 1", "accept", "work 2", "activate P2", "work 1",
                   "accept", "work 2", "activate P3", "work 1"),
             bound("P2", 1, 20, "work 7", "activate P1", "work 1", "accept", "work 1"),
             bound("P3", 2, 10, "work 2", "activate P1", "work 1", "accept", "work 1")]
PROGRAM_R = [bound("P1", 0, 40, "create P2", "work 1", "create P3", "work 1", "create P4", "work 1", "accept", "work 2", "accept", "work 2",
                   "activate P2", "work 1", "activate P3", "work 1", "accept", "work 2", "activate P4", "work 1"),
             bound("P2", 1, 30, "work 12", "activate P1", "work 1", "accept", "work 1"),
             bound("P3", 2, 20, "work 7", "activate P1", "work 1", "accept", "work 1"),
             bound("P4", 3, 10, "work 2", "activate P1", "work 1", "accept", "work 1")]
# The strict sequence: each wait takes the activation that it took when it was recorded. A rendezvous of two named partners is two semaphores.
STRICT_P = [bound("P1", 0, 40, "create P2", "work 1", "create P3", "work 2", "wait from2", "post to2", "work 1", "create P4", "work 1",
                  "wait from3", "post to3", "work 2"),
            bound("P2", 0, 30, "work 2", "post from2", "wait to2", "work 1"),
            bound("P3", 1, 20, "work 2", "post from3", "wait to3", "work 3"),
            bound("P4", 1, 10, "work 3")]
SEMAPHORES = objects(("from2", "semaphore"), ("to2", "semaphore"), ("from3", "semaphore"), ("to3", "semaphore"))


class RoundRobin(Threads):
    def completions(self, path, cpus, *options):
        return [time if time is None else time / 1000 for time in self.times(path, "--scheduler", "round-robin", "--cpus", cpus, *options)]

    def test_p_takes_10_on_two_processors_and_18_on_one(self):
        self.assertEqual(self.completions(self.written(PROGRAM_P), "1,2"), [18, 10])

    def test_p_in_strict_sequence_takes_12_as_its_gantt_chart_shows(self):
        path = self.written(STRICT_P, SEMAPHORES)
        self.assertEqual(self.completions(path, "1,2"), [18, 12])
        self.assertEqual(self.gantt(path, 2, "--scheduler", "round-robin"), {"P1": [(0, 3), (5, 9)], "P2": [(3, 5), (9, 10)], "P3": [(1, 3), (7, 10)],
                                              "P4": [(6, 7), (10, 12)]})

    def deadlock(self, path, cpus):
        answer = self.predicted(path, "--scheduler", "round-robin", "--model", "direct", "--cpus", f"1,{cpus}", status=IMPOSSIBLE)
        on_one, on_many = answer["predictions"]
        stuck = [(row["thread"]["text"], row["awaited_thread"] and row["awaited_thread"]["text"]) for row in on_many["deadlock"]["threads"]]
        return on_one["time_ns"] / 1000, on_many["deadlock"]["time_ns"] / 1000, stuck

    def test_q_deadlocks_at_7_and_takes_21_on_one(self):
        self.assertEqual(self.deadlock(self.written(PROGRAM_Q), 3), (21, 7, [("P1", "P2"), ("P2", "P1"), ("P3", None)]))

    def test_r_deadlocks_at_12_and_takes_39_on_one(self):
        self.assertEqual(self.deadlock(self.written(PROGRAM_R), 4), (39, 12, [("P1", "P2"), ("P2", "P1"), ("P3", None), ("P4", None)]))

    def test_four_threads_take_4006_bin_packed_and_2005_at_best(self):
        # Paper IV, section 4: l + 3e, l, l + e, l + 2e with l = 1000, e = 1; the last two wait for the first two.
        used = objects(("first", "semaphore"), ("second", "semaphore"))
        for cpus, expected in (((0, 0, 1, 1), 4006), ((0, 1, 1, 0), 2005)):
            steps = (("work 1003", "post first 2"), ("work 1000", "post second 2"),
                     ("wait first", "wait second", "work 1001"), ("wait first", "wait second", "work 1002"))
            threads = [thread(f"T{i + 1}", *steps[i], cpu=cpus[i]) for i in range(4)]
            self.assertEqual(self.completions(self.written(threads, used), "2"), [expected])

    def test_figure_2_of_paper_iv(self):
        machine = self.folder / "machine.toml"
        steps = (("work 3", "lock M", "work 1", "unlock M", "work 9"), ("work 4",), ("work 2", "lock M", "work 4", "unlock M"))
        for cpus, expected in (((0, 1, 2), 16), ((0, 1, 1), 13), ((0, 0, 1), 17), ((0, 1, 0), 19)):
            path = self.written([thread(f"T{i + 1}", *steps[i], cpu=cpus[i]) for i in range(3)], objects(("M", "mutex")))
            for slice_ns in (0, 1000):  # until they wait, and one unit
                machine.write_text(f'version = 1\n[scheduler]\nkind = "round-robin"\nslice_ns = {slice_ns}\n')
                with self.subTest(cpus=cpus, slice_ns=slice_ns):
                    self.assertEqual([row / 1000 for row in self.times(path, "--machine", machine, "--cpus", "3")], [expected])

    def test_rates_are_refused(self):
        result = parcast("predict", EXAMPLE, "--scheduler", "round-robin", "--memory", "ddr4-2-channels:4.5")
        self.assertEqual(result.returncode, INPUT)
        self.assertIn("the round-robin scheduler knows no rates", " ".join(result.stderr.decode().split()))


class Linux22(Threads):
    """Broberg 2002, paper III: times are in ticks of 10 ms."""

    def gantt_in_ticks(self, path, *options):
        return self.gantt(path, 1, *(options or ("--scheduler", "linux-2.2")), unit_ns=10_000_000)

    def test_two_that_compute_take_turns_of_21_then_42_ticks(self):
        path = self.written([thread("A", "work 840", at="start"), thread("B", "work 840", at="start")], unit="ms")
        self.assertEqual(self.gantt_in_ticks(path), {"A": [(0, 21), (63, 105), (147, 168)], "B": [(21, 63), (105, 147)]})

    def test_one_that_sleeps_preempts_one_that_computes(self):
        path = self.written([thread("A", "work 410", at="start"), thread("I", *["work 10", "sleep 100"] * 3, at="start")], unit="ms")
        self.assertEqual(self.gantt_in_ticks(path), {"A": [(0, 21), (22, 32), (33, 43)], "I": [(21, 22), (32, 33), (43, 44)]})

    def test_a_machine_file_sets_its_parameters(self):
        machine = self.folder / "machine.toml"
        machine.write_text('version = 1\n[scheduler]\nkind = "linux-2.2"\nrefill_ticks = 5\n')
        path = self.written([thread("A", "work 60", at="start"), thread("B", "work 60", at="start")], unit="ms")
        self.assertEqual(self.gantt_in_ticks(path, "--machine", machine), {"A": [(0, 6)], "B": [(6, 12)]})


class TwoLevel(Threads):
    """Threads on LWPs on CPUs: Broberg 2002, papers I to III. Times are in ms."""

    WORKERS = ROOT / "examples/threads/three_workers.threads.json"

    def test_two_lwps_that_compute_fall_to_longer_quanta(self):
        machine = self.folder / "machine.toml"
        machine.write_text('version = 1\n[scheduler]\nkind = "two-level"\nlwps = 2\nboost_interval_ns = 0\n')
        path = self.written([thread("A", "work 1000", at="start"), thread("B", "work 1000", at="start")], unit="ms")
        self.assertEqual(self.gantt(path, 1, "--machine", machine, unit_ns=1_000_000),
                         {"A": [(0, 120), (240, 400), (560, 760), (960, 1160), (1360, 1560), (1760, 1880)],
                          "B": [(120, 240), (400, 560), (760, 960), (1160, 1360), (1560, 1760), (1880, 2000)]})

    def test_without_lwps_a_cpu_idles_for_want_of_a_carrier(self):
        for words, time_ns in (((), 300_000_000), (("--lwps", "2"), 200_000_000), (("--lwps", "3"), 100_000_000)):
            row = self.predicted(self.WORKERS, "--cpus", "3", "--scheduler", "solaris", *words)["predictions"][0]
            with self.subTest(words):
                self.assertEqual(row["time_ns"], time_ns)
                shares = {limit["cause"]: limit["share"] for limit in row["limits"]}
                self.assertEqual("carrier" in shares and shares["carrier"] > 0, time_ns > 100_000_000)

    def test_json_names_the_preset_whatever_its_lwps(self):
        for words in ((), ("--lwps", "2")):
            for scheduler in ("two-level", "solaris", "fibers"):
                machine = self.predicted(self.WORKERS, "--cpus", "3", "--scheduler", scheduler, *words)["machine"]
                self.assertEqual(machine["scheduler"], scheduler)

    def test_a_plan_binds_a_thread_to_an_lwp(self):
        plan = self.folder / "plan.toml"
        plan.write_text('version = 1\n[[thread]]\nname = "C"\nlwp = "own"\n')
        self.assertEqual(self.times(self.WORKERS, "--cpus", "3", "--scheduler", "two-level", "--plan", plan), [200_000_000])

    def test_a_written_program_says_which_threads_have_an_lwp(self):
        path = self.written([thread("A", "work 30", at="start"), thread("B", "work 30", at="start", lwp="own")])
        self.assertEqual(self.times(path, "--cpus", "2", "--scheduler", "two-level"), [30_000])
        again = self.folder / "again.threads.json"
        self.assertEqual(parcast("extract", path, "-o", again).returncode, 0)
        self.assertIn('"lwp": "own"', again.read_text())

    def test_lwps_are_refused_where_there_are_none(self):
        for words, said in ((("--lwps", "0", "--scheduler", "two-level"), "without an LWP no thread would run"),
                            (("--lwps", "2"), "the scheduler linux has no LWPs: it runs threads on CPUs. Try --scheduler two-level"),
                            (("--lwps", "2", "--scheduler", "ideal"), "the scheduler ideal has no LWPs")):
            result = parcast("predict", self.WORKERS, "--machine", "default", *words)
            self.assertEqual(result.returncode, USAGE)
            self.assertIn(said, " ".join(result.stderr.decode().split()))


class Generated(Threads):
    def generated(self, *words):
        path = self.folder / "generated.threads.json"
        result = parcast("generate", "threads", *words, "-o", path, "--force", "--json")
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        if jsonschema:
            jsonschema.validate(json.loads(result.stdout), json.loads((SCHEMAS / "generate.schema.json").read_text()))
            jsonschema.validate(json.loads(path.read_text()), json.loads((SCHEMAS / "threads.schema.json").read_text()))
        return path

    def test_prime_filters_take_the_times_of_the_paper(self):
        # Paper VII with unit costs: T(n, 0) with a CPU for each process, and the work on one.
        for last, processes, together, work in ((7, 5, 10, 18), (30, 11, 38, 109), (397, 79, 474, 4032)):
            path = self.generated("prime-filter", "--size", last)
            for scheduler in ("ideal", "round-robin"):
                with self.subTest(last=last, scheduler=scheduler):
                    self.assertEqual([time / 1000 for time in self.times(path, "--scheduler", scheduler, "--cpus", f"1,{processes}")],
                                     [work, together])

    def test_transactions_end_on_every_number_of_cpus(self):
        for seed in range(1, 6):
            path = self.generated("transactions", "--seed", seed)
            for scheduler in ("ideal", "linux", "round-robin", "linux-2.2", "two-level", "fibers"):
                times = self.times(path, "--scheduler", scheduler, "--cpus", "1,2,8")
                self.assertGreaterEqual(times[0], times[2])

    def test_a_rendezvous_ends_on_one_cpu(self):
        path = self.generated("rendezvous", "--size", 2)
        answer = json.loads(parcast("predict", path, "--scheduler", "round-robin", "--machine", "default", "--cpus", "1", "--json").stdout)
        self.assertEqual(answer["predictions"][0]["time_ns"], answer["work_ns"])

    def test_equal_seeds_give_equal_files(self):
        one = self.generated("transactions", "--seed", 3).read_text()
        self.assertEqual(self.generated("transactions", "--seed", 3).read_text(), one)
        self.assertNotEqual(self.generated("transactions", "--seed", 4).read_text(), one)

    def test_an_unknown_structure_names_the_nearest(self):
        result = parcast("generate", "threads", "transaction")
        self.assertEqual(result.returncode, USAGE)
        self.assertIn("Did you mean: transactions", result.stderr.decode())


class Errors(Threads):
    def refused(self, text):
        path = self.folder / "wrong.threads.json"
        path.write_text(text)
        result = parcast("predict", path)
        self.assertEqual(result.returncode, INPUT)
        return " ".join(result.stderr.decode().replace(str(path), "FILE").split())

    def test_a_wrong_step_has_its_line_and_column(self):
        self.assertIn('FILE:2:21: there is no step "lok": did you mean "lock"?',
                      self.refused('{"schema": "parcast.threads/1", "threads": [{"name": "T", "do": [\n"work 1",          "lok M"]}]}'))

    def test_an_unknown_thread_is_not_found(self):
        self.assertIn('there is no thread "worker2": did you mean "worker1"?',
                      self.refused('{"schema": "parcast.threads/1", "threads": [{"name": "main", "do": ["join worker2"]}, {"name": "worker1"}]}'))

    def test_a_later_version_is_not_read(self):
        self.assertIn('this parcast reads "parcast.threads/1"', self.refused('{"schema": "parcast.threads/7", "threads": []}'))


class Extracted(Threads):
    def test_what_extract_writes_replays_in_the_same_times(self):
        def numbers(answer):
            return [(row["cpus"], row["time_ns"], row.get("context_switches"), row.get("migrations")) for row in answer["predictions"]]
        self.assertEqual(len(RECORDINGS), 16)
        for recording in RECORDINGS:
            path = self.folder / f"{recording.stem}.threads.json"
            result = parcast("extract", recording, "-o", path)
            self.assertEqual(result.returncode, 0, result.stderr.decode())
            for options in (["--scheduler", "linux"], ["--scheduler", "ideal"], ["--model", "strict"], ["--model", "ordered"]):
                with self.subTest(recording=recording.stem, options=options):
                    command = ["--machine", "default", "--json", "--cpus", "1,3,8", *options]
                    first, second = parcast("predict", recording, *command), parcast("predict", path, *command)
                    self.assertEqual(second.returncode, first.returncode)
                    self.assertEqual(numbers(json.loads(second.stdout)), numbers(json.loads(first.stdout)))

    def test_it_is_what_the_schema_describes(self):
        path = self.folder / "pigz.threads.json"
        answer = json.loads(parcast("extract", ROOT / "tests/changes/inputs/pigz.parcast", "-o", path, "--json").stdout)
        self.assertEqual((answer["file"], answer["bytes"]), (str(path), path.stat().st_size))
        if jsonschema:
            jsonschema.validate(answer, json.loads((SCHEMAS / "extract.schema.json").read_text()))
            jsonschema.validate(json.loads(path.read_text()), json.loads((SCHEMAS / "threads.schema.json").read_text()))

    def test_what_the_form_cannot_hold_is_taken_for_granted(self):
        path = self.folder / "probed.threads.json"
        result = parcast("extract", ROOT / "tests/fuzz/recording_file_fuzz/recorded_functions", "-o", path)
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        self.assertIn("taken for granted: the work before a call is the work of the function that makes the call",
                      " ".join(result.stderr.decode().split()))
        plain = parcast("extract", ROOT / "tests/changes/inputs/pigz.parcast", "-o", self.folder / "pigz.threads.json")
        self.assertNotIn("function that makes the call", " ".join(plain.stderr.decode().split()))

    def test_an_existing_file_is_kept(self):
        path = self.folder / "there.threads.json"
        path.write_text("")
        self.assertEqual(parcast("extract", EXAMPLE, "-o", path).returncode, OUTPUT)

    def test_a_task_graph_has_no_threads(self):
        result = parcast("extract", ROOT / "examples/taskgraphs/stencil.json", "-o", self.folder / "x.threads.json")
        self.assertEqual(result.returncode, USAGE)
        self.assertIn("a task graph has no threads", " ".join(result.stderr.decode().split()))

    def test_a_written_program_has_a_task_graph(self):
        path = self.folder / "graph.json"
        self.assertEqual(parcast("extract", EXAMPLE, "-o", path).returncode, 0)
        self.assertEqual(json.loads(path.read_text())["schema"], "parcast.taskgraph/2")


class Models(Threads):
    """Paper VIII of Broberg 2002: sections 2 to 4, and the vectors of its reference sheet."""

    PRINTED = {  # ms: direct, client-server, strict; none: a deadlock
        "p": {"1": (18, 18, 18), "2": (10, 11, 12)},
        "q": {"1": (21, 21, 21), "3": (None, 10, 13)},
        "r": {"1": (39, 39, 39), "4": (None, None, 21)}}
    CHOSEN = {"p": "direct", "q": "client-server", "r": "strict"}

    def setUp(self):
        super().setUp()
        self.free = self.folder / "free.toml"  # the papers' machine: nothing costs anything
        self.free.write_text("".join(["version = 1\n", "lock_policy = 'hand_off'\n", "[costs]\n"] + [f"{name} = 0\n" for name in (
            "context_switch_ns", "wake_up_ns", "wake_waiter_ns", "wake_up_same_cpu_ns", "create_thread_ns")]))

    def paper(self, name):
        return ROOT / f"examples/threads/rendezvous_{name}.threads.json"

    def test_all_models_say_what_the_paper_prints(self):
        for name, counts in self.PRINTED.items():
            answer = self.predicted(self.paper(name), "--model", "all", "--cpus", ",".join(counts), "--machine", self.free)
            if jsonschema:
                jsonschema.validate(answer, json.loads((SCHEMAS / "predict.schema.json").read_text()))
            self.assertEqual(answer["method"]["model"], self.CHOSEN[name])
            for row, printed in zip(answer["predictions"], counts.values()):
                self.assertEqual([each["model"] for each in row["models"]], ["direct", "client-server", "strict"])
                self.assertEqual([each["time_ns"] and each["time_ns"] / 1e6 for each in row["models"]], list(printed))
                self.assertEqual([bool(each["deadlock"]) for each in row["models"]], [time is None for time in printed])

    def test_deadlocks_are_those_of_the_sheet(self):
        q = self.predicted(self.paper("q"), "--model", "direct", "--cpus", "3", "--machine", self.free, status=IMPOSSIBLE)
        stuck = q["predictions"][0]["deadlock"]
        self.assertEqual(stuck["time_ns"], 7e6)
        self.assertEqual([entry["thread"]["text"] for entry in stuck["threads"]], ["P1", "P2", "P3"])
        r = self.predicted(self.paper("r"), "--model", "client-server", "--cpus", "4", "--machine", self.free, status=IMPOSSIBLE)
        stuck = r["predictions"][0]["deadlock"]
        self.assertEqual(stuck["time_ns"], 12e6)
        self.assertEqual([entry["thread"]["text"] for entry in stuck["threads"]], ["P1", "P2", "P3"], "P4 has finished")

    def test_what_was_given_up_has_its_model(self):
        answer = self.predicted(self.paper("r"), "--cpus", "1,4", "--machine", self.free)
        self.assertEqual([(entry["model"], entry["cpus"]) for entry in answer["method"]["abandoned"]], [("direct", 4), ("client-server", 4)])

    def test_the_text_has_a_table(self):
        text = parcast("predict", self.paper("q"), "--model", "all", "--cpus", "1,3", "--machine", self.free).stdout.decode()
        self.assertIn("replayed by the client-server model", text)
        table = text[text.index("the models of replays"):].splitlines()
        self.assertEqual(table[1].split(), ["CPUs", "direct", "client-server", "strict"])
        self.assertEqual(table[3].split(), ["3", "deadlock", "10.0", "ms", "13.0", "ms"])

    # The waits of A and B returned at once: the prediction was the 100 us of main, whatever the number of CPUs.
    def test_waits_without_a_number_take_what_they_take_on_one_cpu(self):
        path = self.written([thread("main", "create A", "create B", "work 100", "signal C", "join A", "join B"),
                             thread("A", "work 50", "wait C", "work 2", "signal C", "signal E"),
                             thread("B", "work 1", "wait C", "wait E", "work 4")],
                            objects(("C", "condition"), ("E", "condition")))
        answer = self.predicted(path, "--scheduler", "ideal", "--cpus", "3", "--runs", "6")
        self.assertEqual([row["time_ns"] for row in answer["predictions"]], [106000])
        self.assertEqual((answer["ranges"]["deadlocks"], answer["ranges"]["paired"]), (0, 0))
        self.assertIn("get the wake-up that ended them on one CPU", answer["assumptions"][0])

    def test_a_deadlock_under_every_model_names_who_waits_for_whom(self):
        path = self.written([thread("A", "accept"), thread("B", "work 1", "accept")])
        for model in ("auto", "direct", "client-server", "strict", "ordered", "all"):
            result = parcast("predict", path, "--machine", "default", "--cpus", "1,2", "--model", model)
            self.assertEqual(result.returncode, IMPOSSIBLE, model)
            self.assertIn("2 threads cannot go on", result.stdout.decode())

    def test_all_is_for_predict_alone(self):
        result = parcast("advise", self.paper("q"), "--model", "all")
        self.assertEqual(result.returncode, USAGE)
        self.assertIn("client-server", result.stderr.decode())

    def test_numbers_are_read_and_written_again(self):
        path = self.written([thread("A", "wait X #1", "work 1", "accept #1", "accept #0"),
                             thread("B", "work 2", "post X 2 #0", "wait X #0", "activate A #0"), thread("C", "activate A #1")],
                            objects(("X", "semaphore")))
        again = self.folder / "again.threads.json"
        self.assertEqual(parcast("extract", path, "-o", again).returncode, 0)
        steps = [each["do"] for each in json.loads(again.read_text())["threads"]]
        self.assertEqual([[step for step in each if not step.startswith("work")] for each in steps],
                         [["wait X #1", "accept #1", "accept #0"], ["post X 2", "wait X #0", "activate A #0"], ["activate A #1"]])
        for model in ("direct", "client-server", "strict"):
            self.assertEqual(self.times(path, "--model", model, "--cpus", "1,3"), self.times(again, "--model", model, "--cpus", "1,3"))

    def test_numbers_that_are_none_have_a_place(self):
        for step, message in (("wait X #one", "whole number"), ("accept #", "whole number"), ("wait X #99", "beyond the number of operations"),
                              ("activate A 1", "#"), ("accept #1 #2", "accept [#NUMBER]")):
            path = self.written([thread("A", "accept"), thread("B", step)], objects(("X", "semaphore")))
            result = parcast("predict", path)
            self.assertEqual(result.returncode, INPUT, step)
            self.assertIn(message, " ".join(result.stderr.decode().split()), step)


if __name__ == "__main__":
    unittest.main()
