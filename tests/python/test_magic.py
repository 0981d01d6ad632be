"""Cells that are programs: what their lines say, what they make, and what is told of mistakes."""
import sys
import types

import numpy as np
import pytest
import wsevm
from conftest import DEADLOCK, ENDLESS, LAUNCHED, ROW
from test_streams import STREAMS
from wsevm._magic import read_line, wsa

pytestmark = pytest.mark.smoke


def test_lines():
    assert read_line("") == (None, {}, {})
    assert read_line("m P=4 name='a b'") == ("m", {"P": "4", "name": "a b"}, {})
    assert read_line("P=4 --machine=wse3 --max-cycles=10 --strict") == (
        None,
        {"P": "4"},
        {"machine": "wse3", "max_cycles": "10", "strict": True},
    )
    for line, words in (
        ("--colour=red", "there is no option '--colour'; the options are --machine"),
        ("--text=x", "there is no option '--text'"),
        ("m n", "'n' is neither a name nor key=value"),
        ("2m", "'2m' is neither"),
        ("2=3", "'2=3' is neither"),
        ("'", "No closing quotation"),
    ):
        with pytest.raises(wsevm.BadInput) as error:
            read_line(line)
        assert words in str(error.value)


def test_a_cell_with_a_name_is_a_machine(capsys):
    namespace = {}
    assert wsa("m W=2 --machine=wse3", ROW, namespace) is None
    machine = namespace["m"]
    assert capsys.readouterr().out == "m: 2 x 1 PEs; arrays x_in, y_out, small, table, total\n"
    machine["x_in"] = 1
    assert machine.run()["machine"] == "wse3"
    np.testing.assert_array_equal(machine["y_out"], np.full((1, 2, 3), 3, np.float32))
    wsa("n", LAUNCHED, namespace)
    wsa("o", STREAMS, namespace)
    lines = capsys.readouterr().out.splitlines()
    assert lines == [
        "n: 2 x 1 PEs; arrays sum; launches step",
        "o: 1 x 2 PEs; arrays calls, small; streams wide, out, narrow",
    ]


def test_a_cell_without_a_name_runs(capsys):
    record = wsa("W=2", ROW, {})
    assert record.status == "halted" and record["grid"] == [2, 1]
    assert capsys.readouterr().out.splitlines()[1].endswith("PE(1,0): done")


def test_warnings_are_shown(capsys):
    wsa("m", DEADLOCK, {})
    out = capsys.readouterr().out
    assert "warning[" in out and "cell.wsa:6" in out


class Shell:
    """What a notebook gives to its extensions."""

    def __init__(self):
        self.user_ns = {}
        self.magics = {}

    def register_magic_function(self, function, kind, name):
        self.magics[kind, name] = function


def test_the_extension(monkeypatch):
    class UsageError(Exception):
        pass

    monkeypatch.setitem(sys.modules, "IPython", types.ModuleType("IPython"))
    monkeypatch.setitem(sys.modules, "IPython.core", types.ModuleType("IPython.core"))
    errors = types.ModuleType("IPython.core.error")
    errors.UsageError = UsageError
    monkeypatch.setitem(sys.modules, "IPython.core.error", errors)
    shell = Shell()
    wsevm.load_ipython_extension(shell)
    magic = shell.magics["cell", "wsa"]
    assert magic("m", ROW) is None and shell.user_ns["m"]["total"].shape == (1, 4)
    assert magic("", ROW).status == "halted"
    for line, cell, words in (
        ("m n", ROW, "is neither a name"),
        ("", ".color red\n", "cell.wsa:1:1: error[E011]"),
        ("", DEADLOCK, "received 0 of 4 words of red"),
        ("--max-cycles=50", ENDLESS, "limit of 50 cycles"),
        ("--machine=wse9", ROW, "there is no machine 'wse9'"),
    ):
        with pytest.raises(UsageError, match=words.replace("[", r"\[")):
            magic(line, cell)
    assert "Assembles the cell" in magic.__doc__
