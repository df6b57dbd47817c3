"""What the oracle makes of what the emulated machine wrote, without an emulator."""

import io
import os
import shlex
import sys
import tarfile
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import guest  # noqa: E402
import oracle  # noqa: E402
import programs  # noqa: E402
import section  # noqa: E402


def run(cpus, one_cpu_ms, emulated_ms, predicted_ms, findings=()):
    return {"cpus": cpus, "one_cpu_ns": one_cpu_ms * 10**6, "emulated_ns": [int(value * 10**6) for value in emulated_ms],
            "predicted_ns": predicted_ms * 10**6, "broken_rounds": 0, "findings": list(findings)}


def result(name, *runs):
    return {"program": name, "command": name + " {cpus}", "date": "2026-11-21", "emulator": "QEMU", "kernel": "vmlinuz", "round_ns": 2000,
            "runs": list(runs)}


class Marks(unittest.TestCase):
    def test_a_span_lasts_from_its_begin_to_its_end(self):
        self.assertEqual(oracle.lockstep_spans(b"begin 1000\nend 4500 0\nbegin 9000\nend 9300 2\n"), ([3500, 300], 2))

    def test_a_program_that_left_without_its_end_mark_is_not_measured(self):
        with self.assertRaises(guest.GuestFailed):
            oracle.lockstep_spans(b"begin 1000\n")

    def test_a_run_that_failed_is_told_with_its_status_and_log(self):
        with self.assertRaisesRegex(guest.GuestFailed, "lu: exit status 2\nno such file"):
            oracle.checked({"failed": b"2\n", "log": b"no such file"}, "lu")


class Jobs(unittest.TestCase):
    def test_the_number_of_cpus_is_put_into_the_arguments(self):
        self.assertEqual(programs.Program("lu", ("lu", "{cpus}", "480")).arguments(8), ["8", "480"])

    def test_each_count_is_run_bare_and_recorded_on_one_cpu(self):
        script = oracle.recording_script(programs.PROGRAMS["lu"], [2, 16])
        recorded = [shlex.split(line)[:8] for line in script.splitlines() if "parcast record" in line]
        self.assertEqual(recorded, [["/opt/bin/parcast", "record", "-o", f"/out/{n}.parcast", "--pretend-cpus", str(n), "--",
                                     "/programs/lu"] for n in (2, 16)])
        self.assertEqual(script.count("LD_PRELOAD=/lib/span.so"), 2)

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


class Section(unittest.TestCase):
    # 9 ms are emulated (the median), 9.9 predicted: 10 % too slow.
    late = run(2, 18, [9.0, 9.5, 8.5], 9.9)

    def test_the_error_is_of_the_time_and_against_the_median(self):
        self.assertAlmostEqual(section.error(self.late), 0.1)

    def test_runs_with_findings_do_not_count_in_the_summary(self):
        early = run(4, 20, [5.0], 1, ["spin_waiting"])
        self.assertEqual(section.summary([result("lu", self.late, early)]),
                         "Over the 1 runs without findings: mean error 10.0 %, worst 10.0 % (lu on 2 CPUs).\n")

    def test_theory_is_told_where_it_knows_the_speed_up(self):
        self.assertIn("| 1.50 | 2.00 | 1.82 |", section.row(result("imbalance", self.late), self.late))

    def test_only_its_own_part_of_the_document_is_replaced(self):
        once = section.with_section("# Accuracy\n\nmeasured\n", "first\n")
        twice = section.with_section(once + "\nafter\n", "second\n")
        self.assertEqual(twice, f"# Accuracy\n\nmeasured\n\n{section.BEGIN}second\n{section.END}\nafter\n")


class KnownSpeedups(unittest.TestCase):
    def test_theory_at_four_processors(self):
        at_four = {program.name: round(program.theory(4), 3) for program in programs.KNOWN_SPEEDUPS}
        self.assertEqual(at_four, {"independent": 4, "barriers": 4, "lock": 4, "imbalance": 2.5, "serial": 2.5})


if __name__ == "__main__":
    unittest.main()
