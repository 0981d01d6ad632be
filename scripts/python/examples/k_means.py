#!/usr/bin/env python3
"""k-means: the points stay on the machine, the host moves the centres between launches."""
from pathlib import Path

import numpy as np

import wsevm

W, H, POINTS, K = 4, 2, 32, 3
rng = np.random.default_rng(8)
middles = np.array([[0, 0], [8, 1], [3, 7]])
points = (middles[rng.integers(0, K, W * H * POINTS)] + rng.standard_normal((W * H * POINTS, 2))).astype(np.float32)
m = wsevm.load(Path(__file__).with_name("k_means.wsa"), W=W, H=H, POINTS=POINTS, K=K)
m["points"] = points.reshape(H, W, POINTS, 2)


def assigned(centres):
    """The nearest centre of each point, by NumPy."""
    return ((points[:, None] - centres[None]) ** 2).sum(axis=2).argmin(axis=1)


centres, steps, moved = points[:K].copy(), 0, True
while moved and steps < 50:
    m["centres"] = np.broadcast_to(centres, (H, W, K, 2)).copy()
    record = m.launch("assign")
    nearest = m["nearest"].ravel()
    np.testing.assert_array_equal(nearest, assigned(centres))
    counts = m["counts"].sum(axis=(0, 1))
    new = (m["sums"].sum(axis=(0, 1)) / np.maximum(1, counts)[:, None]).astype(np.float32)
    moved, centres, steps = bool(np.abs(new - centres).max() > 1e-4), new, steps + 1

means = [points[nearest == k].mean(axis=0) for k in range(K)]
np.testing.assert_allclose(centres, means, rtol=1e-3, atol=1e-3)
print(f"{len(points)} points, {K} centres: {steps} steps of {record.cycles} cycles, {counts.tolist()} points each, as NumPy has it")
