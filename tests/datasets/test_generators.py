"""The simulated tables: shape, range, seed, and the refusal of bad arguments."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from coterie import datasets
from coterie.datasets import sim1, sim2, sim3, simc, simu, synthetic
from coterie.errors import ParameterError

GENERATORS = [simu, simc, sim1, sim2, sim3, synthetic]
every_generator = pytest.mark.parametrize("draw", GENERATORS, ids=lambda draw: draw.__name__)


@every_generator
def test_a_table_of_floats_with_numbered_columns(draw):
    table = draw(attributes=5, random_state=0)
    assert isinstance(table, pd.DataFrame)
    assert list(table.columns) == ["x1", "x2", "x3", "x4", "x5"]
    assert set(table.dtypes) == {np.dtype("float64")}
    assert isinstance(table.index, pd.RangeIndex)
    assert np.isfinite(table.to_numpy()).all()


@every_generator
def test_the_seed_decides(draw):
    first = draw(random_state=7)
    pd.testing.assert_frame_equal(first, draw(random_state=7))
    pd.testing.assert_frame_equal(first, draw(random_state=np.int64(7)))
    pd.testing.assert_frame_equal(first, draw(random_state=np.random.default_rng(7)))
    assert not first.equals(draw(random_state=8))
    assert not draw().equals(draw())


@every_generator
def test_a_generator_advances(draw):
    rng = np.random.default_rng(7)
    assert not draw(random_state=rng).equals(draw(random_state=rng))


@every_generator
def test_tables_are_independent_of_each_other(draw):
    table = draw(random_state=1)
    kept = table.copy()
    other = draw(random_state=1)
    other.iloc[:, :] = 0.0
    pd.testing.assert_frame_equal(table, kept)


@every_generator
@pytest.mark.parametrize("seed", [-1, 1.5, "7", True, [1, 2]])
def test_a_bad_seed_is_refused(draw, seed):
    rule = rf"'random_state' parameter of {draw.__name__} must be None, an integer"
    with pytest.raises(ParameterError, match=rule) as caught:
        draw(random_state=seed)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("value", [0, -3, 2.0, "10", True])
@pytest.mark.parametrize(
    ("draw", "name"),
    [
        (simu, "n"),
        (simu, "attributes"),
        (sim1, "n"),
        (sim1, "attributes"),
        (simc, "clusters"),
        (simc, "attributes"),
        (sim2, "clusters"),
        (sim2, "size"),
        (sim2, "attributes"),
        (sim3, "clusters"),
        (sim3, "size"),
        (sim3, "attributes"),
        (synthetic, "attributes"),
        (synthetic, "clusters"),
        (synthetic, "n"),
    ],
)
def test_a_bad_count_is_refused(draw, name, value):
    rule = rf"The '{name}' parameter of {draw.__name__} must be an integer of at least 1"
    with pytest.raises(ParameterError, match=rule) as caught:
        draw(**{name: value})
    assert str(caught.value).endswith(f"Got {value!r} instead.")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("draw", "n", "bound"), [(simu, 1000, 10_000), (sim1, 100, 1_000)])
def test_uniform_tables_fill_their_range(draw, n, bound):
    values = draw(random_state=3).to_numpy()
    assert values.shape == (n, 10)
    assert values.min() >= -bound
    assert values.max() <= bound
    assert np.abs(values).max() > 0.99 * bound
    # A uniform variable on [-b, b] has variance b^2 / 3.
    assert values.var() == pytest.approx(bound**2 / 3, rel=0.1)


def test_simc_has_clusters_and_a_third_as_many_scattered_points():
    clusters = 30
    values = simc(clusters=clusters, random_state=5).to_numpy()
    clustered = next(m for m in range(len(values) + 1) if m + m // 3 == len(values))
    assert clusters * 4 <= clustered <= clusters * 21
    centers, around = values[:clusters], values[clusters:clustered]
    gaps = np.abs(around[:, None, :] - centers[None, :, :]).max(axis=2)
    sizes = np.bincount(gaps.argmin(axis=1), minlength=clusters)
    assert gaps.min(axis=1).max() <= 50
    assert sizes.min() >= 3
    assert sizes.max() <= 20
    far = np.abs(values[clustered:, None, :] - centers[None, :, :]).max(axis=2).min(axis=1)
    assert np.median(far) > 1000


@pytest.mark.parametrize(("draw", "side"), [(sim2, 1.0), (sim3, 2.0)])
def test_normal_clusters_have_the_stated_centers_and_spreads(draw, side):
    values = draw(clusters=40, size=400, attributes=6, random_state=2).to_numpy()
    blocks = values.reshape(40, 400, 6)
    centers, spreads = blocks.mean(axis=1), blocks.std(axis=(1,), ddof=1).mean(axis=1)
    assert -0.1 < centers.min() < 0.1 * side
    assert 0.9 * side < centers.max() < side + 0.1
    assert 0.09 < spreads.min() < 0.13
    assert 0.27 < spreads.max() < 0.32


@pytest.mark.parametrize("draw", [sim2, sim3])
def test_the_number_of_attributes_is_drawn_from_four_to_eight(draw):
    shapes = {draw(random_state=seed).shape for seed in range(60)}
    assert shapes == {(100, d) for d in range(4, 9)}


def test_synthetic_has_ten_clusters_of_the_calibrated_spread():
    values = synthetic(random_state=0).to_numpy()
    assert values.shape == (10_000, 10)
    blocks = values.reshape(10, 1000, 10)
    np.testing.assert_allclose(blocks.std(axis=1), 0.19, atol=0.02)
    centers = blocks.mean(axis=1)
    assert centers.min() > -0.03
    assert centers.max() < 1.03


def test_synthetic_spreads_a_remainder_over_its_clusters():
    assert synthetic(n=13, clusters=5, random_state=0).shape == (13, 10)
    with pytest.raises(ParameterError, match=r"'n' .* at least 5\. Got 4 instead\."):
        synthetic(n=4, clusters=5)


def test_every_public_name_is_listed():
    assert datasets.__all__ == sorted(datasets.__all__)
    assert all(callable(getattr(datasets, name)) for name in datasets.__all__)


def test_health_is_drawn_from_its_seed():
    people = datasets.health(500, random_state=2)
    pd.testing.assert_frame_equal(people, datasets.health(500, random_state=2))
    assert not people.equals(datasets.health(500, random_state=3))
    assert people.notna().all().all()
    assert people["household"].is_monotonic_increasing
    assert people.groupby("household")["region"].nunique().max() == 1
    assert (people[["height", "weight", "income", "cost"]] > 0).all().all()
    with pytest.raises(ParameterError, match="'n' parameter of health"):
        datasets.health(0)
