"""Arrays go in and come out as NumPy has them, or an exception says why not."""
import numpy as np
import pytest
import wsevm

pytestmark = pytest.mark.smoke


def test_in_and_out(row):
    x = np.arange(12, dtype=np.float32).reshape(1, 4, 3)
    row["x_in"] = x
    record = row.run()
    y = row["y_out"]
    np.testing.assert_array_equal(y, 2 * x + 1)
    assert y.flags.owndata and y.flags.writeable and y.dtype == np.float32
    assert record.status == "halted" and record.cycles > 0 and row.cycle >= record.cycles
    y[:] = 0
    np.testing.assert_array_equal(row["y_out"], 2 * x + 1)


def test_shapes(row):
    assert row["small"].shape == (1, 4, 2) and row["small"].dtype == np.int16
    assert row["table"].shape == (1, 4, 2, 3)
    assert row["total"].shape == (1, 4)
    assert row.arrays == ["x_in", "y_out", "small", "table", "total"]
    assert row.info("table") == (np.dtype("i4"), (0, 0, 4, 1), (2, 3))
    np.testing.assert_array_equal(row["table"][0, 2], [[0, 1, 2], [3, 4, 5]])


def test_parts(row):
    row.put("x_in", np.float32([[[10, 11], [20, 21]]]), rect=(1, 0, 2, 1), elements=(1, 3))
    np.testing.assert_array_equal(row["x_in"][0], [[0, 0, 0], [0, 10, 11], [0, 20, 21], [0, 0, 0]])
    np.testing.assert_array_equal(row.get("small", rect=(2, 0, 1, 1)), [[[20, 21]]])
    np.testing.assert_array_equal(row.get("table", elements=(4, 6))[0, 0], [4, 5])


def test_numbers_and_lists(row):
    row["x_in"] = 1.5
    np.testing.assert_array_equal(row["x_in"], np.full((1, 4, 3), 1.5, np.float32))
    row["total"] = [[1, 2, 3, 4]]
    np.testing.assert_array_equal(row["total"], [[1, 2, 3, 4]])
    row["total"] = np.float32([[[4], [3], [2], [1]]])  # a scalar is an array of one element, too
    np.testing.assert_array_equal(row["total"], [[4, 3, 2, 1]])
    row["x_in"] = np.arange(24, dtype=np.float32).reshape(1, 4, 6)[:, :, ::2]  # not in C order
    np.testing.assert_array_equal(row["x_in"][0, 1], [6, 8, 10])


def test_no_copy_on_the_way_in(row, monkeypatch):
    x = np.zeros((1, 4, 3), np.float32)
    seen = []
    original = wsevm._library.call
    monkeypatch.setattr(
        wsevm._library, "call", lambda *a: (seen.append(a), original(*a))[1]
    )
    row["x_in"] = x
    write = [call for call in seen if call[0] == "wsevm_write"][0]
    assert write[5].value == x.ctypes.data


@pytest.mark.parametrize(
    "value, words",
    [
        (np.zeros((1, 4, 3)), "dtype float64, but 'x_in' is float32; convert it with .astype('float32')"),
        (np.zeros((4, 3), np.float32), "shape (4, 3), but 'x_in' needs (1, 4, 3)"),
        (np.zeros((1, 4, 3), ">f4"), "dtype >f4"),
        ("text", "takes numbers"),
        (None, "takes numbers"),
        ([[1, 2]], "shape (1, 2)"),
    ],
)
def test_wrong_values(row, value, words):
    with pytest.raises(wsevm.BadInput) as error:
        row["x_in"] = value
    assert words in str(error.value)
    np.testing.assert_array_equal(row["x_in"], np.zeros((1, 4, 3)))


def test_integers_stay_integers(row):
    for value in (0.5, 1e10, 2**40, [1, 2]):
        with pytest.raises(wsevm.BadInput):
            row["table"] = value
    row["table"] = 3.0
    assert row["table"].sum() == 3 * 24


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda m: m["none"], "no program on the grid exports 'none'"),
        (lambda m: m["hidden"], "write 'exported' after its name"),
        (lambda m: m["a\0b"], "has a zero character"),
        (lambda m: m.get("x_in", rect=(3, 0, 2, 1)), "x_in"),
        (lambda m: m.get("x_in", rect=(-1, 0, 2, 1)), "x is -1"),
        (lambda m: m.get("x_in", rect=(0, 0, 1)), "(x, y, width, height) is wanted"),
        (lambda m: m.get("x_in", rect=3), "(x, y, width, height) is wanted"),
        (lambda m: m.get("x_in", rect=(0.5, 0, 1, 1)), "a whole number is wanted"),
        (lambda m: m.get("x_in", elements=(2, 4)), "elements 0 to 2"),
        (lambda m: m.get("x_in", elements=(2, 2)), "elements 0 to 2"),
        (lambda m: m.get("x_in", elements=1), "(first, end) is wanted"),
        (lambda m: m.symbol(9, 0, "hidden"), "PE(9, 0) lies outside the grid"),
        (lambda m: m.symbol(0, 0, "secret"), "no program has a symbol 'secret'"),
        (lambda m: m.run(until_cycle=-1), "until_cycle is -1"),
        (lambda m: m.launch("step"), "no program on the grid exports a task 'step'"),
    ],
)
def test_wrong_calls(row, call, words):
    with pytest.raises(wsevm.BadInput) as error:
        call(row)
    assert words in str(error.value)


def test_symbols(row):
    assert row.symbol(2, 0, "hidden") == 7
    row.set_symbol(2, 0, "hidden", 40)
    assert row.symbol(2, 0, "hidden") == 40 and row.symbol(1, 0, "hidden") == 7
    row.run()
    assert row.symbol(2, 0, "hidden") == 9
    np.testing.assert_array_equal(row.symbol(1, 0, "small"), [10, 11])
