"""What the idioms of scikit-learn are tried with: data, short names, and the list of what people write."""

import pytest

pytest.importorskip("sklearn", minversion="1.6")
pandas = pytest.importorskip("pandas")

import sys

import numpy as np
from sklearn import datasets, model_selection

from refclass import sklearn as rs

X, y = datasets.load_iris(return_X_y=True)
NAMES = ["sepal_length", "sepal_width", "petal_length", "petal_width"]
FRAME, SERIES = pandas.DataFrame(X, columns=NAMES), pandas.Series(y, name="species")
WORDS = np.array(["setosa", "versicolor", "virginica"])[y]
X2, y2 = X[50:], y[50:] - 1
LENGTH = X[:, 0]
GAUSSIAN = {"name": "gaussian", "gamma": 0.5}
LDA, SVC, KNN = rs.LinearDiscriminantAnalysis, rs.SVC, rs.NearestNeighbors


class Idioms(dict):
    """Functions that assert what an idiom should give, by what it is called."""

    def works(self, name, *tests):
        """Add idioms that give something true."""
        for i, test in enumerate(tests):
            self[f"{name} {i + 1}" if len(tests) > 1 else name] = test

    def tried(self):
        """Return the marks of the test that tries them all."""

        def mark(test):
            for each in (
                pytest.mark.parametrize("name", self),
                pytest.mark.filterwarnings("ignore"),
                pytest.mark.skipif(sys.version_info < (3, 10), reason="idioms of recent versions of scikit-learn"),
            ):
                test = each(test)
            return test

        return mark


def score(model, X=X, y=y, **options):
    """Return the mean of a cross-validated score, errors raised."""
    return model_selection.cross_val_score(model, X, y, cv=3, error_score="raise", **options).mean()


def refused(kind, call, words):
    """Return whether a call is refused by that kind of error, with those words."""
    with pytest.raises(kind, match=words):
        call()
    return True
