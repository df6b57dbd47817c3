#!/usr/bin/python3
"""Draws the charts of docs/taskgraphs.md from what parcast says.

    docs/images/taskgraph_charts.py [PARCAST]    (default: build/release/bin/parcast)

Writes taskgraph-*.svg beside itself. Needs nothing but Python.
"""

import json
import math
import pathlib
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
COLOURS = ["#0b62c4", "#c2410c", "#15803d", "#7c3aed", "#64748b"]
WIDTH, HEIGHT = 640, 360
LEFT, RIGHT, TOP, BOTTOM = 56, 130, 44, 44

CHARTS = [
    {
        "name": "polyroots",
        "title": "Polyroots, degree 30: the order of the queue",
        "generate": ["polyroots", "--size", "30"],
        "cpus": "1-30",
        "schedules": ["fifo", "lpt", "ps"],
    },
    {
        "name": "psim",
        "title": "PSIM, 4096 nodes: loops split between processors, or not",
        "generate": ["psim", "--size", "4096"],
        "cpus": "1-20",
        "schedules": ["split", "cyclic", "fifo"],
    },
    {
        "name": "locusroute",
        "title": "Locus Route, 420 wires: one queue, or one a region",
        "generate": ["locusroute", "--size", "420"],
        "cpus": "1-20",
        "schedules": ["queues-lpt", "queues", "fifo", "pinned"],
    },
]


def answer(parcast, arguments):
    return json.loads(subprocess.run([parcast, *arguments, "--json"], check=True, capture_output=True).stdout)


def curves(parcast, chart):
    """For each schedule its points (CPUs, speed-up over one CPU)."""
    with tempfile.TemporaryDirectory() as folder:
        graph = str(pathlib.Path(folder) / "graph.json")
        subprocess.run([parcast, "generate", "taskgraph", *chart["generate"], "-o", graph], check=True,
                       capture_output=True)
        said = answer(parcast, ["predict", graph, "--cpus", chart["cpus"], "--schedule",
                                ",".join(chart["schedules"])])
    found = {schedule: [] for schedule in chart["schedules"]}
    for row in said["predictions"]:
        found[row["schedule"]].append((row["cpus"], row["speed_up"]))
    return found


def ticks(most):
    step = 10 ** math.floor(math.log10(most))
    while most / step < 4:
        step /= 2
    step = max(1, step)
    return [step * place for place in range(int(most / step) + 1)]


def label_places(ends):
    """Moves labels apart that would lie on each other."""
    places = {}
    lowest = math.inf
    for name, y in sorted(ends.items(), key=lambda item: -item[1]):
        lowest = min(y, lowest - 15)
        places[name] = lowest
    return places


def drawing(title, lines):
    most_cpus = max(cpus for points in lines.values() for cpus, _ in points)
    most = max(speed_up for points in lines.values() for _, speed_up in points) * 1.05

    def x(cpus):
        return LEFT + (WIDTH - LEFT - RIGHT) * cpus / most_cpus

    def y(speed_up):
        return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * speed_up / most

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" '
        f'font-size="12"><title>{title}</title>',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        f'<text x="{LEFT}" y="24" font-size="14" fill="#111827">{title}</text>',
    ]
    for value in ticks(most):
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(value):.1f}" y2="{y(value):.1f}" '
                     f'stroke="#e5e7eb"/><text x="{LEFT - 8}" y="{y(value) + 4:.1f}" text-anchor="end" '
                     f'fill="#4b5563">{value:g}</text>')
    for value in ticks(most_cpus):
        parts.append(f'<text x="{x(value):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle" '
                     f'fill="#4b5563">{value:g}</text>')
    parts.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2:.0f}" y="{HEIGHT - 8}" text-anchor="middle" '
                 f'fill="#4b5563">CPUs</text><text x="{LEFT - 40}" y="{TOP - 6}" fill="#4b5563">speed-up</text>')
    places = label_places({name: y(points[-1][1]) for name, points in lines.items()})
    for colour, (name, points) in zip(COLOURS, lines.items()):
        path = " ".join(f"{x(cpus):.1f},{y(speed_up):.1f}" for cpus, speed_up in points)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.8"/>')
        parts += [f'<circle cx="{x(cpus):.1f}" cy="{y(speed_up):.1f}" r="2.2" fill="{colour}"/>'
                  for cpus, speed_up in points]
        parts.append(f'<text x="{WIDTH - RIGHT + 8}" y="{places[name] + 4:.1f}" fill="{colour}">{name}</text>')
    return "\n".join(parts) + "\n</svg>\n"


def main():
    parcast = sys.argv[1] if len(sys.argv) > 1 else str(FOLDER.parents[1] / "build/release/bin/parcast")
    for chart in CHARTS:
        path = FOLDER / f"taskgraph-{chart['name']}.svg"
        path.write_text(drawing(chart["title"], curves(parcast, chart)))
        print(path)


if __name__ == "__main__":
    main()
