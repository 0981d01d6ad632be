"""Machines that are written to files and taken up by others."""
import numpy as np
import pytest
import wsevm
from conftest import DEADLOCK, LAUNCHED

pytestmark = pytest.mark.smoke


def test_a_machine_continues_in_another_one(tmp_path):
    file = tmp_path / "day.one"
    first = wsevm.load(text=LAUNCHED, transport="stepper")
    first.launch("step", 3, 0.5)
    first.checkpoint(file)
    second = wsevm.load(text=LAUNCHED, transport="stepper", threads=2)
    second.restore(file)
    assert second.cycle == first.cycle and second.record.cycles == first.record.cycles
    np.testing.assert_array_equal(second.record.profile["busy"], first.record.profile["busy"])
    for machine in (first, second):
        machine.launch("step", 2, 0.25)
    np.testing.assert_array_equal(second["sum"], first["sum"])
    assert second.cycle == first.cycle


def test_what_cannot_continue_says_why(tmp_path):
    file = tmp_path / "day.one"
    first = wsevm.load(text=LAUNCHED, transport="stepper")
    first.checkpoint(file)
    first.run()
    with pytest.raises(wsevm.Error, match="has run"):
        first.restore(file)
    with pytest.raises(wsevm.BadInput, match="profile kept: true there, false here"):
        wsevm.load(text=LAUNCHED, transport="stepper", profile=False).restore(file)
    with pytest.raises(wsevm.BadInput, match="another program"):
        wsevm.load(text=LAUNCHED.replace("100.0", "101.0"), transport="stepper").restore(file)
    file.write_bytes(file.read_bytes()[:-3])
    with pytest.raises(wsevm.BadInput, match="damaged"):
        wsevm.load(text=LAUNCHED, transport="stepper").restore(file)
    stuck = wsevm.load(text=DEADLOCK, transport="stepper")
    with pytest.raises(wsevm.EndedBadly):
        stuck.run()
    with pytest.raises(wsevm.EndedBadly, match="no checkpoint"):
        stuck.checkpoint(file)
