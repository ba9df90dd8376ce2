"""A release in memory: what it says of itself, what it proves, what it refuses to write."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import coterie
from coterie.table.source import from_frame


@pytest.fixture(scope="module")
def release():
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"x": rng.normal(size=30), "y": rng.integers(0, 9, 30), "note": "as is"})
    return coterie.anonymize(table, k=3, quasi_identifiers=["x", "y"], method="mdav")


def test_it_says_what_it_is(release):
    assert (release.records, release.columns) == (30, ["x", "y", "note"])
    assert release.k == 3
    assert not release.masked_only
    assert release.column("note").to_list() == ["as is"] * 30
    assert release.partition.sizes.min() >= 3
    assert str(release).startswith("k-anonymous on x, y: 30 records")
    assert str(release).endswith(f"{release.information_loss:.2f} % of the information lost")


def test_evidence_is_of_two_kinds_and_no_third(release):
    assert json.loads(release.evidence.json())["k"] == 3
    assert "asked" in json.loads(release.evidence.json("internal"))
    with pytest.raises(coterie.DataError, match="kind must be 'public' or 'internal'"):
        release.evidence.json("secret")


def test_it_proves_itself_and_tables_read_back(release):
    (counted,) = release.prove()
    assert counted == release.verification
    assert release.prove(from_frame(release.data)) == (counted,)
    shorter = from_frame(release.data.iloc[1:])
    with pytest.raises(coterie.DataError, match=r"must hold the 30 rows and 3 columns"):
        release.prove(shorter)
    torn = release.data.copy()
    torn.loc[0, "x"] += 1.0
    with pytest.raises(coterie.NotKAnonymous):
        release.prove(from_frame(torn))


def test_every_further_proof_is_asked(release):
    import dataclasses

    seen = []
    watched = dataclasses.replace(release, proofs=(*release.proofs, seen.append))
    watched.prove()
    assert len(seen) == 1


def test_a_report_replaces_no_input(tmp_path):
    original = tmp_path / "in.csv"
    pd.DataFrame({"x": np.arange(9.0)}).to_csv(original, index=False)
    release = coterie.anonymize(original, k=3, quasi_identifiers=["x"])
    assert release.inputs == (str(original),)
    link = tmp_path / "report.html"
    link.symlink_to(original)
    with pytest.raises(coterie.ParameterError, match="a file other than the input"):
        release.report(link)
    with pytest.raises(coterie.ParameterError, match="path"):
        release.report(tmp_path / "report.txt")
    assert original.read_text().startswith("x\n")
