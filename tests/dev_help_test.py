"""Does the help of ./dev name what there is?"""

import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent


class Help(unittest.TestCase):
    # It left out queueing.
    def test_it_names_the_word_of_every_benchmark(self):
        text = subprocess.run([ROOT / "dev", "help"], capture_output=True, check=True, text=True).stdout
        named = re.search(r"with WORD in their names \(([^)]*)\), on a machine", text).group(1)
        benchmarks = {name for file in (ROOT / "bench").rglob("CMakeLists.txt")
                      for name in re.findall(r"\b(\w+_bench)\.cpp", file.read_text())}
        self.assertTrue(benchmarks)
        words = re.split(r",\s+", named)
        self.assertEqual([], sorted(name for name in benchmarks if not any(word in name for word in words)))
        self.assertEqual([], [word for word in words if not any(word in name for name in benchmarks)])


if __name__ == "__main__":
    unittest.main()
