"""census_like: the moments of Census, exact or in expectation."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from coterie.datasets import census, census_like
from coterie.datasets.moments import _normal
from coterie.errors import ParameterError


def moments(values):
    return values.mean(axis=0), np.cov(values, rowvar=False)


def singular_model(rng):
    """Columns of very different scale, the last the sum of the first two."""
    mixed = rng.normal(size=(60, 4)) @ rng.normal(size=(4, 4))
    model = mixed * [1.0, 10.0, 1e3, 1e5] + [1, 2, 3, 4]
    return np.column_stack([model, model[:, 0] + model[:, 1]])


@pytest.mark.parametrize("n", [6, 7, 1000])
def test_exact_moments(n):
    rng = np.random.default_rng(0)
    model = singular_model(rng)
    mean, covariance = moments(model)
    scale = np.sqrt(np.diag(covariance))
    got_mean, got = moments(_normal(model, n, rng, exact=True))
    np.testing.assert_allclose((got_mean - mean) / scale, 0, atol=1e-9)
    np.testing.assert_allclose((got - covariance) / np.outer(scale, scale), 0, atol=1e-9)


def test_moments_in_expectation():
    rng = np.random.default_rng(1)
    model = singular_model(rng)
    mean, covariance = moments(model)
    scale = np.sqrt(np.diag(covariance))
    drawn = _normal(model, 40_000, rng, exact=False)
    got_mean, got = moments(drawn)
    assert np.abs((got_mean - mean) / scale).max() < 0.03
    assert np.abs((got - covariance) / np.outer(scale, scale)).max() < 0.05
    # A linear relation among the columns holds record by record.
    np.testing.assert_allclose(drawn[:, 4], drawn[:, 0] + drawn[:, 1], atol=1e-5)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"n": 0}, r"'n' parameter of census_like must be an integer of at least 1\. Got 0"),
        ({"n": 2.5}, r"'n' .* Got 2\.5 instead"),
        ({"n": 13}, r"'n' .* at least 14 .* Got 13 instead\. .*exact=False\.$"),
        ({"attributes": 0}, r"'attributes' .* an integer from 1 to 13\. Got 0"),
        ({"attributes": 14}, r"'attributes' .* an integer from 1 to 13\. Got 14"),
        ({"exact": "yes"}, r"'exact' .* True or False\. Got 'yes'"),
        ({"random_state": -1}, r"'random_state' .* Got -1"),
    ],
)
def test_bad_arguments_are_refused_before_any_data_is_looked_for(arguments, message):
    with pytest.raises(ParameterError, match=message) as caught:
        census_like(**arguments)
    assert "\n" not in str(caught.value)


@pytest.mark.data
@pytest.mark.usefixtures("reference_data")
class TestOnCensus:
    @pytest.mark.parametrize("p", [1, 4, 13])
    def test_exact_moments(self, p):
        original = census().iloc[:, :p]
        table = census_like(n=500, attributes=p, random_state=0)
        assert table.shape == (500, p)
        assert list(table.columns) == list(original.columns)
        assert set(table.dtypes) == {np.dtype("float64")}
        scale = original.std()
        np.testing.assert_allclose((table.mean() - original.mean()) / scale, 0, atol=1e-9)
        got = (table.cov() - original.cov()) / np.outer(scale, scale)
        np.testing.assert_allclose(got, 0, atol=1e-9)

    def test_the_default_is_the_size_of_large_census(self):
        assert census_like(random_state=0).shape == (10_000, 13)

    def test_the_seed_decides(self):
        first = census_like(n=50, random_state=4)
        pd.testing.assert_frame_equal(first, census_like(n=50, random_state=4))
        assert not first.equals(census_like(n=50, random_state=5))

    def test_few_records_without_exact_moments(self):
        assert census_like(n=3, exact=False, random_state=0).shape == (3, 13)
