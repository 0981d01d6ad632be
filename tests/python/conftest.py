"""Programs that several tests run."""
import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
os.environ.setdefault("WSEVM_DATA", str(ROOT))
sys.path.insert(0, str(ROOT / "scripts" / "python"))

ROW = """.const W = 4
.const B = 3
.grid W, 1
.program p
  .f32 x_in[B] exported
  .f32 y_out[B] exported
  .i16 small[2] exported = x * 10 + i
  .i32 table[2, 3] exported = i
  .f32 total exported
  .i32 hidden = 7
  task main:
    fadds y_out, x_in, x_in
    fadds y_out, y_out, 1.0
    mov32 hidden, 9
    print "done"
.place p at (0..W - 1, 0)
"""

LAUNCHED = """.grid 2, 1
.program p
  .f32 sum exported
  .f32 first
  .reg r, n, more
  task main:
    fmovs first, 100.0
    fmovs sum, first
  task step exported (n: i32, more: f32):
    xp322fs r, n
    fadds r, r, more
    fadds sum, sum, r
.place p at (0..1, 0)
"""

ENDLESS = """.grid 1, 1
.program p
  .i32 n exported
  task main:
  again:
    add32 n, n, 1
    bge n, 0, again
.place p at (0, 0)
"""

DEADLOCK = """.grid 2, 1
.colour red
.program p
  .f32 v[4] exported
  task main:
    fmovs v, fabin(red)
.place p at (0, 0)
.route red at (0, 0): east -> ramp
"""


def pytest_configure(config):
    config.addinivalue_line("markers", "smoke: part of the default suite")
    config.addinivalue_line("markers", "slow: takes seconds")
    config.addinivalue_line("markers", "notebooks: needs nbclient and a kernel")


@pytest.fixture
def row():
    import wsevm

    with wsevm.load("row.wsa", text=ROW) as machine:
        yield machine
