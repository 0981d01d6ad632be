"""What pages show of Python is what it prints."""
import contextlib
import io
import re

import pytest
from conftest import ROOT

pytestmark = pytest.mark.smoke
BLOCK = re.compile(r"^```python\n(.*?)^```\n(?:\n?```text\n(.*?)^```\n)?", re.MULTILINE | re.DOTALL)
PAGES = ["README.md", "scripts/python/README.md"]


@pytest.mark.parametrize("page", PAGES)
def test_blocks(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = BLOCK.findall((ROOT / page).read_text(encoding="utf-8"))
    assert blocks
    for code, shown in blocks:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, page, "exec"), {})  # pylint: disable=exec-used
        assert printed.getvalue() == shown, page
