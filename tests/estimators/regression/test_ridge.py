"""Ridge regression as its users meet it."""

from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refclass import LinearRegression, Ridge
from refclass.errors import InvalidInput
from refclass.number.tolerance import near
from tests.profiles import examples
from tests.strategies import positive

X = [[0, 1], [1, 0], [2, 2], [3, 1], [1, 4]]
Y = [1, 0, 3, 2, 7]
OMEGA = [[2, 1], [1, 1]]


@pytest.mark.parametrize("omega", [None, OMEGA])
@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("arithmetic", ["float", "exact", "decimal:30"])
def test_the_fit_is_proven_and_exact_where_the_arithmetic_is(arithmetic, intercept, omega):
    """The gradient −Xᵀr + λΩβ is zero; gap 0 in fractions  [KRR.P1] [ESL-12.45] [ESL-12.47] [RC-21]."""
    m = Ridge(penalty="1/3", omega=omega, intercept=intercept, arithmetic=arithmetic).fit(X, Y)
    F, c = m.field(), m.certificate_
    assert c.status == "optimal" and (c.gap == 0 or arithmetic != "exact")
    assert near(F, m.objective_, F.lift(c.primal), steps=25)
    assert 0 < m.degrees_of_freedom_ < 2 + intercept


@settings(max_examples=examples(25))
@given(st.lists(st.integers(-5, 5), min_size=5, max_size=5), positive)
def test_the_gradient_is_zero(y, lam):
    """λβⱼ = Σ rᵢxᵢⱼ and, the constant being free, Σ rᵢ = 0  [KRR.P1] [ESL-12.47]."""
    m = Ridge(penalty=lam, arithmetic="exact").fit(X, y)
    r = [t - f for t, f in zip(y, m.predict(X))]
    assert sum(r) == 0 and [lam * b for b in m.coef_] == [sum(v * x[j] for v, x in zip(r, X)) for j in range(2)]


def test_without_a_penalty_it_is_least_squares_and_with_a_large_one_the_mean():
    """λ = 0: the same coefficients; λ → ∞: β → 0 and the constant is the mean  [KRR.P3]."""
    zero, plain = Ridge(penalty=0, arithmetic="exact").fit(X, Y), LinearRegression(arithmetic="exact").fit(X, Y)
    assert zero.coef_ == plain.coef_ and zero.degrees_of_freedom_ == plain.degrees_of_freedom_
    large = Ridge(penalty=10**9).fit(X, Y)
    assert max(map(abs, large.coef_)) < 1e-7 and abs(large.intercept_[0] - 2.6) < 1e-6


def test_several_responses_share_a_penalty():
    """The objective is the sum over the responses  [ESL-12.45]."""
    both = Ridge(arithmetic="exact").fit(X, [[y, -3 * y] for y in Y])
    one = Ridge(arithmetic="exact").fit(X, Y)
    assert both.objective_ == 10 * one.objective_ and both.coef_ == [one.coef_, [-3 * b for b in one.coef_]]
    assert both.certificate_.gap == 0


@pytest.mark.parametrize(
    ("options", "need"),
    [
        ({"penalty": -1}, "penalty a finite number ≥ 0"),
        ({"omega": [[1, 0]]}, "square matrix|2 × 2"),
        ({"omega": [[1, 0, 0]] * 3}, "2 numbers in each row of omega"),
        ({"intercept": None}, "intercept among"),
    ],
)
def test_bad_parameters_are_refused(options, need):
    """Each in one line that says what was needed  [ESL-12.45]."""
    with pytest.raises(InvalidInput, match=need):
        Ridge(**options).fit(X, Y)


@pytest.mark.parametrize("last", [-0.7, -0.709393559103064, 1.5])
def test_the_objective_is_that_of_the_answer_where_residuals_cancel(last):
    """A line through two points far apart: the residuals are roundoff, and so is another answer's objective
    [ESL-12.45]."""
    m = Ridge(penalty=1e-12).fit([[1e9], [last]], [1.0, 0.008])
    assert abs(Fraction(m.objective_) - m.certificate_.primal) <= m.certificate_.primal / 10**9


@pytest.mark.parametrize("offset, apart", [(0, 1), (10**6, 1e-5), (10**6, 1e-10), (10**9, 1e-7)])
@pytest.mark.parametrize("arithmetic", ["float", "decimal:20", "exact"])
def test_the_trace_is_proven_from_the_data(arithmetic, offset, apart):
    """Of columns that nearly coincide, too, and far from zero; another number is none of it."""
    r = Random(3)
    first = [r.gauss(0, 1) for _ in range(9)]
    X, y = [[offset + v, offset + v + apart * r.gauss(0, 1)] for v in first], [r.gauss(0, 1) for _ in first]
    model = Ridge(penalty="1/1000000", arithmetic=arithmetic).fit(X, y)
    want = Ridge(penalty="1/1000000", arithmetic="exact").fit(X, y).degrees_of_freedom_
    assert abs(Fraction(model.degrees_of_freedom_) - want) * 10**11 < 1
    assert model.certificate_.status == "optimal"
    del model.certificate_
    model.degrees_of_freedom_ += model.degrees_of_freedom_ / 10**6
    assert model.certificate_.status != "optimal" and "degrees_of_freedom_" in model.certificate_.where
