"""The reference loaders: where they look, what they check, what they return.

Nothing here reaches beyond 127.0.0.1. The search order is tested with small files of our own
under the published names; facts about the real tables need the real files (mark ``data``).
"""

from __future__ import annotations

import functools
import hashlib
import http.server
import socket
import threading

import numpy as np
import pandas as pd
import pytest

from coterie.datasets import census, eia, reference, tarragona
from coterie.errors import DataError, MissingDependency, ParameterError

NAME = "Tarragona.rda"


def sha256(content):
    return hashlib.sha256(content).hexdigest()


def one_line(caught):
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.fixture
def rooms(tmp_path, monkeypatch):
    """An empty COTERIE_DATA folder and an empty cache, and a source that refuses connections."""
    folder, cache = tmp_path / "folder", tmp_path / "cache"
    folder.mkdir()
    monkeypatch.setenv("COTERIE_DATA", str(folder))
    monkeypatch.setattr(reference, "_cache", lambda: cache)
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    monkeypatch.setattr(reference, "_SOURCE", f"http://127.0.0.1:{port}/")
    for variable in ("NO_PROXY", "no_proxy"):
        monkeypatch.setenv(variable, "127.0.0.1")
    return folder, cache


@pytest.fixture
def served(tmp_path, rooms, monkeypatch):
    """A folder served over HTTP as the download source, and the list of paths asked for."""
    asked = []

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            asked.append(self.path)

    root = tmp_path / "served"
    root.mkdir()
    handler = functools.partial(Quiet, directory=str(root))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        monkeypatch.setattr(reference, "_SOURCE", f"http://127.0.0.1:{server.server_port}/")
        yield root, asked
        server.shutdown()
        thread.join()


def expect(monkeypatch, content, name=NAME):
    monkeypatch.setitem(reference._SHA256, name, sha256(content))


def test_the_folder_comes_before_the_cache(rooms, monkeypatch):
    folder, cache = rooms
    cache.mkdir()
    (folder / NAME).write_bytes(b"same")
    (cache / NAME).write_bytes(b"other")
    expect(monkeypatch, b"same")
    assert reference._content(NAME) == b"same"


@pytest.mark.parametrize("variable", ["elsewhere", "", None])
def test_the_cache_comes_before_the_download(rooms, monkeypatch, variable):
    _, cache = rooms
    if variable is None:
        monkeypatch.delenv("COTERIE_DATA")
    else:
        monkeypatch.setenv("COTERIE_DATA", variable)
    cache.mkdir()
    (cache / NAME).write_bytes(b"cached")
    expect(monkeypatch, b"cached")
    assert reference._content(NAME) == b"cached"


def test_a_download_is_kept_in_the_cache(rooms, served, monkeypatch):
    _, cache = rooms
    root, asked = served
    (root / NAME).write_bytes(b"published")
    expect(monkeypatch, b"published")
    assert reference._content(NAME) == b"published"
    assert [path.name for path in cache.iterdir()] == [NAME]
    assert reference._content(NAME) == b"published"
    assert asked == [f"/{NAME}"]


@pytest.mark.parametrize("place", ["folder", "cache"])
def test_a_file_with_another_hash_is_refused(rooms, place):
    path = dict(zip(("folder", "cache"), rooms, strict=True))[place] / NAME
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"tampered")
    with pytest.raises(DataError) as caught:
        tarragona()
    message = one_line(caught)
    assert str(path) in message
    assert f"expected sha256 {reference._SHA256[NAME]}" in message
    assert f"found {sha256(b'tampered')}" in message


def test_a_download_with_another_hash_is_refused_and_not_kept(rooms, served):
    _, cache = rooms
    root, _ = served
    (root / NAME).write_bytes(b"a page of the network's login")
    with pytest.raises(DataError) as caught:
        tarragona()
    message = one_line(caught)
    assert f"{reference._SOURCE}{NAME} is not the published {NAME}" in message
    assert reference._SHA256[NAME] in message
    assert sha256(b"a page of the network's login") in message
    assert list(cache.iterdir()) == []


@pytest.mark.parametrize("load", [tarragona, census, eia])
def test_where_it_looked_is_told_when_nothing_is_found(rooms, load):
    folder, cache = rooms
    with pytest.raises(DataError) as caught:
        load()
    message = one_line(caught)
    for part in (f"COTERIE_DATA={folder}", str(cache), reference._SOURCE, "set COTERIE_DATA"):
        assert part in message


def test_a_file_gone_from_the_source_is_told(rooms, served, monkeypatch):
    monkeypatch.delenv("COTERIE_DATA")
    with pytest.raises(DataError, match=r"COTERIE_DATA \(which is not set\).*404"):
        tarragona()


def test_a_cache_that_cannot_be_made_is_told(rooms):
    _, cache = rooms
    cache.write_bytes(b"a file in the way")
    with pytest.raises(DataError, match="could not be downloaded") as caught:
        tarragona()
    one_line(caught)


def without(package):
    """`needed` on a machine that lacks one package."""

    def needed(module):
        if module == package:
            raise MissingDependency(f"{module} is not installed")
        return pytest.importorskip(module)

    return needed


def test_a_file_in_the_folder_needs_rdata_alone(rooms, monkeypatch):
    folder, _ = rooms
    (folder / NAME).write_bytes(b"never parsed")
    expect(monkeypatch, b"never parsed")
    monkeypatch.setattr(reference, "needed", without("rdata"))
    with pytest.raises(MissingDependency, match="rdata"):
        tarragona()


def test_cache_and_download_need_pooch(tmp_path, monkeypatch):
    monkeypatch.setenv("COTERIE_DATA", str(tmp_path))
    monkeypatch.setattr(reference, "needed", without("pooch"))
    with pytest.raises(MissingDependency, match="pooch"):
        tarragona()


def test_available_means_every_file_is_at_hand(rooms, monkeypatch):
    pytest.importorskip("rdata")
    pytest.importorskip("pooch")
    folder, cache = rooms
    cache.mkdir()
    assert not reference.is_available()
    first, *others = reference._SHA256
    (folder / first).touch()
    assert not reference.is_available()
    for name in others:
        (cache / name).touch()
    assert reference.is_available()
    monkeypatch.delenv("COTERIE_DATA")
    assert not reference.is_available()


def test_nothing_is_available_without_the_parser(rooms, monkeypatch):
    folder, _ = rooms
    for name in reference._SHA256:
        (folder / name).touch()
    monkeypatch.setattr(reference, "find_spec", lambda package: None)
    assert not reference.is_available()


def test_a_table_is_parsed_once_and_copied(rooms, monkeypatch):
    rdata = pytest.importorskip("rdata", minversion="1.0")  # which can write
    folder, _ = rooms
    table = pd.DataFrame(
        {"SIZE": np.array([3, 1, 2], dtype="int32"), "KIND": pd.Categorical(["a", "b", "a"])}
    )
    rdata.write_rda(folder / NAME, {"Tarragona": table})
    expect(monkeypatch, (folder / NAME).read_bytes())
    first = tarragona()
    assert first["SIZE"].dtype == np.dtype("int64")
    assert first["SIZE"].tolist() == [3, 1, 2]
    assert first["KIND"].tolist() == ["a", "b", "a"]
    assert first["KIND"].dtype == pd.Series(["a"]).dtype
    assert isinstance(first.index, pd.RangeIndex)
    hits = reference._parse.cache_info().hits
    first.iloc[:, 0] = 0
    assert tarragona()["SIZE"].tolist() == [3, 1, 2]
    assert reference._parse.cache_info().hits == hits + 1


@pytest.mark.parametrize("value", [12, 0, True, "11", "ALL", None, 10.5, [11]])
def test_eia_refuses_other_attributes(rooms, value):
    rule = r"'attributes' parameter of eia must be 11, 10 or 'all'\. Got "
    with pytest.raises(ParameterError, match=rule) as caught:
        eia(attributes=value)
    one_line(caught)


def test_the_cache_belongs_to_coterie():
    pytest.importorskip("pooch")
    assert "coterie" in reference._cache().parts


@pytest.mark.data
@pytest.mark.usefixtures("reference_data")
class TestRealData:
    @pytest.mark.parametrize(
        ("load", "shape", "first"),
        [
            (tarragona, (834, 13), "FIXED.ASSETS"),
            (census, (1080, 13), "AFNLWGT"),
            (eia, (4092, 11), "UTILITYID"),
            (functools.partial(eia, attributes=10), (4092, 10), "RESREVENUE"),
        ],
        ids=["tarragona", "census", "eia-11", "eia-10"],
    )
    def test_numeric_tables(self, load, shape, first):
        table = load()
        assert table.shape == shape
        assert table.columns[0] == first
        assert set(table.dtypes) == {np.dtype("int64")}
        assert isinstance(table.index, pd.RangeIndex)
        values = table.to_numpy(dtype=float)
        standard = (values - values.mean(axis=0)) / values.std(axis=0)
        # SST of standardized data is n * d: no column is constant.
        assert (standard**2).sum() == pytest.approx(shape[0] * shape[1])

    def test_census_income_is_the_sum_of_its_parts(self):
        table = census()
        assert (table["PTOTVAL"] == table["PEARNVAL"] + table["POTHVAL"]).all()

    def test_the_whole_of_eia(self):
        table = eia(attributes="all")
        assert table.shape == (4092, 15)
        assert table["UTILITYID"].nunique() == 259
        assert sorted(table["MONTH"].unique()) == list(range(1, 13))
        assert table["STATE"].str.len().eq(2).all()
        pd.testing.assert_frame_equal(eia(), table[eia().columns])

    @pytest.mark.parametrize("load", [tarragona, census, eia])
    def test_a_changed_table_changes_no_other(self, load):
        kept = load()
        changed = load()
        changed.iloc[:, :] = 0
        pd.testing.assert_frame_equal(load(), kept)
