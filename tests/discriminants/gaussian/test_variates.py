"""Canonical variates where the class means are equal but for roundoff."""

import pytest

from refclass import FisherDiscriminant, LinearDiscriminantAnalysis, MixtureDiscriminantAnalysis
from refclass.errors import NoAnswer

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
    weights = [0.3] * len(rows) + [1 / 7] * len(rows) * copies
    for kind in (FisherDiscriminant, LinearDiscriminantAnalysis):
        for own in (None, weights):
            with pytest.raises(NoAnswer, match="class means that differ"):
                kind(arithmetic=arithmetic).fit(X, y, own)
    third = [*X, *rows], [*y, *[2] * len(rows)]
    if arithmetic != "exact":
        with pytest.raises(NoAnswer, match="class means that differ"):
            FisherDiscriminant(arithmetic=arithmetic).fit(*third)
    with pytest.raises(NoAnswer, match="class means that differ"):
        MixtureDiscriminantAnalysis(subclasses=1, arithmetic=arithmetic).fit(X, y)
