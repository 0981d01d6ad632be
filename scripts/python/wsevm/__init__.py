"""wsevm: machines of wafer-scale meshes in the hand, with NumPy arrays.

    import numpy as np, wsevm

    m = wsevm.load("gemv.wsa", P=64, machine="wse3")
    m["A"] = A                      # [height, width, ...], dtype of the program's array
    r = m.run()                     # task main of every PE, to quiet
    y = m["y"]
    r.cycles, r.profile["busy"]     # the record, and what each PE did
    r.report("r.html")              # a page for a browser

A machine whose program has `task step exported (n: i32):` continues: `m.launch("step", 3)`; and another day, in
another process: `m.checkpoint("day.one")`, `m.restore("day.one")`.
In a notebook, `%load_ext wsevm` brings cells that are programs, `%%wsa`.
Errors are exceptions with place and remedy (`wsevm.Error`); Ctrl-C is `wsevm.Interrupted`, which has the record.
"""

from ._errors import BadInput, EndedBadly, Error, Exhausted, Interrupted
from ._library import profiles, version
from ._load import layout, load
from ._machine import Machine, Program
from ._magic import load_ipython_extension
from ._record import Profile, Record, report
from ._run import run
from ._sweep import sweep

__version__ = version()

__all__ = [
    "BadInput",
    "EndedBadly",
    "Error",
    "Exhausted",
    "Interrupted",
    "Machine",
    "Profile",
    "Program",
    "Record",
    "layout",
    "load",
    "load_ipython_extension",
    "profiles",
    "report",
    "run",
    "sweep",
    "version",
]
