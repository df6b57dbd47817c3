"""`parcast report`: one file that has all that the page shows, and shows hostile names without running them."""

import base64
import gzip
import html
import json
import pathlib
import re
import struct
import tempfile
import unittest

from program import EXAMPLES, INPUT, OUTPUT, USAGE, WithRecording, parcast, without_advice

ELEMENT = re.compile(r'<script type="application/octet-stream" id="([a-z0-9-]+)">([A-Za-z0-9+/=]*)</script>')
NUMBER = {1: "B", 2: "H", 3: "I", 4: "d", 5: "f", 6: "q", 7: "Q"}


def elements_of(document):
    return {name: gzip.decompress(base64.b64decode(text, validate=True)) for name, text in ELEMENT.findall(document)}


def columns_of(content, magic):
    """The columns of docs/formats/execution.md."""
    found, version, sections, _ = struct.unpack_from("<4sIII", content)
    assert (found, version) == (magic, 3), (found, version)
    columns = {}
    for i in range(sections):
        name, kind, length, offset, _ = struct.unpack_from("<24sIIII", content, 16 + 40 * i)
        columns[name.rstrip(b"\0").decode()] = struct.unpack_from(f"<{length}{NUMBER[kind]}", content, offset)
    return columns


class Report(WithRecording):
    def report(self, *options, trace=None):
        file = self.folder / f"{self.id()}.html"
        result = parcast("report", trace or self.trace, "-o", file, "--force", *options)
        self.assertEqual((result.returncode, result.stderr), (0, b""))
        return file.read_text(encoding="utf-8")

    def predicted(self, *options):
        return without_advice(json.loads(parcast("predict", self.trace, "--json", *options).stdout))

    def test_has_what_the_page_reads(self):
        elements = elements_of(self.report("--cpus", "1,2,5"))
        self.assertEqual(set(elements) - {"sources"},
                         {"overview", "program", "module", "thread-signature", "execution-recorded-1", "execution-linux-1", "execution-linux-2", "execution-linux-5"})
        self.assertTrue(elements["module"].startswith(b"\0asm"))
        threads = columns_of(elements["program"], b"PCPG")["list.first"]
        self.assertEqual(len(threads) - 1, len(json.loads(elements["overview"])["threads"]))

    def test_its_overview_has_the_whole_answer_of_predict(self):
        for options in ([], ["--cpus", "1,3"], ["--scheduler", "ideal"]):
            with self.subTest(options=options):
                overview = json.loads(elements_of(self.report(*options))["overview"])
                self.assertEqual(overview["prediction"], self.predicted(*options))
                self.assertEqual(overview["cpus"], [row["cpus"] for row in overview["prediction"]["predictions"]])

    def test_its_executions_take_as_long_as_predicted(self):
        elements = elements_of(self.report())
        rows = self.predicted()["predictions"]
        self.assertEqual(len(rows), 7)
        for row in rows:
            totals = columns_of(elements[f"execution-linux-{row['cpus']}"], b"PCEX")["totals"]
            self.assertEqual((totals[0], totals[1]), (row["cpus"], row["time_ns"]))
            busy = next(limit for limit in row["limits"] if limit["cause"] == "busy")
            self.assertEqual(totals[2], busy["processor_time_ns"])

    def test_source_text_is_there_unless_it_is_not_wanted(self):
        elements = elements_of(self.report())
        overview = json.loads(elements["overview"])
        self.assertTrue(overview["capabilities"]["source_text"])
        excerpts = json.loads(elements["sources"])
        for number, excerpt in excerpts.items():
            site = overview["sites"][int(number)]
            self.assertEqual(excerpt["file"], site["file"])
            lines = pathlib.Path(site["file"]).read_text().splitlines()
            shown = excerpt["lines"][site["line"] - excerpt["first_line"]]
            self.assertEqual(shown, lines[site["line"] - 1][:400])
        self.assertTrue(excerpts)
        without = elements_of(self.report("--no-source-text"))
        self.assertNotIn("sources", without)
        self.assertFalse(json.loads(without["overview"])["capabilities"]["source_text"])

    def test_fetches_nothing(self):
        document = self.report()
        self.assertNotRegex(ELEMENT.sub("", document), r'(src|href)="?https?:')
        self.assertIn("default-src 'none'", document)

    def test_shows_a_hostile_command_and_does_not_run_it(self):
        trace = self.folder / "hostile.parcast"
        word = "</title></script><script>alert(1)</script>"
        recorded = parcast("record", "-o", trace, "--", "sh", "-c", "true", word)
        self.assertEqual(recorded.returncode, 0)
        document = self.report(trace=trace)
        self.assertNotIn(word, document)
        self.assertNotIn("<script>alert", document)
        self.assertIn(html.escape(word, quote=False), document)
        self.assertIn(word, json.loads(elements_of(document)["overview"])["title"])

    def test_the_same_recording_gives_the_same_file(self):
        self.assertEqual(self.report("--jobs", "1"), self.report("--jobs", "4"))

    def test_never_overwrites_unless_it_is_forced(self):
        file = self.folder / "kept.html"
        file.write_text("kept")
        result = parcast("report", self.trace, "-o", file)
        self.assertEqual((result.returncode, result.stdout), (OUTPUT, b""))
        self.assertIn(b"--force", result.stderr)
        self.assertEqual(file.read_text(), "kept")
        self.assertEqual(parcast("report", self.trace, "-o", file, "--force").returncode, 0)
        self.assertIn("parcast", file.read_text())

    def test_is_named_after_its_recording(self):
        result = parcast("report", self.trace, cwd=self.folder)
        self.assertEqual((result.returncode, result.stderr), (0, b""))
        self.assertIn(b"wrote one_lock.html (", result.stdout)
        self.assertTrue((self.folder / "one_lock.html").is_file())

    def test_a_dash_is_standard_output_and_no_file_of_that_name(self):
        result = parcast("report", self.trace, "-o", "-", cwd=self.folder)
        self.assertEqual((result.returncode, result.stderr), (0, b""))
        self.assertEqual(result.stdout.decode(), self.report())
        self.assertFalse((self.folder / "-").exists())

    def test_refuses_what_it_cannot_do(self):
        for words, status, way_out in [
            ([self.trace, "-o", "-", "--json"], USAGE, "standard output"),
            ([self.trace, "-o", self.trace, "--force"], USAGE, "Name another file"),
            ([self.trace, "-o", self.folder], OUTPUT, "folder"),
            ([self.trace, "-o", "/no/such/folder/report.html"], OUTPUT, "Name another file"),
            (["no-such.parcast"], INPUT, "parcast record --"),
            ([self.trace, "--cpus", "65535"], USAGE, "65534"),
            ([], USAGE, "parcast help report"),
        ]:
            with self.subTest(words=words):
                result = parcast("report", *words)
                self.assertEqual((result.returncode, result.stdout), (status, b""))
                self.assertIn(way_out, result.stderr.decode())
        self.assertEqual(list(self.folder.glob(".parcast-*")), [], "nothing is left behind")


class Series(unittest.TestCase):
    """A folder of recordings, one for each number of threads."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="parcast-series-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)
        made = parcast("scale", "--cpus", "2,3,4", "--no-bare-runs", "--keep", cls.folder / "runs", "--", EXAMPLES / "jacobi", "{cpus}", "naive", "33", "3", "10")
        if made.returncode != 0:
            raise AssertionError(made.stderr.decode())

    def test_has_the_answer_of_signature_with_its_threads_and_the_text_for_readers_without_scripts(self):
        result = parcast("report", self.folder / "runs", "-o", "-")
        self.assertEqual((result.returncode, result.stderr), (0, b""))
        document = result.stdout.decode()
        page = json.loads(elements_of(document)["signature"])
        printed = json.loads(parcast("signature", self.folder / "runs", "--json", "--threads-table").stdout)
        self.assertEqual(page, printed)
        self.assertIn(html.escape(" ".join(printed["verdict"][0].split()[:5]), quote=False), " ".join(document.split()))

    def test_is_named_after_its_folder(self):
        for folder in ("runs", "runs/", "."):
            result = parcast("report", folder, "--force", cwd=self.folder / "runs" if folder == "." else self.folder)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn(b"wrote runs.html (", result.stdout)

    def test_refuses_what_it_cannot_do(self):
        (self.folder / "empty").mkdir()
        for words, status, way_out in [
            (["empty"], INPUT, "parcast scale --cpus 1,2,4,8 --keep"),
            (["runs", "--cpus", "2,4"], USAGE, "a CPU for each thread"),
            (["runs", "--network", "meiko-cs2"], USAGE, "step programs and message programs"),
        ]:
            with self.subTest(words=words):
                result = parcast("report", *words, "-o", "refused.html", cwd=self.folder)
                self.assertEqual((result.returncode, result.stdout), (status, b""), result.stderr)
                self.assertIn(way_out, " ".join(result.stderr.decode().split()))


if __name__ == "__main__":
    unittest.main()
