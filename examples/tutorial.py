#!/usr/bin/env python3
"""A lock that limits a program, found and removed from Python; docs/python.md tells it piece by piece.

usage: tutorial.py FOLDER, where FOLDER holds the built examples (build/release/examples)
"""

import pathlib
import sys

import parcast

examples = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build/release/examples")

# 1. Run it once, on one CPU. It sees 16, so that it creates 16 threads.
one_table = parcast.record([examples / "histogram"], "one_table.parcast", pretend_cpus=16)
print(f"{one_table.threads} threads, {one_table.cpu_time:.2f} s of CPU time, {one_table.events} events")

# 2. How does it run on other numbers of CPUs, and what stops it?
prediction = parcast.predict(one_table, cpus=[1, 2, 4, 8, 16])
print(prediction)
worst = prediction[16].losses[0]
print(f"on 16 CPUs {worst.share:.0%} of the processor time is lost to {worst.cause} {worst.object}")

# 3. What should change, and what would that bring?
for sentence in parcast.advise(one_table, cpus=[1, 2, 4, 8, 16]):
    print(sentence)
changed = parcast.predict(one_table, cpus=[16], what_if=["lock:shared_mutex/8", "lock:shared_mutex=free"])
for tried in changed[16].what_if:
    print(f"{tried.change}: {tried.gain:.0%} less time, {tried.gain_range.low:.0%} to {tried.gain_range.high:.0%}")

# 4. The same program with a table for each thread: is that the cure?
own_tables = parcast.record([examples / "histogram", "16", "480", "400000", "1"], "own_tables.parcast", quiet=True)
cured = parcast.predict(own_tables, cpus=[1, 2, 4, 8, 16])
print(f"speed-up on 16 CPUs: {prediction[16].speed_up:.1f} with one table, {cured[16].speed_up:.1f} with a table for each thread")

# 5. Rows are plain numbers, frames of pandas, and curves of matplotlib.
try:
    print(cured.frame()[["cpus", "time", "time_low", "time_high", "speed_up"]].to_string(index=False))
except ImportError as missing:
    print(missing)
try:
    import matplotlib
    matplotlib.use("Agg")  # into a file, without a window
    axes = prediction.plot(label="one table")
    cured.plot(axes, label="a table for each thread", ideal=False)
    axes.figure.savefig("histogram.png", dpi=120)
except ImportError as missing:
    print(missing)
