"""Crosswalks: what one says of a release, and what is refused of a file."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import coterie
from coterie.errors import DataError, ParameterError
from coterie.guarantees.panel.crosswalk import Crosswalk, identities, read_crosswalk
from coterie.table import read


@pytest.fixture
def people(rng):
    return pd.DataFrame(
        {
            "id": [f"p{i}" for i in rng.permutation(40)],
            "age": rng.integers(18, 90, 40),
            "household": rng.integers(0, 20, 40),
        }
    )


def released(people, **more):
    more = more or {"declared": ["household"]}
    return coterie.anonymize(people, 4, ["age"], identifiers=["id"], method="mdav", **more)


def test_it_leads_from_released_rows_to_original_ones(people):
    release = released(people)
    found = Crosswalk.of(release, "id")
    assert found.records == 40
    assert sorted(found.rows.tolist()) == list(range(40))
    assert found.identities == people.id.to_numpy()[found.rows].tolist()
    assert found.units is None
    ages = pd.Series(np.asarray(release.data["age"])).groupby(found.classes)
    assert (ages.nunique() == 1).all()  # a class is a released value
    assert found.classes.max() + 1 == release.data["age"].nunique()


def test_what_is_written_is_read_again(people, tmp_path):
    release = released(people.drop(columns="id").assign(id=people.id), unit="household")
    written = Crosswalk.of(release, "id")
    path = tmp_path / "crosswalk.csv"
    path.write_text(written.text())
    found = read_crosswalk(path, "id")
    assert np.array_equal(found.rows, written.rows)
    assert np.array_equal(found.classes, written.classes)
    assert found.records == written.records
    assert found.identities == written.identities
    same = pd.DataFrame({"one": found.units, "other": written.units}).drop_duplicates()
    assert same.one.is_unique
    assert same.other.is_unique
    assert read_crosswalk(path, None).identities is None
    assert read_crosswalk(written, None) is written
    assert read_crosswalk(release, "id").identities == written.identities


def file(tmp_path, **columns):
    whole = {"original_row": [0, 1], "records": [3, 3], "class": [0, 0], **columns}
    path = tmp_path / "crosswalk.csv"
    pd.DataFrame({name: values for name, values in whole.items() if values}).to_csv(
        path, index=False
    )
    return path


@pytest.mark.parametrize(
    ("columns", "match", "message"),
    [
        ({"class": None}, None, "must be a crosswalk, .*without the column 'class'; write that"),
        ({"original_row": [0, 0]}, None, "must name every original row at most once"),
        ({"original_row": [0, 3]}, None, "must name every original row at most once"),
        ({"records": [3, 4]}, None, "must name every original row at most once"),
        ({"class": [0, -1]}, None, "whole numbers in column 'class'. Got others"),
        ({"class": [0.5, 1.0]}, None, "whole numbers in column 'class'. Got others"),
        ({}, "id", "must hold the column to match records by. Got a crosswalk without one"),
        ({"match": ["a", "a"]}, "id", r"Got 0 gap\(s\) and 1 repetition\(s\)"),
    ],
)
def test_what_no_release_has_written_is_refused(tmp_path, columns, match, message):
    with pytest.raises(DataError, match=message):
        read_crosswalk(file(tmp_path, **columns), match)


def test_neither_a_file_nor_a_release():
    with pytest.raises(
        ParameterError, match=r"'previous' parameter of anonymize must be .* Got 3 in"
    ):
        read_crosswalk(3, None)


def test_names_are_whole_and_different():
    frame = pd.DataFrame({"id": ["a", "b", None], "n": [1, 2, 3]})
    assert identities(read(frame), "n") == ["1", "2", "3"]
    with pytest.raises(DataError, match=r"must name every record once. Got 1 gap\(s\)"):
        identities(read(frame), "id")
    with pytest.raises(ParameterError, match=r"Unknown column in match: 'i'. Did you mean 'id'"):
        identities(read(frame), "i")
