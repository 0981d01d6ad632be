#!/usr/bin/env python3
"""Conjugate gradients: the vectors live on the machine, the host adds up two numbers a step and launches the next."""
from pathlib import Path

import numpy as np

import wsevm

P, B = 8, 16
n = P * B
f = np.random.default_rng(2).random(n, dtype=np.float32)
m = wsevm.load(Path(__file__).with_name("cg.wsa"), P=P, B=B, machine="wse3")
m["r"] = f.reshape(1, P, B)
cycles = m.launch("begin").cycles
rr = m["rr"].sum()
steps = 0
while rr > 1e-6 and steps < 2 * n:
    cycles += m.launch("apply").cycles
    alpha = rr / m["pq"].sum()
    cycles += m.launch("step", alpha, -alpha).cycles
    before, rr = rr, m["rr"].sum()
    cycles += m.launch("turn", rr / before).cycles
    steps += 1
u = m["u"].ravel()

A = 2 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1)
np.testing.assert_allclose(u, np.linalg.solve(A, f), rtol=1e-3)
print(f"{n} unknowns on {P} PEs: {steps} steps, {cycles} cycles, as NumPy has it")
