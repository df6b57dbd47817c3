"""Every option of every verb on every form of input, as the help groups them: an option that serves the form changes
what comes out, any other is rejected with exit status 2. None is ignored."""

import pathlib
import re
import unittest

from program import USAGE, WithRecording, parcast

ROOT = pathlib.Path(__file__).parents[2]
GRAPH = ROOT / "tests/changes/inputs/loops.json"
UNITS = ROOT / "tests/taskgraphs/diamond.stg"
MODEL = ROOT / "examples/pamela/mrm.pam"

FORMS = {"recordings": "recording", "task graphs": "graph", "models": "model"}
TAKEN = {"predict": ["recording", "graph", "model"], "report": ["recording", "graph", "model"],
         "view": ["recording", "graph"], "export": ["recording", "graph"], "extract": ["recording", "graph"],
         "info": ["recording"], "variance": ["recording"], "formula": ["model"]}
# What each verb needs anyway.
ALWAYS = {"export": ["--cpus", "2", "-o", "-", "--format", "csv"], "report": ["-o", "-"], "extract": ["-o", "-"]}
# Options that differ in nothing but time, or in a file that is not looked at here.
UNSEEN = {"--jobs", "--output", "--force", "--plot", "--measured"}
