#!/usr/bin/env python3
"""Conjugate gradients for a 7-point stencil: the machine multiplies, the host adds up two numbers of each PE and decides."""
from pathlib import Path

import numpy as np

from wsevm.sdk import MemcpyDataType, MemcpyOrder, SdkRuntime

W, H, D = 4, 3, 8
f = np.random.default_rng(2).random((H, W, D), dtype=np.float32)

runner = SdkRuntime(Path(__file__).with_suffix(".wsa"), W=W, H=H, D=D, machine="wse3")
u_symbol, r_symbol, rr_symbol, pq_symbol = (runner.get_id(name) for name in ("u", "r", "rr", "pq"))
runner.load()
runner.run()


def total(symbol):
    parts = np.zeros(W * H, dtype=np.float32)
    runner.memcpy_d2h(parts, symbol, 0, 0, W, H, 1, streaming=False, order=MemcpyOrder.ROW_MAJOR,
                      data_type=MemcpyDataType.MEMCPY_32BIT, nonblock=False)
    return parts.sum(dtype=np.float64)


runner.memcpy_h2d(r_symbol, f.ravel(), 0, 0, W, H, D, streaming=False, order=MemcpyOrder.ROW_MAJOR,
                  data_type=MemcpyDataType.MEMCPY_32BIT, nonblock=False)
runner.launch("begin", nonblock=False)
rr = total(rr_symbol)
steps = 0
while rr > 1e-9 and steps < W * H * D:
    runner.launch("apply", nonblock=False)
    alpha = np.float32(rr / total(pq_symbol))
    runner.launch("step", alpha, -alpha, nonblock=False)
    before, rr = rr, total(rr_symbol)
    runner.launch("turn", np.float32(rr / before), nonblock=False)
    steps += 1
u = np.zeros(W * H * D, dtype=np.float32)
runner.memcpy_d2h(u, u_symbol, 0, 0, W, H, D, streaming=False, order=MemcpyOrder.ROW_MAJOR,
                  data_type=MemcpyDataType.MEMCPY_32BIT, nonblock=False)
runner.stop()


def line(n):
    """-1 2 -1 along one direction; the six neighbours are the sum of three."""
    return 2 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1)


A = np.kron(np.kron(line(H), np.eye(W)), np.eye(D)) + np.kron(np.eye(H * W), line(D))
A += np.kron(np.kron(np.eye(H), line(W)), np.eye(D))
np.testing.assert_allclose(u, np.linalg.solve(A, f.ravel()), rtol=1e-3, atol=1e-5)
print(f"{u.size} unknowns on {W} x {H} PEs: {steps} steps, as NumPy has it")
