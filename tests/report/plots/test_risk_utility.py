"""The map draws every release once and the front through the best."""

from __future__ import annotations

import io

import coterie


def test_the_map_shows_every_release(rng):
    found = coterie.tune(rng.normal(size=(60, 3)), [3, 5], aggregations=["mean", "renormalized"])
    axes = found.plot()
    drawn = sum(len(points.get_offsets()) for points in axes.collections)
    assert drawn == len(found.table)
    labels = [text.get_text() for text in axes.get_legend().get_texts()]
    assert "mean, k = 3" in labels
    assert "front" in labels
    assert axes.get_ylabel().startswith("pil: ")
    picture = io.BytesIO()
    axes.figure.savefig(picture, format="svg")
    assert picture.getvalue().startswith(b"<?xml")
    assert found.plot(axes) is axes
