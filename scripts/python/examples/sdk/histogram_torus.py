#!/usr/bin/env python3
"""A histogram on a torus of PEs, each of which has some values and ends with the counts of its own bins."""
from pathlib import Path

import numpy as np

from wsevm.sdk import MemcpyDataType, MemcpyOrder, SdkRuntime

W, H, N, BINS, WIDTH = 4, 3, 64, 2, 5
values = np.random.default_rng(3).integers(0, W * H * BINS * WIDTH, size=(H, W, N), dtype=np.int32)

runner = SdkRuntime(Path(__file__).with_suffix(".wsa"), values=dict(W=W, H=H, N=N, BINS=BINS, WIDTH=WIDTH))
values_symbol, bins_symbol = runner.get_id("values"), runner.get_id("bins")
runner.load()
runner.run()
runner.memcpy_h2d(values_symbol, values.ravel(), 0, 0, W, H, N, streaming=False, order=MemcpyOrder.ROW_MAJOR,
                  data_type=MemcpyDataType.MEMCPY_32BIT, nonblock=False)
runner.launch("count", nonblock=False)
bins = np.zeros(W * H * BINS, dtype=np.int32)
runner.memcpy_d2h(bins, bins_symbol, 0, 0, W, H, BINS, streaming=False, order=MemcpyOrder.ROW_MAJOR,
                  data_type=MemcpyDataType.MEMCPY_32BIT, nonblock=False)
runner.stop()

counts = bins.reshape(H, W, BINS).transpose(1, 0, 2).ravel()  # column by column
np.testing.assert_array_equal(counts, np.histogram(values, W * H * BINS, range=(0, W * H * BINS * WIDTH))[0])
print(f"{values.size} values in {counts.size} bins on a torus of {W} x {H} PEs: {counts.tolist()}, as NumPy has it")
