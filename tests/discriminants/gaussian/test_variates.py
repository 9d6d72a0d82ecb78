"""Discriminant variates of known means."""

import pytest

from refclass import FisherDiscriminant, LinearDiscriminantAnalysis, MixtureDiscriminantAnalysis
from refclass.discriminants.gaussian import variates
from refclass.errors import NoAnswer
from refclass.linear.matrix import Matrix
from refclass.number.binary64 import BINARY64
from refclass.number.tolerance import near
from refclass.sample import metric


def known(*diagonal):
    """The metric of a diagonal covariance."""
    n = len(diagonal)
    return metric.factor(BINARY64, Matrix([[diagonal[i] if i == j else 0.0 for j in range(n)] for i in range(n)]))


def test_a_class_at_the_centre_leaves_the_others_apart():
    """Means −1, 0, 1 with variance 4: B = ½ (1 + 0 + 1) = 1, and the one value is 1/4  [ESL-4.3.3-variates]."""
    found = variates.unweighted(BINARY64, Matrix([[-1.0], [0.0], [1.0]]), known(4.0))
    assert len(found.eigenvalues) == 1 and near(BINARY64, found.eigenvalues[0], 0.25)
    with pytest.raises(NoAnswer, match="class means that differ"):
        variates.unweighted(BINARY64, Matrix([[2.0], [2.0], [2.0]]), known(4.0))


def test_roundoff_makes_no_further_variate():
    """Three means lie in a plane. The centre of 1, 1 and the next double is rounded by a third of their difference,
    which the small variance of that variable makes as large as the others; two variates remain  [ESL-4.3.3-subspace].
    """
    means = Matrix([[0.0, 0.0, 1.0], [1.0, 0.0, 1.0], [0.0, 1.0, 1.0 + BINARY64.eps]])
    found = variates.unweighted(BINARY64, means, known(1.0, 1.0, BINARY64.eps**2))
    assert len(found.eigenvalues) == 2 and found.vectors.shape == (3, 2)


EQUAL = [
    ([[0.1, 0.7], [0.3, -1.1], [0.7, 0.2]], 2),
    ([[1.3, 2.9], [0.2, -0.4], [5.1, 0.3], [2.2, 1.7], [3.3, 0.1]], 3),
    ([[0.1], [0.2], [0.4], [0.8], [1.6], [3.2], [6.4]], 1),
]


@pytest.mark.parametrize("arithmetic", ["float", "exact", "decimal:30"])
@pytest.mark.parametrize("rows, copies", EQUAL)
def test_equal_class_means_are_refused_in_every_arithmetic(rows, copies, arithmetic):
    """Points and weighted copies of them: roundoff of the means is no variate of eigenvalue 10⁻³⁵ or 10⁻⁶²."""
    X, y = rows + rows * copies, [0] * len(rows) + [1] * len(rows) * copies
    weights = [2.3] * len(rows) + [9 / 7] * len(rows) * copies
    fits = [
        kind(arithmetic=arithmetic).fit(X, y, own)
        for kind in (FisherDiscriminant, LinearDiscriminantAnalysis)
        for own in (None, weights)
    ]
    fits.append(MixtureDiscriminantAnalysis(subclasses=1, arithmetic=arithmetic).fit(X, y))
    if arithmetic != "exact":
        fits.append(FisherDiscriminant(arithmetic=arithmetic).fit(X + rows, y + [2] * len(rows)))
    for fit in fits:
        with pytest.raises(NoAnswer, match="class means that differ"):
            list(fit.eigenvalues_)
