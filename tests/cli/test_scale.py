"""``coterie anonymize --engine``: parts from the command line, and what is refused by name."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from coterie.cli import main


@pytest.fixture
def people(tmp_path):
    rng = np.random.default_rng(0)
    table = pd.DataFrame(
        {
            "name": [f"Person {i}" for i in range(600)],
            "age": rng.integers(18, 90, 600),
            "income": np.round(rng.lognormal(10, 0.5, 600), 2),
            "region": rng.choice(["north", "south"], 600),
        }
    )
    table.to_parquet(tmp_path / "people.parquet")
    table.to_csv(tmp_path / "people.csv", index=False)
    return tmp_path / "people.parquet"


def run(capsys, *arguments):
    code = main([str(a) for a in arguments])
    out, err = capsys.readouterr()
    return code, out, err


PROTECT = ("-k", "3", "-q", "age", "-q", "income", "--drop", "name", "--method", "mdav")


def test_protect_in_tiles_then_verify(capsys, people, tmp_path):
    out, told, public = tmp_path / "out.parquet", tmp_path / "told.json", tmp_path / "public.json"
    files = ("--evidence", told, "--public-evidence", public)
    flags = ("--engine", "tiles", "--tile", "100", "--strata", "region", "--seed", "5", *files)
    code, _, err = run(capsys, "anonymize", people, "-o", out, *PROTECT, *flags)
    assert code == 0, err
    assert "k-anonymous on age, income, region" in " ".join(err.split())
    assert "mdav, in 8 tiles" in err
    assert json.loads(told.read_text())["asked"]["random_state"] == 5
    assert "random_state" not in public.read_text()
    assert run(capsys, "verify", out, "-k", 3, "-q", "age", "-q", "income")[0] == 0
    folder = tmp_path / "folder"
    code, out, _ = run(capsys, "anonymize", people, "-o", folder, *PROTECT, "--json", *flags[:2])
    assert code == 0
    assert json.loads(out)["engine"]["name"] == "tiles"
    assert [p.name for p in folder.iterdir()] == ["part-00000.parquet"]


REFUSED = [
    (("--engine", "tiles", "--previous", "x.json"), "--previous is for --engine memory"),
    (("--engine", "tiles", "--aggregation", "p3m"), "aggregation='p3m'"),
    (("--engine", "dask", "--delta", "0.1"), "--delta is for --engine memory"),
    (("--engine", "tiles", "--crosswalk", "x.csv"), "--crosswalk is for --engine memory"),
    (("--engine", "tiles", "--format", "parquet"), "--format is for --engine memory"),
    (("--engine", "tiles", "--dry-run"), "--dry-run is for --engine memory"),
    (("--engine", "tiles", "--scheduler", "x"), "'scheduler' parameter is for engine='dask'"),
    (("--engine", "dusk"), "must be one of memory, tiles, dask, spark. Got 'dusk'"),
    (("--tile", "500"), "--tile is for --engine tiles, dask or spark"),
    (("--scheduler", "x"), "--scheduler is for --engine dask. Got"),
    (("--workers", "2"), "--workers is for --engine dask or spark. Got"),
    (("--engine", "tiles", "--tile", "few"), "'tile' parameter of anonymize must be an integer"),
]


@pytest.mark.parametrize(("flags", "message"), REFUSED, ids=lambda v: " ".join(v)[:40])
def test_what_means_nothing_is_refused_by_name(capsys, people, tmp_path, flags, message):
    code, _, err = run(capsys, "anonymize", people, "-o", tmp_path / "out", *PROTECT, *flags)
    assert code == 2
    assert message in err
    assert len(err.splitlines()) == 1
    assert not (tmp_path / "out").exists()


def test_settings_that_mean_nothing_are_refused_by_name(capsys, people, tmp_path):
    config = tmp_path / "settings.toml"
    config.write_text("aggregation = 'p3m'\ndelta = 0.1\n")
    flags = ("--config", config, "--engine", "tiles")
    code, _, err = run(capsys, "anonymize", people, "-o", tmp_path / "out", *PROTECT, *flags)
    assert code == 2
    assert "The 'delta' parameter is not for engine 'tiles'. Got 0.1" in err


def test_a_csv_file_in_tiles(capsys, people, tmp_path):
    flags = ("--engine", "tiles", "--delimiter", ",", "--quiet")
    source = people.with_suffix(".csv")
    code, _, err = run(capsys, "anonymize", source, "-o", tmp_path / "out", *PROTECT, *flags)
    assert (code, err) == (0, "")
    assert len(pd.read_parquet(tmp_path / "out")) == 600
    guaranteed = (
        "--min-distinct",
        "2",
        "--confidential",
        "region",
        "--keep-order",
        "--tile",
        "200",
    )
    target = tmp_path / "out.csv"
    code, _, err = run(capsys, "anonymize", source, "-o", target, *PROTECT, *flags, *guaranteed)
    assert (code, err) == (0, "")
    found, given = pd.read_csv(target), pd.read_csv(source)
    pd.testing.assert_series_equal(found["region"], given["region"])
    assert found.groupby(["age", "income"])["region"].nunique().min() == 2


def test_streams_and_the_input_itself_are_refused(capsys, people):
    for target in ("-", people):
        code, _, err = run(capsys, "anonymize", people, "-o", target, *PROTECT, "--engine", "tiles")
        assert code == 2
        assert len(err.splitlines()) == 1
    assert pd.read_parquet(people).shape == (600, 4)
