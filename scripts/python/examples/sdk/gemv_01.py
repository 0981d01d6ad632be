#!/usr/bin/env python3
"""y = A x + b on one PE that makes A, x and b itself; the host launches it and copies y."""
from pathlib import Path

import numpy as np

from wsevm.sdk import MemcpyDataType, MemcpyOrder, SdkRuntime

M, N = 4, 6
A = np.arange(M * N, dtype=np.float32).reshape(M, N)
x = np.full(N, 1.0, dtype=np.float32)
b = np.full(M, 2.0, dtype=np.float32)

runner = SdkRuntime(Path(__file__).with_suffix(".wsa"))
y_symbol = runner.get_id("y")
runner.load()
runner.run()
runner.launch("init_and_compute", nonblock=False)
y = np.zeros(M, dtype=np.float32)
runner.memcpy_d2h(y, y_symbol, 0, 0, 1, 1, M, streaming=False, order=MemcpyOrder.ROW_MAJOR,
                  data_type=MemcpyDataType.MEMCPY_32BIT, nonblock=False)
runner.stop()

np.testing.assert_allclose(y, A @ x + b, rtol=1e-6)
print(f"y = {y}, as NumPy has it")
