"""The demonstration: everything it names is written, and it says where to look."""

from __future__ import annotations

import pandas as pd

import coterie
from coterie.cli.demonstration import KEYS, WRITTEN, main


def test_the_demo_writes_what_it_names(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr("coterie.cli.demonstration.METHODS", ("mdav", "mdav-mhm"))
    monkeypatch.setattr("coterie.cli.demonstration.METHOD", "mdav")
    main(str(tmp_path / "demo"))
    out = capsys.readouterr().out
    for name in WRITTEN:
        assert name in out
        assert (tmp_path / "demo" / name).stat().st_size > 1000
    assert "Every record shares its 4 key attributes" in " ".join(out.split())
    released = pd.read_csv(tmp_path / "demo" / "released.csv")
    assert coterie.verify(released, 5, KEYS).achieved >= 5
    public = (tmp_path / "demo" / "report-public.html").read_text()
    assert "not for publication" not in public
