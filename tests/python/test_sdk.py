"""The vendor's names: copies in both orders and sizes, launches, and what is refused."""
import numpy as np
import pytest
import wsevm
from wsevm.sdk import MemcpyDataType, MemcpyOrder, SdkRuntime, input_array_to_u32, memcpy_view

pytestmark = pytest.mark.smoke

PROGRAM = """.const W = 3
.const H = 2
.grid W, H
.program p
  .f32 a[4] exported
  .f16 half[4] exported
  .i32 n exported
  .reg k
  task main:
    mov32 n, 1
  task scale exported (k: f32):
    fmuls a, a, k
.place p at (0..W - 1, 0..H - 1)
"""
WIDE = {"streaming": False, "data_type": MemcpyDataType.MEMCPY_32BIT, "nonblock": False}
ROWS = {**WIDE, "order": MemcpyOrder.ROW_MAJOR}
COLUMNS = {**WIDE, "order": MemcpyOrder.COL_MAJOR}


@pytest.fixture
def runner(tmp_path):
    (tmp_path / "p.wsa").write_text(PROGRAM)
    runtime = SdkRuntime(tmp_path, cmaddr=None, msg_level="INFO", simfab_numthreads=2, machine="wse3")
    runtime.load()
    runtime.run()
    yield runtime
    runtime.stop()


def test_copies_and_launches(runner):
    a = runner.get_id("a")
    data = np.arange(24, dtype=np.float32)
    runner.memcpy_h2d(a, data, 0, 0, 3, 2, 4, **ROWS)
    np.testing.assert_array_equal(runner.machine["a"], data.reshape(2, 3, 4))
    runner.launch("scale", np.float32(2), nonblock=False)
    back = np.zeros(8, np.float32)
    runner.memcpy_d2h(back, a, 1, 0, 2, 2, 2, **ROWS)
    np.testing.assert_array_equal(back.reshape(2, 2, 2), 2 * data.reshape(2, 3, 4)[:, 1:, :2])
    task = runner.memcpy_d2h(back, a, 0, 0, 1, 2, 4, **{**ROWS, "nonblock": True})
    runner.task_wait(task)
    assert runner.is_task_done(task)


def test_columns(runner):
    a = runner.get_id("a")
    cube = np.arange(24, dtype=np.float32).reshape(2, 3, 4)
    runner.memcpy_h2d(a, cube.ravel(order="F"), 0, 0, 3, 2, 4, **COLUMNS)
    np.testing.assert_array_equal(runner.machine["a"], cube)
    back = np.zeros(24, np.float32)
    runner.memcpy_d2h(back, a, 0, 0, 3, 2, 4, **COLUMNS)
    np.testing.assert_array_equal(back, cube.ravel(order="F"))


def test_halves(runner):
    half = runner.get_id("half")
    data = np.arange(24, dtype=np.float16)
    how = {**ROWS, "data_type": MemcpyDataType.MEMCPY_16BIT}
    runner.memcpy_h2d(half, input_array_to_u32(data), 0, 0, 3, 2, 4, **how)
    np.testing.assert_array_equal(runner.machine["half"], data.reshape(2, 3, 4))
    back = np.zeros(24, np.uint32)
    runner.memcpy_d2h(back, half, 0, 0, 3, 2, 4, **how)
    np.testing.assert_array_equal(memcpy_view(back, np.float16), data)
    assert input_array_to_u32(data, 0, 4)[5] >> 16 == 1


def test_bits_are_kept(runner):
    n = runner.get_id("n")
    runner.memcpy_h2d(n, np.full(6, np.float32(1)), 0, 0, 3, 2, 1, **ROWS)
    assert runner.machine["n"][0, 0] == 0x3F800000


def test_what_is_refused(runner, tmp_path):
    a = runner.get_id("a")
    data = np.zeros(24, np.float32)
    with pytest.raises(wsevm.BadInput, match="it exports a, half, n"):
        runner.get_id("b")
    with pytest.raises(wsevm.BadInput, match="'a' is an array; copy with streaming=False"):
        runner.memcpy_h2d(a, data, 0, 0, 3, 2, 4, **{**ROWS, "streaming": True})
    with pytest.raises(wsevm.BadInput, match="src has 24 elements, h . w . elem_per_pe are 12"):
        runner.memcpy_h2d(a, data, 0, 0, 3, 1, 4, **ROWS)
    with pytest.raises(wsevm.BadInput, match="32-bit elements"):
        runner.memcpy_h2d(a, data.astype(np.float64), 0, 0, 3, 2, 4, **ROWS)
    with pytest.raises(wsevm.BadInput, match="MEMCPY_32BIT is wanted"):
        runner.memcpy_h2d(a, data, 0, 0, 3, 2, 4, **{**ROWS, "data_type": MemcpyDataType.MEMCPY_16BIT})
    with pytest.raises(wsevm.BadInput, match="number of no array"):
        runner.memcpy_h2d(9, data, 0, 0, 3, 2, 4, **ROWS)
    with pytest.raises(wsevm.BadInput, match="not in C order"):
        runner.memcpy_d2h(np.zeros((4, 6), np.float32).T, a, 0, 0, 3, 2, 4, **ROWS)
    with pytest.raises(wsevm.BadInput, match="a task is what a command returns"):
        runner.task_wait(None)
    with pytest.raises(wsevm.BadInput, match="launches are: scale"):
        runner.launch("scalp", nonblock=False)
    with pytest.raises(wsevm.BadInput, match="holds 0 programs"):
        (tmp_path / "empty").mkdir()
        SdkRuntime(tmp_path / "empty")
    early = SdkRuntime(tmp_path / "p.wsa")
    with pytest.raises(wsevm.BadInput, match="comes before run"):
        early.launch("scale", 1, nonblock=False)
    early.stop()
    with pytest.raises(wsevm.BadInput, match="was stopped"):
        early.load()
