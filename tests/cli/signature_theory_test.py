"""parcast signature --g: table 1 of the report of 1990 as corrected, and what is refused."""

import json
import unittest

from program import SCHEMAS, USAGE, parcast


def answer(*words):
    result = parcast("signature", *words, "--json")
    if result.returncode != 0:
        raise AssertionError(result.stderr.decode())
    return json.loads(result.stdout)


class Theory(unittest.TestCase):
    def test_of_quadratic_events_the_maximum_is_at_the_root_of_alpha(self):
        found = answer("--g", "P^2", "--alpha", "1e4", "--cpus", "1,64,256")["fixed_size"]
        optimum = found["optimum"]
        self.assertAlmostEqual(optimum["p_smax"], 100)
        self.assertAlmostEqual(optimum["s_max"], 50)
        self.assertAlmostEqual(optimum["inflection"], 30000 ** 0.5)
        self.assertEqual(optimum["best_p"], 100)
        self.assertAlmostEqual(found["points"][1]["speed_up"], 45.4029512, places=7)
        self.assertAlmostEqual(found["points"][2]["b"], 0.02950625)

    def test_of_linear_events_there_is_a_limit(self):
        found = answer("--g", "2*P", "--alpha", "1e4")["fixed_size"]
        self.assertIsNone(found["optimum"])
        self.assertAlmostEqual(found["limit"], 5000)

    def test_scaled_execution_of_quadratic_events_has_a_limit(self):
        found = answer("--g", "P^2", "--alpha", "1e4", "--scaled")["scaled"]
        self.assertEqual(found["class"], "sb")
        self.assertAlmostEqual(found["limit"], 1e4)

    def test_the_text_names_the_numbers_of_the_theorem(self):
        text = parcast("signature", "--g", "P^2", "--alpha", "1e4").stdout.decode()
        for part in ("P_smax 100", "S_max 50", "P = 173.205", "quadratic"):
            self.assertIn(part, text)

    def test_what_the_theorem_does_not_hold_for_is_refused_with_a_reason(self):
        for g, why in (("100/P", "falls"), ("P-5", "negative"), ("sqrt(P)", "not convex"), ("n^2", "'n'"), ("P^", "column")):
            with self.subTest(g=g):
                result = parcast("signature", "--g", g, "--alpha", "1e4")
                self.assertEqual(result.returncode, USAGE)
                self.assertIn(why, result.stderr.decode())

    def test_the_json_is_as_documented(self):
        try:
            import jsonschema
        except ImportError:
            self.skipTest("needs python3-jsonschema")
        schema = json.loads((SCHEMAS / "signature-theory.schema.json").read_text())
        for words in (["P^3"], ["P"], ["5"], ["2^P"], ["P^2", "--scaled"]):
            jsonschema.validate(answer("--g", words[0], "--alpha", "100", *words[1:]), schema)


if __name__ == "__main__":
    unittest.main()
