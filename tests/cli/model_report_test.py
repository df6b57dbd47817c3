"""The report of a model in the PAMELA language: one HTML file with picture, table, formulas and text, and no script."""

import json
import re
import unittest

from model_test import EXAMPLES, MRM, Models, SCHEMAS, jsonschema, parcast
from program import OUTPUT, USAGE


class Reports(Models):
    def report(self, *words):
        file = self.folder / "report.html"
        result = parcast("report", *words, "-o", file, "--force")
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        return file.read_text()

    def test_it_has_the_picture_the_table_the_formulas_and_the_text(self):
        html = self.report(MRM, "--set", "N=1000", "--sweep", "P=1,10,100", "--per", "N")
        self.assertIn("<svg", html)
        self.assertIn("10.9076", html)  # the mean of 100 clients, as predict prints it
        self.assertIn("numeric T_main = ", html)
        self.assertIn("fork P clients", html)  # a comment of the text
        self.assertIn("MVA", html)

    def test_it_needs_no_network_and_no_script(self):
        html = self.report(MRM, "--sweep", "P=1,10,100")
        self.assertNotIn("<script", html)
        self.assertEqual(re.findall(r"(?:src|href)=", html), [])
        self.assertNotIn("url(", html)

    def test_a_name_in_the_text_is_no_markup(self):
        html = self.report(self.model("% <script>alert(1)</script>\nprocess main = delay(3)\n"))
        self.assertNotIn("<script", html)
        self.assertNotIn("<svg", html)  # nothing is swept

    def test_simulated_means_are_in_it(self):
        html = self.report(EXAMPLES / "lock.pam", "--set", "N=100", "--sweep", "P=2,8", "--method", "both", "--runs", 20)
        self.assertIn("simulated", html)

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
        result = parcast("report", MRM, "--no-source-text", "-o", self.folder / "no.html")
        self.assertEqual(result.returncode, USAGE, result.stderr)


if __name__ == "__main__":
    unittest.main()
