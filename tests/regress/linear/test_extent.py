"""Data at the ends of the doubles: answered, or refused in words."""

import random

import pytest

from refclass import BRUTO, MARS, FlexibleDiscriminantAnalysis, SmoothingSpline
from refclass.errors import Refusal

CHANCE = random.Random(1)
LABELS = [i % 3 for i in range(45)]
ROWS = [[k + CHANCE.gauss(0, 1), CHANCE.gauss(0, 1)] for k in LABELS]


@pytest.mark.parametrize("scale", [1e-200, 1e-163, 1e-155, 1e-120, 1e-60, 1.0, 1e60, 1e120, 1e200])
@pytest.mark.parametrize("regression", [BRUTO, MARS])
def test_no_scale_of_the_data_meets_a_bare_exception(regression, scale):
    """FDA answers as at scale 1, or refuses with a reason that names the column."""
    rows = [[scale * v for v in row] for row in ROWS]
    want = FlexibleDiscriminantAnalysis(regression=regression()).fit(ROWS, LABELS).predict(ROWS)
    try:
        assert FlexibleDiscriminantAnalysis(regression=regression()).fit(rows, LABELS).predict(rows) == want
    except Refusal as refusal:
        assert "column" in str(refusal) and not 1e-50 < scale < 1e50


@pytest.mark.parametrize("scale", [1e-300, 1e-120, 1.0, 1e120, 1e300])
def test_no_scale_of_the_responses_meets_a_bare_exception(scale):
    """A spline of large or small responses is that of ordinary ones, scaled, or refused."""
    y = [scale * row[1] for row in ROWS]
    try:
        got = SmoothingSpline().fit([row[:1] for row in ROWS], y)
    except Refusal as refusal:
        assert "column" in str(refusal)
    else:
        want = SmoothingSpline().fit([row[:1] for row in ROWS], [row[1] for row in ROWS])
        assert abs(got.degrees_of_freedom_ / want.degrees_of_freedom_ - 1) < 1e-3
