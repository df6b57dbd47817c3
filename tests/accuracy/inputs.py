"""Inputs that are the same on every machine: made by seeded generators, once, into a folder.

Each function makes what its name says at `path` and is called if that does not exist.
"""

import base64
import itertools
import os
import random
import shutil
import subprocess

SEED = 20261121


class Words:
    """Words of a vocabulary whose few frequent ones make text compress as text does."""

    def __init__(self, generator):
        letters = "etaoinshrdlcumwfgypbvk"
        self.generator = generator
        self.vocabulary = ["".join(generator.choices(letters, k=generator.randint(2, 9))) for _ in range(20000)]
        self.weights = list(itertools.accumulate(1 / (rank + 10) for rank in range(len(self.vocabulary))))

    def text(self, count):
        chosen = self.generator.choices(self.vocabulary, cum_weights=self.weights, k=count)
        return "\n".join(" ".join(chosen[i:i + 12]) for i in range(0, count, 12)).encode()


def write_mixed(path, text_words, numbers, random_bytes):
    generator = random.Random(SEED)
    with open(path, "wb") as file:
        file.write(Words(generator).text(text_words))
        file.write("\n".join(str(generator.getrandbits(40)) for _ in range(numbers)).encode())
        file.write(base64.encodebytes(generator.randbytes(random_bytes)))


def mixed_data(path):
    """30 MB of words, numbers and noise."""
    write_mixed(path, 3_000_000, 500_000, 4_000_000)


def small_data(path):
    """10 MB of the same."""
    write_mixed(path, 1_000_000, 170_000, 1_300_000)


def lines_data(path):
    """900,000 lines in random order."""
    generator = random.Random(SEED)
    with open(path, "wb") as file:
        for _ in range(900_000):
            file.write(b"%016x %d\n" % (generator.getrandbits(64), generator.getrandbits(20)))


def file_tree(path):
    """400 files of up to 150 kB in 20 folders."""
    generator = random.Random(SEED)
    source = Words(generator).text(3_000_000)
    for i in range(400):
        folder = os.path.join(path, f"folder{i % 20}")
        os.makedirs(folder, exist_ok=True)
        begin = generator.randrange(len(source) - 150_000)
        with open(os.path.join(folder, f"file{i}"), "wb") as file:
            file.write(source[begin:begin + generator.randrange(150_000)])


def image(path):
    """2000 by 1500 points, smooth with noise, as PPM."""
    generator = random.Random(SEED)
    width, height = 2000, 1500
    noise = generator.randbytes(width * height * 3)
    points = bytearray(width * height * 3)
    for i, value in enumerate(noise):
        points[i] = (i // 3 % width * 128 // width + value // 2) & 255
    with open(path, "wb") as file:
        file.write(b"P6\n%d %d\n255\n" % (width, height) + points)


def repository(path):
    """60 files in 80 commits, each of which changes a third of them a little."""
    generator = random.Random(SEED)
    environment = os.environ | {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"}
    for who in ("AUTHOR", "COMMITTER"):
        environment |= {f"GIT_{who}_NAME": "parcast", f"GIT_{who}_EMAIL": "parcast@localhost", f"GIT_{who}_DATE": "2026-11-21T00:00:00Z"}

    def git(*arguments):
        subprocess.run(["git", "-C", path, *arguments], check=True, env=environment, stdout=subprocess.DEVNULL)

    os.makedirs(path)
    git("init", "-q", "-b", "main")
    git("config", "gc.auto", "0")
    words = Words(generator)
    contents = [words.text(4000).splitlines() for _ in range(60)]
    for commit in range(80):
        for i, lines in enumerate(contents):
            if commit == 0 or generator.random() < 0.35:
                for _ in range(6):
                    lines[generator.randrange(len(lines))] = words.text(12)
                with open(os.path.join(path, f"file{i}"), "wb") as file:
                    file.write(b"\n".join(lines))
        git("add", "-A")
        git("commit", "-q", "-m", f"change {commit}")


PLACES = {"mixed_data": "mixed.data", "small_data": "small.data", "lines_data": "lines.data", "file_tree": "files",
          "image": "image.ppm", "repository": "repository"}


def make(name, folder):
    path = os.path.join(folder, PLACES[name])
    if os.path.exists(path):
        return
    os.makedirs(folder, exist_ok=True)
    unfinished = path + ".part"
    if os.path.isdir(unfinished):
        shutil.rmtree(unfinished)
    globals()[name](unfinished)
    os.rename(unfinished, path)
