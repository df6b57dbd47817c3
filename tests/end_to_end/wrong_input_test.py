"""Wrong command lines and damaged traces: a message with a place, the right status, never a crash."""

import pathlib
import unittest

from whole import MANY_LOCKS, PARCAST, InFolder, run

USAGE, INPUT = 2, 3


class WrongCommandLine(InFolder):
    def test_it_is_explained_with_status_2(self):
        cases = [
            (["forecast"], ["forecast"], "a verb that does not exist"),
            (["predict", "x.parcast", "--cpus", "0"], ["cpus"], "no processors"),
            (["predict", "x.parcast", "--cpus", "4-2"], ["cpus"], "an empty range"),
            (["predict", "x.parcast", "--cpus", "two"], ["cpus"], "not a number"),
            (["predict", "x.parcast", "--cpus", "99999999999999999999"], ["cpus"], "too large a number"),
            (["predict", "x.parcast", "--scheduler", "fifo"], ["fifo"], "a scheduler that does not exist"),
            (["predict"], ["an input"], "no input"),
            (["info"], ["a recording"], "no input"),
            (["record"], [], "no program"),
            (["info", "x.parcast", "--nonsense"], ["nonsense"], "an option that does not exist"),
        ]
        for arguments, words, why in cases:
            with self.subTest(why):
                self.assert_explains(run(PARCAST, *arguments), USAGE, *words)


class WrongTrace(InFolder):
    def assert_refused(self, path, *words):
        for verb in ("info", "predict"):
            with self.subTest(verb=verb, path=path.name):
                self.assert_explains(run(PARCAST, verb, path), INPUT, path.name, *words)

    def damaged(self, name, content):
        path = self.folder / name
        path.write_bytes(content)
        return path

    def test_a_missing_file(self):
        self.assert_refused(self.folder / "missing.parcast")

    def test_a_folder(self):
        self.assert_refused(self.folder)

    def test_an_empty_file(self):
        self.assert_refused(self.damaged("empty.parcast", b""))

    def test_some_other_file(self):
        self.assert_refused(self.damaged("text.parcast", b"What is this?\n" * 100))
        self.assert_refused(self.damaged("program.parcast", pathlib.Path(PARCAST).read_bytes()))

    def test_a_truncated_trace(self):
        whole = self.recorded("whole", *MANY_LOCKS).read_bytes()
        for share in (0.01, 0.3, 0.7, 0.99):
            self.assert_refused(self.damaged(f"cut{share}.parcast", whole[: int(len(whole) * share)]))
        self.assert_refused(self.damaged("cut-last.parcast", whole[:-1]))

    def test_a_flipped_bit_anywhere(self):
        whole = self.recorded("whole", *MANY_LOCKS).read_bytes()
        for place in range(0, len(whole), max(1, len(whole) // 40)):
            flipped = bytearray(whole)
            flipped[place] ^= 0x10
            self.assert_refused(self.damaged(f"bit{place}.parcast", flipped))


if __name__ == "__main__":
    unittest.main()
