"""Pages whose Python runs as it stands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parent.parent / "docs"


@pytest.mark.skipif(not DOCS.is_dir(), reason="docs are not part of a source distribution")
@pytest.mark.parametrize("name", ["rules", "panel", "dossier"])
def test_the_page_runs(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = (DOCS / f"{name}.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL)
    assert blocks
    exec("\n".join(blocks), {"__name__": name})
