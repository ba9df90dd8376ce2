"""The page of records is what its results say, and a partition file is judged by itself."""

from __future__ import annotations

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
    assert records.PAGE.read_text(encoding="utf-8") == records.page(records.kept())


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
        ("group\n" + "a\n" * 39, "40 lines.*Got 39"),
        ("label\n" + "a\n" * 40, "column 'group'"),
        ("group\n" + "a\n" * 38 + "b\n" * 2, "must have 3 records. Got one of 2"),
    ],
)
def test_a_partition_file_that_is_none(text, message, table, tmp_path):
    file = tmp_path / "labels.csv"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(SystemExit, match=message):
        records.check(file, "Census:3", table, {})
