"""What a recorder, or a binder, in the same process might not survive: the program's output and status are those
without it."""

import os
import shutil
import unittest

from whole import PARCAST, InFolder, json_of, run

SURVIVOR = os.environ.get("PARCAST_SURVIVOR", "survivor")
NOT_ALLOWED = 77
PLAN = """version = 1
[[thread]]
path = "*"
cpu = 0
[[thread]]
name = "*"
nice = 1
"""
LOCKS_OF_WORK = 80000  # lock and unlock, in main and in a thread


class Survival(InFolder):
    def same_as_bare(self, *mode):
        """Recorded in a folder of its own, and run by a plan in another one; the folder of its traces."""
        (self.folder / "plan.toml").write_text(PLAN)
        outcomes = []
        for name, before in (("bare", []), ("planned", [PARCAST, "run", "--plan", self.folder / "plan.toml", "--"]),
                             ("recorded", [PARCAST, "record", "--"])):
            folder = self.folder / name
            folder.mkdir()
            result = run(*before, SURVIVOR, *mode, cwd=folder)
            status = result.returncode if result.returncode >= 0 else 128 - result.returncode
            if status == NOT_ALLOWED:
                self.skipTest("this system does not allow it")
            outcomes.append((status, result.stdout))
        self.assertEqual(outcomes[0], outcomes[1], "bound by a plan")
        self.assertEqual(outcomes[0], outcomes[2], "recorded")
        self.assertNotIn(outcomes[0][0], (1, 2), "what the program was to do did not happen")
        return folder

    def recordings(self, folder):
        return [json_of("info", path) for path in sorted(folder.rglob("*.parcast"))]

    def assert_whole(self, *mode, least_events=1, processes=1):
        recordings = self.recordings(self.same_as_bare(*mode))
        self.assertEqual(len(recordings), processes)
        for recording in recordings:
            kinds = {finding["kind"] for finding in recording["findings"] if finding["severity"] == "warning"}
            self.assertFalse(kinds & {"lost_events", "cut_short", "killed", "cpu_time_mismatch"}, recording["findings"])
        self.assertGreaterEqual(sum(thread["events"] for one in recordings for thread in one["threads"]), least_events)

    def test_closing_all_descriptors(self):
        self.assert_whole("close", least_events=3 * LOCKS_OF_WORK)

    def test_changing_the_directory(self):
        self.assert_whole("directory", least_events=2 * LOCKS_OF_WORK)

    def test_changing_the_root(self):
        (recording,) = self.recordings(self.same_as_bare("root"))
        self.assertIn("cut_short", {finding["kind"] for finding in recording["findings"]}, "its file is out of reach")

    def test_fork_without_exec(self):
        self.assert_whole("fork", least_events=3 * LOCKS_OF_WORK, processes=2)

    def test_a_child_of_a_program_that_took_its_arguments_apart_is_recorded_with_them(self):
        for recording in self.recordings(self.same_as_bare("fork")):
            self.assertEqual(recording["input"]["command"], [SURVIVOR, "fork"])

    def test_executing_itself(self):
        recordings = self.recordings(self.same_as_bare("exec"))
        self.assertEqual(len(recordings), 4, "three that were replaced, and the last")
        self.assertEqual(sum(one["recorded"]["replaced_by"] is not None for one in recordings), 3)

    def test_vfork(self):
        recordings = self.recordings(self.same_as_bare("vfork"))
        self.assertEqual(len(recordings), 11, "itself and ten shells")

    def test_cancelling_threads(self):
        self.assert_whole("cancel", least_events=2 * LOCKS_OF_WORK)

    def test_handling_segmentation_faults(self):
        self.same_as_bare("faults")

    def test_ten_thousand_threads_in_turn(self):
        self.assert_whole("in_turn", least_events=60000)

    def test_two_thousand_threads_at_once(self):
        self.assert_whole("at_once", least_events=12000)

    def test_idling_longer_than_ticks_fit_into_32_bits(self):
        folder = self.same_as_bare("idle")
        (recording,) = self.recordings(folder)
        self.assertGreaterEqual(recording["recorded"]["wall_time_ns"], 3_000_000_000)
        self.assertLess(recording["recorded"]["cpu_time_ns"], 1_000_000_000)

    def test_limits_of_the_program_are_no_reason_to_die(self):
        for mode in ("small_files", "no_descriptors", "no_memory"):
            with self.subTest(mode):
                (recording,) = self.recordings(self.same_as_bare(mode))
                self.assertGreater(sum(thread["events"] for thread in recording["threads"]), 1000)
                for name in ("bare", "planned", "recorded"):
                    shutil.rmtree(self.folder / name)

    def test_violent_ends(self):
        for mode in ("_exit", "abort", "kill"):
            with self.subTest(mode):
                (recording,) = self.recordings(self.same_as_bare(mode))
                self.assertGreaterEqual(sum(thread["events"] for thread in recording["threads"]), LOCKS_OF_WORK)
                for name in ("bare", "planned", "recorded"):
                    shutil.rmtree(self.folder / name)


class NoSpace(InFolder):
    """A small file system, which only root can make."""

    def setUp(self):
        super().setUp()
        self.small = self.folder / "small"
        self.small.mkdir()
        mounted = run("mount", "-t", "tmpfs", "-o", "size=2m", "none", self.small)
        if mounted.returncode != 0:
            self.skipTest("file systems cannot be mounted here")
        self.addCleanup(run, "umount", self.small)

    def test_a_full_file_system_of_raw_recordings_is_not_the_programs_problem(self):
        module = next(path for path in (PARCAST_LIBRARY,) if os.path.exists(path))
        plain = self.folder / "module.so"  # the loader splits LD_PRELOAD at spaces
        plain.symlink_to(module)
        environment = {**os.environ, "LD_PRELOAD": str(plain), "PARCAST_RECORD_DIR": str(self.small)}
        result = run(SURVIVOR, "in_turn", env=environment)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (15, b"", b""))
        result = run(SURVIVOR, "directory", env=environment)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (8, b"", b""))

    def test_a_full_disk_for_the_trace_is_said_and_leaves_the_status(self):
        run("dd", "if=/dev/zero", f"of={self.small}/filler", "bs=4096")
        result = run(PARCAST, "record", "-o", self.small / "x.parcast", "--", SURVIVOR, "directory")
        self.assertEqual(result.returncode, 8)
        self.assertIn("No space left on device", " ".join(result.stderr.decode().split()))
        self.assertFalse((self.small / "x.parcast").exists())


PARCAST_LIBRARY = os.path.join(os.path.dirname(PARCAST), "../lib/parcast/libparcast-recorder.so")

if __name__ == "__main__":
    unittest.main()
