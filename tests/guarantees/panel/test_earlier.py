"""Releases beside earlier ones: cells of both, counted with pandas on random tables and panels."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import coterie
from coterie.cli import main
from coterie.errors import DataError, ParameterError
from coterie.guarantees.proof import NotKAnonymous
from coterie.pipeline.reuse import _merged, _sse

KEYS = ["age", "income"]


def people(n=90, seed=0):
    rng = np.random.default_rng(seed)
    return pd.DataFrame(
        {
            "id": [f"p{i:04d}" for i in rng.permutation(5000)[:n]],
            "age": rng.integers(18, 90, n),
            "income": rng.lognormal(10, 0.6, n).round(2),
            "region": rng.choice(["n", "s"], n),
            "score": rng.normal(0, 1, n),
        }
    )


def classes(release, table, keys=KEYS):
    """Class of each released record by its id: through the crosswalk, with pandas."""
    codes = release.data.groupby(keys).ngroup().to_numpy()
    return pd.Series(codes, index=table.id.to_numpy()[release.crosswalk])


def cells(*found):
    """Records in each combination of classes; -1 stands for being absent."""
    both = pd.concat(found, axis=1).fillna(-1)
    return both.groupby(list(both.columns)).size()


def release(table, k, **more):
    more = {
        "identifiers": ["id"],
        "declared": ["score"],
        "method": "mdav",
        "random_state": 0,
        **more,
    }
    return coterie.anonymize(table, k, KEYS, **more)


@pytest.mark.parametrize(("before", "after"), [(3, 5), (5, 3), (4, 4), (12, 3), (2, 11), (3, 45)])
def test_two_releases_with_different_k(before, after):
    table = people()
    old = release(table, before)
    new = release(table, after, previous=old)
    assert new.data.groupby(KEYS).size().min() >= after
    together = cells(classes(old, table), classes(new, table))
    assert together.min() >= min(before, after)
    assert new.evidence.internal["previous"]["k_together"] == min(before, after)
    if before != after:
        alone = release(table, after)
        assert cells(classes(old, table), classes(alone, table)).min() < min(before, after)


MORE = [pytest.param(1, marks=pytest.mark.slow), pytest.param(2, marks=pytest.mark.slow)]


@pytest.mark.parametrize("part", [0, *MORE])
def test_random_panels(part):
    """People come and go and change; strata; several earlier releases; crosswalks as they are."""
    refused = 0
    for seed in range(8 * part, 8 * part + 8):
        rng = np.random.default_rng(seed)
        table = people(int(rng.integers(40, 90)), seed)
        k = int(rng.integers(2, 5))
        old = release(table, k)
        stay = table[rng.random(len(table)) < 0.95].copy()
        stay["income"] *= rng.lognormal(0, 0.2, len(stay))
        fresh = people(12, seed + 1000)
        fresh = fresh[~fresh.id.isin(table.id)]
        later = pd.concat([stay, fresh]).sample(frac=1, random_state=seed)
        departed = ("drop", "tell")[seed % 2]
        size = int(rng.integers(2, 7))
        more = {"strata": ["region"]} if seed % 3 == 0 else {}
        try:
            new = release(
                later,
                size,
                previous=[old],
                match="id",
                departed=departed,
                small_strata="drop",
                **more,
            )
        except DataError:
            refused += 1
            continue
        found = cells(classes(old, table), classes(new, later, [*KEYS, *more.get("strata", [])]))
        bar = min(k, size)
        present = found[(found.index.get_level_values(1) >= 0)]
        assert present.min() >= bar
        if departed == "drop":
            # Whoever is absent now shares that with enough, or the whole class is absent.
            gone = found[found.index.get_level_values(1) < 0]
            assert gone.min() >= bar if len(gone) else True
    assert refused < 4


def test_three_releases_one_after_the_other():
    table = people(120)
    first = release(table, 3)
    second = release(table, 7, previous=first)
    third = release(table, 4, previous=[first, second])
    found = cells(*(classes(r, table) for r in (first, second, third)))
    assert found.min() >= 3


def test_units_and_guarantees_are_counted_in_every_cell():
    """Each person has two records; cells must hold k persons, and groups two regions."""
    table = people(120)
    table["who"] = np.repeat([f"w{i}" for i in range(60)], 2)
    roles = {"identifiers": ["id"], "unit": "who", "confidential": ["region"], "min_distinct": 2}
    roles["declared"] = ["score"]
    old = coterie.anonymize(table, 3, KEYS, method="mdav", **roles)
    new = coterie.anonymize(table, 5, KEYS, method="mdav", previous=old, **roles)
    pair = pd.DataFrame({"who": table.who, "region": table.region})
    pair["old"] = pd.Series(old.data.groupby(KEYS).ngroup().to_numpy(), old.crosswalk)
    pair["new"] = pd.Series(new.data.groupby(KEYS).ngroup().to_numpy(), new.crosswalk)
    assert pair.groupby(["old", "new"]).who.nunique().min() >= 3
    assert pair.groupby("new").who.nunique().min() >= 5
    assert pair.groupby("new").region.nunique().min() >= 2


@pytest.mark.parametrize("part", [0, *MORE])
@pytest.mark.parametrize("rule", ["max_share", "entropy_l"])
def test_guarantees_that_few_old_classes_keep_are_kept(rule, part):
    """Old classes that miss a guarantee, all together too, take in others until they keep it."""
    met = 0
    for seed in range(10 * part, 10 * part + 10):
        rng = np.random.default_rng(seed)
        table = people(int(rng.integers(15, 60)), seed)
        table["ill"] = rng.choice(["flu", "none", "rare"], len(table), p=[0.6, 0.3, 0.1])
        share = table["ill"].value_counts(normalize=True)
        most = float(rng.choice([0.6, 0.7, 0.8]))
        least = float(rng.choice([1.5, 2.0]))
        if rule == "max_share" and share.max() > most:
            continue
        if rule == "entropy_l" and np.exp(-(share * np.log(share)).sum()) < least:
            continue
        met += 1
        old = release(table, int(rng.integers(2, 7)), declared=["ill", "score"])
        asked = {"max_share": most} if rule == "max_share" else {"entropy_l": least}
        more = {"confidential": ["ill"], "previous": old, **asked}
        new = release(table, int(rng.integers(2, 7)), **more)
        ill = new.data.groupby(KEYS)["ill"].value_counts(normalize=True)
        if rule == "max_share":
            assert ill.max() <= most + 1e-9
        else:
            entropy = -(ill * np.log(ill)).groupby(level=[0, 1]).sum()
            assert np.exp(entropy).min() >= least - 1e-9
        assert cells(classes(old, table), classes(new, table)).min() >= min(old.k, new.k)
    assert met > 3


def test_departed_are_refused_with_a_way_on():
    table = people()
    old = release(table, 6)
    with pytest.raises(DataError, match=r"departed='drop'"):
        release(table.iloc[1:], 3, previous=old, match="id")
    new = release(table.iloc[1:], 3, previous=old, match="id", departed="drop")
    mates = (classes(old, table) == classes(old, table)[table.id[0]]).sum()
    assert len(new.data) == len(table) - mates
    told = release(table.iloc[1:], 2, previous=old, match="id", departed="tell")
    assert told.evidence.internal["previous"]["classes_that_fewer_than_k_left"] == 1


def test_subtracting_two_means_tells_the_value_of_who_left():
    """The attack behind the rule: without it, one number of one person comes out exactly."""
    table = people(8)
    old = release(table, 8, aggregation="mean", types={"age": "continuous", "income": "continuous"})
    rest = table.iloc[1:]
    new = release(rest, 7)
    value = 8 * old.data.income[0] - 7 * new.data.income[0]
    assert value == pytest.approx(table.income[0])
    with pytest.raises(DataError, match="subtracting"):
        release(rest, 7, previous=old, match="id")


def test_few_new_records_are_refused_or_dropped():
    table = people()
    old = release(table, 3)
    more = pd.concat([table, people(3, seed=9).assign(id=["x", "y", "z"]).iloc[:2]])
    with pytest.raises(DataError, match=r"and 2 new record\(s\)"):
        release(more, 3, previous=old, match="id")
    assert len(release(more, 3, previous=old, match="id", small_strata="drop").data) == len(table)


def test_the_proof_is_made_on_the_file(tmp_path):
    table = people()
    old, new = release(table, 3), release(table, 5)
    beside = release(table, 5, previous=old)
    prove = beside.proofs[0]
    from coterie.table.source import Source

    assert prove(Source(beside.frame, "pandas", "release")) >= 3
    with pytest.raises(NotKAnonymous, match="earlier releases"):
        prove(Source(new.frame, "pandas", "release"), crosswalk=new.crosswalk)


def test_merging_atoms_against_every_pairing(rng):
    """Four atoms of two records in two unions: greedy is at most a little above the best."""
    ratio = []
    for _ in range(40):
        points = rng.normal(0, 1, (8, 2))
        atoms = [[np.array([2 * i, 2 * i + 1])] for i in range(4)]
        found = _merged(points, atoms, [], lambda rows: len(rows) >= 4)
        assert min(sum(map(len, union)) for union in found) >= 4
        assert sorted(np.concatenate([a for u in found for a in u]).tolist()) == list(range(8))
        cost = sum(_sse(points[np.concatenate(u)]) for u in found)
        ways = [((0, 1), (2, 3)), ((0, 2), (1, 3)), ((0, 3), (1, 2))]
        best = min(
            sum(_sse(points[np.concatenate([atoms[i][0] for i in pair])]) for pair in way)
            for way in ways
        )
        ratio.append(cost / best)
    assert np.mean(ratio) < 1.25


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"previous": "nowhere.csv"}, "does not exist"),
        ({"previous": 5}, "'previous' parameter"),
        ({"match": "id"}, "match must come with previous"),
        ({"match": "idd", "previous": "OLD"}, "Did you mean 'id'?"),
        ({"match": "age", "previous": "OLD"}, "must be no key"),
        ({"departed": "drop"}, "must come with previous"),
        ({"departed": "maybe", "previous": "x"}, "one of 'error', 'drop', 'tell'"),
        ({"attribute_groups": [["age"], ["income"]], "previous": "OLD"}, "attribute_groups"),
        ({"small_strata": "merge", "previous": "OLD"}, "small_strata='merge'"),
        ({"match": "region", "previous": "OLD"}, "name every record once"),
        ({"unit": "id", "identifiers": [], "previous": "OLD"}, "must tell units apart"),
    ],
)
def test_bad_arguments_are_one_line(more, words):
    table = people(30)
    if more.get("previous") == "OLD":
        more = {**more, "previous": release(table, 3)}
    with pytest.raises((DataError, ParameterError)) as caught:
        release(table, 3, **more)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_another_table_is_refused():
    old = release(people(30), 3)
    with pytest.raises(DataError, match="must have the rows"):
        release(people(31), 3, previous=old)
    with pytest.raises(DataError, match="Got none of"):
        release(people(30).assign(id=[f"q{i}" for i in range(30)]), 3, previous=old, match="id")


def test_the_command_line(tmp_path, capsys):
    table = people(60)
    table.to_csv(tmp_path / "a.csv", index=False)
    later = table.sample(frac=1, random_state=1)
    later.to_csv(tmp_path / "b.csv", index=False)
    flags = ["-q", "age", "-q", "income", "--drop", "id", "--seed", "0", "--match", "id"]
    flags += ["--declare", "score"]

    def run(*arguments):
        return main([str(a) for a in arguments])

    walk = tmp_path / "walk.csv"
    first = ["anonymize", tmp_path / "a.csv", "-k", 3, *flags, "-o", tmp_path / "1.csv"]
    assert run(*first, "--crosswalk", walk) == 0
    assert list(pd.read_csv(walk).columns) == ["original_row", "records", "class", "match"]
    second = ["anonymize", tmp_path / "b.csv", "-k", 5, *flags, "-o", tmp_path / "2.csv"]
    assert run(*second, "--previous", walk, "--crosswalk", tmp_path / "walk2.csv") == 0
    assert "at least 3 units in all releases" in " ".join(capsys.readouterr().err.split())
    both = pd.read_csv(walk).merge(pd.read_csv(tmp_path / "walk2.csv"), on="match")
    assert both.groupby(["class_x", "class_y"]).size().min() >= 3
    assert run(*second) == 2
    assert "--match needs --previous or --crosswalk" in capsys.readouterr().err
    assert run(*second, "--previous", tmp_path / "1.csv") == 2
    assert "must be a crosswalk" in capsys.readouterr().err
    assert run(*second, "--previous", walk, "--crosswalk", walk) == 2
    assert "a file of its own" in capsys.readouterr().err
    for damage in (
        "original_row,records,class\n0,2,0\n0,2,0\n",
        "original_row,records,class\n0,x,0\n",
    ):
        (tmp_path / "bad.csv").write_text(damage)
        assert run(*first, "--previous", tmp_path / "bad.csv") == 2
        assert len(capsys.readouterr().err.splitlines()) == 1
