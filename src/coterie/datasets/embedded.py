"""Tables that need no download: they travel with coterie or with scikit-learn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from coterie.datasets.optional import needed

if TYPE_CHECKING:
    import pandas as pd

_SME = (
    ("A&A Ltd", 790, 55, 3_212_334, 313_250),
    ("B&B SpA", 710, 44, 2_283_340, 299_876),
    ("C&C Inc", 730, 32, 1_989_233, 200_213),
    ("D&D BV", 810, 17, 984_983, 143_211),
    ("E&E SL", 950, 3, 194_232, 51_233),
    ("F&F GmbH", 510, 25, 119_332, 20_333),
    ("G&G AG", 400, 45, 3_012_444, 501_233),
    ("H&H SA", 330, 50, 4_233_312, 777_882),
    ("I&I LLC", 510, 5, 159_999, 60_388),
    ("J&J Co", 760, 52, 5_333_442, 1_001_233),
    ("K&K Sarl", 50, 12, 645_223, 333_010),
)

_WHOLE_NUMBERS = ("age", "sex", "s1", "s6", "progression")


def sme() -> pd.DataFrame:
    """Eleven small and medium enterprises of one town: an example to follow by hand.

    `company` is the identifier, `surface` (square meters) and `employees` are the
    quasi-identifiers, `turnover` and `net_profit` (euros) are confidential.

    Returns
    -------
    pandas.DataFrame
        11 rows; `company` holds strings, the other four columns int64.

    References
    ----------
    J. Domingo-Ferrer, A. Martínez-Ballesté, J. M. Mateo-Sanz, F. Sebé (2006), "Efficient
    multivariate data-oriented microaggregation", The VLDB Journal 15, Table 1.

    Examples
    --------
    >>> from coterie.datasets import sme
    >>> table = sme()
    >>> table.shape
    (11, 5)
    >>> int(table.loc[table["company"] == "K&K Sarl", "surface"].item())
    50
    """
    columns = ["company", "surface", "employees", "turnover", "net_profit"]
    table: pd.DataFrame = needed("pandas").DataFrame(_SME, columns=columns)
    return table.astype(dict.fromkeys(columns[1:], "int64"))


def diabetes() -> pd.DataFrame:
    """Diabetes patients in their original units, as embedded in scikit-learn.

    Returns
    -------
    pandas.DataFrame
        442 rows and 11 columns: `age` (years), `sex` (coded 1 and 2), `bmi`, `bp` (mean blood
        pressure), the serum measurements `s1` to `s6`, and `progression`, the disease measure a
        year later. Whole numbers are int64, the rest float64.

    References
    ----------
    B. Efron, T. Hastie, I. Johnstone, R. Tibshirani (2004), "Least angle regression", The Annals
    of Statistics 32.

    Examples
    --------
    >>> from coterie.datasets import diabetes
    >>> table = diabetes()
    >>> table.shape
    (442, 11)
    >>> int(table["age"].min()), int(table["age"].max())
    (19, 79)
    """
    from sklearn.datasets import load_diabetes

    pandas = needed("pandas")
    bunch = load_diabetes(scaled=False)
    table: pd.DataFrame = pandas.DataFrame(bunch.data, columns=list(bunch.feature_names))
    table["progression"] = bunch.target
    return table.astype(dict.fromkeys(_WHOLE_NUMBERS, "int64"))
