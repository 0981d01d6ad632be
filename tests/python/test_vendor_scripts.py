"""Host scripts in the shape of the vendor's: they call SdkRuntime as it is documented, and little else is wsevm's."""
import ast
import runpy

import pytest
from conftest import ROOT

pytestmark = pytest.mark.smoke

SCRIPTS = sorted((ROOT / "scripts" / "python" / "examples" / "sdk").glob("*.py"))
# The documented calls: how many positional arguments they take, and all of their keywords.
COPY = {"streaming", "order", "data_type", "nonblock"}
CALLS = {
    "get_id": (1, set()),
    "load": (0, set()),
    "run": (0, set()),
    "stop": (0, set()),
    "launch": (None, {"nonblock"}),
    "memcpy_h2d": (7, COPY),
    "memcpy_d2h": (7, COPY),
    "task_wait": (1, set()),
}


def test_all_shapes_are_there():
    names = {script.stem for script in SCRIPTS}
    wanted = {f"gemv_0{k}" for k in range(1, 6)} | {"conjugate_gradient", "histogram_torus", "bandwidth_test"}
    assert names == wanted
    assert all(script.with_suffix(".wsa").exists() for script in SCRIPTS)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_they_give_what_numpy_gives(script, capsys):
    runpy.run_path(str(script))
    assert "as NumPy has it" in capsys.readouterr().out


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_documented_calls_alone(script):
    text = script.read_text(encoding="utf-8")
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "runner":
            assert node.attr in CALLS, f"{script.name}:{node.lineno}"
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        if not isinstance(node.func.value, ast.Name) or node.func.value.id != "runner":
            continue
        positional, keywords = CALLS[node.func.attr]
        assert positional is None or len(node.args) == positional, f"{script.name}:{node.lineno}"
        given = {keyword.arg for keyword in node.keywords}
        spread = any(keyword.arg is None for keyword in node.keywords)
        assert given == keywords or (spread and given <= keywords | {None}), f"{script.name}:{node.lineno}"
    own = [line for line in text.splitlines() if "wsevm" in line or "SdkRuntime(" in line]
    assert len(own) <= 10
