#!/usr/bin/env python3
"""y = A x + b on a mesh of PEs, as a host program of the vendor's runtime, against NumPy."""
from pathlib import Path

import numpy as np

from wsevm.sdk import MemcpyDataType, MemcpyOrder, SdkRuntime

W, H, M, N = 4, 3, 4, 6
rng = np.random.default_rng(1)
A = rng.random((H * M, W * N), dtype=np.float32)
x = rng.random(W * N, dtype=np.float32)
b = rng.random(H * M, dtype=np.float32)

runner = SdkRuntime(Path(__file__).with_name("gemv.wsa"), W=W, H=H, M=M, N=N, machine="wse3")
how = {
    "streaming": False,
    "order": MemcpyOrder.ROW_MAJOR,
    "data_type": MemcpyDataType.MEMCPY_32BIT,
    "nonblock": False,
}
runner.load()
runner.run()
tiles = A.reshape(H, M, W, N).transpose(0, 2, 3, 1)  # [H, W, N, M]: columns of each tile
parts = np.zeros((H, W, M), dtype=np.float32)
parts[:, 0] = b.reshape(H, M)
runner.memcpy_h2d(runner.get_id("A"), tiles.ravel(), 0, 0, W, H, N * M, **how)
runner.memcpy_h2d(runner.get_id("x"), np.tile(x, H), 0, 0, W, H, N, **how)
runner.memcpy_h2d(runner.get_id("b"), parts.ravel(), 0, 0, W, H, M, **how)
runner.launch("compute", nonblock=False)
y = np.zeros(H * M, dtype=np.float32)
runner.memcpy_d2h(y, runner.get_id("y"), 0, 0, 1, H, M, **how)
cycles = runner.record.cycles
runner.stop()

np.testing.assert_allclose(y, A @ x + b, rtol=1e-5)
print(f"y = A x + b with {H * M} x {W * N} on {W} x {H} PEs: {cycles} cycles, as NumPy has it")
