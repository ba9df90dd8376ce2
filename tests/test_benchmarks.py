"""The printed figures can be read, and stand beside ours."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
pytestmark = pytest.mark.skipif(
    not (ROOT / "benchmarks").is_dir(), reason="benchmarks are not part of a source distribution"
)


def test_published_figures_are_numbers():
    from benchmarks.papers.tables import published

    for number, rows in ((5, 46), (6, 9), (7, 8)):
        table = published(f"vldb2006_table{number}")
        assert len(table) == rows
        for row in table:
            for name, value in row.items():
                assert name in ("dataset", "method", "measure") or float(value) > 0


def test_theirs_beside_ours(capsys):
    from benchmarks.papers.tables import Figure, side_by_side

    cells = [
        Figure("mdav", "k = 3", 2.0, 2.1),
        Figure("mdav", "k = 5", None, 4.0),
        Figure("md", "k = 5", 4.0, 3.9),
    ]
    side_by_side("Some table", cells, digits=2)
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == "Some table"
    assert lines[4].split() == ["mdav", "|", "2.00", "2.10", "+5.00%", "|", "-", "4.00", "-"]
    assert lines[5].split() == ["md", "|", "|", "4.00", "3.90", "-2.50%"]


def test_readings_agree_with_the_measures(rng):
    import coterie
    from benchmarks.papers.readings import index, reading, variants
    from coterie.aggregation import mean

    x = coterie.standardise(rng.gamma(2.0, size=(150, 4)) @ rng.normal(size=(4, 4)))
    y = mean(x, coterie.partition(x, 4).labels, renormalise=True).table
    measures = ["si", "pil", "dld_expected", "sdid_own"]
    found = coterie.evaluate(x, y, aligned=True, measures=measures)
    ours = reading(x, y)
    assert ours["shares"] == pytest.approx(found["pil"].parts)
    assert index(**ours) == pytest.approx(found["si"].value)
    others = variants(x, y)
    assert others["sdid", "own record"] == found["sdid_own"].value
    assert others["quantiles", "density: kernel, 0.9"] != ours["shares"]["quantiles"]
    assert len({value for key, value in others.items() if key[0] == "quantiles"}) == 16


def test_dev_lists_what_has_a_main(capsys):
    spec = importlib.util.spec_from_file_location("dev", ROOT / "dev.py")
    dev = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(dev)
    assert dev.bench() == 0
    names = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert {"papers", "papers.vldb2006", "speed"} <= set(names)
    assert not {"papers.tables", "speed.textbook"} & set(names)


def test_speed_measures_one_cell_and_says_what_it_left_out(tmp_path, capsys):
    from benchmarks.speed.__main__ import main

    picture = tmp_path / "speed.svg"
    line = "--tables normal --attributes 3 --k 3 --sizes 300 600 --repeats 1 --limit 60 --output"
    main([*line.split(), str(picture)])
    told = capsys.readouterr().out
    assert picture.read_text().lstrip().startswith("<?xml")
    rows = [row.split() for row in told.splitlines() if row.startswith("normal")]
    assert [row[3] for row in rows] == ["300", "600"]
    assert all("equal" in row for row in rows)
    main([*line.replace("60 --out", "0 --out").split(), str(tmp_path / "none.svg")])
    assert "left out" in capsys.readouterr().out
    assert not (tmp_path / "none.svg").exists()
