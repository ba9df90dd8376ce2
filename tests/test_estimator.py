"""The estimator: scikit-learn's own checks, and what protection adds to them."""

from __future__ import annotations

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

import coterie
from coterie.errors import DataError, ParameterError

# Left out, and why. With unseen="nearest" nothing is.
REFUSED = {"check_fit_idempotent": "it transforms rows that were not fitted: refused by design"}

ESTIMATORS = [
    coterie.Microaggregation(),
    coterie.Microaggregation(k=3, method="mdav-mhm", standardize=False, unseen="nearest"),
]


@parametrize_with_checks(
    ESTIMATORS, expected_failed_checks=lambda one: REFUSED if one.unseen == "refuse" else {}
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


@pytest.fixture
def X(rng):
    return rng.normal(size=(60, 3)) * [1.0, 10.0, 100.0]


def classes(table):
    return np.unique(np.asarray(table), axis=0, return_counts=True)[1]


def test_every_row_is_shared_by_k(X):
    found = coterie.Microaggregation(k=4).fit_transform(X)
    assert classes(found).min() >= 4
    assert np.allclose(found.mean(axis=0), X.mean(axis=0))


def test_same_groups_as_partition(X):
    one = coterie.Microaggregation(k=4, method="cbfs-mhm").fit(X)
    other = coterie.partition(coterie.standardize(X), 4, "cbfs-mhm")
    assert np.array_equal(one.labels_, other.labels)
    assert one.partition_.information_loss == other.information_loss
    plain = coterie.Microaggregation(k=4, standardize=False).fit(X)
    assert np.array_equal(plain.labels_, coterie.partition(X, 4).labels)
    assert not np.array_equal(plain.labels_, one.labels_)


def test_centroids_are_the_means_of_the_columns(X):
    found = coterie.Microaggregation(k=4).fit(X)
    means = pd.DataFrame(X).groupby(found.labels_).mean().to_numpy()
    assert np.allclose(found.cluster_centers_, means)


@pytest.mark.parametrize("values", [2, 3, 60])
def test_fitted_rows_come_back_in_any_order(rng, values):
    """Equal rows may be in different groups: given back in any order, every group keeps k."""
    X = rng.integers(0, values, size=(200, 2)).astype(float)
    fitted = coterie.Microaggregation(k=5).fit(X)
    direct = fitted.fit_transform(X)
    assert np.array_equal(direct, fitted.cluster_centers_[fitted.labels_])
    assert np.array_equal(direct, fitted.transform(X))
    order = rng.permutation(200)
    shuffled = fitted.transform(X[order])
    assert classes(shuffled).min() >= 5
    assert np.array_equal(np.sort(shuffled, axis=0), np.sort(direct, axis=0))


def test_rows_are_known_by_exact_value(X):
    fitted = coterie.Microaggregation(k=4).fit(X)
    almost = X[[7, 8]].copy()
    almost[1, 2] = np.nextafter(almost[1, 2], np.inf)
    with pytest.raises(
        DataError, match=r"Got 1 unseen of 2, the first in row 1; .*nearest"
    ) as error:
        fitted.transform(almost)
    assert "\n" not in str(error.value)
    assert np.array_equal(
        fitted.transform(X[[7, 7]])[0], fitted.cluster_centers_[fitted.labels_[7]]
    )


def test_values_that_were_fitted_in_other_rows_make_no_known_row():
    fitted = coterie.Microaggregation(k=2).fit([[0, 0], [0, 1], [1, 0], [2, 2]])
    for row in ([1, 1], [2, 0], [-1, 0], [3, 3], [0, 0.5]):
        with pytest.raises(DataError, match="unseen"):
            fitted.transform([row])


def test_values_of_any_size():
    wide = np.array([[1e200, 0.0], [2e200, 1e-200], [8e200, 3e-200], [9e200, 4e-200]])
    found = coterie.Microaggregation(k=2).fit_transform(wide)
    assert np.allclose(found[:, 0] / 1e200, [1.5, 1.5, 8.5, 8.5])


def test_integers_that_would_be_rounded_are_refused():
    X = np.array([[2**53 + 1], [2**53 + 2], [5], [6]])
    with pytest.raises(DataError, match=r"within 2\*\*53"):
        coterie.Microaggregation(k=2).fit(X)
    fitted = coterie.Microaggregation(k=2).fit(X[2:])
    with pytest.raises(DataError, match=r"Microaggregation.transform .* within 2\*\*53"):
        fitted.transform(X)


def test_types_of_numbers_do_not_matter(X):
    whole = np.rint(X).astype(np.int32)
    fitted = coterie.Microaggregation(k=4).fit(whole)
    assert np.array_equal(fitted.transform(whole.astype(np.float32)), fitted.transform(whole))
    assert fitted.transform(whole).dtype == np.float64


def test_zero_has_no_sign():
    fitted = coterie.Microaggregation(k=2).fit([[0.0], [0.0], [5.0], [5.0]])
    assert fitted.transform([[-0.0]]).tolist() == [[0.0]]


def test_nearest_is_the_nearest_centroid_in_the_space_of_the_distance(X, rng):
    fitted = coterie.Microaggregation(k=4, unseen="nearest").fit(X)
    new = rng.normal(size=(50, 3)) * [1.0, 10.0, 100.0]
    spread = X.std(axis=0)
    distance = np.square((new[:, None] - fitted.cluster_centers_) / spread).sum(axis=2)
    assert np.array_equal(fitted.transform(new), fitted.cluster_centers_[distance.argmin(axis=1)])
    # A fitted row keeps its own group even where another centroid is nearer.
    assert np.array_equal(fitted.transform(X), fitted.cluster_centers_[fitted.labels_])


def test_nearest_leaves_classes_below_k(X, rng):
    new = rng.normal(size=(60, 3)) * [1.0, 10.0, 100.0]
    fitted = coterie.Microaggregation(k=5, unseen="nearest").fit(X)
    assert classes(fitted.transform(new)).min() < 5


def test_pandas_and_polars_come_out(X):
    frame = pd.DataFrame(X, columns=["a", "b", "c"], index=np.arange(60) + 100)
    fitted = coterie.Microaggregation(k=3).set_output(transform="pandas")
    found = fitted.fit_transform(frame)
    assert isinstance(found, pd.DataFrame)
    assert list(found.columns) == ["a", "b", "c"]
    assert found.index.equals(frame.index)
    assert fitted.get_feature_names_out().tolist() == ["a", "b", "c"]
    other = coterie.Microaggregation(k=3).set_output(transform="polars")
    table = other.fit_transform(pl.from_pandas(frame))
    assert isinstance(table, pl.DataFrame)
    assert table.columns == ["a", "b", "c"]
    assert np.array_equal(table.to_numpy(), found.to_numpy())
    with pytest.raises(ValueError, match="feature names"):
        fitted.transform(frame[["c", "b", "a"]])


def test_in_a_column_transformer_and_a_pipeline(X):
    frame = pd.DataFrame(X, columns=["age", "income", "score"]).assign(region=["n", "s"] * 30)
    protect = ColumnTransformer(
        [("keys", coterie.Microaggregation(k=5), ["age", "income"])],
        remainder="passthrough",
        verbose_feature_names_out=False,
    ).set_output(transform="pandas")
    found = protect.fit_transform(frame)
    assert found.groupby(["age", "income"]).size().min() >= 5
    assert (found["region"] == frame["region"]).all()
    numbers = make_column_selector(dtype_include="number")
    model = make_pipeline(
        ColumnTransformer([("keys", coterie.Microaggregation(k=5), numbers)]), LinearRegression()
    )
    model.fit(frame, frame["score"])
    assert model.predict(frame).shape == (60,)
    with pytest.raises(DataError, match="unseen"):
        model.predict(frame.assign(age=frame["age"] + 1e-9))


def test_grid_search_over_k(X):
    y = X @ [1.0, 0.1, 0.01]
    model = make_pipeline(coterie.Microaggregation(unseen="nearest"), LinearRegression())
    search = GridSearchCV(model, {"microaggregation__k": [2, 10, 20]}, cv=3).fit(X, y)
    assert search.best_params_ == {"microaggregation__k": 2}


def test_clone_and_pickle(X):
    options = {"ending": "together"}
    first = coterie.Microaggregation(k=4, method_options=options)
    assert clone(first).get_params() == first.get_params()
    first.fit(X)
    assert options == {"ending": "together"}
    again = pickle.loads(pickle.dumps(first))
    assert np.array_equal(again.transform(X), first.transform(X))


def test_seeds(X):
    def labels(seed):
        search = coterie.Microaggregation(4, "ilsmc", iterations=5, random_state=seed)
        return search.fit(X).labels_.tolist()

    assert labels(1) == labels(1)
    assert labels(np.random.RandomState(1)) == labels(np.random.RandomState(1))
    assert labels(np.random.default_rng(1)) == labels(np.random.default_rng(1))


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"k": 1}, "The 'k' parameter of Microaggregation must be an integer of at least 2"),
        ({"k": 61}, "at most the number of records, 60"),
        ({"method": "mdaw"}, "Did you mean 'mdav'"),
        ({"unseen": "keep"}, "The 'unseen' parameter of Microaggregation must be 'refuse' or"),
        ({"standardize": 1}, "The 'standardize' parameter of Microaggregation must be True or"),
        ({"method_options": {"endign": 1}}, "Did you mean 'ending'"),
        ({"method_options": "ending"}, "a mapping from option to value"),
        ({"method_options": {"k": 3}}, "options of the method only. Got 'k'"),
        ({"time_limit": 1.0}, "for methods that search"),
        ({"random_state": -1}, "random_state"),
    ],
)
def test_bad_parameters_are_told_in_one_line(X, parameters, message):
    with pytest.raises(ParameterError) as error:
        coterie.Microaggregation(**parameters).fit(X)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_groups_at_once_and_options_within_reach_of_a_grid(rng):
    X = rng.normal(size=(30, 2))
    protect = coterie.Microaggregation(k=3, method="vmdav")
    assert protect.fit_predict(X).tolist() == protect.fit(X).labels_.tolist()
    tried = clone(protect).set_params(method_options__gain=1.5, k=4)
    assert (tried.k, tried.method_options) == (4, {"gain": 1.5})
    assert protect.method_options is None
    other = coterie.partition(coterie.standardize(X), 4, "vmdav", gain=1.5)
    assert tried.fit(X).labels_.tolist() == other.labels.tolist()
    with pytest.raises(coterie.ParameterError, match="gian"):
        clone(protect).set_params(method_options__gian=1.0).fit(X)


def test_a_frame_of_mixed_types_is_refused_with_a_way_on():
    table = pd.DataFrame({"age": [30.0, 31.0, 50.0, 51.0], "sex": ["f", "m", "f", "m"]})
    with pytest.raises(coterie.DataError, match=r"column 'sex'.*coterie\.anonymize"):
        coterie.Microaggregation(k=2).fit(table)
    assert len(coterie.Microaggregation(k=2).fit_predict(table[["age"]])) == 4


def test_a_column_of_objects_may_hold_numbers_and_nothing_else():
    """A frame that was put together row by row has such columns."""
    numbers = pd.DataFrame({"age": [1.0, 2.0, 8.0, 9.0], "size": [1, True, 9.5, 9]}, dtype=object)
    assert coterie.Microaggregation(k=2).fit_predict(numbers).tolist() == [0, 0, 1, 1]
    with pytest.raises(coterie.DataError, match=r"Got Object in column 'size'; leave it out"):
        coterie.Microaggregation(k=2).fit(numbers.assign(size=[1, "two", 3, 4]))


def test_columns_without_names_have_numbers_for_names():
    """As pandas gives them to an array."""
    table = pd.DataFrame(np.array([[1.0, 2.0], [2.0, 2.0], [8.0, 9.0], [9.0, 9.0]]))
    assert coterie.Microaggregation(k=2).fit_predict(table).tolist() == [0, 0, 1, 1]
    with pytest.raises(coterie.DataError, match=r"Got String in column 1; leave it out"):
        coterie.Microaggregation(k=2).fit(pd.DataFrame({0: [1.0, 2.0], 1: ["a", "b"]}))


@pytest.mark.parametrize("library", ["pandas", "pyarrow"])
def test_names_that_stand_twice_are_refused(library):
    table = pd.DataFrame(np.arange(8.0).reshape(4, 2), columns=["age", "age"])
    if library == "pyarrow":
        table = pa.table([table.iloc[:, 0], table.iloc[:, 1]], names=["age", "age"])
    with pytest.raises(
        coterie.DataError, match=r"names of X must differ.*Got 'age' 2 times; rename"
    ):
        coterie.Microaggregation(k=2).fit(table)
