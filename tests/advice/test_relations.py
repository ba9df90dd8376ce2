"""Relations between columns: found where they are, and not where they are not."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from coterie.advice.facts import facts
from coterie.advice.relations import find_relations
from coterie.table import read

N = 500


def related(**columns):
    found = find_relations(facts(read(pd.DataFrame(columns))))
    return {(r.column, tuple(sorted(r.of))): r for r in found}


@pytest.fixture
def rng():
    return np.random.default_rng(5)


def test_sums_and_differences(rng):
    a, b = rng.gamma(1, 1000, N).round(2), rng.gamma(1, 1000, N).round(2)
    found = related(a=a, b=b, total=a + b, noise=rng.normal(0, 1, N))
    one = found["total", ("a", "b")]
    assert (one.kind, one.exact, one.share) == ("sum", True, 1.0)
    assert one.text == "total = a + b"
    assert found["a", ("b", "total")].kind == "sum"
    assert not any("noise" in of or name == "noise" for name, of in found)


@pytest.mark.parametrize(
    ("make", "kind"),
    [
        (lambda x: 2.5 * x - 7, "scaled"),
        (lambda x: np.log(x).round(3), "logged"),
        (lambda x: x, "equal"),
        (lambda x: (x / 1000).round(1), "scaled"),
    ],
)
def test_single_columns(rng, make, kind):
    x = np.exp(rng.normal(9, 1, N)).round(0) + 1000
    found = related(x=x, y=make(x), z=rng.normal(0, 1, N))
    assert found["x", ("y",)].kind == kind
    assert found["x", ("y",)].share >= 0.99


def test_ratios(rng):
    a, b = rng.uniform(1, 9, N), rng.uniform(1, 9, N)
    assert related(a=a, b=b, r=a / b)["r", ("a", "b")].kind == "product"


def test_an_age_gives_back_a_year_of_birth(rng):
    born = pd.to_datetime("1940-01-01") + pd.to_timedelta(rng.integers(0, 25000, N), unit="D")
    age = 2020 - born.year
    found = related(born=born, age=age)
    assert found["born", ("age",)].kind == "scaled"
    assert not found["born", ("age",)].exact


def test_prefixes_and_functions(rng):
    code = rng.choice(["A011", "A012", "A021", "B011", "B022", "C100"], N)
    found = related(code=code, chapter=[c[:2] for c in code], other=rng.choice(["x", "y"], N))
    assert found["chapter", ("code",)].kind == "prefix"
    assert not any(name == "other" or "other" in of for name, of in found)


@pytest.mark.parametrize("seed", range(5))
def test_correlation_is_no_relation(seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(0, 1, N)
    noisy = {f"x{i}": x + rng.normal(0, 0.2, N) for i in range(6)}
    assert related(x=x, **noisy) == {}


def test_small_tables_have_none():
    rng = np.random.default_rng(0)
    assert related(**{name: rng.normal(0, 1, 20) for name in "abcdefgh"}) == {}


def test_gaps_do_not_hide_a_relation(rng):
    a, b = rng.gamma(1, 1000, N), rng.gamma(1, 1000, N)
    total = a + b
    a[rng.random(N) < 0.2] = np.nan
    assert related(a=a, b=b, total=total)["total", ("a", "b")].kind == "sum"


@pytest.mark.parametrize("size", [1e300, 1e-300])
def test_numbers_whose_squares_are_no_floats(rng, size):
    odd = rng.normal(0, 1, N) * size
    found = related(odd=odd, same=odd, half=odd / 2, other=rng.normal(0, 1, N))
    assert {column for column, _ in found} == {"odd", "same", "half"}
    assert all("other" not in (column, *of) for column, of in found)
