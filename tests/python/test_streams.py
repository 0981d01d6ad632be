"""Streams: what is sent goes in, what has left comes out, or an exception says why not."""
import numpy as np
import pytest
import wsevm
from wsevm.sdk import MemcpyDataType, MemcpyOrder, SdkRuntime

pytestmark = pytest.mark.smoke

# Each PE of the column doubles what comes; `wide` is at both PEs, `narrow` at the first alone.
STREAMS = """.grid 1, 2
.colour wide, out, narrow
.program twice(first: const = y == 0)
  .f32 v
  .i32 calls exported
  .i16 small[4] exported
  .microthread taking
  task main:
  .if first
    mov16 small, fabin(narrow, length=4) async taking
  .end
  again:
    fmovs v, fabin(wide)
    fadds fabout(out), v, v
    jmp   again
.place twice at (0, 0..1)
.route wide at (0, 0..1): west -> ramp
.route out at (0, 0..1): ramp -> east
.route narrow at (0, 0): north -> ramp
.stream wide: f32 at (0, 0..1): west -> wide
.stream out: f32 at (0, 0..1): out -> east
.stream narrow: i16 at (0, 0): north -> narrow
"""


@pytest.fixture
def machine():
    with wsevm.load(text=STREAMS) as made:
        yield made


def test_in_and_out(machine):
    assert machine.streams == {"wide": "in", "out": "out", "narrow": "in"} and machine.arrays == ["calls", "small"]
    values = np.arange(6, dtype=np.float32).reshape(2, 1, 3)
    machine.send("wide", values)
    assert machine.arrived("out") == 0
    record = machine.run()
    assert record.status == "halted" and record["transport"] == "stepper"
    assert machine.arrived("out") == 3
    first = machine.receive("out", 1)
    np.testing.assert_array_equal(first, 2 * values[..., :1])
    assert first.dtype == np.float32 and first.flags.owndata
    machine.send("wide", [[[9]], [[10]]])
    machine.run()
    np.testing.assert_array_equal(machine.receive("out"), [[[2, 4, 18]], [[8, 10, 20]]])
    assert machine.receive("out").shape == (2, 1, 0)


def test_one_pe_takes_a_list(machine):
    machine.send("narrow", [1, -2])
    machine.send("narrow", np.int16([3, 4]))
    machine.run()
    np.testing.assert_array_equal(machine["small"][0, 0], [1, -2, 3, 4])


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda m: m.send("none", [1]), "there is no stream 'none'; the program has wide, out, narrow"),
        (lambda m: m.receive("calls"), "there is no stream 'calls'"),
        (lambda m: m.send("out", [[[1]], [[1]]]), "leaves the grid: receive from it"),
        (lambda m: m.receive("wide"), "enters the grid: send to it"),
        (lambda m: m.receive("wide", 0), "enters the grid: send to it"),
        (lambda m: m.arrived("wide"), "enters the grid: send to it"),
        (lambda m: m.send("wide", [1, 2]), "shape (2,), but stream 'wide' needs (2, 1, n)"),
        (lambda m: m.send("wide", 1), "shape (), but stream 'wide' needs (2, 1, n)"),
        (lambda m: m.send("wide", np.zeros((2, 1, 3))), "dtype float64, but 'wide' is float32"),
        (lambda m: m.send("narrow", [0.5]), "'narrow' is int16, and not all of the numbers"),
        (lambda m: m.receive("out", 1), "0 elements of each PE have left, not 1"),
        (lambda m: m.receive("out", 2**32 - 1), "0 elements of each PE have left"),
        (lambda m: m.receive("out", -1), "n is -1"),
    ],
)
def test_what_is_refused(machine, call, words):
    with pytest.raises(wsevm.BadInput) as error:
        call(machine)
    assert words in str(error.value)


def test_a_profile_is_gone_when_elements_come(machine):
    record = machine.run()
    machine.send("narrow", [1])
    with pytest.raises(wsevm.BadInput, match="has continued since"):
        record.profile["busy"]


def test_streaming_copies(tmp_path):
    (tmp_path / "p.wsa").write_text(STREAMS)
    runner = SdkRuntime(tmp_path)
    wide, out, narrow, small = (runner.get_id(name) for name in ("wide", "out", "narrow", "small"))
    how = {"streaming": True, "order": MemcpyOrder.ROW_MAJOR, "data_type": MemcpyDataType.MEMCPY_32BIT, "nonblock": True}
    low = {**how, "data_type": MemcpyDataType.MEMCPY_16BIT}
    runner.load()
    runner.run()
    data = np.arange(6, dtype=np.float32)
    task = runner.memcpy_h2d(wide, data, 0, 0, 1, 2, 3, **how)
    runner.memcpy_h2d(narrow, np.arange(4, dtype=np.uint32), 0, 0, 1, 1, 4, **low)
    runner.task_wait(task)
    back = np.zeros(6, np.float32)
    runner.memcpy_d2h(back, out, 0, 0, 1, 2, 3, **{**how, "nonblock": False})
    np.testing.assert_array_equal(back, 2 * data)
    runner.memcpy_h2d(wide, data, 0, 0, 1, 2, 3, **{**how, "order": MemcpyOrder.COL_MAJOR})
    runner.memcpy_d2h(back, out, 0, 0, 1, 2, 3, **{**how, "order": MemcpyOrder.COL_MAJOR})
    np.testing.assert_array_equal(back, 2 * data)
    halves = np.zeros(4, np.uint32)
    runner.memcpy_d2h(halves, small, 0, 0, 1, 1, 4, **{**low, "streaming": False})
    np.testing.assert_array_equal(halves, np.arange(4))
    for words, call in (
        ("is an array; copy with streaming=False", lambda: runner.memcpy_h2d(small, halves, 0, 0, 1, 1, 4, **low)),
        ("a stream that enters; copy h2d", lambda: runner.memcpy_d2h(back, wide, 0, 0, 1, 2, 3, **how)),
        ("a stream that leaves; copy d2h", lambda: runner.memcpy_h2d(out, data, 0, 0, 1, 2, 3, **how)),
        ("copy h2d with streaming=True", lambda: runner.memcpy_h2d(wide, data, 0, 0, 1, 2, 3, **{**how, "streaming": False})),
        (r"is at PEs \(0, 0, 1, 2\)", lambda: runner.memcpy_h2d(wide, data, 0, 0, 1, 1, 6, **how)),
        ("0 elements of each PE have left, not 3", lambda: runner.memcpy_d2h(back, out, 0, 0, 1, 2, 3, **how)),
    ):
        with pytest.raises(wsevm.BadInput, match=words):
            call()
    runner.stop()
