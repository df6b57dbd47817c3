"""parcast from Python: record a parallel program on one CPU, predict it on any number of CPUs.

    import parcast

    recording = parcast.record(["./solver", "input.txt"], pretend_cpus=16)
    prediction = parcast.predict(recording, cpus=[1, 2, 4, 8, 16])
    print(prediction)              # a table, as on the command line
    prediction.frame()             # the same as a frame of pandas, where that is installed
    prediction.plot()              # the speed-ups with their ranges, by matplotlib

Everything is asked of the program `parcast` by `--json`, so what Python sees is what the command line prints. `ask` asks
any other verb. Times are in seconds; a range is what nine of ten measurements should lie within (docs/trust.md).
"""

from .command import Error, ask, executable
from .prediction import Finding, Loss, Prediction, Range, Row, WhatIf, advise, predict
from .recording import Recording, record

__all__ = ["Error", "Finding", "Loss", "Prediction", "Range", "Recording", "Row", "WhatIf", "advise", "ask",
           "executable", "predict", "record"]
