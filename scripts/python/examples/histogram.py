#!/usr/bin/env python3
"""A histogram in three launches over changing values; the host adds up the bins of the PEs."""
from pathlib import Path

import numpy as np

import wsevm

W, H, N, BINS, WIDTH = 4, 2, 50, 8, 10
m = wsevm.load(Path(__file__).with_name("histogram.wsa"), values=dict(W=W, H=H, N=N, BINS=BINS, WIDTH=WIDTH))
rng = np.random.default_rng(3)
expected = np.zeros(BINS, dtype=np.int64)
for _ in range(3):
    values = rng.integers(0, BINS * WIDTH, size=(H, W, N), dtype=np.int32)
    m["values"] = values
    record = m.launch("count")
    expected += np.histogram(values, bins=BINS, range=(0, BINS * WIDTH))[0]
bins = m["bins"].sum(axis=(0, 1))

np.testing.assert_array_equal(bins, expected)
print(f"{3 * values.size} values in {BINS} bins: {bins.tolist()}, {record.cycles} cycles a launch, as NumPy has it")
