"""What the oracle makes of what the emulated machine wrote, without an emulator."""

import argparse
import io
import json
import os
import shlex
import sys
import tarfile
import tempfile
import unittest
from unittest import mock

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import foreign  # noqa: E402
import guest  # noqa: E402
import oracle  # noqa: E402
import programs  # noqa: E402
import section  # noqa: E402


def run(cpus, one_cpu_ms, emulated_ms, predicted_ms, findings=()):
    return {"cpus": cpus, "one_cpu_ns": one_cpu_ms * 10**6, "emulated_ns": [int(value * 10**6) for value in emulated_ms],
            "predicted_ns": predicted_ms * 10**6, "broken_rounds": 0, "findings": list(findings), "date": "2026-11-21", "emulator": "QEMU",
            "kernel": "vmlinuz", "round_ns": 2000}


def result(name, *runs):
    return {"program": name, "command": name + " {cpus}", "runs": list(runs)}


class Marks(unittest.TestCase):
    def test_a_span_lasts_from_its_begin_to_its_end(self):
        self.assertEqual(oracle.lockstep_spans(b"begin 1000\nend 4500 0\nbegin 9000\nend 9300 2\n"), ([3500, 300], 2))

    def test_a_program_that_left_without_its_end_mark_is_not_measured(self):
        with self.assertRaises(guest.GuestFailed):
            oracle.lockstep_spans(b"begin 1000\n")

    def test_a_run_that_failed_is_told_with_its_status_and_log(self):
        with self.assertRaisesRegex(guest.GuestFailed, "exit status of lu: 2\nno such file"):
            oracle.checked({"failed": b"lu: 2\n", "log": b"no such file"})


class Jobs(unittest.TestCase):
    def test_the_number_of_cpus_is_put_into_the_arguments(self):
        self.assertEqual(programs.Program("lu", ("lu", "{cpus}", "480")).arguments(8), ["8", "480"])

    def test_a_program_is_run_bare_and_recorded_on_one_cpu(self):
        script = oracle.recording_script(programs.PROGRAMS["lu"], 16)
        recorded = [shlex.split(line)[:9] for line in script.splitlines() if "parcast record" in line]
        self.assertEqual(recorded, [["/opt/bin/parcast", "record", "-o", "/out/recording.16.parcast", "--pretend-cpus", "16",
                                     "--memory-map", "--", "/programs/lu"]])
        self.assertEqual(script.count("LD_PRELOAD=/lib/span.so"), 1)

    def test_what_has_a_result_is_not_run_again_unless_it_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            arguments = argparse.Namespace(results=folder, names=[], foreign=None, cpus=[2, 4])
            oracle.write_result(arguments, programs.PROGRAMS["lu"], {**result("lu", run(2, 18, [9.0], 9)), "command": "lu {cpus} 480"})
            missing = [(program.name, cpus) for program, cpus in oracle.missing_comparisons(arguments)]
            arguments.names = ["lu"]
            named = [(program.name, cpus) for program, cpus in oracle.missing_comparisons(arguments)]
        self.assertNotIn(("lu", 2), missing)
        self.assertIn(("lu", 4), missing)
        self.assertEqual(named, [("lu", 2), ("lu", 4)])

    def test_a_new_run_replaces_the_one_on_as_many_cpus(self):
        before = result("lu", run(2, 18, [9.0], 9), run(8, 18, [3.0], 3))
        after = oracle.with_run(before, run(2, 18, [9.5], 9))
        self.assertEqual([(each["cpus"], each["emulated_ns"]) for each in after["runs"]], [(2, [9500000]), (8, [3000000])])

    def test_a_job_brings_the_script_and_its_files(self):
        with tempfile.NamedTemporaryFile() as file:
            file.write(b"data")
            file.flush()
            with tarfile.open(fileobj=io.BytesIO(guest.packed_job("exit 0\n", {"/opt/data": file.name}))) as archive:
                self.assertEqual(archive.getnames(), ["job/run.sh", "opt/data"])
                self.assertEqual(archive.extractfile("job/run.sh").read(), b"exit 0\n")

    def test_entries_of_the_first_file_system_are_aligned_to_four_bytes(self):
        for content in (b"", b"1", b"1234"):
            entry = guest.archive_entry("init", 0o100755, content)
            self.assertTrue(entry.startswith(b"070701"))
            self.assertEqual(int(entry[54:62], 16), len(content), "the seventh field is the size")
            self.assertEqual(len(entry) % 4, 0)


class ForeignPrograms(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = temporary.name

    def written(self, name, content):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as file:
            file.write(content)
        os.chmod(path, 0o755)
        return path

    def test_words_behind_two_dashes_are_the_program_with_its_environment(self):
        self.assertEqual(foreign.split_words(["--runs", "1", "--", "A=1", "sort"]), (["--runs", "1"], ["A=1", "sort"]))
        self.assertEqual(foreign.split_words(["lu"]), (["lu"], None))
        program = foreign.program_of(["OMP_NUM_THREADS={cpus}", sys.executable, "-c", "print({cpus})"])
        self.assertEqual(program.executable, sys.executable)
        self.assertEqual(program.assignments(4), ["OMP_NUM_THREADS=4"])
        self.assertEqual(program.arguments(4), ["-c", "print(4)"])
        self.assertIsNone(program.theory)

    def test_it_finds_its_files_as_they_were_before_each_run(self):
        data = self.written("input.txt", b"1")
        program = foreign.program_of([sys.executable, data], data=[data], standard_input=data)
        self.assertEqual(dict(program.files), {data: data, "/tmp/input": data})
        script = oracle.recording_script(program, 4)
        self.assertEqual(script.count("cp -a /tmp/data /tmp/run; cd /tmp/run\n"), 2, "bare and recorded")
        self.assertEqual(script.count("</tmp/input"), 2)
        files = oracle.guest_files("build", program)
        self.assertEqual(files[sys.executable], os.path.realpath(sys.executable))
        self.assertEqual(files[data], data)

    def test_relative_files_lie_where_it_runs_and_none_lies_above(self):
        before = os.getcwd()
        self.addCleanup(os.chdir, before)
        os.chdir(self.folder)
        self.written("input.txt", b"1")
        brought = dict(foreign.brought_files(["./input.txt"], None))
        self.assertEqual(list(brought), ["/tmp/data/input.txt"])
        with self.assertRaisesRegex(foreign.Unusable, "outside of this folder"):
            list(foreign.brought_files([os.path.join("..", os.path.basename(self.folder))], None))
        with self.assertRaisesRegex(foreign.Unusable, "no file 'missing.txt'"):
            list(foreign.brought_files(["missing.txt"], None))

    def test_what_cannot_be_recorded_is_refused_with_a_way_out(self):
        with self.assertRaisesRegex(foreign.Unusable, "is a script: name the program"):
            foreign.program_of([self.written("script", b"#!/bin/sh\n")])
        with self.assertRaisesRegex(foreign.Unusable, "is no program for x86-64"):
            foreign.program_of([self.written("arm", b"\x7fELF\x02\x01\x01" + bytes(9) + b"\x02\x00\xb7\x00")])
        with self.assertRaisesRegex(foreign.Unusable, "no program behind --"):
            foreign.program_of(["A=1"])

    def test_packages_of_libraries_are_named_as_debian_names_them(self):
        for library, package in (("libgomp.so.1", "libgomp1"), ("libopenblas.so.0", "libopenblas0"), ("libjson-c.so.5", "libjson-c5"),
                                 ("libfoo2.so.3", "libfoo2-3")):
            self.assertEqual(foreign.package_of(library), package)

    def test_results_of_another_command_are_forgotten(self):
        arguments = argparse.Namespace(results=self.folder)
        sort = programs.Program("sort", ("sort", "a"), executable="/usr/bin/sort")
        oracle.write_result(arguments, sort, {**result("sort", run(2, 18, [9.0], 9)), "command": "sort a"})
        self.assertEqual(len(oracle.read_result(arguments, sort)["runs"]), 1)
        other = programs.Program("sort", ("sort", "b"), executable="/usr/bin/sort")
        self.assertEqual(oracle.read_result(arguments, other)["runs"], [])

    def test_the_table_is_that_of_the_document_without_theory(self):
        text = section.of_foreign({**result("sort", run(1, 18, [18.0], 18), run(2, 18, [9.0], 9.9)), "command": "sort a"})
        self.assertIn("| `sort a` | 1 | 18.0 | 18.00 |", text)
        self.assertIn("Mean error 5.0 %, worst 10.0 %.", text)
        self.assertEqual(section.of_foreign(result("sort")), "No comparison succeeded.\n")


class AnotherRound(unittest.TestCase):
    """It took the place of the kept runs, and went into the document."""

    def test_has_results_of_its_own(self):
        self.assertEqual(oracle.parsed_arguments([]).results, "build/accuracy/emulated")
        self.assertEqual(oracle.parsed_arguments(["--round", "500"]).results, "build/accuracy/emulated-round-500")
        self.assertEqual(oracle.parsed_arguments(["--round", "500", "--results", "here"]).results, "here")

    def test_does_not_write_the_document(self):
        with tempfile.TemporaryDirectory() as folder:
            document = os.path.join(folder, "document.md")
            with mock.patch.object(oracle, "run"), mock.patch.object(
                    sys, "argv", ["oracle.py", "--round", "500", "--document", document, "--results", folder, "--folder", folder]):
                self.assertEqual(oracle.main(), 0)
            self.assertFalse(os.path.exists(document))


class Section(unittest.TestCase):
    # 9 ms are emulated (the median), 9.9 predicted: 10 % too slow.
    late = run(2, 18, [9.0, 9.5, 8.5], 9.9)

    def test_the_error_is_of_the_time_and_against_the_median(self):
        self.assertAlmostEqual(section.error(self.late), 0.1)

    def test_runs_with_findings_do_not_count_in_the_summary(self):
        early = run(4, 20, [5.0], 1, ["spin_waiting"])
        self.assertEqual(section.summary([result("lu", self.late, early)]),
                         "Over the 1 runs without findings: mean error 10.0 %, worst 10.0 % (lu on 2 CPUs). "
                         "Goal: mean 2 %: missed; worst 8 %: missed.\n")

    def test_results_become_a_table_in_the_order_of_the_programs(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("lu", "barriers"):
                with open(os.path.join(folder, name + ".json"), "w", encoding="utf-8") as file:
                    json.dump(result(name, self.late), file)
            text = section.of_results(folder)
        self.assertIn("QEMU, vmlinuz, rounds of 2000 instructions, 2026-11-21", text)
        self.assertLess(text.index("`barriers {cpus}`"), text.index("`lu {cpus}`"))

    def test_what_misses_by_more_than_four_percent_is_explained_once_a_program(self):
        close, early = run(8, 18, [10.0], 10), run(4, 20, [10.0], 9)
        told = section.explanations([result("six_step_fft", self.late, early, close), result("lu", close)])
        self.assertIn("- **six_step_fft**, +10.0 % on 2, -10.0 % on 4. " + section.CAUSES["six_step_fft"], told)
        self.assertNotIn("lu", told.replace(section.CAUSES["six_step_fft"], ""))

    def test_what_was_emulated_and_not_yet_predicted_is_no_row(self):
        unpredicted = {key: value for key, value in self.late.items() if key != "predicted_ns"}
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "lu.json"), "w", encoding="utf-8") as file:
                json.dump(result("lu", unpredicted), file)
            self.assertIn("Not measured yet", section.of_results(folder))

    def test_theory_is_told_where_it_knows_the_speed_up(self):
        self.assertIn("| 1.50 | 2.00 | 1.82 |", section.row(result("imbalance", self.late), self.late))

    def test_a_range_holds_the_median_or_is_said_to_miss_it(self):
        sure = {**self.late, "range_ns": {"low": 0.9 * self.late["predicted_ns"], "high": 1.1 * self.late["predicted_ns"]}}
        narrow = {**self.late, "range_ns": {"low": 0.99 * self.late["predicted_ns"], "high": 1.01 * self.late["predicted_ns"]}}
        self.assertTrue(section.is_in_range(sure))
        self.assertFalse(section.is_in_range(narrow))
        self.assertIsNone(section.is_in_range(self.late))
        self.assertIn(", missed |", section.row(result("imbalance", narrow), narrow))
        self.assertNotIn("missed", section.row(result("imbalance", sure), sure))
        self.assertEqual(section.coverage([result("lu", sure, narrow, self.late)]),
                         "Ranges: 1 of 2 emulated medians lie within (50 %; goal 90 %), median width 12.1 %.\n")
        self.assertEqual(section.coverage([result("lu", self.late)]), "")

    def test_only_its_own_part_of_the_document_is_replaced(self):
        once = section.with_section("# Accuracy\n\nmeasured\n", "first\n")
        twice = section.with_section(once + "\nafter\n", "second\n")
        self.assertEqual(twice, f"# Accuracy\n\nmeasured\n\n{section.BEGIN}second\n{section.END}\nafter\n")


class KnownSpeedups(unittest.TestCase):
    def test_theory_at_four_processors(self):
        at_four = {program.name: round(program.theory(4), 3) for program in programs.KNOWN_SPEEDUPS}
        self.assertEqual(at_four, {"independent": 4, "barriers": 4, "condition_barriers": 4, "task_queue": 4, "openmp_barriers": 4,
                                   "openmp_barriers_passive": 4, "cells": 4, "allocator": 4, "lock": 4, "memory_map": 4, "imbalance": 2.5, "serial": 2.5})


if __name__ == "__main__":
    unittest.main()
