#!/usr/bin/env python3
"""The same y = A x + b on each PE of a row."""
from pathlib import Path

import numpy as np

from wsevm.sdk import MemcpyDataType, MemcpyOrder, SdkRuntime

M, N, width = 4, 6, 4
A = np.arange(M * N, dtype=np.float32)
x = np.full(N, 1.0, dtype=np.float32)
b = np.full(M, 2.0, dtype=np.float32)

runner = SdkRuntime(Path(__file__).with_suffix(".wsa"), W=width)
A_symbol, x_symbol, b_symbol, y_symbol = (runner.get_id(name) for name in "Axby")
runner.load()
runner.run()
runner.memcpy_h2d(A_symbol, np.tile(A, width), 0, 0, width, 1, M * N, streaming=False, order=MemcpyOrder.ROW_MAJOR,
                  data_type=MemcpyDataType.MEMCPY_32BIT, nonblock=False)
runner.memcpy_h2d(x_symbol, np.tile(x, width), 0, 0, width, 1, N, streaming=False, order=MemcpyOrder.ROW_MAJOR,
                  data_type=MemcpyDataType.MEMCPY_32BIT, nonblock=False)
runner.memcpy_h2d(b_symbol, np.tile(b, width), 0, 0, width, 1, M, streaming=False, order=MemcpyOrder.ROW_MAJOR,
                  data_type=MemcpyDataType.MEMCPY_32BIT, nonblock=False)
runner.launch("compute", nonblock=False)
y = np.zeros(M * width, dtype=np.float32)
runner.memcpy_d2h(y, y_symbol, 0, 0, width, 1, M, streaming=False, order=MemcpyOrder.ROW_MAJOR,
                  data_type=MemcpyDataType.MEMCPY_32BIT, nonblock=False)
runner.stop()

np.testing.assert_allclose(y, np.tile(A.reshape(M, N) @ x + b, width), rtol=1e-6)
print(f"y = {y}, as NumPy has it")
