"""The page of a model in the PAMELA language, as `report` writes it and as `view` serves it: one document that holds the model, what
evaluates it, and what `predict` prints for readers without scripts. What it shows in a browser: tests/web/models_test.mjs."""

import contextlib
import html
import json
import re
import unittest
import urllib.parse

from model_test import EXAMPLES, MRM, Models, PSRS, SCHEMAS, jsonschema, parcast
from program import INPUT, OUTPUT, USAGE
from report_test import ELEMENT, elements_of
from view_test import Viewed

LOCK = EXAMPLES / "lock.pam"


def document_of(page):
    """What the page is told of the model."""
    return json.loads(elements_of(page)["model"])


def plain_text(page):
    """What a reader without scripts sees."""
    return html.unescape(re.search(r"<noscript><pre>(.*?)</pre></noscript>", page, re.DOTALL)[1])


def value_of(document, name):
    return next(parameter["value"] for parameter in document["parameters"] if parameter["name"] == name)


class Reports(Models):
    def report(self, *words):
        file = self.folder / "report.html"
        result = parcast("report", *words, "-o", file, "--force")
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        return file.read_text()

    def test_it_holds_the_model_and_what_evaluates_it(self):
        elements = elements_of(self.report(MRM, "--set", "N=1000", "--sweep", "P=1,10,100", "--per", "N"))
        self.assertEqual(elements["model-module"][:4], b"\0asm")
        document = json.loads(elements["model"])
        self.assertEqual(document["text"], MRM.read_text())
        self.assertEqual({each["name"] for each in document["parameters"]}, {"P", "N"})
        self.assertEqual((value_of(document, "N"), value_of(document, "P")), (1000, 1))
        self.assertEqual([(sweep["name"], sweep["values"]) for sweep in document["sweeps"]], [("P", [1, 10, 100])])
        self.assertEqual((document["refusal"], document["has_server"]), (None, False))

    def test_it_begins_with_the_answer_of_predict(self):
        words = [MRM, "--set", "N=1000", "--sweep", "P=1,10,100", "--per", "N", "--method", "both", "--runs", 20]
        predicted = json.loads(parcast("predict", *words, "--json").stdout)
        self.assertEqual(document_of(self.report(*words))["prediction"]["predictions"], predicted["predictions"])

    def test_formulas_are_typeset_and_as_text_and_latex(self):
        document = document_of(self.report(MRM, "--sweep", "P=1,10,100"))
        equations = {each["name"]: each for each in document["equations"]}
        self.assertEqual(set(equations), {"phi_main", "delta_main", "omega_main", "T_main"})
        printed = parcast("formula", MRM, "--parameter", "P,N").stdout.decode().splitlines()
        for name, equation in equations.items():
            with self.subTest(equation=name):
                self.assertIn(equation["text"], printed)
                self.assertRegex(equation["mathml"], r"^<math\b.*</math>$")
                self.assertNotEqual(equation["meaning"], "")

    def test_without_scripts_it_is_what_predict_prints_the_formulas_and_the_text(self):
        text = plain_text(self.report(MRM, "--set", "N=1000", "--sweep", "P=1,10,100", "--per", "N"))
        self.assertIn("10.9076", text)  # the mean of 100 clients, as predict prints it
        self.assertIn("MVA", text)
        self.assertIn("numeric T_main = ", text)
        self.assertIn("fork P clients", text)  # a comment of the text

    def test_it_needs_no_network(self):
        page = ELEMENT.sub("", self.report(MRM, "--sweep", "P=1,10,100"))
        self.assertNotRegex(page, r'(src|href)="?https?:')

    def test_a_name_in_the_text_is_no_markup(self):
        model = self.model("% </pre><script>alert(1)</script>\nprocess main = delay(3)\n")
        page = self.report(model)
        self.assertNotIn("<script>alert", page)
        self.assertIn("<script>alert", plain_text(page))
        self.assertIn("<script>alert", document_of(page)["text"])

    def test_files_that_the_model_names_lie_in_it(self):
        (self.folder / "times.txt").write_text("1 2 3 4 10\n")
        model = self.model('numeric N = 3\nnumeric t = empirical("times.txt")\nprocess main = seq (i = 1, N) delay(t)\n')
        document = document_of(self.report(model))
        self.assertEqual(document["files"], [{"name": "times.txt", "content": "1 2 3 4 10\n"}])
        self.assertEqual([each["name"] for each in document["parameters"]], ["N"])

    def test_its_command_asks_for_the_same(self):
        asked = ["--per", "N", "--phases", "--quantiles", "10,99.9", "--runs", "20", "--precision", "0.5", "--seed", "7"]
        document = document_of(self.report(LOCK, "--set", "N=100", "--method", "both", *asked))
        self.assertEqual(document["options"], asked)
        self.assertEqual(document["simulation"], {"runs": "20", "precision": "0.5", "seed": "7"})
        self.assertEqual((document["levels"], document["has_phases"]), ([10, 99.9], True))
        plain = document_of(self.report(LOCK))
        self.assertEqual((plain["options"], plain["simulation"]), ([], {"runs": "", "precision": "", "seed": ""}))

    def test_simulated_means_are_in_it(self):
        document = document_of(self.report(LOCK, "--set", "N=100", "--sweep", "P=2,8", "--method", "both", "--runs", 20))
        self.assertEqual([row["simulated"]["runs"] for row in document["prediction"]["predictions"]], [20, 20])

    def test_warned_models_are_evaluated_too(self):
        document = document_of(self.report(PSRS, "--set", "N=1024", "--sweep", "P=2..8"))
        self.assertIsNone(document["refusal"])
        self.assertLessEqual({"N", "P"}, {each["name"] for each in document["parameters"]})

    def test_the_answer_is_what_its_schema_says(self):
        file = self.folder / "mrm.html"
        result = parcast("report", MRM, "--sweep", "P=1,10", "-o", file, "--json")
        answer = json.loads(result.stdout)
        self.assertEqual((answer["file"], answer["bytes"]), (str(file), file.stat().st_size))
        if jsonschema:
            schema = json.loads((SCHEMAS / "report.schema.json").read_text())
            predict = json.loads((SCHEMAS / "predict.schema.json").read_text())
            schema["properties"]["input"] = predict["$defs"]["input_model"]
            jsonschema.validate(answer, schema)
        self.assertEqual(parcast("report", MRM, "-o", file).returncode, OUTPUT)

    def test_options_of_recordings_are_refused(self):
        for verb, words in [("report", ["-o", self.folder / "no.html"]), ("view", ["--no-browser"])]:
            result = parcast(verb, MRM, "--no-source-text", *words)
            self.assertEqual(result.returncode, USAGE, result.stderr)

    def test_a_model_that_is_wrong_is_refused_by_report_and_view(self):
        model = self.model("process main = delay(t_wait)\n")
        for verb, words in [("report", ["-o", self.folder / "no.html"]), ("view", ["--no-browser"])]:
            with self.subTest(verb=verb):
                result = parcast(verb, model, *words)
                self.assertEqual((result.returncode, result.stdout), (INPUT, b""), result.stderr)
                self.assertIn("t_wait", result.stderr.decode())


class Views(Models):
    @contextlib.contextmanager
    def viewed(self, *words):
        viewed = Viewed(*words, "--no-browser")
        try:
            yield viewed
        finally:
            if viewed.process.poll() is None:
                viewed.process.kill()
                viewed.process.communicate()

    def test_it_serves_the_page_of_the_report(self):
        words = [LOCK, "--set", "N=50", "--sweep", "P=1,2,4"]
        with self.viewed(*words) as viewed:
            status, headers, content = viewed.ask("")
            self.assertEqual((status, headers["Content-Type"]), (200, "text/html; charset=utf-8"))
            written = parcast("report", *words, "-o", "-").stdout.decode()
            self.assertEqual(document_of(content.decode()), document_of(written) | {"has_server": True})
            self.assertEqual(viewed.ask("overview.json")[0], 404)
            self.assertEqual(viewed.end(), (0, ""))

    def test_it_simulates_as_predict_does(self):
        limits = ["--runs", "25", "--seed", "3", "--per", "N"]
        with self.viewed(LOCK, "--set", "N=40", "--sweep", "P=1,2,4", "--method", "both", *limits) as viewed:
            values = {"P": "3", "N": "40", "hit": "0.5"}
            simulated = viewed.json(f"simulated.json?{urllib.parse.urlencode(values)}")
            settings = [word for name, value in values.items() for word in ("--set", f"{name}={value}")]
            predicted = json.loads(parcast("predict", LOCK, *settings, *limits, "--method", "simulate", "--json").stdout)
            self.assertEqual(simulated["predictions"], predicted["predictions"])

    def test_it_says_why_it_does_not_simulate(self):
        with self.viewed(LOCK, "--set", "N=10") as viewed:
            for query, reason in [("Q=3", "Q"), ("P=", "P"), ("P=many", "many")]:
                with self.subTest(query=query):
                    status, headers, content = viewed.ask(f"simulated.json?{query}")
                    self.assertEqual((status, headers["Content-Type"]), (422, "text/plain; charset=utf-8"))
                    self.assertIn(reason, content.decode())
            self.assertEqual(viewed.ask("simulated.json?P=2")[0], 200, "and it goes on")
            self.assertEqual(viewed.ask("simulated.json?P=2", below_token=False)[0], 404)


if __name__ == "__main__":
    unittest.main()
