"""What takes seconds: examples, many launches, large arrays, installation."""
import os
import resource
import subprocess
import sys
import time

import numpy as np
import pytest
import wsevm
from conftest import LAUNCHED, ROOT
from test_streams import STREAMS

pytestmark = pytest.mark.slow
PYTHON = ROOT / "scripts" / "python"


def resident():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


@pytest.mark.parametrize(
    "example", sorted(str(path.relative_to(PYTHON / "examples")) for path in (PYTHON / "examples").rglob("*.py"))
)
def test_examples_give_what_numpy_gives(example):
    done = subprocess.run(
        [sys.executable, "-X", "dev", "-W", "error", str(PYTHON / "examples" / example)],
        env={**os.environ, "PYTHONPATH": str(PYTHON)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == "" and "as NumPy has it" in done.stdout


def test_launches_do_not_grow():
    machine = wsevm.load(text=LAUNCHED, profile=False, engine="interp")
    for _ in range(20_000):
        machine.launch("step", 1, 0)
    before = resident()
    for _ in range(80_000):
        machine.launch("step", 1, 0)
    assert machine["sum"][0, 0] == 100 + 100_000
    assert resident() - before < 4 << 20


def test_streams_do_not_grow():
    machine = wsevm.load(text=STREAMS, profile=False, engine="interp")
    values = np.arange(20, dtype=np.float32).reshape(2, 1, 10)
    machine.send("wide", values[..., :1])
    machine.run()

    def go_on(turns):
        for _ in range(turns):
            machine.send("wide", values)
            machine.run()
            machine.receive("out", 10)  # one is always left

    go_on(1000)
    before = resident()
    go_on(5000)
    assert machine.arrived("out") == 1
    assert resident() - before < 1 << 20


def test_machines_do_not_stay():
    for _ in range(200):
        wsevm.load(text=LAUNCHED).launch("step", 1, 0)
    before = resident()
    for _ in range(1000):
        wsevm.load(text=LAUNCHED).launch("step", 1, 0)
    assert resident() - before < 16 << 20


def test_reading_is_half_as_fast_as_memory():
    text = (
        ".const W = 128\n.grid W, W\n.program p\n  .f32 v[8192] exported\n  task main:\n    fmovs v, 1.0\n"
        ".place p at (0..W - 1, 0..W - 1)\n"
    )
    machine = wsevm.load(text=text, profile=False)
    machine.run()
    values = machine["v"]
    assert values.nbytes == 1 << 29 and values.min() == 1
    copied, read = [], []
    for _ in range(3):
        begin = time.perf_counter()
        copy = values.copy()
        copied.append(time.perf_counter() - begin)
        del copy
        begin = time.perf_counter()
        other = machine["v"]
        read.append(time.perf_counter() - begin)
        del other
    assert min(read) < 2 * min(copied)


def test_it_installs_without_a_network(tmp_path):
    source = tmp_path / "source"
    subprocess.run(["cp", "-r", str(PYTHON), str(source)], check=True)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--no-index"]
    subprocess.run(
        [*pip, "--no-build-isolation", "--no-deps", "-q", "--target", str(tmp_path / "there"), str(source)], check=True
    )
    program = "import wsevm; print(wsevm.__file__, wsevm.load('programs/hello/hello.wsa').run().status)"
    environment = {
        **os.environ,
        "PYTHONPATH": str(tmp_path / "there"),
        "WSEVM_LIBRARY": str(ROOT / "build" / "libwsevm.so.0"),
    }
    done = subprocess.run(
        [sys.executable, "-X", "dev", "-W", "error", "-c", program],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert str(tmp_path / "there") in done.stdout and "halted" in done.stdout
    missing = subprocess.run(
        [sys.executable, "-c", "import wsevm"],
        cwd=tmp_path,
        env={**environment, "WSEVM_LIBRARY": "/no/such.so"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert missing.returncode != 0 and "name the file in WSEVM_LIBRARY" in missing.stderr


def test_the_demo_names_a_line_that_repeats_it():
    show = "source <(sed -n '/^python_demo/p' dev); printf '%s' \"$python_demo\""
    line = subprocess.run(["bash", "-c", show], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert "'" not in line
    environment = {**os.environ, "PYTHONPATH": "scripts/python"}
    done = subprocess.run(
        [sys.executable, "-X", "dev", "-W", "error", "-c", line],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    shell = subprocess.run(
        ["build/wsevm", "run", "programs/heat/heat.wsa", "steps=20", "--in", "x=programs/heat/field.npy"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    cycles = shell.stdout.split("halted: ")[1].split()[0]
    assert done.stdout.startswith(f"{cycles} cycles; hottest cell: ")


def test_types_are_documented():
    for name in wsevm.__all__:
        assert getattr(wsevm, name).__doc__, name
    assert (PYTHON / "wsevm" / "py.typed").exists()


def test_random_launches_equal_numpy():
    rng = np.random.default_rng(5)
    machine = wsevm.load(text=LAUNCHED, profile=False)
    sums = np.full((1, 2), 100, np.float32)
    for _ in range(300):
        n, more = int(rng.integers(-9, 9)), float(rng.integers(-8, 8)) / 4
        x = int(rng.integers(0, 2))
        machine.launch("step", n, more, on=(x, 0, 1, 1))
        sums[0, x] += np.float32(n + more)
        np.testing.assert_array_equal(machine["sum"], sums)
