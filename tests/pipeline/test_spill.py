"""What tasks leave for each other: comes back as it was, code by code."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from coterie.errors import DataError
from coterie.evaluation.declared import DeclaredPair
from coterie.pipeline.drawing import filed, unfiled
from coterie.pipeline.engines.spill import EVERY, gather, pieces_of, put, scatter
from coterie.space import Stake
from coterie.table import infer, read


def records(rng, n=500):
    words = pa.array(rng.choice(["low", "mid", "high"], n)).dictionary_encode()
    return pa.table(
        {
            "x": rng.normal(size=n),
            "word": pa.chunked_array([words.slice(0, 100), words.slice(100)]),
            "many": pa.array([None if i % 7 == 0 else [i, None] for i in range(n)]),
            "when": pa.array(np.arange(n), pa.timestamp("ns", "Europe/Berlin")),
            "small": pa.array(rng.integers(0, 9, n).astype(np.uint8)),
            "none": pa.nulls(n),
        }
    )


def test_every_code_comes_back_in_its_order(tmp_path, rng):
    table = records(rng)
    codes = rng.integers(-1, 6, 500) * 3
    files = [
        scatter(table.slice(a, b - a), codes[a:b], tmp_path / f"{a}.arrow")
        for a, b in ((0, 200), (200, 500))
    ]
    assert sum(one.counts.sum() for one in files) == (codes >= 0).sum()
    for some in ([0], [15, 3], [0, 3, 6, 9, 12, 15]):
        found = gather(pieces_of(files, some)).sort_by("when")
        wanted = table.filter(pa.array(np.isin(codes, some)))
        assert found.cast(wanted.schema).equals(wanted)
    only = gather(pieces_of(files, [3]), ["small", "x"])
    assert only.column_names == ["small", "x"]
    assert only.num_rows == (codes == 3).sum()
    assert pieces_of(files, [1, 99]) == ()


def test_a_whole_table_comes_back(tmp_path, rng):
    table = records(rng)
    for number, some in enumerate((table, table.slice(3, 1), table.slice(0, 0))):
        found = gather([(put(some, tmp_path / f"{number}.arrow"), EVERY)])
        assert found.equals(some.combine_chunks())
        assert found.schema == table.schema


def test_scales_of_several_parts_keep_their_order(tmp_path):
    scale = pa.DictionaryArray.from_arrays(pa.array([2, 0]), ["low", "mid", "high"], ordered=True)
    put(pa.table({"s": pa.chunked_array([scale, scale.take([1, 1])])}), tmp_path / "a.arrow")
    found = gather([(str(tmp_path / "a.arrow"), EVERY)]).column("s")
    assert found.to_pylist() == ["high", "low", "low", "low"]
    assert found.chunk(0).dictionary.to_pylist() == ["low", "mid", "high"]
    assert found.type.ordered


def test_what_is_torn_or_gone_is_told_in_one_line(tmp_path, rng):
    path = tmp_path / "a.arrow"
    put(records(rng), path)
    path.write_bytes(path.read_bytes()[:-100])
    for broken in (path, tmp_path / "gone.arrow"):
        with pytest.raises(DataError, match=r"arrow cannot be read \(.*nothing was written"):
            gather([(str(broken), EVERY)])


def test_keys_are_filed_as_they_were_judged(rng):
    table = pa.table(
        {
            "x": pa.array([None if i % 5 == 0 else float(i) for i in range(60)]),
            "c": pa.array(rng.choice(["a", "b", "c"], 60)),
            "w": rng.choice([1.0, 1.5, 2.25], 60),
        }
    )
    source = read(table)
    schema = infer(source, quasi_identifiers=["x", "c"], sample_weight="w")
    released = table.set_column(0, "x", pc.round(table.column("x"), -1))
    sides = DeclaredPair.of(table, released, schema)
    units = np.arange(60) // 2
    again, owners = unfiled(filed(sides, units), schema.keys)
    stakes = {one.name: Stake.of(one.tally(sides.weights)) for one in sides.pair.keys}
    for name, shares in sides.shares().items():
        assert again.shares(stakes)[name].tolist() == shares.tolist()
        assert shares.any()
    assert owners.tolist() == units.tolist()
    assert unfiled(filed(sides, None), schema.keys)[1] is None
