"""`parcast view`: a page for this machine, behind a token, with the numbers of `parcast predict`."""

import contextlib
import http.client
import json
import os
import pathlib
import signal
import socket
import subprocess
import tempfile
import time
import unittest
import urllib.parse

from program import EXAMPLES, INPUT, OUTPUT, PARCAST, TIME_LIMIT_S, USAGE, WithRecording, parcast, without_advice
from report_test import columns_of, elements_of

SCHEMAS = pathlib.Path(os.environ.get("PARCAST_SCHEMAS", "docs/formats"))


class Viewed:
    """A running `parcast view`, asked as a browser would."""

    def __init__(self, *words, **environment):
        variables = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
        self.process = subprocess.Popen([PARCAST, "view", "--json", *map(str, words)], stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, env=variables | environment)
        answer = b""
        while not answer.endswith(b"\n}\n"):
            line = self.process.stdout.readline()
            if not line:
                raise AssertionError(self.process.stderr.read().decode())
            answer += line
        self.answer = json.loads(answer)
        self.address = urllib.parse.urlsplit(self.answer["address"])

    def ask(self, path, *, host=None, method="GET", below_token=True):
        """Status, headers and content."""
        connection = http.client.HTTPConnection("127.0.0.1", self.answer["port"], timeout=TIME_LIMIT_S)
        with contextlib.closing(connection):
            connection.putrequest(method, (self.address.path if below_token else "") + path, skip_host=True)
            for name in [self.address.netloc] if host is None else host if isinstance(host, list) else [host]:
                connection.putheader("Host", name)
            connection.endheaders()
            response = connection.getresponse()
            return response.status, dict(response.getheaders()), response.read()

    def json(self, path):
        status, headers, content = self.ask(path)
        assert (status, headers["Content-Type"]) == (200, "application/json"), (status, headers)
        return json.loads(content)

    def totals(self, query):
        status, _, content = self.ask(f"execution?{query}")
        assert status == 200, content
        return columns_of(content, b"PCEX")["totals"]

    def end(self, with_signal=signal.SIGINT):
        """Its exit status and its messages."""
        self.process.send_signal(with_signal)
        _, messages = self.process.communicate(timeout=TIME_LIMIT_S)
        return self.process.returncode, messages.decode()


class View(WithRecording):
    @contextlib.contextmanager
    def viewed(self, *words, **environment):
        viewed = Viewed(self.trace, *words, **environment)
        try:
            yield viewed
        finally:
            if viewed.process.poll() is None:
                viewed.process.kill()
                viewed.process.communicate()

    def predicted(self, *options):
        return without_advice(json.loads(parcast("predict", self.trace, "--json", *options).stdout))

    def test_a_link_could_not_be_saved_as_a_report(self):
        view = "cpus=3&range=0-1000&search=<b>"
        with self.viewed("--scheduler", "ideal") as viewed:
            status, headers, content = viewed.ask("report.html?" + urllib.parse.urlencode({"view": view}))
            self.assertEqual((status, headers["Content-Type"]), (200, "text/html; charset=utf-8"))
            elements = elements_of(content.decode())
            self.assertEqual(elements["view"].decode(), view)
            overview = json.loads(elements["overview"])
            self.assertEqual(overview["prediction"], viewed.json("overview.json")["prediction"])
            self.assertTrue({"program", "module", "execution-recorded-1", "execution-ideal-8"} <= set(elements))
            _, _, content = viewed.ask("report.html")
            self.assertNotIn("view", elements_of(content.decode()))

    def test_says_how_far_a_program_with_given_speed_ups_scales(self):
        with self.viewed() as viewed:
            overview = viewed.json("overview.json")["prediction"]
            points = ",".join(f"{row['cpus']}:{row['speed_up']!r}" for row in overview["predictions"])
            self.assertEqual(viewed.ask(f"extent?points={points}")[2].decode(), overview["scaling"]["verdict"][0])
            for wrong in ("", "1:1", "2:1.9,1:1", "x", "1:nan,2:2", "1:1;2:2", "1:1,", "0:1,2:2"):
                with self.subTest(points=wrong):
                    self.assertEqual(viewed.ask(f"extent?points={wrong}")[::2], (200, b""))

    def test_shows_the_page_and_what_it_asks_for(self):
        with self.viewed() as viewed:
            status, headers, page = viewed.ask("")
            self.assertEqual((status, headers["Content-Type"]), (200, "text/html; charset=utf-8"))
            self.assertIn(b"<!--parcast-data-->", page)
            overview = viewed.json("overview.json")
            self.assertEqual(overview["prediction"], self.predicted())
            self.assertEqual(overview["capabilities"],
                             {"simulate": True, "source_text": True, "compare": False, "recorded": True, "signature": True, "editor": False})

    def test_shows_what_was_recorded_on_one_cpu(self):
        with self.viewed("--compare", "recorded") as viewed:
            self.assertEqual(viewed.address.fragment, "compare=a.1.recorded")
            totals = viewed.totals("cpus=1&scheduler=recorded")
            self.assertEqual((totals[0], totals[25]), (1, 0), "one CPU, of origin recorded")
            self.assertEqual(totals[12], 0, "somebody runs or waits all the time")

    def test_its_numbers_are_those_of_predict(self):
        with self.viewed() as viewed:
            for scheduler in ("linux", "ideal"):
                # Without a name, linux has the wake-ups of the recording's host, here and there.
                named = () if scheduler == "linux" else ("--scheduler", scheduler)
                for row in self.predicted("--cpus", "1,3,100", *named)["predictions"]:
                    for detail in ("", "&timeline=0"):
                        with self.subTest(scheduler=scheduler, cpus=row["cpus"], detail=detail):
                            totals = viewed.totals(f"cpus={row['cpus']}&scheduler={scheduler}{detail}")
                            self.assertEqual((totals[0], totals[1]), (row["cpus"], row["time_ns"]))

    def test_answers_the_same_again(self):
        with self.viewed() as viewed:
            first, other, again = (viewed.ask(f"execution?cpus={n}&scheduler=linux")[2] for n in (2, 4, 2))
            self.assertEqual(first, again)
            self.assertNotEqual(first, other)

    def test_answers_nobody_without_the_token(self):
        with self.viewed() as viewed:
            token = viewed.address.path.strip("/")
            for path in ("/", "/overview.json", f"/{token[:-1]}/", f"/{token[:-1]}{'0' if token[-1] != '0' else '1'}/",
                         "/favicon.ico", f"/x/../{token}x/"):
                with self.subTest(path=path):
                    status, _, content = viewed.ask(path, below_token=False)
                    self.assertEqual((status, content), (404, b""))

    def test_refuses_hosts_that_only_lead_here(self):
        with self.viewed() as viewed:
            port = viewed.answer["port"]
            own = [f"127.0.0.1:{port}", f"localhost:{port}"]
            for host in own:
                self.assertEqual(viewed.ask("overview.json", host=host)[0], 200, host)
            for host in ("evil.example", f"evil.example:{port}", "127.0.0.1", f"127.0.0.1:{port + 1}", "", own, []):
                with self.subTest(host=host):
                    status, _, content = viewed.ask("overview.json", host=host)
                    self.assertIn(status, (400, 404))
                    self.assertEqual(content, b"")

    def test_listens_on_this_machine_only(self):
        with self.viewed() as viewed, socket.socket() as other:
            other.settimeout(5)
            # All of 127.0.0.0/8 is this machine; who listens on every address answers here, too.
            self.assertRaises(ConnectionRefusedError, other.connect, ("127.0.0.2", viewed.answer["port"]))

    def test_answers_with_headers_that_keep_it_to_itself(self):
        with self.viewed() as viewed:
            for path in ("", "overview.json", "no-such-thing"):
                _, headers, _ = viewed.ask(path)
                self.assertEqual(headers["Cache-Control"], "no-store")
                self.assertEqual(headers["X-Content-Type-Options"], "nosniff")
                self.assertEqual(headers["Cross-Origin-Resource-Policy"], "same-origin")
                self.assertNotIn("Access-Control-Allow-Origin", headers)

    def test_serves_no_files(self):
        secret = self.folder / "secret.c"
        secret.write_text("the secret\n")
        with self.viewed() as viewed:
            for path in ("../../../../etc/passwd", "..%2f..%2fetc/passwd", "/etc/passwd", "%2e%2e/", "source?site=../../etc/passwd",
                         f"source?file={secret}", f"source?site=0&file={secret}", "source?site=-1", "source?site=4000000000",
                         "source?site=99999999999999999999", "source", "b/overview.json", "overview.json/", "page.html"):
                with self.subTest(path=path):
                    status, _, content = viewed.ask(path)
                    self.assertNotIn(b"the secret", content)
                    self.assertNotIn(b"root:", content)
                    if not path.startswith("source?site=0"):
                        self.assertEqual((status, content), (404, b""))

    def test_only_reads(self):
        with self.viewed() as viewed:
            for method in ("POST", "PUT", "DELETE", "OPTIONS"):
                with self.subTest(method=method):
                    self.assertIn(viewed.ask("overview.json", method=method)[0], (400, 404))
            status, _, content = viewed.ask("overview.json", method="HEAD")
            self.assertEqual((status, content), (200, b""))

    def test_says_what_is_wrong_with_a_question(self):
        with self.viewed() as viewed:
            counts = ("", "cpus=0&scheduler=linux", "cpus=65535&scheduler=linux", "cpus=two&scheduler=linux",
                      "cpus=-1&scheduler=ideal", "cpus=2e9&scheduler=ideal")
            schedulers = ("cpus=2&scheduler=lottery", "cpus=2")
            for query in counts + schedulers:
                with self.subTest(query=query):
                    status, headers, content = viewed.ask(f"execution?{query}")
                    self.assertEqual((status, headers["Content-Type"]), (400, "text/plain; charset=utf-8"))
                    self.assertIn(b"there are linux, ideal" if query in schedulers else b"cpus from 1 to 65,534", content)

    def test_shows_source_of_recorded_places(self):
        with self.viewed() as viewed:
            sites = viewed.json("overview.json")["sites"]
            shown = 0
            for number, site in enumerate(sites):
                text = viewed.json(f"source?site={number}")
                if text is not None:
                    self.assertEqual(text["file"], site["file"])
                    line = text["lines"][site["line"] - text["first_line"]]
                    self.assertEqual(line, pathlib.Path(site["file"]).read_text().splitlines()[site["line"] - 1][:400])
                    shown += 1
            self.assertGreater(shown, 0)
        with self.viewed("--no-source-text") as viewed:
            self.assertFalse(viewed.json("overview.json")["capabilities"]["source_text"])
            self.assertEqual({viewed.ask(f"source?site={number}")[0] for number in range(len(sites))}, {404})

    def test_compares_with_a_second_recording(self):
        other = self.folder / "other.parcast"
        self.assertEqual(parcast("record", "-o", other, "--", "true").returncode, 0)
        with self.viewed("--compare", other) as viewed:
            self.assertEqual(viewed.answer["compared"], str(other))
            self.assertTrue(viewed.json("overview.json")["capabilities"]["compare"])
            second = viewed.json("b/overview.json")
            self.assertEqual(second["prediction"]["input"]["file"], str(other))
            totals = viewed.totals("cpus=2&scheduler=linux"), columns_of(viewed.ask("b/execution?cpus=2&scheduler=linux")[2], b"PCEX")["totals"]
            self.assertNotEqual(*totals)

    def test_two_run_side_by_side(self):
        with self.viewed() as first, self.viewed() as second:
            self.assertNotEqual(first.answer["port"], second.answer["port"])
            self.assertNotEqual(first.address.path, second.address.path)
            self.assertEqual(second.ask(first.address.path, below_token=False)[0], 404)
            taken = parcast("view", self.trace, "--no-browser", "--port", first.answer["port"])
            self.assertEqual((taken.returncode, taken.stdout), (OUTPUT, b""))
            self.assertIn("--port", taken.stderr.decode())

    def test_ends_cleanly_when_interrupted(self):
        for how in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(how=how), self.viewed() as viewed:
                viewed.ask("overview.json")
                self.assertEqual(viewed.end(how), (0, ""))

    def test_opens_places_in_the_editor_without_a_shell(self):
        with tempfile.TemporaryDirectory() as folder:
            opened = pathlib.Path(folder) / "opened"
            os.mkfifo(opened)
            editor = pathlib.Path(folder) / "an editor"
            editor.write_text(f"#!/bin/sh\nprintf '%s\\n' \"$@\" > {opened}\n")
            editor.chmod(0o755)
            with self.viewed("--editor", f"'{editor}' -g {{file}}:{{line}} '$HOME; id'") as viewed:
                overview = viewed.json("overview.json")
                self.assertTrue(overview["capabilities"]["editor"])
                number, site = next((i, each) for i, each in enumerate(overview["sites"])
                                    if viewed.json(f"source?site={i}") is not None)
                self.assertEqual(viewed.ask(f"edit?site={number}")[::2], (200, b""))
                self.assertEqual(opened.read_text(), f"-g\n{site['file']}:{site['line']}\n$HOME; id\n")
                for wrong in ("edit", "edit?site=-1", "edit?site=4000000000", "edit?site=/etc/passwd"):
                    self.assertEqual(viewed.ask(wrong)[::2], (404, b""))
        with self.viewed("--editor", "no-such-editor {file}") as viewed:
            status, _, content = viewed.ask(f"edit?site={number}")
            self.assertEqual(status, 500)
            self.assertIn(b"no-such-editor could not be started", content)
        with self.viewed() as viewed:
            self.assertFalse(viewed.json("overview.json")["capabilities"]["editor"])
            self.assertEqual(viewed.ask(f"edit?site={number}")[0], 404)
        with self.viewed("--editor", "true {file}", "--no-source-text") as viewed:
            self.assertFalse(viewed.json("overview.json")["capabilities"]["editor"])
            self.assertEqual(viewed.ask(f"edit?site={number}")[0], 404)

    def test_a_half_open_question_held_up_ctrl_c_for_five_seconds(self):
        with self.viewed() as viewed, socket.create_connection(("127.0.0.1", viewed.answer["port"])) as half:
            half.sendall(b"GET / HTTP/1.1\r\nHost:")
            viewed.ask("overview.json")
            begun = time.monotonic()
            self.assertEqual(viewed.end(), (0, ""))
            self.assertLess(time.monotonic() - begun, 2)

    def test_tells_how_far_the_replays_are(self):
        try:
            import jsonschema
        except ImportError:
            self.skipTest("python3-jsonschema is not installed")
        with self.viewed("--cpus", "1,2,4") as viewed:
            whole = viewed.json("overview.json")
            self.assertTrue(whole["complete"])
            self.assertEqual(viewed.json("overview.json?now=1"), whole)
            progress = viewed.json("progress.json")
            jsonschema.validate(progress, json.loads((SCHEMAS / "view-progress.schema.json").read_text()))
            self.assertEqual(progress["points"], [{"cpus": row["cpus"], "time_ns": row["time_ns"]}
                                                  for row in whole["prediction"]["predictions"]])

    def test_opens_a_browser_where_there_is_a_display(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            opened = folder / "opened"
            os.mkfifo(opened)
            opener = folder / "xdg-open"
            opener.write_text(f"#!/bin/sh\necho noise\necho \"$1\" > {opened}\n")
            opener.chmod(0o755)
            variables = os.environ | {"PATH": f"{folder}:{os.environ['PATH']}", "DISPLAY": ":0"}
            process = subprocess.Popen([PARCAST, "view", self.trace], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=variables)
            address = opened.read_text()
            process.send_signal(signal.SIGINT)
            output, messages = process.communicate(timeout=TIME_LIMIT_S)
            self.assertEqual((process.returncode, messages), (0, b""))
            self.assertEqual(output.decode(), address + "Ctrl-C ends it.\n")

    def test_says_how_to_get_there_where_there_is_no_display(self):
        variables = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
        process = subprocess.Popen([PARCAST, "view", self.trace], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=variables)
        address, way, end = (process.stdout.readline().decode() for _ in range(3))
        port = urllib.parse.urlsplit(address).port
        self.assertIn(f"ssh -L {port}:127.0.0.1:{port} ", way)
        self.assertEqual(end, "Ctrl-C ends it.\n")
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=TIME_LIMIT_S)
        self.assertEqual(process.returncode, 0)

    def test_refuses_what_it_cannot_show(self):
        for words, status, way_out in [
            (["no-such.parcast"], INPUT, "parcast record --"),
            ([self.trace, "--compare", "no-such.parcast"], INPUT, "parcast record --"),
            ([self.trace, "--cpus", "65535"], USAGE, "65534"),
            ([self.trace, "--port", "0"], USAGE, "parcast help view"),
            ([self.trace, "--editor", "code {line}"], USAGE, "'code -g {file}:{line}'"),
            ([], USAGE, "parcast help view"),
        ]:
            with self.subTest(words=words):
                result = parcast("view", *words)
                self.assertEqual((result.returncode, result.stdout), (status, b""))
                self.assertIn(way_out, result.stderr.decode())

    def test_a_folder_is_shown_as_its_report(self):
        runs = self.folder / "runs"
        made = parcast("scale", "--cpus", "2,3,4", "--no-bare-runs", "--keep", runs, "--", EXAMPLES / "jacobi", "{cpus}", "tree", "33", "3", "10")
        self.assertEqual(made.returncode, 0, made.stderr)
        viewed = Viewed(runs, "--no-browser")
        try:
            status, headers, content = viewed.ask("")
            self.assertEqual((status, headers["Content-Type"]), (200, "text/html; charset=utf-8"))
            self.assertEqual(content, parcast("report", runs, "-o", "-").stdout)
            self.assertEqual(viewed.ask("overview.json")[0], 404)
            self.assertEqual(viewed.end(), (0, ""))
        finally:
            viewed.process.kill()

    def test_its_json_is_what_its_schema_says(self):
        try:
            import jsonschema
        except ImportError:
            self.skipTest("python3-jsonschema is not installed")
        with self.viewed() as viewed:
            jsonschema.validate(viewed.answer, json.loads((SCHEMAS / "view-address.schema.json").read_text()))


if __name__ == "__main__":
    unittest.main()
