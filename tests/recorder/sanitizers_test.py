"""Instrumented programs under AddressSanitizer and ThreadSanitizer: they run as ever, and their functions are told.

The runtimes hook what the recorder hooks. gcc loads them as libraries, clang links them into the program.
"""

import shutil
import subprocess
import unittest

from whole import PARCAST, InFolder, json_of, run

PROGRAM = r"""
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long total;
__attribute__((noinline)) long part(long n) {
    long sum = 0;
    for (long i = 0; i < n; ++i)
        sum += i ^ (sum << 1);
    return sum;
}
__attribute__((noinline)) long both(long n) { return part(n) + part(n / 2); }
void* adds(void* unused) {
    for (int i = 0; i < 3; ++i) {
        long const more = both(20000);
        pthread_mutex_lock(&mutex);
        total += more;
        pthread_mutex_unlock(&mutex);
    }
    return unused;
}
int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; ++i)
        pthread_create(&threads[i], 0, adds, 0);
    for (int i = 0; i < 2; ++i)
        pthread_join(threads[i], 0);
    printf("%ld\n", total);
    return 0;
}
"""


class Sanitizers(InFolder):
    def check(self, compilers, sanitizer):
        compiler = next(filter(None, map(shutil.which, compilers)), None)
        if not compiler:
            self.skipTest(f"no {compilers[0]} here")
        (self.folder / "program.c").write_text(PROGRAM)
        options = ["-g", "-O1", "-finstrument-functions", f"-fsanitize={sanitizer}", "-o", "program", "program.c"]
        if subprocess.run([compiler, *options, "-lpthread"], cwd=self.folder, capture_output=True).returncode:
            self.skipTest(f"{compiler} has no {sanitizer} sanitizer here")
        bare = run("./program", cwd=self.folder)
        if bare.returncode:
            self.skipTest(f"the system does not let a program run under {sanitizer} sanitizer")
        recorded = run(PARCAST, "record", "-o", "t.parcast", "--", "./program", cwd=self.folder)
        self.assertEqual((recorded.returncode, recorded.stdout), (0, bare.stdout), recorded.stderr)
        calls = {one["name"]: one["calls"] for one in json_of("info", self.folder / "t.parcast")["functions"]}
        self.assertEqual({name: calls.get(name) for name in ("part", "both", "adds")}, {"part": 12, "both": 6, "adds": 2})

    def test_address_sanitizer_of_gcc(self):
        self.check(["gcc"], "address")

    def test_thread_sanitizer_of_gcc(self):
        self.check(["gcc"], "thread")

    def test_address_sanitizer_of_clang(self):
        self.check(["clang", "clang-19"], "address")

    # It begins after the recorder, and its strcmp calls null until then.
    def test_thread_sanitizer_of_clang(self):
        self.check(["clang", "clang-19"], "thread")


if __name__ == "__main__":
    unittest.main()
