"""parcast record: what it refuses before it runs anything, and what it leaves to the program."""

import json
import os
import re
import shlex
import shutil
import signal
import struct
import subprocess
import sys
import unittest
from pathlib import Path

from whole import PARCAST, InFolder, json_of, record, run


class Refused(InFolder):
    """Each with a reason and a way out, and nothing run."""

    def program(self, name, content, mode=0o755):
        path = self.folder / name
        path.write_bytes(content)
        path.chmod(mode)
        return path

    def test_programs_that_cannot_be_run(self):
        cases = [
            (self.folder / "missing", 127, "missing", "a path of nothing"),
            ("no-such-program-at-all", 127, "PATH", "a name of nothing"),
            (self.folder, 126, "folder", "a folder"),
            (".", 127, "$PATH", "folders in $PATH hold themselves, which are no programs"),
            (self.program("plain", b"text", 0o644), 126, "chmod", "a file without the right to execute"),
            (self.program("words", b"just words"), 126, "-- sh", "neither a program nor a script"),
            (self.program("script", b"#!/no/such/shell\n"), 127, "/no/such/shell", "its interpreter is missing"),
        ]
        for program, status, word, why in cases:
            with self.subTest(why):
                self.assert_explains(record(self.folder / "x.parcast", program), status, word)

    def test_a_32_bit_program(self):
        header = b"\x7fELF\x01\x01\x01" + bytes(9) + b"\x02\x00\x03\x00" + bytes(100)
        self.assert_explains(record(self.folder / "x.parcast", self.program("old", header)), 125, "machine")

    def test_a_static_program(self):
        # x86-64, an executable, with one program header, which is not that of an interpreter
        header = b"\x7fELF\x02\x01\x01" + bytes(9)
        header += struct.pack("<HHIQQQIHHHHHH", 2, 62, 1, 0, 64, 0, 0, 64, 56, 1, 0, 0, 0)
        load = struct.pack("<IIQQQQQQ", 1, 5, 0, 0, 0, 120, 120, 4096)
        program = self.program("static", header + load)
        self.assert_explains(record(self.folder / "x.parcast", program), 125, "statically linked", "-static")

    @unittest.skipUnless(shutil.which("go"), "needs the compiler of Go (golang-go)")
    def test_a_go_program_is_refused_however_it_is_linked(self):
        # One that was linked dynamically was recorded: a piece of work of 0 s.
        source = self.folder / "main.go"
        source.write_text("package main\n\nfunc main() { println(1) }\n")
        environment = {**os.environ, "GOCACHE": str(self.folder / "cache"), "GO111MODULE": "off", "HOME": str(self.folder)}
        for mode in ("exe", "pie"):
            with self.subTest(mode):
                program = self.folder / mode
                built = run("go", "build", f"-buildmode={mode}", "-o", program, source, env=environment)
                self.assertEqual(built.returncode, 0, built.stderr)
                self.assert_explains(record(self.folder / "x.parcast", program), 125, "is a Go program", "go_program")

    @unittest.skipUnless(os.geteuid() == 0, "only root can make a file that is another's and setuid")
    def test_a_setuid_program(self):
        program = self.folder / "privileged"
        shutil.copy("/bin/true", program)
        os.chown(program, 65534, 65534)
        program.chmod(0o4755)
        self.assert_explains(record(self.folder / "x.parcast", program), 125, "setuid", "cp")

    def test_a_cpu_that_is_not_there(self):
        result = run(PARCAST, "record", "--cpu", "8000", "--", "true", cwd=self.folder)
        self.assert_explains(result, 125, "8000", "--cpu")

    def test_a_variable_of_the_recorder_that_it_would_ignore(self):
        for name, value in (("PARCAST_RECORD_CLOCK", "bogus"), ("PARCAST_RECORD_LIMIT_BYTES", "1 GB")):
            with self.subTest(name):
                result = record(self.folder / "x.parcast", "true", env={**os.environ, name: value})
                self.assert_explains(result, 125, name, value, "unset")

    def test_an_output_that_exists(self):
        trace = self.folder / "there.parcast"
        trace.write_text("precious")
        mark = self.folder / "mark"
        self.assert_explains(record(trace, "touch", mark), 125, "there.parcast", "--force")
        self.assertFalse(mark.exists())

    def test_a_working_directory_that_was_removed(self):
        gone = self.folder / "gone"
        gone.mkdir()
        mark = self.folder / "mark"
        result = run("sh", "-c", f"cd {gone} && rmdir {gone} && exec {shlex.quote(PARCAST)} record -- touch {mark}")
        self.assert_explains(result, 125, "working directory was removed", "-o")
        self.assertFalse(mark.exists())


class LeftToTheProgram(InFolder):
    def test_status_and_output(self):
        for command in (["sh", "-c", "echo out; echo err >&2; exit 7"], ["sh", "-c", "kill -TERM $$"]):
            with self.subTest(command=command):
                trace = self.folder / f"{len(list(self.folder.iterdir()))}.parcast"
                plain, recorded = run(*command), record(trace, *command)
                status = plain.returncode if plain.returncode >= 0 else 128 - plain.returncode
                self.assertEqual(recorded.returncode, status)
                self.assertEqual(recorded.stdout, plain.stdout)
                self.assertTrue(recorded.stderr.startswith(plain.stderr))

    def test_pretended_processors(self):
        result = run(PARCAST, "record", "--pretend-cpus", "24", "-o", self.folder / "n.parcast", "--", "nproc")
        self.assertEqual(result.stdout, b"24\n")


class BareRun(InFolder):
    """record --bare-run runs the program without the recorder. What an event costs is not asserted."""

    def record(self, *words, **options):
        options.setdefault("stdin", subprocess.DEVNULL)
        return run(PARCAST, "record", "--bare-run", "-o", self.folder / "x.parcast", *words, cwd=self.folder, **options)

    def test_the_price_is_that_of_further_runs_whose_output_is_thrown_away(self):
        program = "import threading as t\nl = t.Lock()\nfor _ in range(20000):\n  with l: pass\nprint('out')"
        result = self.record("--", sys.executable, "-c", program)
        self.assertEqual((result.returncode, result.stdout), (0, b"out\n"), result.stderr.decode())
        message = " ".join(result.stderr.decode().split())
        self.assertRegex(message, r"recording an event cost -?[0-9.]+ ns, by unrecorded runs of .* by the recorder's own measurement")

    def test_the_report_has_the_price(self):
        result = self.record("--json", "--", sys.executable, "-c", "print()")
        price = json.loads(result.stderr)["event_price"]
        self.assertGreater(price["recorder_ns"], 0)
        self.assertGreater(price["bare_cpu_ns"]["min"], 0)

    def test_where_a_run_ends_otherwise_nothing_else_is_lost(self):
        program = "open('runs', 'a').write('x'); raise SystemExit(len(open('runs').read()) > 2)"
        result = self.record("--", sys.executable, "-c", program)
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        self.assertIn("the price of an event was not measured", " ".join(result.stderr.decode().split()))
        self.assertTrue((self.folder / "x.parcast").exists())

    def test_pretended_cpus_and_samples_are_refused_with_a_way_out(self):
        for option, word in (("--pretend-cpus", "4"), ("--sample", "1ms")):
            result = self.record(option, word, "--", "true")
            message = " ".join(result.stderr.decode().split())
            self.assertIn("the price of an event was not measured", message)
            self.assertIn("Leave out " + option, message)
            (self.folder / "x.parcast").unlink()


class MemoryMap(InFolder):
    """record --memory-map, where the system lets perf_event_open."""

    PROGRAM = ("import mmap, threading as t\n"
               "def work(): [mmap.mmap(-1, 8192) for _ in range(500)]\n"
               "threads = [t.Thread(target=work) for _ in range(CHANGING)]\n"
               "[x.start() for x in threads]; [x.join() for x in threads]")

    def lock(self, changing, *words):
        """The operations of the memory map, or None."""
        trace = self.folder / "x.parcast"
        program = self.PROGRAM.replace("CHANGING", str(changing))
        result = run(PARCAST, "record", *words, "-o", trace, "--", sys.executable, "-c", program)
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        if "the memory map is not recorded" in result.stderr.decode():
            self.skipTest("perf_event_open is forbidden here")
        objects = json_of("info", trace)["objects"]
        trace.unlink()
        return next((each["operations"] for each in objects if each["name"] == "memory map"), None)

    def test_each_change_of_two_threads_is_an_operation_of_a_lock(self):
        operations = self.lock(2, "--memory-map")
        self.assertIsNotNone(operations)
        self.assertGreaterEqual(operations, 1000)

    def test_there_is_none_unless_it_is_asked_for(self):
        self.assertIsNone(self.lock(2))


class Measurement(InFolder):
    """record --measure runs the program again on one CPU and on two. How fast that is, is not asserted."""

    def measure(self, *command, **options):
        options.setdefault("stdin", subprocess.DEVNULL)
        return run(PARCAST, "record", "--measure", "-o", self.folder / "x.parcast", "--", *command, cwd=self.folder, **options)

    def measured(self):
        return json_of("info", self.folder / "x.parcast")["recorded"]["measured"]

    @unittest.skipUnless(len(os.sched_getaffinity(0)) > 1, "needs two CPUs")
    def test_output_and_status_are_those_of_the_recorded_run(self):
        result = self.measure("sh", "-c", "echo run >> runs; echo out; echo err >&2; exit 7")
        self.assertEqual((result.returncode, result.stdout), (7, b"out\n"))
        self.assertEqual(result.stderr.decode().split().count("err"), 1)
        self.assertGreaterEqual((self.folder / "runs").read_text().count("run"), 7, "recorded, and three times on each")
        one, two = self.measured()
        self.assertEqual((one["cpus"], two["cpus"], one["speed_up"]), (1, 2, None))
        self.assertEqual(len(one["runs"]), len(two["runs"]))
        self.assertLessEqual(two["speed_up"]["low"], two["speed_up"]["value"])

    @unittest.skipUnless(len(os.sched_getaffinity(0)) > 1, "needs two CPUs")
    def test_a_prediction_says_whether_it_holds_there(self):
        self.measure("sh", "-c", "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done")
        (check,) = json_of("predict", self.folder / "x.parcast")["measured"]
        self.assertEqual(check["cpus"], 2)
        found = [each["kind"] for each in json_of("predict", self.folder / "x.parcast")["findings"]]
        if check["verdict"] in ("differs", "far_off"):
            self.assertIn("measured_otherwise", found)

    @unittest.skipUnless(len(os.sched_getaffinity(0)) > 1, "needs two CPUs")
    def test_a_run_that_ends_otherwise_discards_the_measurement(self):
        result = self.measure("sh", "-c", "test ! -e made && touch made || { echo made is there >&2; exit 3; }")
        self.assertEqual(result.returncode, 0, "the recorded run went well")
        message = " ".join(result.stderr.decode().split())
        self.assertIn("nothing was measured", message)
        self.assertIn("ended with status 3; it said: made is there", message)
        self.assertIsNone(self.measured())

    @unittest.skipUnless(len(os.sched_getaffinity(0)) > 1, "needs two CPUs")
    def test_each_run_reads_a_file_from_where_it_was(self):
        text = self.folder / "text"
        text.write_text("first line\nthe rest\n")
        with text.open("rb", buffering=0) as file:
            file.read(len("first line\n"))
            self.measure("sh", "-c", "cat >> seen", stdin=file)
        self.assertRegex((self.folder / "seen").read_text(), r"^(the rest\n){7,}$")

    def test_what_cannot_be_measured_is_refused_before_it_runs(self):
        pipe = self.measure("touch", "mark", stdin=None, input=b"text")
        self.assert_explains(pipe, 125, "--measure", "pipe", "/dev/null")
        one = run("taskset", "-c", str(min(os.sched_getaffinity(0))), PARCAST, "record", "--measure", "--", "touch", "mark",
                  cwd=self.folder, stdin=subprocess.DEVNULL)
        self.assert_explains(one, 125, "1 CPU", "--measure-cpus")
        seen = run(PARCAST, "record", "--measure", "--pretend-cpus", "4", "--", "touch", "mark", cwd=self.folder,
                   stdin=subprocess.DEVNULL)
        self.assert_explains(seen, 125, "--pretend-cpus", "parcast scale --measure")
        self.assertFalse((self.folder / "mark").exists())


class MemorySensing(InFolder):
    """record --sense-memory runs the program again. How much it then suffers is not asserted: nobody knows what else runs."""

    def sense(self, *command, **options):
        options.setdefault("stdin", subprocess.DEVNULL)
        return run(PARCAST, "record", "--sense-memory", "-o", self.folder / "x.parcast", "--", *command, cwd=self.folder, **options)

    def assert_not_sensed(self, result, *words):
        message = " ".join(result.stderr.decode().split())
        for word in ("the memory was not sensed", *words):
            self.assertIn(word, message)
        self.assertIsNone(json_of("info", self.folder / "x.parcast")["recorded"]["memory"], "nothing else is lost")

    @unittest.skipUnless(len(os.sched_getaffinity(0)) > 1, "needs two CPUs")
    def test_output_and_status_are_those_of_the_first_run(self):
        result = self.sense("sh", "-c", "echo run >> runs; echo out; echo err >&2; exit 7")
        self.assertEqual((result.returncode, result.stdout), (7, b"out\n"))
        self.assertEqual(result.stderr.decode().split().count("err"), 1)
        self.assertGreaterEqual(len((self.folder / "runs").read_text().split()), 3, "recorded, without pressure, with it")
        message = " ".join(result.stderr.decode().split())
        # It does too little to compare; on a busy machine other reasons come first.
        self.assertRegex(message, "the memory was not sensed: |sensed memory: beside")

    @unittest.skipUnless(len(os.sched_getaffinity(0)) > 1, "needs two CPUs")
    def test_what_was_sensed_is_in_the_recording_or_the_reason_why_not(self):
        result = self.sense("sh", "-c", "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done")
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        memory = json_of("info", self.folder / "x.parcast")["recorded"]["memory"]
        message = " ".join(result.stderr.decode().split())
        self.assertEqual(memory is None, "the memory was not sensed" in message)
        self.assertEqual(memory is not None, "sensed memory: beside" in message)
        for number in (memory["sensitivity"], memory["pressure"]) if memory else ():
            self.assertLessEqual(number["low"], number["value"])
            self.assertLessEqual(number["value"], number["high"])

    @unittest.skipUnless(len(os.sched_getaffinity(0)) > 1, "needs two CPUs")
    def test_a_program_that_refuses_to_run_again(self):
        result = self.sense("sh", "-c", "test ! -e made && touch made || { echo made is there >&2; exit 3; }")
        self.assertEqual(result.returncode, 0, "the first run went well")
        self.assert_not_sensed(result, "status 3, and when it was recorded with 0: made is there", "can be repeated")

    @unittest.skipUnless(len(os.sched_getaffinity(0)) > 1, "needs two CPUs")
    def test_each_run_reads_a_file_from_where_it_was(self):
        text = self.folder / "text"
        text.write_text("first line\nthe rest\n")
        with text.open("rb", buffering=0) as file:
            file.read(len("first line\n"))
            self.sense("sh", "-c", "cat >> seen", stdin=file)
        self.assertRegex((self.folder / "seen").read_text(), r"^(the rest\n){3,}$")

    def test_a_pipe_cannot_be_read_twice(self):
        result = self.sense("touch", "mark", stdin=None, input=b"text")
        self.assert_explains(result, 125, "--sense-memory", "pipe", "/dev/null")
        self.assertFalse((self.folder / "mark").exists(), "it was refused before it ran")

    def test_one_cpu_has_none_left_to_press(self):
        one = str(min(os.sched_getaffinity(0)))
        result = run("taskset", "-c", one, PARCAST, "record", "--sense-memory", "-o", self.folder / "x.parcast", "--", "true",
                     stdin=subprocess.DEVNULL)
        self.assertEqual(result.returncode, 0, result.stderr.decode())
        self.assert_not_sensed(result, "one CPU")


class Traces(InFolder):
    def test_a_program_that_replaces_the_first_one_has_the_named_trace(self):
        trace = self.recorded("main", "env", "X=1", "true")
        self.assertEqual(json_of("info", trace)["input"]["command"], ["true"])
        names = sorted(path.name for path in self.folder.iterdir())
        self.assertRegex(names[0], r"^main\.[0-9]+\.parcast$", "env itself")
        self.assertEqual(names[1:], ["main.parcast"])

    def test_a_program_that_was_not_recorded_is_not_said_to_be_in_a_recording_of_its_own(self):
        result = record(self.folder / "x.parcast", "env", "-i", "/bin/sh", "-c", "exit 3")
        self.assertEqual(result.returncode, 3)
        message = " ".join(result.stderr.decode().split())
        self.assertIn("went on as /bin/sh (exec), of which there is no recording,", message)
        self.assertNotIn("of its own", message.replace("environment of its own", ""))

    def test_every_process_has_one(self):
        self.recorded("main", "sh", "-c", "true & /bin/true; wait")
        self.assertGreaterEqual(len(list(self.folder.iterdir())), 3)

    def test_every_process_of_a_pipeline_has_an_end(self):
        self.recorded("main", "bash", "-c", "echo a | cat | cat; (exit 3); exec true")
        answers = [json_of("info", path)["recorded"] for path in self.folder.iterdir()]
        self.assertGreaterEqual(len(answers), 6, "bash, echo, two times cat, the subshell, true")
        for answer in answers:
            ends = (answer["exit_status"] is not None) + (answer["replaced_by"] is not None)
            self.assertEqual(ends, 1, answer)
        self.assertIn(3, [answer["exit_status"] for answer in answers])

    def test_a_program_is_not_charged_with_the_children_of_the_one_that_it_replaced(self):
        work = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done"
        result = record(self.folder / "x.parcast", "sh", "-c", f"sh -c '{work}'; exec true")
        self.assertEqual(result.returncode, 0)
        self.assertNotIn(b"charged", result.stderr)

    def test_helgrind_takes_no_part_of_the_recorder_for_a_race(self):
        if shutil.which("valgrind") is None:
            self.skipTest("there is no valgrind")
        source = self.folder / "lock.c"
        source.write_text("#include <pthread.h>\npthread_mutex_t m;\n"
                          "void* lock(void* x) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return x; }\n"
                          "int main(void) { pthread_t a, b; pthread_create(&a, 0, lock, 0); lock(0);\n"
                          "pthread_create(&b, 0, lock, 0); lock(0); pthread_join(a, 0); pthread_join(b, 0); }\n")
        program = self.folder / "lock"
        self.assertEqual(run("cc", "-g", "-pthread", "-o", program, source).returncode, 0)
        suppressions = Path(__file__).parents[2] / "src/recorder/helgrind.supp"
        result = record(self.folder / "x.parcast", "valgrind", "--tool=helgrind", "--error-exitcode=9",
                        f"--suppressions={suppressions}", program)
        self.assertEqual(result.returncode, 0, result.stderr.decode())

    def test_a_program_with_address_sanitizer_is_not_refused_by_it(self):
        source = self.folder / "lock.c"
        source.write_text("#include <pthread.h>\npthread_mutex_t m;\nint main(void) { pthread_mutex_lock(&m); }\n")
        program = self.folder / "lock"
        if run("cc", "-fsanitize=address", "-o", program, source).returncode != 0:
            self.skipTest("this compiler has no AddressSanitizer")
        result = record(self.folder / "x.parcast", program, env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0"})
        self.assertEqual((result.returncode, result.stdout), (0, b""), result.stderr.decode())
        (lock,) = json_of("info", self.folder / "x.parcast")["objects"]
        self.assertEqual((lock["kind"], lock["operations"]), ("mutex", 1))

    def test_waiting_by_yields_is_said_at_the_end_and_by_info(self):
        source = self.folder / "spin.c"
        source.write_text("#include <sched.h>\nint main(void) { for (int i = 0; i < 500; ++i) sched_yield(); }\n")
        program = self.folder / "spin"
        self.assertEqual(run("cc", "-o", program, source).returncode, 0)
        trace = self.folder / "x.parcast"
        self.assertIn(b"waits by yielding", record(trace, program).stderr)
        self.assertIn("yielding", " ".join(entry["message"] for entry in json_of("info", trace)["findings"]))

    def test_a_killed_program_is_named_with_its_signal(self):
        trace = self.folder / "x.parcast"
        result = record(trace, "sh", "-c", "kill -9 $$")
        self.assertEqual(result.returncode, 128 + signal.SIGKILL)
        self.assertIn(b"signal 9", result.stderr)
        message = " ".join(result.stderr.decode().split())
        self.assertEqual(len(re.findall(r"killed by|\bended|alive", message)), 1, message + ": it is said once")
        self.assertNotIn("].", message, "a second stop behind the code")
        self.assertEqual(json_of("info", trace)["schema"], "parcast.info/1")

    def test_a_program_that_was_killed_before_the_recorder_started_is_not_said_to_have_none(self):
        program = self.compiled("early", """
            static long call(long number, long first, long second) {
                long result;
                __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(first), "S"(second) : "rcx", "r11", "memory");
                return result;
            }
            /* kill(getpid(), SIGKILL) while the loader binds the names: constructors run later */
            static void* resolve(void) { call(62, call(39, 0, 0), 9); return 0; }
            void die(void) __attribute__((ifunc("resolve")));
            int main(void) { die(); return 0; }""")
        result = record(self.folder / "x.parcast", program)
        self.assertEqual(result.returncode, 128 + signal.SIGKILL)
        self.assertIn("a signal ended the program before the recorder started", " ".join(result.stderr.decode().split()))

    def compiled(self, name, source):
        (self.folder / f"{name}.c").write_text(source)
        program = self.folder / name
        self.assertEqual(run("cc", "-O1", "-g", "-pthread", "-o", program, self.folder / f"{name}.c").returncode, 0)
        return program

    def recorded_with_shares(self, program, **environment):
        """The answer, and what of the CPU its processes had, at least."""
        result = run(PARCAST, "record", "--json", "-o", self.folder / "x.parcast", "--", program, env={**os.environ, **environment})
        # By a clock that runs fast, writing the trace may take long enough to be told of.
        answer = json.loads(result.stderr[result.stderr.index(b"{"):])
        recorded = [entry["recorded"] for entry in answer["recordings"]]
        return answer, sum(entry["cpu_time_ns"] for entry in recorded) / max(entry["wall_time_ns"] for entry in recorded)

    def test_a_false_clock_of_the_launcher_is_not_the_time_of_others(self):
        # Under libfaketime's tenfold clock "others had 90 % of the CPU".
        (self.folder / "clock.c").write_text("""
            #include <sys/syscall.h>
            #include <time.h>
            #include <unistd.h>
            int clock_gettime(clockid_t clock, struct timespec* time) {
                int const result = (int)syscall(SYS_clock_gettime, clock, time);
                if (clock == CLOCK_MONOTONIC)
                    time->tv_sec *= 1000;
                return result;
            }""")
        clock = self.folder / "clock.so"
        self.assertEqual(run("cc", "-shared", "-fPIC", "-o", clock, self.folder / "clock.c").returncode, 0)
        program = self.compiled("works", "int main(void) { for (volatile int i = 0; i < 1000000000; ++i) {} return 0; }")
        answer, own = self.recorded_with_shares(program, LD_PRELOAD=str(clock))
        self.assertLess(answer["others_share"], 1 - own + 0.1)

    def test_a_process_that_told_its_end_and_was_not_waited_for_is_none_of_the_others(self):
        # As in bwrap's namespaces. The child's exit waits for a full pipe, once the recorder has seen it.
        program = self.compiled("leaves", """
            #include <stdio.h>
            #include <stdlib.h>
            #include <unistd.h>
            int main(void) {
                static char buffer[1 << 20], text[1 << 18];
                int full[2], done[2];
                if (pipe(full) != 0 || pipe(done) != 0)
                    return 1;
                if (fork() == 0) {
                    FILE* stream = fdopen(full[1], "w");
                    setvbuf(stream, buffer, _IOFBF, sizeof buffer);
                    fwrite(text, 1, sizeof text, stream);
                    for (volatile int i = 0; i < 1000000000; ++i) {}
                    alarm(3);
                    return write(done[1], "x", 1) != 1;
                }
                close(done[1]);
                if (read(done[0], text, 1) != 1)
                    return 1;
                usleep(100000);
                return 0;
            }""")
        answer, own = self.recorded_with_shares(program)
        self.assertEqual([entry["running"] for entry in answer["recordings"]], [False, False])
        self.assertLess(answer["others_share"], 1 - own + 0.1)

    def findings_of(self, trace):
        return {entry["kind"]: entry for entry in json_of("info", trace)["findings"]}

    def test_a_time_limit_ends_the_program_and_keeps_what_it_did(self):
        program = self.compiled("endless", """
            #include <pthread.h>
            int main(void) { pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
                for (volatile long i = 0;; ++i) if (i % 1000000 == 0) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); } }
            """)
        trace = self.folder / "x.parcast"
        result = run(PARCAST, "record", "--time-limit", "500ms", "-o", trace, "--", program)
        self.assertEqual(result.returncode, 124)
        self.assertIn(b"time limit of 500 ms", result.stderr)
        findings = self.findings_of(trace)
        self.assertIn("cut_short", findings)
        self.assertNotIn("killed", findings)
        self.assertNotIn("cpu_time_mismatch", findings)
        self.assertGreater(json_of("info", trace)["objects"][0]["operations"], 0)

    def test_a_time_limit_ends_what_the_program_started_and_what_does_not_want_to_end(self):
        trace = self.folder / "x.parcast"
        script = "trap '' TERM; sh -c \"trap '' TERM; sleep 1000\" & sleep 1000"
        result = run(PARCAST, "record", "--time-limit", "300ms", "-o", trace, "--", "sh", "-c", script)
        self.assertEqual(result.returncode, 124)
        self.assertNotIn(b"still running", result.stderr)

    # The C library's daemon() ends the parent by a way of its own: it was said to have been killed.
    def test_a_program_that_becomes_a_daemon_has_ended_and_what_it_became_is_told(self):
        program = self.compiled("becomes_daemon", """
            #include <pthread.h>
            #include <unistd.h>
            int main(void) { pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_mutex_lock(&m); pthread_mutex_unlock(&m);
                if (daemon(1, 1) != 0) return 1; sleep(5); }
            """)
        trace = self.folder / "x.parcast"
        result = run(PARCAST, "record", "-o", trace, "--", program)
        self.assertEqual(result.returncode, 0)
        findings = self.findings_of(trace)
        self.assertNotIn("killed", findings)
        self.assertTrue(b"is still running" in result.stderr or b"goes on; it had not begun" in result.stderr, result.stderr)

    # The recorder was not in it, so it was not known, and went on.
    def test_a_time_limit_ends_what_could_not_be_recorded(self):
        pid = self.folder / "pid"
        script = f"env -i setsid sh -c 'echo $$ > {pid}; exec sleep 1000' & wait"
        result = run(PARCAST, "record", "--time-limit", "1s", "-o", self.folder / "x.parcast", "--", "sh", "-c", script)
        self.assertEqual(result.returncode, 124)
        self.assertFalse(os.path.exists(f"/proc/{pid.read_text().strip()}"))

    def test_a_program_that_ends_in_time_does_not_notice_the_limit(self):
        result = run(PARCAST, "record", "--time-limit", "1h", "-o", self.folder / "x.parcast", "--", "sh", "-c", "exit 3")
        self.assertEqual(result.returncode, 3)

    def test_a_size_limit_says_how_much_of_the_run_is_covered(self):
        program = self.compiled("many", """
            #include <pthread.h>
            int main(void) { pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
                for (int i = 0; i < 500000; ++i) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); } return 5; }
            """)
        trace = self.folder / "x.parcast"
        result = run(PARCAST, "record", "--max-size", "2M", "-o", trace, "--", program)
        self.assertEqual(result.returncode, 5)
        findings = self.findings_of(trace)
        self.assertNotIn("lost_events", findings)
        self.assertRegex(findings["cut_short"]["message"], "cover the first [0-9.]+ % of the run")
        self.assertEqual(run(PARCAST, "predict", trace).returncode, 0)

    def test_a_flag_that_is_waited_for_by_running_is_noticed_and_helped_along(self):
        program = self.compiled("flag", """
            #include <pthread.h>
            #include <stdatomic.h>
            atomic_int turn;
            static void* play(void* me) {
                for (int i = 0; i < 2000; ++i) {
                    while (atomic_load(&turn) != (me != 0)) __builtin_ia32_pause();
                    for (volatile int work = 0; work < 20000; ++work) ;
                    atomic_store(&turn, me == 0);
                }
                return 0;
            }
            int main(void) {
                pthread_t other;
                pthread_create(&other, 0, play, &turn);
                play(0);
                pthread_join(other, 0);
            }
            """)
        trace = self.folder / "x.parcast"
        result = record(trace, program)
        self.assertEqual(result.returncode, 0)
        if b"waits by running" not in result.stderr:
            self.skipTest("the program ended before it was looked at, or it may not be traced here")
        finding = self.findings_of(trace)["busy_waiting"]
        self.assertEqual(finding["severity"], "warning")
        self.assertIn("play", finding["place"]["text"])

    def test_a_shell_script_does_not_flood_the_terminal_and_the_folder(self):
        script = self.folder / "script"
        script.write_text("#!/bin/sh\nfor i in 1 2 3 4 5 6; do /bin/echo a | /bin/cat; done\n")
        script.chmod(0o755)
        result = run(PARCAST, "record", "--", script, cwd=self.folder)
        self.assertEqual((result.returncode, result.stdout), (0, b"a\n" * 6))
        message = result.stderr.decode()
        self.assertLessEqual(len(message.splitlines()), 12, "two warnings and a note of a busy host: " + message)
        self.assertNotIn("(exec)", message)
        self.assertRegex(message, r"wrote \d+ more traces of further processes")
        names = sorted(path.name for path in self.folder.iterdir())
        self.assertEqual(len(names), 3, names)
        self.assertRegex(names[2], r"^sh\.[0-9]+\.processes$|^script\.[0-9]+\.processes$")
        traces = list((self.folder / names[2]).iterdir())
        self.assertGreaterEqual(len(traces), 12, "each process has its own")
        self.assertEqual(sum(path.name.startswith("cat.") for path in traces), 6, traces)

    def test_the_next_command_is_about_the_program_that_worked(self):
        work = "import threading; t = threading.Thread(target=sum, args=(range(3000000),)); t.start(); t.join()"
        trace = self.folder / "x.parcast"
        message = record(trace, "sh", "-c", f"/usr/bin/python3 -c '{work}'; true").stderr.decode()
        self.assertRegex(message, r"next: parcast predict \S*x\.[0-9]+\.parcast")
        self.assertIn("most CPU time was used by python3", message)

    def test_a_program_that_made_one_thread_is_to_be_shown_more_cpus(self):
        trace = self.folder / "x.parcast"
        message = record(trace, "sh", "-c", "i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done").stderr.decode()
        self.assertRegex(message, r"next: parcast record --pretend-cpus [0-9]+ -- sh -c")

    def test_a_long_argument_floods_no_report_and_stays_whole_in_the_trace(self):
        word = "x" * 100_000
        trace = self.folder / "x.parcast"
        recorded = record(trace, "true", word)
        for result in (recorded, *(run(PARCAST, verb, trace) for verb in ("info", "predict", "advise"))):
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertLess(len(result.stdout + result.stderr), 20_000)
        self.assertEqual(json_of("info", trace)["input"]["command"], ["true", word])

    def test_the_report_as_json(self):
        trace = self.folder / "x.parcast"
        result = run(PARCAST, "record", "--json", "-o", trace, "--", "sh", "-c", "echo hi; exit 3")
        answer = json.loads(result.stderr)
        self.assertEqual(answer["schema"], "parcast.record/1")
        self.assertEqual(answer["exit_status"], 3)
        self.assertEqual([entry["file"] for entry in answer["recordings"]], [str(trace)])
        self.assertEqual(answer["recordings"][0]["bytes"], trace.stat().st_size)


if __name__ == "__main__":
    unittest.main()
