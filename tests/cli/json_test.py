"""The JSON of every verb is what its schema in docs/formats says, and the schema names every field."""

import json
import sys
import unittest

try:
    import jsonschema
except ImportError:
    print("skipped: python3-jsonschema is not installed")
    sys.exit(77)

from program import EXAMPLES, SCHEMAS, WithRecording, parcast


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
    return set(answer).union(*map(used_names, answer.values()))


class Answers(WithRecording):
    def assert_documented(self, verb, answer):
        schema = schema_of(verb)
        jsonschema.Draft202012Validator.check_schema(schema)
        jsonschema.Draft202012Validator(schema).validate(answer)
        # The parameters of a machine are documented with the machine file.
        rest = {name: value for name, value in answer.items() if name != "machine"}
        self.assertEqual(used_names(rest) - documented_names(schema), set(), "fields without documentation")
        self.assertEqual(answer["schema"], f"parcast.{verb}/1")

    def answer(self, *words):
        result = parcast(*words, "--json")
        self.assertEqual((result.returncode, result.stderr), (0, b""))
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

    def test_predict_accounts_for_every_nanosecond(self):
        for row in self.answer("predict", self.trace)["predictions"]:
            total = sum(limit["processor_time_ns"] for limit in row["limits"])
            self.assertEqual(total, row["cpus"] * row["time_ns"])

    def test_predict_with_threads_accounts_for_their_lives(self):
        (row,) = self.answer("predict", self.trace, "--cpus", "4", "--threads-table")["predictions"]
        states = ["running_ns", "switching_ns", "ready_ns", "blocked_ns", "sleeping_ns", "input_output_ns"]
        for thread in row["threads"]:
            self.assertEqual(sum(thread[state] for state in states), thread["ended_ns"] - thread["created_ns"])

    def test_the_number_of_jobs_changes_no_byte(self):
        words = ["predict", self.trace, "--json", "--threads-table"]
        self.assertEqual(parcast(*words, "--jobs", "1").stdout, parcast(*words, "--jobs", "4").stdout)

    def test_record(self):
        result = parcast("record", "--json", "-o", self.folder / "again.parcast", "--",
                         EXAMPLES / "producer_consumer_one_lock", "5")
        self.assertEqual(result.returncode, 0)
        self.assert_documented("record", json.loads(result.stderr))


if __name__ == "__main__":
    unittest.main()
