"""Labels against the rest where roundoff hides the functions: refused, for machines of every kind and kernel."""

import pytest

from refclass import SVC, KernelClassifier, LogisticRegression, OneVersusRest
from refclass.errors import NotExact
from tests.hunt.test_tiny_columns import drawn

POLYNOMIAL, GAUSSIAN = {"name": "polynomial", "degree": 3}, {"name": "gaussian", "gamma": 1}
MACHINES = {
    "logistic": LogisticRegression(penalty=1),
    "deviance": KernelClassifier(loss="deviance"),
    "polynomial": SVC(kernel=POLYNOMIAL),
    "gaussian": SVC(kernel=GAUSSIAN),
    "deviance, gaussian": KernelClassifier(loss="deviance", kernel=GAUSSIAN),
}


@pytest.mark.parametrize("decades", [12, 15, 60])
@pytest.mark.parametrize("name", MACHINES)
def test_functions_that_roundoff_hides_are_refused(name, decades):
    """Every label was that of the first class; a Gaussian kernel is one at all points."""
    X, y = drawn(5, 3)
    tiny = [[v * 10.0**-decades for v in x] for x in X]
    several = OneVersusRest(estimator=MACHINES[name])
    if "gaussian" in name:
        with pytest.raises(NotExact, match="tell apart at points that differ"):
            several.fit(tiny, y)
        return
    several.fit(tiny, y)
    with pytest.raises(NotExact, match="roundoff of their intercepts"):
        several.predict(tiny)


def test_a_gram_matrix_of_tiny_entries_is_refused_one_of_ones_is_constant():
    """A kernel given by its values keeps its numbers."""
    X, y = drawn(5, 3)
    K = [[sum(a * b for a, b in zip(x, z)) * 1e-24 for z in X] for x in X]
    several = OneVersusRest(estimator=SVC(kernel="precomputed"))
    with pytest.raises(NotExact, match="roundoff of their intercepts"):
        several.fit(K, y).predict(K)
    ones = [[1.0] * len(X) for _ in X]
    assert set(several.fit(ones, y).predict(ones)) == {0}


@pytest.mark.parametrize("name", MACHINES)
def test_constant_functions_are_ties(name):
    """Two classes at the same points, a third one elsewhere: what their functions vary by is roundoff."""
    X = [[0.0, 0.1], [0.0, 0.1], [1.0, 0.2], [1.0, 0.2], [3.0, 1.0], [4.0, 1.5]]
    assert OneVersusRest(estimator=MACHINES[name]).fit(X, list("ababcc")).predict(X)[4:] == ["c", "c"]
