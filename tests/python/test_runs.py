"""Runs, launches, records, and what interrupts them."""
import gc
import os
import signal
import threading
import time

import numpy as np
import pytest
import wsevm
from conftest import DEADLOCK, ENDLESS, LAUNCHED, ROOT, ROW

pytestmark = pytest.mark.smoke


def test_records(row, tmp_path):
    record = row.run()
    assert record["grid"] == [4, 1] and record["machine"] == "wse2" and record.message == ""
    assert len(record) == len(list(record)) and "fabric" in record
    busy = record.profile["busy"]
    assert busy.shape == (1, 4) and busy.sum() == record["pe_cycles"]["busy"]
    assert "halted_at" in record.profile and "lazy" not in record.profile
    with pytest.raises(KeyError):
        record.profile["lazy"]
    assert record.profile.meta["record"]["cycles"] == record.cycles
    record.report(str(tmp_path / "r.html"), title="a row")
    assert "a row" in (tmp_path / "r.html").read_text()
    record.write_profile(str(tmp_path / "a.npz"))
    np.testing.assert_array_equal(np.load(tmp_path / "a.npz")["busy"], busy)
    with pytest.raises(wsevm.BadInput, match="/no/such"):
        record.report("/no/such/r.html")


def test_records_in_notebooks(row):
    record = row.run()
    page = record._repr_html_()
    assert page.startswith("<iframe srcdoc=") and len(page) < 200_000
    assert "halted" in page and "image/png" in page and "at most" in page
    assert "image/png" not in wsevm.load(text=ROW, profile=False).run()._repr_html_()
    with pytest.raises(wsevm.EndedBadly) as error:
        wsevm.load("a<b>.wsa", text=DEADLOCK).run()
    assert "<b>" not in error.value.record._repr_html_()
    big = wsevm.load(text=ROW, W=700).run()._repr_html_()
    assert len(big) < 200_000


def test_programs_in_notebooks(row):
    listing = row.program.listing
    assert "fadds y_out, x_in, x_in" in listing and "slots cycles" in listing
    assert repr(row.program) == "<wsevm program: 4 x 1 PEs>"
    page = row.program._repr_html_()
    assert page.startswith("<pre") and "fadds y_out, x_in, x_in" in page and '<span style="color:#a31515">&quot;done&quot;</span>' in page
    assert '<span style="opacity:0.6">  +' in page
    text = ".grid 1, 1\n.program p\n  task main:\n" + '    print "<b>"\n' * 700 + ".place p at (0, 0)\n"
    long = wsevm.load(text=text).program._repr_html_()
    assert "<b>&quot;" not in long and "&lt;b&gt;" in long and "lines more: print(program.listing)" in long
    assert len(long) < 200_000


def test_runs_side_by_side(tmp_path):
    records = {name: wsevm.load(text=ROW, machine=name).run() for name in ("wse2", "wse3")}
    wsevm.report(str(tmp_path / "r.html"), records, title="both")
    assert "both" in (tmp_path / "r.html").read_text()
    with pytest.raises(wsevm.BadInput, match="count is 0"):
        wsevm.report(str(tmp_path / "r.html"), [])


def test_profile_is_that_of_its_record():
    machine = wsevm.load(text=LAUNCHED)
    first = machine.launch("step", 1, 0)
    machine.launch("step", 1, 0)
    with pytest.raises(wsevm.BadInput, match="has continued since"):
        first.profile["busy"]
    assert wsevm.load(text=ROW, profile=False).run().cycles > 0
    with pytest.raises(wsevm.Error, match="profile=1"):
        wsevm.load(text=ROW, profile=False).run().profile["busy"]


def test_steps(row):
    for cycle in range(1, 1000):
        record = row.run(until_cycle=cycle)
        if record.status == "halted":
            break
    assert record.cycles == wsevm.load(text=ROW).run().cycles


def test_launches():
    machine = wsevm.load(text=LAUNCHED)
    assert machine.launches == {"step": ["i32", "f32"]}
    record = machine.launch("step", 3, 0.5)
    assert record.status == "halted" and record.cycles > 0
    np.testing.assert_array_equal(machine["sum"], [[103.5, 103.5]])
    machine.launch("step", np.int32(-1), np.float32(0), on=(1, 0, 1, 1))
    np.testing.assert_array_equal(machine["sum"], [[103.5, 102.5]])
    machine["sum"] = np.float32([[0, 7]])
    machine.prepare("step", 1, 0)
    machine.run()
    np.testing.assert_array_equal(machine["sum"], [[1, 8]])
    for wrong in ((1,), (1.5, 0), (1, 2, 3), (10**12, 0)):
        with pytest.raises(wsevm.BadInput, match="step"):
            machine.launch("step", *wrong)
    with pytest.raises(wsevm.BadInput, match="launches are: step"):
        machine.launch("stop")
    np.testing.assert_array_equal(machine["sum"], [[1, 8]])


def test_bad_ends():
    machine = wsevm.load("dead.wsa", text=DEADLOCK)
    with pytest.raises(wsevm.EndedBadly, match="received 0 of 4 words of red") as error:
        machine.run()
    assert error.value.record.status == "deadlock"
    assert machine["v"].shape == (1, 1, 4)
    limited = wsevm.load(text=ENDLESS, max_cycles=100)
    with pytest.raises(wsevm.EndedBadly, match="limit of 100 cycles") as error:
        limited.run()
    assert error.value.record.status == "cycle_limit"
    expecting = wsevm.load(text=ROW + ".expect total at (0, 0) == 5\n", expect=True)
    with pytest.raises(wsevm.EndedBadly, match="total"):
        expecting.run()


def test_errors_have_a_place():
    with pytest.raises(wsevm.BadInput) as error:
        wsevm.load("a.wsa", text=".grid 1, 1\n.color red\n")
    assert "a.wsa:2:1: error[E011]" in str(error.value) and "did you mean '.colour'" in str(error.value)
    with pytest.raises(ValueError, match="there is no machine 'wse9'"):
        wsevm.load(text=ROW, machine="wse9")
    with pytest.raises(wsevm.BadInput, match="option engine is 'fast'; it takes"):
        wsevm.load(text=ROW, engine="fast")
    with pytest.raises(wsevm.Exhausted, match="out of memory") as error:
        wsevm.load(text=ROW, max_memory="1")
    assert isinstance(error.value, MemoryError)


def test_prints():
    lines = []
    wsevm.load(text=ROW, print=lines.append).run()
    assert len(lines) == 4 and lines[0].endswith("PE(0,0): done")

    def fails(line):
        raise LookupError(line)

    machine = wsevm.load(text=ROW, print=fails)
    with pytest.raises(LookupError, match="done"):
        machine.run()
    assert machine.record.status == "halted"


def test_closed():
    machine = wsevm.load(text=ROW)
    record = machine.run()
    machine.close()
    machine.close()
    for call in (lambda: machine["x_in"], machine.run, lambda: machine.cycle, lambda: record.profile["busy"]):
        with pytest.raises(wsevm.Error):
            call()
    assert "closed" in repr(machine)


def interrupt_soon(seconds):
    thread = threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT))
    thread.start()
    return thread


def test_ctrl_c_gives_the_record():
    machine = wsevm.load(text=ENDLESS)
    timer = interrupt_soon(0.2)
    with pytest.raises(KeyboardInterrupt) as error:
        machine.run()
    timer.join()
    assert isinstance(error.value, wsevm.Interrupted) and error.value.record.status == "interrupted"
    before = machine.cycle
    assert before > 0 and machine["n"].shape == (1, 1)
    assert machine.run(until_cycle=before + 100).status == "cycle_limit"
    assert machine.cycle == before + 100


def test_another_thread_interrupts():
    machine = wsevm.load(text=ENDLESS)
    timer = threading.Timer(0.2, machine.interrupt)
    timer.start()
    with pytest.raises(wsevm.Interrupted):
        machine.run()
    timer.join()


def test_threads_have_machines_of_their_own():
    def cycles(w):
        return {"cycles": wsevm.load(text=ROW, W=w).run().cycles}

    rows = wsevm.sweep(cycles, over={"w": [1, 2, 3, 4]}, workers=3)
    assert [row["w"] for row in rows] == [1, 2, 3, 4]
    assert {row["cycles"] for row in rows} == {rows[0]["cycles"]}

    def fails(w):
        raise LookupError(w)

    with pytest.raises(LookupError):
        wsevm.sweep(fails, over={"w": [1, 2]})


def test_ctrl_c_ends_a_sweep():
    timer = interrupt_soon(0.3)
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        wsevm.sweep(lambda k: wsevm.load(text=ENDLESS).run(), over={"k": [1, 2]}, workers=2)
    timer.join()
    assert time.monotonic() - begin < 20


def test_layouts_and_scripts(tmp_path):
    script = tmp_path / "row.lua"
    script.write_text(
        'local wse = require "wse"\nlocal width = wse.argument("W", 2)\nprint("width " .. width)\n'
        f"local r = wse.run{{text = [[{ROW}]], values = {{W = width}}}}\nwse.user{{twice = 2 * r.cycles}}\n"
    )
    lines = []
    machine = wsevm.layout(lua=script, args={"W": 3}, print=lines.append)
    assert lines == ["width 3"] and machine["x_in"].shape == (1, 3, 3)
    record = wsevm.run(script, W=5, engine="interp", print=lines.append)
    assert lines[1] == "width 5" and record.user["twice"] == 2 * record.cycles and record["grid"] == [5, 1]
    with pytest.raises(wsevm.BadInput, match="record of a script has no profile"):
        record.profile["busy"]
    with pytest.raises(wsevm.BadInput, match="Q"):
        wsevm.run(script, Q=1)
    program = tmp_path / "row.wsa"
    program.write_text(ROW)
    record = wsevm.run(program, inputs={"x_in": 1.0}, W=2)
    np.testing.assert_array_equal(record.machine["y_out"], np.full((1, 2, 3), 3, np.float32))


def test_scripts_are_interrupted(tmp_path):
    script = tmp_path / "endless.lua"
    script.write_text("while true do end\n")
    timer = interrupt_soon(0.3)
    with pytest.raises(wsevm.Interrupted) as error:
        wsevm.run(script)
    timer.join()
    assert error.value.record.status == "interrupted"


def test_nobody_holds_a_machine():
    for _ in range(3):
        wsevm.load(text=ROW).run()
    gc.collect()
    assert wsevm.version() == wsevm.__version__ and "wse2" in wsevm.profiles()
    assert wsevm.load(ROOT / "programs/hello/hello.wsa").run().status == "halted"
