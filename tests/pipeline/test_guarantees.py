"""Guarantees of a release from the plan to the proof: strata that cannot keep them, evidence."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from coterie.errors import DataError
from coterie.guarantees.proof import NotAdmissible
from coterie.guarantees.repair import RepairRecord
from coterie.pipeline.guarantees import ReleaseGuarantees, guarantee_evidence
from coterie.pipeline.preparation import prepare
from coterie.pipeline.stages import Stages
from coterie.plan import Plan
from coterie.table import read

PEOPLE = pd.DataFrame(
    {
        "age": [30, 31, 32, 50, 51, 52, 70, 71],
        "region": [*"nnnn", *"ssss"],
        "diagnosis": [*"abab", *"aaac"],
        "home": [1, 1, 2, 2, 3, 3, 4, 4],
    }
)


def prepared(**asked):
    plan = Plan(k=2, quasi_identifiers=["age"], **asked)
    return prepare(PEOPLE, plan, Stages(None))


def guarantees(ready):
    return ReleaseGuarantees(ready.plan, ready.beyond_k)


def test_without_any_there_is_nothing_to_keep():
    ready = prepared(strata=["region"])
    assert not guarantees(ready).constraints(ready)


def test_arrays_are_those_of_the_records_kept():
    ready = prepared(unit="home", confidential=["diagnosis"], min_distinct=2)
    found = guarantees(ready).constraints(ready)
    assert len(set(found.units.tolist())) == PEOPLE["home"].nunique()
    (diagnosis,) = found.diversity
    pairs = set(zip(diagnosis.codes.tolist(), PEOPLE["diagnosis"], strict=True))
    assert len(pairs) == PEOPLE["diagnosis"].nunique()
    assert found.on_violation == "repair"


def test_a_stratum_that_cannot_keep_one_is_refused_and_counted():
    asked = {"strata": ["region"], "confidential": ["diagnosis"], "t_closeness": 0.1}
    ready = prepared(**asked)
    with pytest.raises(DataError, match=r"Every stratum must be able .* in 2 of 2 strata"):
        guarantees(ready).constraints(ready)


def test_a_unit_in_several_strata_cannot_stay_together():
    torn = PEOPLE.assign(home=[1, 1, 2, 3, 3, 4, 4, 2])
    plan = Plan(
        k=2, quasi_identifiers=["age"], strata=["region"], unit="home", unit_members="together"
    )
    ready = prepare(torn, plan, Stages(None))
    with pytest.raises(DataError, match=r"2 units .* such as home=2 with 2 values of 'region'"):
        guarantees(ready).constraints(ready)


def test_the_proof_judges_the_classes_of_a_released_table():
    ready = prepared(confidential=["diagnosis"], min_distinct=2)
    proof = guarantees(ready).proof(ready, np.arange(len(PEOPLE)), [("age",)])
    proof(read(PEOPLE.assign(age=[31] * 4 + [60] * 4)))
    with pytest.raises(NotAdmissible):
        proof(read(PEOPLE.assign(age=[31] * 4 + [51] * 3 + [71])))


def test_evidence_says_what_was_asked_and_only_inside_what_was_found():
    ready = prepared(confidential=["diagnosis"], min_distinct=2)
    proof = guarantees(ready).proof(ready, np.arange(len(PEOPLE)), [("age",)])
    findings = proof.findings(read(PEOPLE.assign(age=[31] * 4 + [60] * 4)))
    internal, public = guarantee_evidence([RepairRecord(2.0, 4, {})], 8.0, findings, ready.plan)
    asked = {"rule": "min_distinct", "column": "diagnosis", "asked": 2}
    assert public == {"constraints": [asked], "unit_members": "any"}
    assert internal["constraints"] == [{**asked, "worst": 2.0}]
    assert internal["objective_percent_k_alone"] == 25.0
