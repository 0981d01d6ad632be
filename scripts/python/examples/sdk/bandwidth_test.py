#!/usr/bin/env python3
"""How many words a cycle the host streams to a column of PEs, and how many come back."""
from pathlib import Path

import numpy as np

from wsevm.sdk import MemcpyDataType, MemcpyOrder, SdkRuntime

H, N, PIECES = 4, 256, 4
data = np.random.default_rng(4).random((PIECES, H, N // PIECES), dtype=np.float32)

runner = SdkRuntime(Path(__file__).with_suffix(".wsa"), H=H, N=N)
to_pes, from_pes, begin, end_in, end_out = map(runner.get_id, ("to_pes", "from_pes", "begin", "end_in", "end_out"))
stream = {"streaming": True, "order": MemcpyOrder.ROW_MAJOR, "data_type": MemcpyDataType.MEMCPY_32BIT}
runner.load()
runner.run()


def time(symbol):
    stamps = np.zeros(H, dtype=np.uint32)
    runner.memcpy_d2h(stamps, symbol, 0, 0, 1, H, 1, streaming=False, order=MemcpyOrder.ROW_MAJOR,
                      data_type=MemcpyDataType.MEMCPY_32BIT, nonblock=False)
    return stamps.astype(np.int64)


runner.launch("take", nonblock=False)
tasks = [runner.memcpy_h2d(to_pes, piece.ravel(), 0, 0, 1, H, N // PIECES, nonblock=True, **stream) for piece in data]
for task in tasks:
    runner.task_wait(task)
cycles_in = (time(end_in) - time(begin)).max()
runner.launch("give", nonblock=False)
back = np.zeros(H * N, dtype=np.float32)
runner.memcpy_d2h(back, from_pes, 0, 0, 1, H, N, nonblock=False, **stream)
cycles_out = (time(end_out) - time(begin)).max()
runner.stop()

np.testing.assert_array_equal(back.reshape(H, N), np.concatenate(list(data), axis=1))
assert N <= cycles_in < 2 * N and N <= cycles_out < 2 * N
print(f"{H} rows of {N} words: {H * N / cycles_in:.2f} words a cycle in, {H * N / cycles_out:.2f} out, as NumPy has it")
