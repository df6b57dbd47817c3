"""PAMELA models as formulas: simplified, fed back in, as LaTeX and as Python that runs."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

from program import INPUT, SCHEMAS, USAGE, parcast

MODELS = SCHEMAS.parent.parent / "examples" / "pamela"
MRM = MODELS / "mrm.pam"
PSRS = MODELS / "psrs.pam"

# n = 8 numbers of 16 on each of 2 processors, every condition true: 118 + 36 + 10 + 44 + 138 by hand.
DETERMINISTIC = ["--set", "t_f=1", "--set", "t_m=10", "--set", "c1=1", "--set", "c2=1", "--set", "c3=1"]


def formula(*words):
    result = parcast("formula", *words)
    if result.returncode != 0:
        raise AssertionError(result.stderr.decode())
    return result.stdout.decode()


def equations(text):
    lines = [line.removeprefix("numeric ") for line in text.splitlines() if line.startswith("numeric ")]
    return dict(line.split(" = ", 1) for line in lines if not line.startswith("parameter "))


class Formula(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="parcast-formula-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_the_machine_repair_model_is_printed_as_in_the_paper(self):
        found = equations(formula(MRM, "--parameter", "P,N"))
        self.assertEqual(
            found["T_main"],
            "max(max (p = 1, P) { N * moments(10.1,100.01,1.999702037,8.99880024) }, P * N * moments(0.1,0.01,2,9))")
        self.assertEqual(found["delta_main"], "[P * N * moments(0.1,0.01,2,9)]")

    def test_without_parameters_it_is_evaluated(self):
        moments = equations(formula(MRM, "--set", "P=100"))["T_main"]
        mean, variance, skewness, kurtosis = map(float, moments.removeprefix("moments(").removesuffix(")").split(","))
        self.assertAlmostEqual(mean / 10125085.2, 1, places=7)
        self.assertAlmostEqual(variance**0.5 / 4109.1038, 1, places=5)
        self.assertAlmostEqual(skewness, 0.470719978, places=4)
        self.assertAlmostEqual(kurtosis, 3.22573292, places=3)

    def test_what_is_printed_is_a_model_and_its_own_formula(self):
        for model, words in ((MRM, ["--parameter", "P,N"]), (PSRS, []), (PSRS, ["--phases"]), (PSRS, ["--set", "t_m=0"])):
            text = formula(model, "--all-digits", *words)
            back = self.folder / "back.pam"
            back.write_text(text)
            for name, value in equations(text).items():
                again = equations(formula(back, "--of", name, "--all-digits"))
                self.assertEqual(again[name], value, f"{name} of {model.name} {words}")

    def test_unsimplified_it_is_as_composed(self):
        text = formula(MRM, "--parameter", "P,N", "--unsimplified")
        self.assertIn("sum (i = 1, N) { moments(10,100,2,9) + moments(0.1,0.01,2,9) }", text)
        self.assertIn("moments(0.1,0.01,2,9) * unitvec(0)", text)

    def test_it_says_which_resources_it_leaves_out_and_why(self):
        text = formula(PSRS)
        self.assertIn("% omega of main leaves out cpu: never used by more than one process at a time.", text)
        self.assertIn("% omega of main leaves out shmem: its P places are enough", text)
        one = self.folder / "one.pam"
        one.write_text(PSRS.read_text().replace("fcfs(P,P)", "fcfs(P,1)"))
        self.assertNotIn("leaves out shmem", formula(one))

    def test_by_phases_the_bound_is_tighter(self):
        one = self.folder / "one.pam"
        one.write_text(PSRS.read_text().replace("fcfs(P,P)", "fcfs(P,1)"))
        words = [*DETERMINISTIC, "--set", "N=16", "--set", "P=2"]
        self.assertEqual(equations(formula(one, *words))["T_main"], "520")
        found = equations(formula(one, *words, "--phases"))
        self.assertEqual([found[f"T_main_{phase}"] for phase in range(1, 6)], ["180", "36", "10", "80", "220"])
        self.assertEqual(found["T_main"], "526")

    def run_python(self, text, expression):
        (self.folder / "model.py").write_text(text)
        result = subprocess.run([sys.executable, "-c", f"import model; print({expression})"], cwd=self.folder,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        return result.stdout.decode().strip()

    def test_python_of_a_deterministic_model_gives_its_time(self):
        for words in ([], ["--unsimplified"]):
            text = formula(PSRS, *DETERMINISTIC, "--python", *words)
            self.assertEqual(float(self.run_python(text, "model.T_main(16, 2)")), 346)
            self.assertEqual(float(self.run_python(text, "model.delta_main(16, 2)[2]")), 520)

    def test_python_of_sums_of_random_times_gives_their_moments(self):
        model = self.folder / "sums.pam"
        model.write_text("numeric parameter N\nprocess main = seq (i = 1, N) { delay(exponential(10)) ; if (0.25) delay(uniform(0, 8)) }\n")
        python = self.run_python(formula(model, "--python"), "'%.9g %.9g %.9g %.9g' % model.T_main(7)")
        value = equations(formula(model, "--set", "N=7"))["T_main"]
        for one, other in zip(python.split(), value.removeprefix("moments(").removesuffix(")").split(",")):
            self.assertAlmostEqual(float(one) / float(other), 1, places=7)

    def test_python_refuses_a_maximum_of_random_times(self):
        text = formula(MRM, "--parameter", "P,N", "--python")
        tried = "[name for name in ['omega_main'] if model.omega_main(P=5, N=10).mean == 5]"
        self.assertEqual(self.run_python(text, tried), "['omega_main']")
        (self.folder / "model.py").write_text(text)
        result = subprocess.run([sys.executable, "-c", "import model; model.T_main()"], cwd=self.folder, stderr=subprocess.PIPE, timeout=60)
        self.assertIn(b"parcast predict", result.stderr)

    def test_latex(self):
        text = formula(MRM, "--parameter", "P,N", "--latex")
        self.assertIn(r"T_{\mathrm{main}} &= \max\left(\max_{p=1}^{P} N \ast \mathcal{M}(10.1", text)
        self.assertTrue(text.startswith("\\begin{align*}"))
        self.assertEqual(text.count("{"), text.count("}"))

    def test_json_is_as_documented(self):
        answer = json.loads(formula(PSRS, "--json", "--set", "N=81920"))
        self.assertEqual([each["name"] for each in answer["parameters"]], ["P"])
        self.assertEqual([each["name"] for each in answer["equations"]], ["phi_main", "delta_main", "omega_main", "T_main"])
        self.assertEqual([each["resource"] for each in answer["left_out"]], ["cpu", "shmem"])
        try:
            import jsonschema
        except ImportError:
            self.skipTest("needs python3-jsonschema")
        jsonschema.validate(answer, json.loads((SCHEMAS / "formula.schema.json").read_text()))

    def test_other_processes_and_equations(self):
        model = self.folder / "two.pam"
        model.write_text("numeric a = 2 + 3\nprocess one = delay(a)\nprocess main = one ; one\n")
        self.assertEqual(equations(formula(model, "--of", "a"))["a"], "5")
        self.assertEqual(equations(formula(model, "--of", "one"))["T_one"], "5")
        self.assertEqual(equations(formula(model, "--all"))["T_main"], "10")

    def test_mistakes_name_the_way_out(self):
        broken = self.folder / "broken.pam"
        broken.write_text("process main = delay(1\n")
        other = self.folder / "other.pam"
        other.write_text("process work = delay(1)\n")
        for words, status, said in (
            ([], USAGE, b"needs a model"),
            ([MRM, PSRS], USAGE, b"takes one model"),
            ([MRM, "--of", "maim"], USAGE, b"did you mean 'main'?"),
            ([MRM, "--parameter", "Q"], USAGE, b"no number 'Q'"),
            ([MRM, "--set", "P"], USAGE, b"is no assignment of a number"),
            ([MRM, "--latex", "--json"], USAGE, b"three forms of one answer"),
            ([self.folder / "none.pam"], INPUT, b"none.pam"),
            ([broken], INPUT, b"expected"),
            ([other], INPUT, b"no equation 'main'"),
        ):
            result = parcast("formula", *words)
            self.assertEqual(result.returncode, status, (words, result.stderr))
            self.assertIn(said, b" ".join(result.stderr.split()), words)
            self.assertEqual(result.stdout, b"", words)


if __name__ == "__main__":
    unittest.main()
