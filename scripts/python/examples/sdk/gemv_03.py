#!/usr/bin/env python3
"""y = A x + b on one PE, into which the host copies A, x and b."""
from pathlib import Path

import numpy as np

from wsevm.sdk import MemcpyDataType, MemcpyOrder, SdkRuntime

M, N = 4, 6
A = np.arange(M * N, dtype=np.float32)
x = np.full(N, 1.0, dtype=np.float32)
b = np.full(M, 2.0, dtype=np.float32)

runner = SdkRuntime(Path(__file__).with_suffix(".wsa"))
A_symbol, x_symbol, b_symbol, y_symbol = (runner.get_id(name) for name in "Axby")
runner.load()
runner.run()
runner.memcpy_h2d(A_symbol, A, 0, 0, 1, 1, M * N, streaming=False, order=MemcpyOrder.ROW_MAJOR,
                  data_type=MemcpyDataType.MEMCPY_32BIT, nonblock=False)
runner.memcpy_h2d(x_symbol, x, 0, 0, 1, 1, N, streaming=False, order=MemcpyOrder.ROW_MAJOR,
                  data_type=MemcpyDataType.MEMCPY_32BIT, nonblock=False)
runner.memcpy_h2d(b_symbol, b, 0, 0, 1, 1, M, streaming=False, order=MemcpyOrder.ROW_MAJOR,
                  data_type=MemcpyDataType.MEMCPY_32BIT, nonblock=False)
runner.launch("compute", nonblock=False)
y = np.zeros(M, dtype=np.float32)
runner.memcpy_d2h(y, y_symbol, 0, 0, 1, 1, M, streaming=False, order=MemcpyOrder.ROW_MAJOR,
                  data_type=MemcpyDataType.MEMCPY_32BIT, nonblock=False)
runner.stop()

np.testing.assert_allclose(y, A.reshape(M, N) @ x + b, rtol=1e-6)
print(f"y = {y}, as NumPy has it")
