#!/usr/bin/env python3
"""The largest eigenvalue by power iteration: the machine keeps the matrix, the host scales each product and sends it back."""
from pathlib import Path

import numpy as np

import wsevm

W, H, M, N = 4, 3, 8, 6
n = W * N
rng = np.random.default_rng(5)
Q = np.linalg.qr(rng.standard_normal((n, n)))[0]
A = ((Q * (3 * 0.8 ** np.arange(n))) @ Q.T).astype(np.float32)  # eigenvalues 3, 2.4, 1.92, ...
m = wsevm.load(Path(__file__).with_name("gemv.wsa"), W=W, H=H, M=M, N=N, machine="wse3")
m["A"] = np.ascontiguousarray(A.reshape(H, M, W, N).transpose(0, 2, 3, 1))
v = np.ones(n, dtype=np.float32)
largest, change, steps = 0.0, 1.0, 0
while change > 1e-6 and steps < 200:
    m["x"] = np.tile(v.reshape(1, W, N), (H, 1, 1))
    record = m.launch("compute")
    product = m.get("y", rect=(0, 0, 1, H)).ravel()
    before, largest = largest, float(v @ product / (v @ v))
    v = product / np.linalg.norm(product)
    change, steps = abs(largest - before), steps + 1

np.testing.assert_allclose(largest, np.linalg.eigvalsh(A)[-1], rtol=1e-4)
print(f"largest eigenvalue {largest:.4f} in {steps} steps of {record.cycles} cycles, as NumPy has it")
