"""Tables in parts, and a local cluster of two processes that several tests share."""

from __future__ import annotations

import functools
import os
import shutil

import numpy as np
import pandas as pd
import pytest

from tests.pipeline.outcomes import outcome
from tests.pipeline.plans import PLANS, table

KEYS = ["a", "b", "c"]


def numbers(n, seed=0):
    rng = np.random.default_rng(seed)
    table = pd.DataFrame(rng.normal(size=(n, 3)), columns=KEYS)
    table["group"] = rng.choice(["x", "y", "z"], n, p=[0.5, 0.4, 0.1])
    table["spent"] = rng.integers(0, 50, n)
    return table


def write_parts(table, folder, parts):
    """The table in so many files; names that sort as numbers, not as text."""
    folder.mkdir()
    for i, rows in enumerate(np.array_split(np.arange(len(table)), parts)):
        table.iloc[rows].to_parquet(folder / f"part-{i + 1}.parquet", index=False)
    return folder


@pytest.fixture(scope="session")
def written_layouts(tmp_path_factory):
    folder = tmp_path_factory.mktemp("layouts")
    table = numbers(4000)
    table.to_parquet(folder / "one.parquet")
    table.to_parquet(folder / "groups.parquet", row_group_size=333)
    write_parts(table, folder / "parts", 12)
    return folder


@pytest.fixture
def layouts(written_layouts, tmp_path):
    """The same table as one file, as one with many row groups, and in 12 parts; the test's own."""
    shutil.copytree(written_layouts, tmp_path, dirs_exist_ok=True)
    return tmp_path / "one.parquet", tmp_path / "groups.parquet", tmp_path / "parts"


@pytest.fixture(scope="module")
def session(tmp_path_factory):
    """A Spark session of two executors' threads on this machine; the caller's, so left open."""
    pytest.importorskip("pyspark", reason="the extra 'spark' is not installed")
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("Spark needs Java, which is not installed")
    from coterie.pipeline.engines.spark import session_of

    with session_of(None, 2, tmp_path_factory.mktemp("spark")) as made:
        yield made


@pytest.fixture(scope="module")
def cluster():
    dask = pytest.importorskip("dask")
    distributed = pytest.importorskip("distributed")
    settings = {
        "distributed.deploy.lost-worker-timeout": "10 minutes",
        "distributed.scheduler.allowed-failures": 1,
    }
    with (
        dask.config.set(settings),
        distributed.LocalCluster(
            2, threads_per_worker=1, dashboard_address="127.0.0.1:0", silence_logs=50
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


@pytest.fixture(scope="module")
def short_search():
    """A short search for better groups within the rules, where they are not what is looked at.

    Equally short for all that is compared in this process; other processes know nothing of it.
    """
    from coterie.partitioning.constrained import search, walks

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(search, "ROUNDS", 1)
        patch.setattr(search, "ANNEALED", 10)
        patch.setattr(search, "SETTLED", 10)
        patch.setattr(walks, "HOT", (1.0,))
        patch.setattr(walks, "RINGED", 1e4)
        patch.setattr(walks, "REGIONS", ((24, 1.0),))
        patch.setattr(walks, "WALKED", 1e3)
        yield


@pytest.fixture(scope="module")
def parts(tmp_path_factory):
    return write_parts(table(), tmp_path_factory.mktemp("plans") / "in", 5)


@pytest.fixture(scope="module")
def in_tiles(parts, tmp_path_factory):
    """The outcome of a plan in tiles of so many records; made once for all that compare with it."""

    @functools.cache
    def made(name, tile):
        target = tmp_path_factory.mktemp("tiles") / "out.parquet"
        return outcome(parts, target, PLANS[name], engine="tiles", tile=tile)

    return made
