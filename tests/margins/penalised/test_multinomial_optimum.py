"""The optimum of the multinomial loss in decimals: two ways to it."""

from random import Random

import pytest

from refclass import KernelClassifier
from refclass.margins.penalised import multinomial_optimum


def fitted(n, columns, seed=1, penalty=1e-9):
    """Return a deviance of three classes on columns of 10⁵."""
    r = Random(seed)
    X = [[r.gauss(0, 1) * 1e5 for _ in range(columns)] for _ in range(n)]
    return KernelClassifier(loss="deviance", penalty=penalty).fit(X, [i % 3 for i in range(n)])


@pytest.mark.long
@pytest.mark.parametrize("columns", [2, 14])
def test_coefficients_of_a_linear_kernel_lead_to_the_same_optimum(monkeypatch, columns):
    """Of few columns, and of more than points, in coordinates of the rows."""
    here = fitted(12, columns)
    monkeypatch.setattr(multinomial_optimum, "STEP", 0)
    there = fitted(12, columns)
    assert here.certificate_.digits >= 9 and there.certificate_.digits >= 9
    assert here.objective_ == pytest.approx(there.objective_, rel=1e-9)


def test_more_multipliers_of_a_linear_kernel_have_nine_digits():
    """Seventy-two, of three functions of two columns: their multipliers alone were too many for decimals."""
    assert fitted(24, 2).certificate_.digits >= 9


@pytest.mark.thorough
def test_more_columns_than_rows_have_nine_digits_of_a_tiny_objective():
    """45 rows of 53 columns, of which the optimum is 10⁻¹⁶; doubles have none of its digits."""
    assert fitted(45, 53).certificate_.digits >= 9
