"""The page of records is what its results say, and a partition file is judged by itself."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import coterie

if not (Path(__file__).parents[1] / "benchmarks").is_dir():
    pytest.skip("benchmarks are not part of a source distribution", allow_module_level=True)

from benchmarks.optimum import records


@pytest.fixture
def table(rng):
    return rng.normal(size=(40, 3))


def test_the_page_is_made_from_the_kept_results():
    made = records.page(records.kept(), records.proved())
    assert records.PAGE.read_text(encoding="utf-8") == made


def test_kept_records_are_written_and_read_again(tmp_path):
    known = records.kept()
    records.keep(known, tmp_path / "some" / "records.json")
    assert records.kept(tmp_path / "some" / "records.json") == known
    assert records.kept(tmp_path / "none.json") == {}


def test_the_hash_knows_groups_not_their_numbers():
    assert records.groups_hash([4, 4, 1, 1]) == records.groups_hash([0, 0, 7, 7])
    assert records.groups_hash([4, 4, 1, 1]) != records.groups_hash([4, 1, 4, 1])


def test_the_better_partition_and_the_higher_bound_are_kept(table):
    good = coterie.partition(table, 3, "optimize", random_state=0, iterations=5)
    poor = coterie.partition(table, 3, "mdav")
    one = records.record_of("Census", poor, 1.0, 2, 0)
    two = records.record_of("Census", good, 1.0, 2, 1)
    assert one.bound is None
    assert one.gap is None
    assert records.better(None, one) is one
    assert records.better(one, two).hash == two.hash
    bounded = records.replace(one, bound=3.0)
    kept = records.better(two, bounded)
    assert (kept.hash, kept.bound) == (two.hash, 3.0)
    assert kept.gap == pytest.approx(100 * (1 - 3.0 / two.percent))


def test_the_page_has_the_higher_bound_rounded_down(table, tmp_path):
    """That of a run, or that of the bound by itself; up, the last digit would not be proved."""
    poor = records.record_of("Census", coterie.partition(table, 3, "mdav"), 1.0, 2, 0)
    one = records.replace(poor, percent=4.667878, bound=4.666689)

    def row(bound, bounds):
        page = records.page({one.name: records.replace(one, bound=bound)}, bounds)
        (line,) = (line for line in page.splitlines() if line.startswith("| Census, k = 3 "))
        return [cell.strip() for cell in line.split("|")][6:8]

    assert row(4.666689, {}) == ["4.6666", "0.03 %"]
    assert row(4.6666, {}) == ["4.6666", "0.03 %"]
    assert row(4.6676, {}) == ["4.6676", "0.01 %"]  # 0.006: a gap is rounded up
    assert row(4.666689, {"Census:3": 4.66699, "Census:4": 6.0}) == ["4.6669", "0.02 %"]
    assert row(4.666689, {"Census:3": 4.0}) == ["4.6666", "0.03 %"]
    assert row(None, {"Census:3": 4.66699}) == ["4.6669", "0.02 %"]
    assert row(None, {}) == ["", ""]
    assert records.proved(tmp_path / "none.json") == {}
    for cell, bound in records.proved().items():
        assert 0 < bound <= records.kept()[cell].percent


def test_a_partition_file_is_checked(table, tmp_path):
    good = coterie.partition(table, 3, "optimize", random_state=0, iterations=5)
    poor = coterie.partition(table, 3, "mdav")
    file = tmp_path / "new" / "labels.csv"
    records.write_labels(file, good.labels)
    assert records.groups_hash(records.read_labels(file)) == records.groups_hash(good.labels)
    known = {"Census:3": records.record_of("Census", good, 1.0, 2, 0)}
    assert "the groups of the record" in records.check(file, "Census:3", table, known)
    assert "no record is kept" in records.check(file, "Census:3", table, {})
    worse = {"Census:3": records.record_of("Census", poor, 1.0, 2, 0)}
    assert "BETTER" in records.check(file, "Census:3", table, worse)
    records.write_labels(file, poor.labels)
    assert "above the record's" in records.check(file, "Census:3", table, known)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"group\n" + b"a\n" * 39, r"40 lines.*Got 39"),
        (b"group\n" + b"a\n" * 39 + b"\n", r"40 lines.*Got 39"),
        (b"label\n" + b"a\n" * 40, r"column 'group'"),
        (b"", r"column 'group'"),
        (b"group\n" + b"a\n" * 38 + b"b\n" * 2, r"must have 3 records. Got one of 2"),
        (b"id,group\n" + b"1,a\n" * 37 + b"1,\n" * 3, r"Record 38 has none"),
        (b"id,group\n" + b"1,a\n" * 37 + b"1\n" * 3, r"Record 38 has none"),
        (b"group\n\xff\n", r"CSV file in UTF-8"),
        (None, r"No such file"),
    ],
)
def test_a_partition_file_that_is_none(text, message, table, tmp_path, monkeypatch, capsys):
    """One line, and the exit code of a mistake."""
    file = tmp_path / "labels.csv"
    if text is not None:
        file.write_bytes(text)
    monkeypatch.setattr(records, "tables", lambda: {"Census": table})
    assert records.main(["--check", str(file), "--cell", "Census:3"]) == 2
    printed, refused = capsys.readouterr()
    assert not printed
    assert refused.count("\n") == 1
    assert re.search(message, refused)


def test_a_good_file_of_any_make_is_checked_by_the_command(table, tmp_path, monkeypatch, capsys):
    """Names for groups, other columns, and the mark that spreadsheets put before the heading."""
    p = coterie.partition(table, 3, "mdav")
    lines = ["group,id", *(f"g{label},{i}" for i, label in enumerate(p.labels))]
    file = tmp_path / "labels.csv"
    file.write_text("\r\n".join(lines), encoding="utf-8-sig")
    monkeypatch.setattr(records, "tables", lambda: {"Census": table})
    assert records.main(["--check", str(file), "--cell", "Census:3"]) == 0
    printed, refused = capsys.readouterr()
    assert f"{len(p.sizes)} groups, {records.groups_hash(p.labels)}" in printed
    assert not refused


@pytest.mark.parametrize("cell", [[], ["--cell", "Census"], ["--cell", "Census:7"]])
def test_a_cell_without_a_record_is_refused(cell, tmp_path, capsys):
    assert records.main(["--check", str(tmp_path / "labels.csv"), *cell]) == 2
    assert "--cell must be one of Tarragona:3" in capsys.readouterr().err
