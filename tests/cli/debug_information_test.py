"""Functions and lines of a program without debug information, from where that lies instead."""

import ctypes.util
import functools
import http.server
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import threading
import unittest

from program import parcast

SOURCE = """
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
__attribute__((noinline)) static void put_item(void) { pthread_mutex_lock(&mutex); pthread_mutex_unlock(&mutex); }
static void* work(void* nothing) { for (int i = 0; i < 50; ++i) put_item(); return nothing; }
int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); pthread_join(t, 0); return 0; }
"""


@unittest.skipUnless(shutil.which("gcc") and shutil.which("objcopy"), "gcc or objcopy is not installed")
class DebugInformation(unittest.TestCase):
    """self.program is stripped; self.debug is what was stripped off, at another place."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "items.c").write_text(SOURCE)
        (self.folder / "elsewhere").mkdir()
        self.program, self.debug = self.folder / "items", self.folder / "elsewhere/items.debug"
        for command in (["gcc", "-O1", "-g", "-Wl,--build-id", "-o", self.program, "items.c", "-lpthread"],
                        ["objcopy", "--only-keep-debug", self.program, self.debug], ["strip", self.program],
                        ["objcopy", f"--add-gnu-debuglink={self.debug}", self.program]):
            subprocess.run(command, cwd=self.folder, check=True)

    def place_of_the_lock(self, **environment):
        trace = self.folder / "items.parcast"
        trace.unlink(missing_ok=True)
        done = parcast("record", "-o", trace, "--", self.program, env=os.environ | environment)
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        objects = json.loads(parcast("info", trace, "--json").stdout)["objects"]
        return next(each["first_used"]["text"] for each in objects if each["kind"] == "mutex")

    def test_without_it_the_module_is_named(self):
        self.assertRegex(self.place_of_the_lock(DEBUGINFOD_URLS=""), r"^items\+0x")

    def test_a_debug_file_beside_the_program_has_them(self):
        shutil.copy(self.debug, self.folder)
        self.assertEqual(self.place_of_the_lock(DEBUGINFOD_URLS=""), "put_item, items.c:4")

    @unittest.skipUnless(ctypes.util.find_library("debuginfod"), "libdebuginfod is not installed (Debian: libdebuginfod1)")
    def test_a_server_of_debuginfod_has_them(self):
        note = subprocess.run(["readelf", "-n", self.program], capture_output=True, text=True, check=True).stdout
        served = self.folder / "served/buildid" / re.search(r"Build ID: ([0-9a-f]+)", note).group(1)
        served.mkdir(parents=True)
        shutil.copy(self.debug, served / "debuginfo")

        class Quiet(http.server.SimpleHTTPRequestHandler):
            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("localhost", 0), functools.partial(Quiet, directory=self.folder / "served"))
        self.addCleanup(server.server_close)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.shutdown)
        self.assertEqual(self.place_of_the_lock(DEBUGINFOD_URLS=f"http://localhost:{server.server_port}",
                                                DEBUGINFOD_CACHE_PATH=str(self.folder / "cache")), "put_item, items.c:4")


if __name__ == "__main__":
    unittest.main()
