"""Rules as text: what is read, what is refused and how, and contradictions."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest

from coterie.centroids.edits import read_rules, refuse_contradictions
from coterie.errors import ParameterError

COLUMNS = ["a", "b", "c", "total", "net income", "class"]


def parts(text):
    (rule,) = read_rules([text], COLUMNS)
    return [(dict(p.coefficients), "==" if p.equal else "<=", p.bound) for p in rule.parts]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("a >= 0", [({"a": -1}, "<=", 0)]),
        ("0 <= a <= 120", [({"a": -1}, "<=", 0), ({"a": 1}, "<=", 120)]),
        ("total == a + b + c", [({"total": 1, "a": -1, "b": -1, "c": -1}, "==", 0)]),
        ("3*a - b/2 >= 10", [({"a": -3, "b": 0.5}, "<=", -10)]),
        ("2*(a + b)*3 <= total - -1", [({"a": 6, "b": 6, "total": -1}, "<=", 1)]),
        ("a <= b", [({"a": 1, "b": -1}, "<=", 0)]),
        ('"net income" >= 0.5', [({"net income": -1}, "<=", -0.5)]),
        ("'class' == 2", [({"class": 1}, "==", 2)]),
        (
            "abs(total - a) <= 1",
            [({"total": 1, "a": -1}, "<=", 1), ({"total": -1, "a": 1}, "<=", 1)],
        ),
        ("1 >= abs(a)", [({"a": 1}, "<=", 1), ({"a": -1}, "<=", 1)]),
        ("a + a >= a", [({"a": -1}, "<=", 0)]),
        ("--a >= +0", [({"a": -1}, "<=", 0)]),
    ],
)
def test_what_is_read(text, wanted):
    assert parts(text) == wanted


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a * b >= 0", "must be linear"),
        ("a / b <= 1", "division by a column"),
        ("a / 0 <= 1", "divide by another number"),
        ("a ** 2 <= 1", "sum of columns"),
        ("a > 0", "Got '>'"),
        ("a != 0", "Got '!='"),
        ("a in b", "a word"),
        ("a", "no comparison"),
        ("", "cannot be read"),
        ("a ==", "cannot be read"),
        ("a >= 0; b >= 0", "cannot be read"),
        ("1 >= 0", "numbers alone"),
        ("a - a >= 0", "numbers alone"),
        ("tootal == a", "Did you mean 'total'?"),
        ("a >= 1e400", "finite"),
        ("a >= 10**400", "sum of columns"),
        (f"a >= 1{'0' * 400}", "finite"),
        ("a >= True", "sum of columns"),
        ("a >= 1j", "sum of columns"),
        ("abs(a) >= 1", "abs only as"),
        ("abs(a, b) <= 1", "abs only as"),
        ("a.b >= 0", "sum of columns"),
        ("a[0] >= 0", "sum of columns"),
        ("__import__('os').system('true') == 0", "sum of columns"),
        ("(lambda: a)() >= 0", "sum of columns"),
        ("a if b else c >= 0", "no comparison"),
        ("a >= f'{b}'", "sum of columns"),
        ("a >= (b := 1)", "sum of columns"),
        ("a\x00 >= 0", "cannot be read"),
        ("(" * 500 + "a" + ")" * 500 + " >= 0", "cannot be read"),
        ("a" + ".b" * 900 + " >= 0", "sum of columns"),
        ("a >= " + "9" * 3000, "characters"),
    ],
)
def test_what_is_refused_in_one_line(text, words):
    with pytest.raises(ParameterError) as caught:
        read_rules([text], COLUMNS)
    assert words in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1
    assert len(str(caught.value)) < 400


def test_what_is_no_text_is_refused():
    for given in (5, [5], [None]):
        with pytest.raises(ParameterError, match="rules"):
            read_rules(given, COLUMNS)


def test_long_sums_and_signs_do_not_recurse():
    assert parts("+".join(["a"] * 900) + " >= 0") == [({"a": -900}, "<=", 0)]
    assert parts("-" * 1500 + "a >= 0") == [({"a": -1}, "<=", 0)]


def test_the_same_rule_twice_counts_once():
    assert len(read_rules(["a >= 0", "a  >=  0"], COLUMNS)) == 1


@pytest.mark.parametrize(
    ("texts", "wrong"),
    [
        (["a >= 5", "b >= 0", "a <= 3"], ["a >= 5", "a <= 3"]),
        (["a == b", "b == c", "c >= a + 1", "total >= 0"], ["a == b", "b == c", "c >= a + 1"]),
        (["2 * a == 1"], ["2 * a == 1"]),
        (["2 * a + 4 * b == 1", "c >= 0"], ["2 * a + 4 * b == 1"]),
        (["0 <= c <= 0.4", "3 * c == 2"], ["0 <= c <= 0.4", "3 * c == 2"]),
        (["0.2 <= a <= 0.8"], ["0.2 <= a <= 0.8"]),
    ],
)
def test_contradictions_name_the_fewest_rules(texts, wrong):
    with pytest.raises(ParameterError) as caught:
        refuse_contradictions(read_rules(texts, COLUMNS), integers=["a", "b"])
    for text in texts:
        assert (repr(text) in str(caught.value)) == (text in wrong)


def eliminated(conditions):
    """Fourier and Motzkin: whether 'row x <= bound' hold together, by eliminating x one by one."""
    for place in range(3):
        plus = [c for c in conditions if c[0][place] > 0]
        minus = [c for c in conditions if c[0][place] < 0]
        conditions = [c for c in conditions if c[0][place] == 0]
        for (up, high), (down, low) in itertools.product(plus, minus):
            p, q = 1 / up[place], -1 / down[place]
            row = [p * x + q * y for x, y in zip(up, down, strict=True)]
            conditions.append((row, p * high + q * low))
    return all(bound >= 0 for _, bound in conditions)


def test_contradictions_agree_with_elimination_in_exact_fractions():
    rng = np.random.default_rng(5)
    seen = []
    for _ in range(120):
        rows = rng.integers(-2, 3, (5, 3))
        rows = rows[(rows != 0).any(axis=1)]
        bounds = rng.integers(-4, 3, len(rows))
        texts, conditions = [], []
        for row, bound in zip(rows.tolist(), bounds.tolist(), strict=True):
            sign = rng.choice(["==", "<="], p=[0.3, 0.7])
            texts.append(" + ".join(f"{c} * {n}" for c, n in zip(row, "abc", strict=True)))
            texts[-1] += f" {sign} {bound}"
            conditions.append(([Fraction(c) for c in row], Fraction(bound)))
            if sign == "==":
                conditions.append(([-Fraction(c) for c in row], -Fraction(bound)))
        try:
            refuse_contradictions(read_rules(texts, COLUMNS))
            seen.append(True)
        except ParameterError:
            seen.append(False)
        assert seen[-1] == eliminated(conditions), texts
    assert 10 < sum(seen) < 110
