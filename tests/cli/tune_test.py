"""Searches over parameters: what they print is what `predict` says at each point, and several processes may share them."""

import base64
import gzip
import html
import json
import os
import pathlib
import re
import shlex
import signal
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

try:
    import jsonschema
except ImportError:
    jsonschema = None

from program import INPUT, OUTPUT, PARCAST, SCHEMAS, USAGE, parcast

ROOT = pathlib.Path(__file__).parents[2]
LOOPS = ROOT / "tests/changes/inputs/loops.json"
STENCIL = ROOT / "examples/taskgraphs/stencil.json"
MODEL = ROOT / "examples/pamela/mrm.pam"
TRACE = ROOT / "tests/messages/allreduce.ti"
WAVE = ROOT / "examples/messages/diagonal-wave.json"
ELIMINATION = ("gaussian-elimination", "--size", "240", "--ranks", "4", "--network", "meiko-cs2")
SWEEPS = ("--sweep", "block=10,12,16,20,24,30,40,48,60,80", "--sweep", "layout=row-cyclic,diagonal")
LAUNCHERS = ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "PMI_RANK", "PMI_SIZE", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_NTASKS")


def schema(name):
    return json.loads((SCHEMAS / f"{name}.schema.json").read_text())


def words_of(text):
    return " ".join(text.decode().split())


class Tune(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="parcast-tune-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for variable in LAUNCHERS:
            os.environ.pop(variable, None)

    def tuned(self, *words):
        result = parcast("tune", *words, "--json")
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        answer = json.loads(result.stdout)
        if jsonschema:
            jsonschema.validate(answer, schema("tune"))
        return answer

    def text(self, *words):
        result = parcast("tune", *words)
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        return words_of(result.stdout)

    def error(self, status, *words):
        result = parcast("tune", *words)
        self.assertEqual(result.returncode, status, result.stderr.decode())
        return words_of(result.stderr)

    def predictions(self, *words):
        result = parcast("predict", *words, "--json")
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        return json.loads(result.stdout)["predictions"]


class Searches(Tune):
    def test_a_point_is_what_predict_says_of_the_generated_program(self):
        answer = self.tuned(*ELIMINATION, *SWEEPS)
        self.assertEqual((answer["searched"], answer["of"], len(answer["points"])), (20, 20, 20))
        for block, layout in ((12, "diagonal"), (60, "row-cyclic")):
            file = self.folder / "one.json"
            parcast("generate", "messages", "gaussian-elimination", "--size", "240", "--ranks", "4", "--block", block, "--layout", layout,
                    "-o", file, "--force")
            standard, worst, overlapped = self.predictions(file, "--network", "meiko-cs2")
            (point,) = [each for each in answer["points"] if each["parameters"] == {"block": block, "layout": layout}]
            self.assertEqual(point["standard_ns"], standard["time_ns"])
            self.assertEqual(point["overestimate_ns"], worst["time_ns"])
            self.assertEqual(point["overlapped_ns"], overlapped["time_ns"])
            self.assertEqual((point["computation_ns"], point["communication_ns"]), (standard["computation_ns"], standard["communication_ns"]))

    def test_the_best_and_what_is_near_it(self):
        answer = self.tuned(*ELIMINATION, *SWEEPS)
        times = {json.dumps(point["parameters"]): point for point in answer["points"]}
        for method in answer["methods"]:
            self.assertEqual(answer["best"][method][f"{method}_ns"], min(point[f"{method}_ns"] for point in answer["points"]))
        best = answer["best"]["standard"]["standard_ns"]
        near = [times[json.dumps(parameters)]["standard_ns"] for parameters in answer["within_5_percent"]]
        self.assertEqual(near, sorted(near))
        self.assertEqual(len(near) + 1, sum(point["standard_ns"] <= 1.05 * best for point in answer["points"]))
        self.assertIn(f"--block {answer['best']['standard']['parameters']['block']}", answer["next"])

    # It dropped --network.
    def test_the_next_command_predicts_the_best_point(self):
        answer = self.tuned(*ELIMINATION, *SWEEPS)
        command = answer["next"].replace("parcast ", f"{shlex.quote(str(PARCAST))} ") + " --json"
        result = subprocess.run(command, shell=True, cwd=self.folder, capture_output=True, timeout=60)
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        standard = json.loads(result.stdout[result.stdout.index(b"{"):])["predictions"][0]
        self.assertEqual(standard["time_ns"], answer["best"]["standard"]["standard_ns"])

    def test_a_coarse_search_says_what_it_did_not_look_at(self):
        values = ",".join(str(size) for size in range(1, 721) if 720 % size == 0 and size >= 6)
        words = ("gaussian-elimination", "--size", "720", "--ranks", "4", "--network", "meiko-cs2", "--sweep", f"block={values}")
        everything = self.tuned(*words)
        coarse = self.tuned(*words, "--search", "coarse")
        self.assertLess(coarse["searched"], coarse["of"])
        self.assertEqual((coarse["of"], len(coarse["points"])), (everything["of"], coarse["searched"]))
        self.assertLessEqual(coarse["best"]["standard"]["standard_ns"], 1.05 * everything["best"]["standard"]["standard_ns"])
        said = self.text(*words, "--search", "coarse")
        self.assertIn(f"did not look at {coarse['of'] - coarse['searched']} points: block 8; block 9;", said)
        self.assertNotIn("did not look", self.text(*words))

    def test_the_number_of_jobs_changes_no_byte(self):
        one, four = (parcast("tune", *ELIMINATION, *SWEEPS, "--json", "--jobs", jobs).stdout for jobs in (1, 4))
        self.assertEqual(one, four)

    def test_other_structures_and_several_numbers(self):
        answer = self.tuned("halo", "--size", "64", "--iterations", "2", "--sweep", "ranks=4,16,2", "--sweep", "network=loggopsim,ethernet-200g")
        self.assertEqual([axis["values"] for axis in answer["axes"]], [[2, 4, 16], ["loggopsim", "ethernet-200g"]])
        self.assertIsNone(answer["input"]["network"])
        self.assertEqual(answer["input"]["parameters"]["iterations"], "2")
        self.assertEqual(len(self.tuned("cannon", "--network", "meiko-cs2", "--size", "60", "--sweep", "ranks=1,4,9")["points"]), 3)

    def test_a_file_of_steps_is_tried_on_networks(self):
        answer = self.tuned(WAVE, "--sweep", "network=meiko-cs2,infiniband-qdr")
        self.assertEqual([point["standard_ns"] for point in answer["points"]],
                         [self.predictions(WAVE, "--network", name)[0]["time_ns"] for name in ("meiko-cs2", "infiniband-qdr")])

    def test_messages_are_tried_with_other_collectives(self):
        answer = self.tuned(TRACE, "--network", "loggopsim", "--sweep", "collectives=mpich,open-mpi", "--sweep", "cpu-speed=1,2")
        for point in answer["points"]:
            parameters = point["parameters"]
            (row,) = self.predictions(TRACE, "--network", "loggopsim", "--collectives", parameters["collectives"], "--cpu-speed", parameters["cpu-speed"])
            self.assertEqual(point["time_ns"], row["time_ns"])

    def test_a_task_graph_is_searched_by_cpus_and_schedules(self):
        answer = self.tuned(STENCIL, "--cpus", "2,5", "--schedule", "fifo,lpt", "--set", "rows=16")
        rows = {(row["cpus"], row["schedule"]): row["time_ns"]
                for row in self.predictions(STENCIL, "--cpus", "2,5", "--schedule", "fifo,lpt", "--set", "rows=16")}
        self.assertEqual({(point["parameters"]["cpus"], point["parameters"]["schedule"]): point["time_ns"] for point in answer["points"]}, rows)
        self.assertIn("--set rows=16", answer["next"])
        whole = self.tuned(STENCIL, "--sweep", "rows=8,16")
        self.assertEqual([axis["name"] for axis in whole["axes"]], ["rows", "cpus", "schedule"])
        self.assertEqual(whole["of"], 2 * 7 * len(whole["axes"][2]["values"]))

    def test_a_model_is_searched_by_its_mean(self):
        words = (MODEL, "--set", "N=1000")
        answer = self.tuned(*words, "--sweep", "P=1..4", "--sweep", "t_l=5,10")
        for point in answer["points"]:
            (row,) = self.predictions(*words, *(word for name, value in point["parameters"].items() for word in ("--set", f"{name}={value}")))
            self.assertAlmostEqual(point["mean"], row["time"]["mean"], delta=1e-9 * row["time"]["mean"])
        both = self.tuned(*words, "--sweep", "P=1,2", "--method", "both", "--runs", "20")
        self.assertEqual(both["methods"], ["mean", "simulated"])

    def test_curves_are_drawn(self):
        file = self.folder / "curves.svg"
        result = parcast("tune", *ELIMINATION, *SWEEPS, "--plot", file)
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        lines = xml.etree.ElementTree.parse(file).findall(".//{*}polyline")
        self.assertEqual(len(lines), 2 * (3 + 2 + 1), "a curve for each layout: total by three methods, communication by two, computation")
        self.assertEqual({len(line.get("points").split()) for line in lines}, {10})
        self.assertIn("--plot draws the time against numbers", self.error(USAGE, WAVE, "--sweep", "network=meiko-cs2,loggopsim", "--plot", file))

    def test_the_page_is_one_file_with_all_that_is_answered(self):
        file = self.folder / "tuned.html"
        words = (*ELIMINATION, *SWEEPS)
        result = parcast("tune", *words, "-o", file)
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        self.assertIn(f"wrote {file}", result.stderr.decode())
        self.assertEqual(result.stdout, parcast("tune", *words).stdout, "what is printed is the same")
        page = file.read_text()
        self.assertEqual(re.findall(r"(?:src|href)=(?![\"']?data:)", page.split("<script>")[0]), [], "nothing is fetched")
        packed = re.search(r'<script type="application/octet-stream" id="tuning">([^<]*)</script>', page)[1]
        self.assertEqual(json.loads(gzip.decompress(base64.b64decode(packed))), json.loads(parcast("tune", *words, "--json").stdout))
        plain = html.unescape(re.search(r"<noscript><pre>(.*?)</pre></noscript>", page, re.DOTALL)[1])
        self.assertIn(words_of(result.stdout)[:100], words_of(plain.encode()))
        self.assertEqual(parcast("tune", *words, "-o", "-").stdout.decode(), page)

    def test_a_page_replaces_no_file_unless_it_is_told_to(self):
        file = self.folder / "tuned.html"
        file.write_text("mine")
        words = (WAVE, "--sweep", "network=meiko-cs2,loggopsim", "-o", file)
        self.assertIn("exists", self.error(OUTPUT, *words))
        self.assertEqual(file.read_text(), "mine")
        self.text(*words, "--force")
        self.assertIn("tuning", file.read_text())
        for option in ("-o", "--plot"):
            self.assertIn("and --json both write to standard output", self.error(USAGE, *ELIMINATION, *SWEEPS, option, "-", "--json"))
        self.assertIn("name the same file", self.error(USAGE, *ELIMINATION, *SWEEPS, "-o", file, "--plot", file, "--force"))

    def test_what_makes_no_sense_is_refused_with_a_way_out(self):
        on_meiko = ("gaussian-elimination", "--network", "meiko-cs2")
        self.assertIn("the nearest that do are 48 and 60", self.error(USAGE, *on_meiko, "--sweep", "block=48,50"))
        self.assertIn("Name a network with --network: meiko-cs2", self.error(USAGE, "gaussian-elimination", "--sweep", "block=48,60"))
        self.assertIn("name it with --sweep, such as --sweep block=10,20,40", self.error(USAGE, *on_meiko))
        self.assertIn("there is no parameter blocks; there are size, ranks, block", self.error(USAGE, *on_meiko, "--sweep", "blocks=48,60"))
        self.assertIn("block has a value by --block and others by --sweep", self.error(USAGE, *on_meiko, "--block", "48", "--sweep", "block=48,60"))
        self.assertIn("a value is there twice", self.error(USAGE, *on_meiko, "--sweep", "block=48,48"))
        self.assertIn("--sweep layout: it is row-cyclic", self.error(USAGE, *on_meiko, "--sweep", "layout=row,diagonal"))
        self.assertIn("is no name with values", self.error(USAGE, *on_meiko, "--sweep", "block"))
        self.assertIn("--layout is for gaussian-elimination", self.error(USAGE, "halo", "--network", "meiko-cs2", "--layout", "diagonal", "--sweep", "ranks=4,8"))
        self.assertIn("--block is for a program that is generated", self.error(USAGE, WAVE, "--block", "3", "--sweep", "network=meiko-cs2,loggopsim"))
        self.assertIn("no structure of that name. [not_found] Did you mean: gaussian-elimination", self.error(INPUT, "gaussian-eliminaton", "--sweep", "block=1,2"))
        self.assertIn("leave nothing to search", self.error(USAGE, LOOPS, "--cpus", "2", "--schedule", "lpt"))
        self.assertIn("a parameter of a model has numbers", self.error(USAGE, MODEL, "--sweep", "P=a,b"))
        self.assertIn("--shard needs --results", self.error(USAGE, *on_meiko, "--sweep", "block=48,60", "--shard", "1/2"))
        self.assertIn("such as 1/4", self.error(USAGE, *on_meiko, "--sweep", "block=48,60", "--shard", "5/4", "--results", self.folder / "r"))
        (self.folder / "file").write_text("")
        self.assertIn("cannot be a folder of results", self.error(OUTPUT, *on_meiko, "--sweep", "block=48,60", "--results", self.folder / "file"))


class WhatTheManualSays(Tune):
    """Numbers of docs/messages.md that no command in it prints."""

    FILES = ROOT / "examples/messages"
    SIZE = ("gaussian-elimination", "--size", "960", "--ranks", "8")
    MEIKO = (*SIZE, "--network", "meiko-cs2", "--costs", FILES / "meiko-costs.toml")
    TODAY = (*SIZE, "--network", "ethernet-200g", "--costs", FILES / "epyc-costs.toml")
    LAYOUTS = ("--sweep", "layout=row-cyclic,diagonal")

    def points(self, *words):
        return {(point["parameters"]["layout"], point["parameters"]["block"]): point for point in self.tuned(*words, *self.LAYOUTS)["points"]}

    def more(self, point, other, what):
        return 100 * (point[what] / other[what] - 1)

    def test_of_the_two_layouts(self):
        at = self.points(*self.MEIKO, "--sweep", "block=20,24,30,160")
        self.assertAlmostEqual(self.more(at["row-cyclic", 24], at["row-cyclic", 20], "standard_ns"), 1, delta=0.5)
        for block, less, more in ((30, 9, 60), (160, 32, 12)):
            self.assertAlmostEqual(-self.more(at["diagonal", block], at["row-cyclic", block], "computation_ns"), less, delta=0.5)
            self.assertAlmostEqual(self.more(at["diagonal", block], at["row-cyclic", block], "communication_ns"), more, delta=0.5)

    def test_of_the_bends_that_are_no_teeth(self):
        at = self.points(*self.MEIKO, "--sweep", "block=48,60,64,80")
        bends = [self.more(at["diagonal", block], at["diagonal", before], "computation_ns") for before, block in ((48, 60), (60, 64), (64, 80))]
        for bend, percent in zip(bends, (9, 0, 11), strict=True):
            self.assertAlmostEqual(bend, percent, delta=0.5)

    def test_of_the_tooth_that_load_makes(self):
        words = ("gaussian-elimination", "--size", "720", "--ranks", "24", "--network", "meiko-cs2", "--costs", self.FILES / "meiko-costs.toml")
        one, two = self.tuned(*words, "--layout", "block-cyclic-2d", "--sweep", "block=80,90")["points"]
        self.assertAlmostEqual(self.more(one, two, "standard_ns"), 10, delta=0.5)
        self.assertAlmostEqual(self.more(one, two, "computation_ns"), 10, delta=0.5)
        self.assertLess(one["overlapped_ns"], two["overlapped_ns"])

    def test_of_caches_copies_and_loops(self):
        blocks = ("--sweep", "block=10,24,40,48,60,64,160")
        plain = self.points(*self.TODAY, *blocks)
        rows = (("--cache", "1M"), ("--copies",), ("--visits",))
        caches, copies, visits = (self.points(*self.TODAY, *words, *blocks) for words in rows)
        table = {("row-cyclic", 10): (1, 9, 1), ("diagonal", 10): (36, 2, 1), ("row-cyclic", 48): (5, 3, 0), ("diagonal", 48): (5, 0.8, 0),
                 ("row-cyclic", 160): (3, 1, 0), ("diagonal", 160): (2, 0, 0)}
        for place, row in table.items():
            for cause, percent in zip((caches, copies, visits), row, strict=True):
                with self.subTest(place=place, percent=percent):
                    self.assertAlmostEqual(self.more(cause[place], plain[place], "computation_ns"), percent, delta=0.5)
        self.assertAlmostEqual(self.more(visits["diagonal", 24], plain["diagonal", 24], "computation_ns"), 0.1, delta=0.05)

        def best(points, layout):
            return min((point["standard_ns"], block) for (name, block), point in points.items() if name == layout)[1]

        self.assertEqual((best(plain, "row-cyclic"), best(plain, "diagonal")), (60, 64))
        self.assertEqual((best(caches, "row-cyclic"), best(caches, "diagonal")), (64, 64))
        self.assertEqual(best(copies, "row-cyclic"), 60, "it is the caches")
        self.assertGreater(caches["row-cyclic", 48]["standard_ns"], 1.01 * caches["row-cyclic", 40]["standard_ns"])
        for other in (copies, *(self.points(*self.TODAY, "--cache", size, "--sweep", "block=40,48") for size in ("512k", "2M"))):
            self.assertLess(other["row-cyclic", 48]["standard_ns"], other["row-cyclic", 40]["standard_ns"], "no tooth")


class SharedSearches(Tune):
    """Four processes, one of them killed; who comes later takes what is there."""

    def setUp(self):
        super().setUp()
        self.results = self.folder / "results"
        self.words = (*ELIMINATION, *SWEEPS, "--results", self.results, "--json")

    def start(self, **environment):
        return subprocess.Popen([PARCAST, "tune", *map(str, self.words), "--jobs", "1"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                env={**os.environ, **environment})

    def test_four_processes_share_a_search_and_one_is_killed(self):
        expected = parcast("tune", *ELIMINATION, *SWEEPS, "--json").stdout
        shards = [self.start(OMPI_COMM_WORLD_RANK=str(rank), OMPI_COMM_WORLD_SIZE="4") for rank in range(4)]
        shards[2].send_signal(signal.SIGKILL)
        for rank, shard in enumerate(shards):
            stdout, stderr = shard.communicate(timeout=60)
            if rank == 2:
                self.assertEqual(shard.returncode, -signal.SIGKILL)
                continue
            self.assertEqual((shard.returncode, stdout), (0, b""), "a quarter is missing: nobody prints")
            self.assertIn("not there yet", words_of(stderr))
            self.assertIn(f"OMPI_COMM_WORLD_RANK: this is part {rank + 1} of 4", words_of(stderr))
        kept = {path.name: path.stat().st_mtime_ns for path in self.results.glob("*.json")}
        self.assertGreaterEqual(len(kept), 15)
        self.assertLess(len(kept), 20)
        again = self.start(OMPI_COMM_WORLD_RANK="2", OMPI_COMM_WORLD_SIZE="4")
        stdout, stderr = again.communicate(timeout=60)
        self.assertEqual((again.returncode, stdout), (0, expected), stderr)
        self.assertEqual(len(list(self.results.glob("*.json"))), 20)
        for name, time in kept.items():
            self.assertEqual((self.results / name).stat().st_mtime_ns, time, "what was there was evaluated again")

    def test_a_run_that_finds_all_evaluates_nothing(self):
        first = parcast("tune", *self.words).stdout
        times = {path: path.stat().st_mtime_ns for path in self.results.iterdir()}
        self.assertEqual(parcast("tune", *self.words).stdout, first)
        self.assertEqual({path: path.stat().st_mtime_ns for path in self.results.iterdir()}, times)
        if jsonschema:
            for path in times:
                jsonschema.validate(json.loads(path.read_text()), schema("evaluation"))

    def test_the_place_is_that_of_slurm_and_pmi_too_and_shard_goes_before(self):
        for names in (("SLURM_PROCID", "SLURM_STEP_NUM_TASKS"), ("SLURM_PROCID", "SLURM_NTASKS"), ("PMI_RANK", "PMI_SIZE")):
            with self.subTest(names=names):
                shard = self.start(**dict(zip(names, ("1", "3"), strict=True)))
                _, stderr = shard.communicate(timeout=60)
                self.assertIn("this is part 2 of 3", words_of(stderr))
        self.words = (*self.words, "--shard", "1/1")
        shard = self.start(SLURM_PROCID="1", SLURM_NTASKS="3")
        stdout, _ = shard.communicate(timeout=60)
        self.assertEqual(json.loads(stdout)["searched"], 20)

    def test_parts_are_as_large_and_together_all(self):
        counts = []
        for part in range(1, 5):
            parcast("tune", *self.words, "--shard", f"{part}/4")
            counts.append(len(list(self.results.glob("*.json"))))
        self.assertEqual(counts, [5, 10, 15, 20])

    def test_another_question_has_other_files(self):
        parcast("tune", *self.words)
        for change in (["--network", "loggopsim"], ["--network", "loggp:L=9us,o=2us,g=14us,G=31ns"], ["--clocks", "carry"], ["--size", "480"]):
            with self.subTest(change=change):
                before = len(list(self.results.glob("*.json")))
                words = [*self.words]
                if change[0] in words:
                    place = words.index(change[0])
                    del words[place:place + 2]
                self.assertEqual(parcast("tune", *words, *change).returncode, 0)
                self.assertEqual(len(list(self.results.glob("*.json"))), before + 20)
        before = len(list(self.results.glob("*.json")))
        graph = self.folder / "g.json"
        graph.write_text(LOOPS.read_text())
        on_two = ("tune", graph, "--cpus", "2", "--schedule", "fifo,lpt", "--results", self.results)
        parcast(*on_two)
        self.assertEqual(len(list(self.results.glob("*.json"))), before + 2)
        graph.write_text(LOOPS.read_text().replace("\n", "\n ", 1))
        parcast(*on_two)
        self.assertEqual(len(list(self.results.glob("*.json"))), before + 4, "the content of the file counts")

    def test_what_is_damaged_is_evaluated_again(self):
        whole = parcast("tune", *self.words).stdout
        files = sorted(self.results.glob("*.json"))
        good = [path.read_bytes() for path in files]
        files[0].write_bytes(good[0][:20])
        files[1].write_bytes(good[2])
        files[2].write_bytes(good[2].replace(b"times_ns", b"times"))
        files[3].write_bytes(b"")
        self.assertEqual(parcast("tune", *self.words).stdout, whole)
        self.assertEqual([path.read_bytes() for path in files], good)

    def test_a_coarse_search_is_shared_in_stages(self):
        words = (*self.words, "--search", "coarse")
        alone = parcast("tune", *ELIMINATION, *SWEEPS, "--json", "--search", "coarse").stdout
        printed = b""
        for _ in range(6):
            for part in (1, 2, 3):
                printed = parcast("tune", *words, "--shard", f"{part}/3").stdout or printed
        self.assertEqual(printed, alone)


if __name__ == "__main__":
    unittest.main()
