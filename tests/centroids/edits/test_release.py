"""Rules kept by whole releases: proven on the file, told where they cannot be kept."""

from __future__ import annotations

import datetime
from decimal import Decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import coterie
from coterie.centroids.edits import RuleBroken
from coterie.cli import main
from coterie.errors import DataError, ParameterError


def firms(n=240, seed=0, whole=True):
    """Turnover by three lines and its total, costs at most turnover, a tax that is no key."""
    rng = np.random.default_rng(seed)
    lines = rng.lognormal(4, 1, (n, 3)) * (rng.random((n, 3)) < 0.8)
    lines = np.round(lines) if whole else lines
    total = lines.sum(axis=1)
    costs = np.floor(total * rng.uniform(0, 1, n)) if whole else total * rng.uniform(0, 1, n)
    table = pd.DataFrame(lines, columns=["x", "y", "z"])
    table["total"], table["costs"] = total, costs
    table["tax"] = np.floor((total - costs) * 0.1) if whole else (total - costs) * 0.1
    return table.astype("int64") if whole else table


def anonymize(table, *asked, **more):
    """Whatever is no key is declared: it stays as it is, and may give others away."""
    names = getattr(table, "column_names", None) or list(table.columns)
    keys = asked[1] if len(asked) > 1 else more["quasi_identifiers"]
    declared = [name for name in names if name not in keys]
    return coterie.anonymize(table, *asked, **{"declared": declared, **more})


KEYS = ["x", "y", "z", "total", "costs"]
RULES = ["total == x + y + z", "costs <= total", "x >= 0", "y >= 0", "z >= 0", "costs >= 0"]


def breaks(table, slack=1e-9):
    """Counted with pandas alone."""
    gap = (table.total - table.x - table.y - table.z).abs()
    over = table.costs > table.total + slack * table.total.abs()
    negative = (table[["x", "y", "z", "costs"]] < 0).any(axis=1)
    return int((gap > slack * table.total.abs()).sum() + over.sum() + negative.sum())


@pytest.mark.parametrize("whole", [True, False])
@pytest.mark.parametrize("aggregation", ["mean", "median", "p3m"])
def test_sums_signs_and_comparisons_are_kept(tmp_path, aggregation, whole):
    table = firms(whole=whole)
    made = {}
    for rules in ([], RULES):
        r = anonymize(
            table, 4, KEYS, aggregation=aggregation, rules=rules, random_state=0, method="mdav"
        )
        r.write(tmp_path / "out.csv")
        back = pd.read_csv(tmp_path / "out.csv")
        assert back.groupby(KEYS).size().min() >= 4
        made[bool(rules)] = (breaks(back), r)
    assert made[True][0] == 0
    if whole or aggregation != "mean":
        assert made[False][0] > 0  # the rules were not kept anyway
    told = made[True][1].evidence.public["rules"]
    assert [one["rule"] for one in told["checked"]] == RULES
    if aggregation == "mean":
        assert told["groups_moved_to_keep_them"] == 0  # by construction, but for rounding
        assert (told["groups_rounded_together"] > 0) == whole
    else:
        assert told["groups_moved_to_keep_them"] > 0


def test_p3m_tells_the_moments_after_the_rules(tmp_path):
    table = firms(whole=False)
    r = anonymize(table, 4, KEYS, aggregation="p3m", delta=0.2, rules=RULES)
    for name, told in r.evidence.internal["measures"]["distance_targets"].items():
        ratio = r.data[name].std(ddof=0) / table[name].std(ddof=0)
        assert told["sd_ratio"] == pytest.approx(ratio, abs=1e-5)
    assert "sd_ratio" not in r.evidence.json("public")
    # Equations alone are a linear move, which keeps the mean (not the variance).
    r = anonymize(table, 4, KEYS, aggregation="p3m", rules=RULES[:1])
    for told in r.evidence.internal["measures"]["distance_targets"].values():
        assert abs(told["mean_shift_sd"]) < 1e-5


def test_random_tables_keep_random_rules():
    rng = np.random.default_rng(8)
    for turn in range(24):
        n, k = int(rng.integers(10, 60)), int(rng.integers(2, 5))
        table = firms(n, seed=turn, whole=bool(turn % 2))
        broken = rng.random(n) < 0.2
        table.loc[broken, "total"] += rng.integers(-40, 40, int(broken.sum()))
        table.loc[rng.random(n) < 0.1, "x"] *= -1
        r = anonymize(
            table,
            k,
            KEYS,
            rules=RULES,
            broken_rules="repair",
            aggregation=("mean", "median", "p3m")[turn % 3],
            method="mdav",
        )
        assert breaks(r.data) == 0
        assert r.data.groupby(KEYS).size().min() >= k


def test_what_the_original_breaks_is_told_first():
    table = firms()
    table.loc[[3, 5, 7], "total"] += 2
    with pytest.raises(DataError, match=r"'total == x \+ y \+ z' \(3 of 240 records\)"):
        anonymize(table, 4, KEYS, rules=RULES)
    r = anonymize(table, 4, KEYS, rules=RULES, broken_rules="drop")
    assert len(r.data) == 237
    r = anonymize(table, 4, KEYS, rules=RULES, broken_rules="repair")
    assert len(r.data) == 240
    assert breaks(r.data) == 0
    assert r.evidence.public["rules"]["checked"][0]["broken_in_original"] == "fewer than 4"
    assert r.evidence.internal["rules"]["checked"][0]["broken_in_original"] == 3


def test_rules_that_mix_keys_and_other_columns():
    """A group's keys suit all its members; what cannot be had is refused."""
    table = firms()
    table["tax"] = table.total - table.costs
    r = anonymize(table, 4, KEYS, rules=[*RULES, "tax <= total - costs"], method="mdav")
    assert (r.data.tax <= r.data.total - r.data.costs).all()
    assert breaks(r.data) == 0
    plain = anonymize(table, 4, KEYS, rules=RULES, method="mdav").data
    assert (plain.tax > plain.total - plain.costs).any()  # it does not hold by itself
    with pytest.raises(ParameterError, match="must have keys only, or none"):
        anonymize(table, 4, KEYS, rules=["tax == total"])
    squeezed = table.assign(low=table.total - 1, high=table.total + 1)
    with pytest.raises(DataError, match=r"group\(s\) for which none do"):
        anonymize(squeezed, 4, KEYS, rules=["low <= total", "total <= high"])


def test_rules_over_columns_that_are_no_keys():
    table = firms()
    assert anonymize(table, 4, ["x"], rules=["tax >= 0", "y >= 0"]).data.shape == (240, 6)
    table.loc[0, "tax"] = -1
    with pytest.raises(DataError, match="that has no key"):
        anonymize(table, 4, ["x"], rules=["tax >= 0"], broken_rules="repair")


def test_gaps_dates_decimals_and_codes(tmp_path):
    n = 120
    rng = np.random.default_rng(1)
    start = [datetime.date(2020, 1, 1) + datetime.timedelta(int(d)) for d in rng.integers(0, 90, n)]
    end = [
        s + datetime.timedelta(int(d)) for s, d in zip(start, rng.integers(0, 9, n), strict=True)
    ]
    net = [int(v) for v in rng.integers(0, 10**6, n)]
    cents = [Decimal(v) / 100 for v in net]
    more = [v + Decimal(int(d)) / 100 for v, d in zip(cents, rng.integers(0, 5, n), strict=True)]
    table = pa.table(
        {
            "start": start,
            "end": end,
            "gross": pa.array(more, pa.decimal128(14, 2)),
            "net": pa.array(cents, pa.decimal128(14, 2)),
            "visits": [-9 if i % 4 == 0 else int(v) for i, v in enumerate(rng.integers(0, 9, n))],
        }
    )
    rules = ["start <= end", "end - start <= 9", "net <= gross", "visits >= 0"]
    r = anonymize(
        table,
        3,
        ["start", "end", "gross", "net", "visits"],
        rules=rules,
        missing="pattern",
        missing_codes={"visits": [-9]},
        aggregation="median",
    )
    r.write(tmp_path / "out.parquet")
    found = pd.read_parquet(tmp_path / "out.parquet")
    assert (found.start <= found.end).all()
    assert (found.net <= found.gross).all()
    assert (found.visits == -9).sum() == 30
    found = coterie.verify(
        tmp_path / "out.parquet", 3, ["start"], rules=rules, missing_codes={"visits": [-9]}
    )
    assert [one.records for one in found.rules] == [120, 120, 120, 90]
    with pytest.raises(RuleBroken):
        coterie.verify(tmp_path / "out.parquet", 3, ["start"], rules=rules)


@pytest.mark.parametrize(
    ("rules", "more", "words"),
    [
        (["x >= 0", "totl == x"], {}, "Did you mean 'total'?"),
        (["name >= 0"], {}, "numbers or dates"),
        (["id >= 0"], {"identifiers": ["id"]}, "must be released"),
        (["id >= 0"], {"unit": "id", "declared": ["name", "start"]}, "must be released"),
        (["x >= 0"], {"types": {"x": "nominal"}}, "must be of type"),
        (["x <= total"], {"attribute_groups": [["x"], ["total"]]}, "grouped together"),
        (["x >= 5", "x <= 3"], {}, "contradict"),
        (["2 * x == 1"], {}, "no value keeps"),
        (["start <= 5"], {}, "dates with dates"),
        ("x >= ", {}, "cannot be read"),
        (["x >= 0"], {"broken_rules": "ignore"}, "one of 'error', 'repair', 'drop'"),
    ],
)
def test_bad_rules_are_one_line(rules, more, words):
    table = firms(40).assign(name="a", id=range(40), start=pd.Timestamp("2020-01-01"))
    with pytest.raises((ParameterError, DataError)) as caught:
        anonymize(table, 3, ["x", "total"], rules=rules, **more)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_hard_targets_and_rules_do_not_go_together_silently():
    table = firms(60, whole=False)
    with pytest.raises(ParameterError, match="a hard target"):
        anonymize(table, 3, KEYS, rules=RULES, aggregation="p3m", delta=0.2, importance=1.0)


def test_the_command_line_keeps_and_proves_rules(tmp_path, capsys):
    path, out = tmp_path / "in.csv", tmp_path / "out.csv"
    firms().to_csv(path, index=False)
    keys = [flag for name in KEYS for flag in ("-q", name)]
    flags = [flag for text in RULES for flag in ("--rule", text)]
    assert main(["anonymize", str(path), "-k", "4", *keys, *flags, "-o", str(out)]) == 0
    assert "kept by every record" in " ".join(capsys.readouterr().err.split())
    assert main(["verify", str(out), "-k", "4", *keys, *flags]) == 0
    assert "6 rule(s) kept" in capsys.readouterr().out
    assert main(["verify", str(out), "-k", "4", *keys, "--rule", "x >= 1000"]) == 1
    assert "records that break 'x >= 1000'" in capsys.readouterr().err
    settings = tmp_path / "s.toml"
    settings.write_text('k = 4\nquasi_identifiers = ["x"]\nrules = ["y >= 9999"]\n')
    assert main(["anonymize", str(path), "--config", str(settings), "-o", str(out)]) == 2
    assert "--broken-rules" in capsys.readouterr().err


@pytest.mark.data
@pytest.mark.usefixtures("reference_data")
@pytest.mark.parametrize("aggregation", ["mean", "p3m"])
def test_eia_totals_and_signs(aggregation):
    table = coterie.datasets.eia().drop(columns="UTILITYID")
    rules = [f"{name} >= 0" for name in table]
    for what, other in (("REVENUE", "OTHREVENUE"), ("SALES", "OTHRSALES")):
        rules.append(f"TOT{what} == RES{what} + COM{what} + IND{what} + {other}")
    r = anonymize(
        table, 3, list(table), rules=rules, broken_rules="repair", aggregation=aggregation
    )
    d = r.data
    assert (d >= 0).all(axis=None)
    assert (d.TOTREVENUE == d.RESREVENUE + d.COMREVENUE + d.INDREVENUE + d.OTHREVENUE).all()
    assert (d.TOTSALES == d.RESSALES + d.COMSALES + d.INDSALES + d.OTHRSALES).all()
