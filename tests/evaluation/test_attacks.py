"""Each attack against a transcription of its definition, and where the answer is known."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import coterie
from coterie.errors import CoterieError, ParameterError
from coterie.evaluation.attacks import control as controls
from coterie.evaluation.attacks import singling_out as singling
from coterie.evaluation.attacks import trial
from coterie.evaluation.attacks.linkability import halves
from coterie.evaluation.attacks.secret import fullest
from tests import naive_measures as naive
from tests.evaluation.grouped import KEYS, released

ATTACKS = ["singling_out", "linkability", "inference"]
OPERATORS = ["==", "<=", ">=", "missing"]


def table(rng, n=120):
    """Numbers, and confidential columns that follow from them in part."""
    x = rng.normal(size=(n, 3)) + rng.normal(size=(n, 1))
    frame = pd.DataFrame(x, columns=KEYS)
    frame["word"] = np.where(x[:, 0] + rng.normal(size=n) > 0, "u", "v")
    frame["amount"] = np.round(np.exp(x[:, 1] + rng.normal(size=n)), 2)
    return frame


def named(score, **about):
    found = [a for a in score.attacks if all(getattr(a, n) == v for n, v in about.items())]
    assert len(found) == 1, about
    return found[0]


def judged(frame, release, control=None, measures=ATTACKS, **more):
    return coterie.evaluate(
        frame, release, KEYS, ["word", "amount"], control=control, measures=measures, **more
    )


def coordinates(frame, *others):
    first = frame[KEYS].to_numpy()
    return [naive.standardize(first, other[KEYS].to_numpy())[1] for other in (frame, *others)]


@pytest.mark.parametrize("with_control", [False, True])
def test_inference_follows_its_definition(rng, with_control):
    frame = table(rng)
    release, control = released(frame), table(rng, 50) if with_control else None
    score = judged(frame, release, control, ["inference"])["inference"]
    spots = coordinates(frame, release, *([control] if with_control else []))
    for column, number in (("word", False), ("amount", True)):
        secrets, truths = release[column].tolist(), frame[column].tolist()
        near, major, same, drawn = naive.inferred(spots[0], spots[1], truths, secrets, number)
        held = ()
        if with_control:
            held = naive.inferred(spots[2], spots[1], control[column].tolist(), secrets, number)
        for place, (name, rate) in enumerate(
            (("by neighbors", near), ("by the majority of the class", major))
        ):
            one = named(score, name=f"{column} {name}", who="all")
            assert one.trials == 120
            assert one.success == pytest.approx(100 * rate)
            baseline = (drawn, same)[place]
            assert one.baseline == pytest.approx(100 * baseline)
            reference = held[place] if held else baseline
            assert one.risk == pytest.approx(100 * naive.added(rate, reference))
            low, high = naive.added_interval(rate, 120, reference, 50 if held else None)
            assert (one.low, one.high) == pytest.approx((100 * low, 100 * high))
    worst = [a for a in score.attacks if a.who == "all"]
    assert score.value == max(a.risk for a in worst)
    assert score.parts["low"] <= score.value <= score.parts["high"]
    assert set(score.by_column) == {"word", "amount"}


@pytest.mark.parametrize("with_control", [False, True])
def test_linkability_follows_its_definition(rng, with_control):
    frame = table(rng).round(1)  # places with several classes
    release, control = released(frame), table(rng, 50) if with_control else None
    score = judged(frame, release, control, ["linkability"])["linkability"]
    spots = coordinates(frame, release, *([control] if with_control else []))
    places = list(range(3))
    for first in halves(KEYS, 0):
        half = [KEYS.index(name) for name in first]
        other = [t for t in places if t not in half]
        record, group = naive.met(spots[0], spots[1], half, other)
        label = f"{', '.join(first)} with {', '.join(KEYS[t] for t in other)}"
        one = named(score, name=label, who="all")
        assert one.success == pytest.approx(100 * record)
        assert named(score, name=f"{label}, class").success == pytest.approx(100 * group)
        assert one.baseline == pytest.approx(100 / 120)
        reference = naive.met(spots[2], spots[1], half, other)[0] if with_control else 1 / 120
        assert one.risk == pytest.approx(100 * naive.added(record, reference))
    assert len({tuple(sorted(half)) for half in halves(KEYS, 0)}) == 3
    assert halves(["a", "b"], 7) == [["a"]]


def predicates_of(found):
    return [
        [(int(c), OPERATORS[o], v) for c, o, v in zip(*conditions, strict=True)]
        for conditions in zip(
            found.columns.tolist(), found.operators.tolist(), found.values.tolist(), strict=True
        )
    ]


@pytest.mark.parametrize("width", [1, 3])
def test_singling_out_follows_its_definition(rng, width):
    frame = table(rng)
    release = released(frame)
    frame.loc[7, "word"] = release.loc[7, "word"] = None
    words = {"u": 0.0, "v": 1.0}
    code = {word: place for place, word in enumerate(dict.fromkeys(frame["word"].dropna()))}

    def rows(part):
        columns = [*(part[name].tolist() for name in KEYS)]
        columns.append([None if w not in words else float(code[w]) for w in part["word"]])
        return list(zip(*columns, part["amount"].tolist(), strict=True))

    array = np.array([[np.nan if v is None else v for v in row] for row in rows(release)])
    numeric = np.array([True, True, True, False, True])
    form = singling.PredicateForm(numeric, width, 300)
    found = singling.written(array, form, np.random.default_rng(0))
    made = predicates_of(found)
    assert len({tuple(p) for p in made}) == len(made) > 20
    distinct = list(dict.fromkeys(rows(release)))
    for predicate, source in zip(made, found.source, strict=True):
        assert [row for row in distinct if naive.holds(predicate, row)] == [rows(release)[source]]
    if width == 1:  # the one gap, and the ends of what is a number
        assert [(3, "missing", 0.0)] in made
        assert {p[0][1] for p in made if p[0][0] == 4} >= {"==", ">="}
    else:
        medians = np.nanmedian(np.array(distinct, dtype=float), axis=0)
        for predicate in made:
            for column, operator, value in predicate:
                if operator in ("<=", ">="):
                    assert operator == (">=" if value > medians[column] else "<=")
    score = judged(frame, release, measures=["singling_out"], attempts=300)["singling_out"]
    seeded = np.random.default_rng([0, singling.SALT, int(width > 1)])
    mine = predicates_of(singling.written(array, form, seeded))
    name = singling.UNIVARIATE if width == 1 else singling.MULTIVARIATE
    one = named(score, name=name, who="all")
    assert one.trials == len(mine)
    assert one.success == pytest.approx(100 * naive.singled_out(mine, rows(frame)))


def test_a_larger_control_is_drawn_from():
    for n, m in ((3, 4), (4, 7), (1, 5), (5, 6)):
        counts = np.arange(m + 1)
        exact = [naive.drawn_alone(int(c), n, m) for c in counts]
        assert controls.singled_out(counts, n, m).value == pytest.approx(np.mean(exact))
        for count, chance in zip(counts, exact, strict=True):
            one = controls.singled_out(np.array([count]), n, m)
            assert one.value == pytest.approx(chance, abs=1e-12)
            assert one.span is None


WEIGHTS = {  # means of a table as large as the original, and how far off the value may be
    "alike": (lambda rng, n: np.ones(n), 0.08),
    "gamma": (lambda rng, n: rng.gamma(0.8, 1.0, n), 0.05),
    "lognormal": (lambda rng, n: np.exp(rng.normal(0.0, 1.5, n)), 0.04),
    "of two kinds": (lambda rng, n: rng.choice([0.3, 6.0], n), 0.05),
    # Held by nobody or by many: what fits a small control best is in between, and its span is wide.
    "none or many": (lambda rng, n: rng.choice([0.0, 4.0], n), 0.12),
}


@pytest.mark.parametrize("name", WEIGHTS)
@pytest.mark.parametrize("ratio", [2, 5])
def test_a_smaller_control_is_extended(rng, name, ratio):
    draw, allowed = WEIGHTS[name]
    weights = draw(rng, 4000)
    truth = float((weights * np.exp(-weights)).mean())
    found = controls.singled_out(rng.poisson(weights / ratio), ratio * 1000, 1000)
    assert found.value == pytest.approx(truth, abs=allowed)
    low, high = found.span
    assert low - 1e-3 <= truth <= high + 1e-3
    assert low <= found.value <= high
    # A risk by it is told with this doubt: what the ends of the span would make of it is within.
    success = trial.Rate(0.6, 4000)
    one = trial.judged("x", success, trial.Rate(0.0), found)
    assert one.high >= 100 * naive.added(0.6, low) - 1e-9
    assert one.low <= 100 * naive.added(0.6, high) + 1e-9


def test_a_control_of_the_same_size_is_as_counted(rng):
    counts = rng.poisson(1.0, 500)
    found = controls.singled_out(counts, 1000, 1004)
    assert (found.value, found.trials, found.span) == ((counts == 1).mean(), 500, None)
    none = controls.singled_out(np.empty(0, dtype=np.int64), 1000, 200)
    assert none.value == 0.0
    nobody = controls.singled_out(np.zeros(50, dtype=np.int64), 1000, 200)
    assert nobody.value == 0.0  # held by nobody: as good as nothing is known without the release
    assert nobody.span[1] > 0.05  # but a control a fifth as large may have missed them


def test_persons_with_several_records_count_once(rng):
    frame = table(rng, 60)
    twice = pd.concat([frame, frame], ignore_index=True)
    person = [f"p{i % 60}" for i in range(120)]
    alone = judged(twice, twice, measures=["singling_out", "linkability"])
    assert alone["singling_out"].parts["success"] == 0.0  # each value is that of two records
    of_units = judged(
        twice, twice, measures=["singling_out", "linkability"], unit=person, aligned=True
    )
    assert of_units["singling_out"].value == 100.0
    assert of_units["linkability"].value == pytest.approx(100.0)
    assert alone["linkability"].parts["success"] == pytest.approx(50.0)
    assert of_units["linkability"].parts["baseline"] == pytest.approx(100 * 2 / 120)


def test_units_of_the_control_are_read(rng):
    frame = table(rng, 80).assign(home=np.arange(80))
    held = table(rng, 40).assign(home=np.arange(40))
    twice = pd.concat([held, held], ignore_index=True)
    asked = {"measures": ["singling_out"], "unit": "home", "aligned": True}
    once = judged(frame, frame, held, **asked)
    again = judged(frame, frame, twice, **asked)
    assert once["singling_out"].attacks == again["singling_out"].attacks
    unknown = judged(frame, frame, twice.drop(columns="home"), **asked)
    assert unknown["singling_out"].attacks != once["singling_out"].attacks


def test_the_original_released_gives_all_away(rng):
    frame = table(rng, 200)
    control = table(rng, 200)
    for held_out in (None, control):
        found = judged(frame, frame, held_out)
        assert found["linkability"].value == pytest.approx(100.0)
        assert found["singling_out"].value == pytest.approx(100.0)
        assert found["inference"].value == pytest.approx(100.0)
        assert found["singling_out"].parts["success"] == 100.0


def test_one_group_adds_nothing(rng):
    frame = table(rng, 200)
    release = frame.copy()
    release[KEYS] = np.tile(frame[KEYS].mean(), (200, 1))
    for control in (None, table(rng, 200)):
        found = coterie.evaluate(frame, release, KEYS, ["word"], measures=ATTACKS, control=control)
        if control is None:
            assert found["linkability"].value == found["inference"].value == 0.0
            assert found["singling_out"].value == 0.0
        else:  # by chance the control may do worse; never beyond its interval
            assert all(found[name].parts["low"] == 0.0 for name in ATTACKS)
    amounts = judged(frame, release, measures=["singling_out"])
    assert amounts["singling_out"].by_column["amount"] > 90.0  # released as it is


def test_gaps_categories_and_strata(rng):
    frame = table(rng, 150)
    frame["region"] = np.where(np.arange(150) % 3 == 0, "north", "south")
    frame.loc[::7, "b"] = np.nan
    control = table(rng, 30).assign(region=frame["region"][:30])
    control.loc[::7, "b"] = np.nan
    control.loc[0, ["a", "c"]] = np.nan  # gaps that no released record has
    control.loc[1, "region"] = "west"
    plan = coterie.Plan(
        k=4,
        quasi_identifiers=KEYS,
        confidential=["word", "amount"],
        strata=["region"],
        missing="pattern",
        row_order="keep",
        method="mdav",
    )
    release = coterie.anonymize(frame, plan)
    found = coterie.evaluate(
        frame, release.data, plan, aligned=True, measures=ATTACKS, control=control
    )
    assert not found.refused
    for name in ATTACKS:
        for attack in found[name].attacks:
            assert 0.0 <= attack.low <= attack.risk <= attack.high <= 100.0
    assert {a.who for a in found["inference"].attacks} == {"all", "rarest tenth"}
    text = [f"c{v}" for v in range(150)]
    other = frame.assign(c=text)
    with_words = coterie.evaluate(other, other, KEYS, ["word"], measures=ATTACKS)
    assert with_words["inference"].value == pytest.approx(100.0)


@pytest.mark.parametrize("gone", [["c"], ["b", "c"]])
def test_keys_of_which_no_value_is_released_teach_a_model_nothing(rng, tmp_path, gone):
    """The only record that has them is dropped."""
    frame = table(rng, 90)
    frame.loc[1:, gone] = np.nan
    release = coterie.anonymize(
        frame,
        4,
        KEYS,
        confidential=["word", "amount"],
        missing="pattern",
        small_strata="drop",
        method="mdav",
    )
    assert release.data[gone].isna().all(axis=None)
    release.report(tmp_path / "report.json")
    assert "inference" in (tmp_path / "report.json").read_text()


def test_dates_levels_and_gaps_are_guessed(rng):
    frame = table(rng, 90)
    frame["born"] = pd.Timestamp("1980-01-01") + pd.to_timedelta(rng.integers(0, 9999, 90), "D")
    frame["grade"] = pd.Categorical(rng.choice(["low", "high"], 90), ["low", "high"], ordered=True)
    frame["rare"] = np.where(np.arange(90) < 80, np.nan, 3.0)
    found = coterie.evaluate(frame, frame, KEYS, ["born", "grade", "rare"], measures=["inference"])
    assert found["inference"].by_column == {"born": 100.0, "grade": 100.0, "rare": 100.0}
    gap = named(found["inference"], name="rare by neighbors", who="all")
    assert gap.baseline == pytest.approx(100 * ((80 / 90) ** 2 + (10 / 90) ** 2))
    gap = named(found["inference"], name="rare by the majority of the class", who="all")
    assert gap.baseline == pytest.approx(100 * 80 / 90)  # "it is missing" is the best guess


def test_the_same_seed_tries_the_same(rng):
    frame = table(rng, 400)
    release, control = released(frame), table(rng, 300)
    scores = [judged(frame, release, control, attempts=60, random_state=s) for s in (1, 1, 2)]
    first, again, other = ([score.attacks for score in found.values()] for found in scores)
    assert first == again != other
    assert all(a.trials <= 60 for a in scores[0]["inference"].attacks)


def test_known_keys_are_attacked_too(rng):
    frame = table(rng)
    score = judged(frame, released(frame), measures=["inference"], known={"one": ["a"]})
    attacks = score["inference"].attacks
    assert {a.knows for a in attacks} == {"all keys", "one"}


def test_the_fullest_point_of_intervals():
    low, high = np.array([0.0, 1.0, 1.5, 9.0]), np.array([2.0, 3.0, 1.8, 9.5])
    assert fullest(low, high) == (1.5, 3)
    assert fullest(np.array([2.0, 1.0]), np.array([3.0, 2.0])) == (2.0, 2)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"attempts": 0}, "'attempts' parameter of evaluate must be a whole number of at least 1"),
        ({"tolerance": -1.0}, "'tolerance'"),
        ({"random_state": "x"}, "'random_state'"),
        ({"control": pd.DataFrame({"a": [1.0]})}, "column of control"),
    ],
)
def test_bad_arguments_are_told(rng, wrong, told):
    frame = table(rng, 20)
    with pytest.raises(CoterieError, match=told):
        judged(frame, frame, **wrong)


def test_released_people_are_no_control(rng):
    frame = table(rng, 60)
    with pytest.raises(CoterieError, match="Got 80, of which 60 are in the original; hold them"):
        judged(frame, released(frame), pd.concat([frame, table(rng, 20)]))
    some = pd.concat([frame[:9], table(rng, 9)])  # a few who are in both
    assert judged(frame, released(frame), some)["inference"].parts["control"] >= 0.0
    coarse = frame.assign(a=0.0, b=1.0, c=(np.arange(60) % 4).astype(float), amount=3.0)
    found = judged(coarse, coarse, coarse)  # nobody is alone: equal records are other people's
    assert found["inference"].value == 0.0


def test_columns_of_control_must_be_alike(rng):
    frame = table(rng, 20)
    with pytest.raises(CoterieError, match="'a' of control must be of the type"):
        judged(frame, frame, frame.assign(a="x"))
    with pytest.raises(ParameterError, match="known has no effect"):
        judged(frame, frame, measures=["singling_out"], known=["a"])
    alone = coterie.evaluate(frame[["a"]], frame[["a"]], measures=ATTACKS)
    assert set(alone.refused) == {"linkability", "inference"}
