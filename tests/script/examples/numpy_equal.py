"""The five examples of scripts/stencil in NumPy, in double, beside the files that they write:

    python3 numpy_equal.py FOLDER

FOLDER has heat.npy, smooth.npy, box27.npy, layers.npy and shallow.npy, of the default arguments. Exits with 1 if
one differs.
"""

import itertools
import sys

import numpy as np

MOST_OFF = 2e-6  # of the largest value: 50 steps in float


def moved(a, offset):
    """Returns a[i + offset], 0 beyond the array; offset has a number for each axis."""
    wide = np.pad(a, [(abs(d), abs(d)) for d in offset])
    return wide[tuple(slice(abs(d) + d, abs(d) + d + n) for d, n in zip(offset, a.shape))]


def heat(nx, ny, steps):
    u = np.zeros((ny, nx))
    u[:, 0] = 1
    for _ in range(steps):
        around = sum(moved(u, o) for o in ((0, 1), (0, -1), (1, 0), (-1, 0)))
        new = u + 0.2 * (around - 4 * u)
        u[:, 1:] = new[:, 1:]
    return u


def smooth(nx, ny, steps):
    y, x = np.mgrid[:ny, :nx]
    u = (x // 4 + y // 4) % 2 * 16.0
    for _ in range(steps):
        u = sum((2 - abs(dx)) * (2 - abs(dy)) * moved(u, (dy, dx)) for dy in (-1, 0, 1) for dx in (-1, 0, 1)) / 16
    return u


def box27(nx, ny, nz, steps):
    y, x, z = np.mgrid[:ny, :nx, :nz]
    u = (x + 2 * y + 3 * z) % 5 - 2.0
    weights = np.array([-128, 14, 3, 1]) / 30
    for _ in range(steps):
        u = u + 0.25 * sum(weights[np.abs(o).sum()] * moved(u, o) for o in itertools.product((-1, 0, 1), repeat=3))
    return u


def layers(nx, ny, nz, steps):
    c = np.array([-205 / 72, 8 / 5, -1 / 5, 8 / 315, -1 / 560])
    courant = np.where(np.arange(nz) < nz // 2, 2000.0, 3000.0) * 0.0015 / 20
    u, before = np.zeros((ny, nx, nz)), np.zeros((ny, nx, nz))
    for step in range(steps):
        laplacian = 3 * c[0] * u
        for m, axis, side in itertools.product(range(1, 5), range(3), (-1, 1)):
            laplacian += c[m] * moved(u, tuple(side * m * (k == axis) for k in range(3)))
        u, before = 2 * u - before + courant**2 * laplacian, u
        if step < 3:
            u[ny // 2, nx // 2, nz // 3] += (1, 2, 1)[step]
    return u


def shallow(nx, ny, steps):
    y, x = np.mgrid[:ny, :nx]
    h = np.exp(-((x - nx / 2) ** 2 + (y - ny / 2) ** 2) / 20)
    u, v = np.zeros_like(h), np.zeros_like(h)
    for _ in range(steps):
        u[:, :-1] -= 15.0 * 9.81 / 1000 * np.diff(h, axis=1)
        v[:-1] -= 15.0 * 9.81 / 1000 * np.diff(h, axis=0)
        h -= 15.0 * 100 / 1000 * (u - moved(u, (0, -1)) + v - moved(v, (-1, 0)))
    return h


def main(folder):
    wanted = {
        "heat": heat(64, 48, 50),
        "smooth": smooth(40, 30, 4),
        "box27": box27(10, 9, 20, 3),
        "layers": layers(12, 11, 60, 10),
        "shallow": shallow(48, 32, 40),
    }
    fine = True
    for name, array in wanted.items():
        got = np.load(f"{folder}/{name}.npy")
        off = np.abs(got.reshape(array.shape) - array).max() / np.abs(array).max()
        fine = fine and off <= MOST_OFF
        print(f"{name}: {array.shape}, off by {off:.1g} of the largest")
    return 0 if fine else 1


sys.exit(main(sys.argv[1]))
