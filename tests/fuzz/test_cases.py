"""Cases: the same seed the same case, written and read back, made smaller; a few of each kind."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzz import cases
from tests.fuzz.attempts import attempt
from tests.fuzz.chooser import Drawn
from tests.fuzz.dress import LIBRARIES, column_of, dressed
from tests.fuzz.shrink import shrink


@pytest.mark.parametrize("number", range(30))
def test_a_case_is_made_by_its_seed_and_survives_as_text(number, tmp_path):
    case = cases.generate(f"text-{number}")
    assert ascii(cases.generate(f"text-{number}")) == ascii(case)
    path = tmp_path / "one.case"
    cases.save(case, path, ["rule: what was found\nin two lines"])
    assert ascii(cases.load(path)) == ascii(case)
    assert path.read_text().isascii()


@pytest.mark.parametrize("library", LIBRARIES)
def test_every_dtype_holds_values_of_its_kind(library):
    for number in range(60):
        case = cases.generate(f"dress-{number}", ["memory"])
        for column in case["columns"]:
            options = LIBRARIES[library][column["kind"]]
            made = column_of(
                library, column["kind"], options[number % len(options)], column["values"]
            )
            assert len(made) == case["rows"]


def test_a_case_is_made_smaller():
    case = cases.generate("shrink-3", ["memory"])
    key = case["roles"]["key"][0]
    small = shrink(case, lambda one: key in one["plan"].get("quasi_identifiers", ()), 5.0)
    assert small["rows"] <= 1
    assert [column["name"] for column in small["columns"]] == [key]


@pytest.mark.parametrize("kind", cases.NAMED)
def test_nothing_is_found_in_a_few_cases_of_each_kind(kind):
    for number in range(4):
        case = cases.generate(f"suite-{number}", [kind])
        made = attempt(case)
        assert not made.findings, (case["seed"], [str(found) for found in made.findings])


@settings(deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
@pytest.mark.parametrize("kind", ["memory", "verify", "order"])
def test_nothing_is_found_where_hypothesis_chooses(kind, data):
    """The same generator, but what is found comes back as the simplest case of its kind."""
    case = {"kind": kind, "seed": "hypothesis", **cases.NAMED[kind](Drawn(data))}
    dressed("pyarrow" if case.get("library") == "csv" else case["library"], case["columns"])
    assert not attempt(case).findings
