"""Huber's regression as its users meet it."""

from fractions import Fraction as Q

import pytest

from refclass import HuberRegression, KernelRidge
from refclass.errors import InvalidInput
from refclass.number.tolerance import near

X = [[0], [1], [2], [3], [4], [5]]
Y = [0, 1, 2, 3, 4, 50]
GAUSSIAN = {"name": "gaussian", "gamma": 1}


@pytest.mark.parametrize("kernel", ["linear", GAUSSIAN])
@pytest.mark.parametrize("arithmetic", ["float", "exact", "decimal:30"])
def test_the_fit_is_proven_and_exact_where_the_arithmetic_is(arithmetic, kernel):
    """λcᵢ = V′(rᵢ); gap 0 in fractions, roundoff elsewhere  [HUBER-FIT.P1] [ESL-12.36] [RC-21]."""
    m = HuberRegression(c=1, penalty="1/2", kernel=kernel, arithmetic=arithmetic).fit(X, Y)
    F, c = m.field(), m.certificate_
    assert c.status == "optimal" and (c.gap == 0 or arithmetic != "exact")
    for v, f, y in zip(m.coefficients_, m.predict(X), Y):
        assert near(F, v / 2, max(F.lift(-1), min(F.lift(1), y - f)), F.lift(50), 64)
    assert near(F, m.objective_, F.lift(c.primal), steps=36) and near(F, m.dual_objective_, m.objective_, steps=36)


def test_an_outlier_pulls_huber_by_no_more_than_c():
    """The slope stays near one, ridge regression's is drawn away; further away nothing changes  [HUBER-FIT.P1]
    [ESL-12.38]."""
    options = {"penalty": "1/100", "arithmetic": "exact"}
    robust = HuberRegression(c=1, **options).fit(X, Y)
    ridge = KernelRidge(intercept=True, **options).fit(X, Y)
    assert 1 < robust.coef_[0] < Q(3, 2) < 5 < ridge.coef_[0]
    assert HuberRegression(c=1, **options).fit(X, [*Y[:-1], 10**6]).coef_ == robust.coef_
    assert robust.support_ == [i for i, c in enumerate(robust.coefficients_) if c]


def test_a_wide_c_is_ridge_regression():
    """c ≥ max|r|: ½Σr² + ½λ‖f‖² has the coefficients of Σr² + λ‖f‖²  [HUBER-FIT.P2]."""
    options = {"penalty": 2, "kernel": GAUSSIAN, "arithmetic": "exact"}
    wide, ridge = HuberRegression(c=1000, **options).fit(X, Y), KernelRidge(intercept=True, **options).fit(X, Y)
    assert wide.coefficients_ == ridge.coefficients_ and wide.objective_ == ridge.objective_ / 2


def test_a_weight_stands_for_copies_of_a_row():
    """Weight three is the row three times  [SVC-COST-I]."""
    options = {"c": 1, "penalty": 1, "arithmetic": "exact"}
    one = HuberRegression(**options).fit(X, Y, sample_weight=[1, 3, 1, 1, 1, 0])
    two = HuberRegression(**options).fit([*X[:5], X[1], X[1]], [*Y[:5], Y[1], Y[1]])
    assert one.coef_ == two.coef_ and one.objective_ == two.objective_


@pytest.mark.parametrize(
    ("options", "need"),
    [
        ({"c": 0}, "c a finite number > 0"),
        ({"penalty": 0}, "penalty a finite number > 0"),
        ({"intercept": "free"}, "intercept among"),
    ],
)
def test_bad_parameters_are_refused(options, need):
    """Each in one line that says what was needed  [ESL-12.38]."""
    with pytest.raises(InvalidInput, match=need):
        HuberRegression(**options).fit(X, Y)
