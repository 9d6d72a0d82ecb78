"""The proof of ridge and least squares: exact for exact answers, a bound for others."""

from fractions import Fraction as Q
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refclass import LinearRegression, PolynomialRegression, Ridge
from refclass.errors import InvalidInput, NotConverged
from refclass.linear.exact import fraction_free
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.decimals import decimal
from refclass.regress.linear import ridge_certificate
from tests.profiles import examples
from tests.regress.tables import ones
from tests.strategies import matrices, positive

few = settings(max_examples=examples(25))


@st.composite
def fits(draw):
    """Columns, responses, weights, a positive definite penalty, and the best coefficients."""
    H, Y = draw(matrices(4, 2)), draw(matrices(4, 2))
    w = Vector([draw(positive) for _ in range(4)])
    P = Matrix([[draw(positive), Q(0)], [Q(0), draw(positive)]])
    A = Matrix([column.times(w) for column in H.T])
    return H, Y, w, P, fraction_free.solve(A @ H + P, A @ Y)


@few
@given(fits())
def test_the_best_coefficients_are_proven_optimal(fit):
    """The gradient is zero, so the gap is, exactly  [KRR.P1] [ESL-12.47]."""
    H, Y, w, P, B = fit
    c = ridge_certificate.certify(H, Y, B, w, P)
    assert c.status == "optimal" and c.gap == 0 and c.worst_violation == 0 and c.unique == {"coefficients": True}


@few
@given(fits(), matrices(2, 2))
def test_the_gap_of_other_coefficients_is_what_they_cost_too_much(fit, D):
    """gᵀA⁻¹g is the objective less the least objective, exactly  [KRR.P1] [ESL-12.45]."""
    H, Y, w, P, B = fit
    best, other = (ridge_certificate.certify(H, Y, b, w, P) for b in (B, B + D))
    assert other.primal - other.gap == best.primal == other.dual and other.gap >= 0
    assert (other.status == "optimal") == (D.largest() == 0)


def test_dependent_columns_leave_the_coefficients_open():
    """Two equal columns: the fit is optimal, its coefficients are not the only ones  [RC-21]."""
    H, Y = Matrix([[Q(1), Q(1)], [Q(2), Q(2)]]), Matrix([[Q(1)], [Q(2)]])
    good = ridge_certificate.certify(H, Y, Matrix([[Q(1)], [Q(0)]]), ones(2))
    assert good.status == "optimal" and good.unique == {"coefficients": False}
    bad = ridge_certificate.certify(H, Y, Matrix([[Q(1)], [Q(1)]]), ones(2))
    assert bad.status == "not converged" and bad.gap == bad.primal == 5 and "column" in bad.where


def test_another_shape_is_refused():
    """There is a coefficient for every column and response  [ESL-12.47]."""
    with pytest.raises(InvalidInput, match="coefficients for every column"):
        ridge_certificate.certify(Matrix([[Q(1)]]), Matrix([[Q(1)]]), Matrix([[Q(1)], [Q(1)]]), ones(1))


def test_the_largest_entry_of_the_gradient_is_named():
    """g = HᵀY at zero coefficients: of 3, 0, 1 and 5 the last, column 1 and response 1  [ESL-12.47]."""
    H, Y = Matrix.identity(2, Q), Matrix([[Q(3), Q(0)], [Q(1), Q(5)]])
    found = ridge_certificate.certify(H, Y, Matrix.zeros(2, 2, Q), ones(2))
    assert (found.worst_violation, found.where) == (5, "gradient, column 1, response 1")


def test_the_digits_are_those_of_the_gap_on_its_scale():
    """y = (1, 0) on a constant: 1 at b = 1, twice the least, log₁₀ 2 digits. Without residuals, y = (1, 2) on
    x = (1, 2), it is 5(b − 1)² on the scale Σy² = 5: 4 digits at b = 0.99  [ESL-12.47]."""
    H, Y = Matrix([[Q(1)], [Q(1)]]), Matrix([[Q(1)], [Q(0)]])
    found = ridge_certificate.certify(H, Y, Matrix([[Q(1)]]), ones(2))
    assert (found.primal, found.gap, found.digits) == (1, Q(1, 2), 0.3)
    X = Matrix([[Q(1)], [Q(2)]])
    for scale in (Q(1), Q(1, 100)):
        assert ridge_certificate.certify(X, scale * X, Matrix([[scale * Q(99, 100)]]), ones(2)).digits == 4


def test_the_worst_place_of_the_gradient_is_told_whatever_its_sign():
    """H = I, Y − B has the columns (1, −3) and (2, 0): the largest in size is at column 1 of response 0
    [ESL-12.47]."""
    one = Matrix.identity(2, Q)
    found = ridge_certificate.certify(one, Matrix([[Q(1), Q(2)], [Q(-3), Q(0)]]), one - one, ones(2, 1))
    assert (found.worst_violation, found.where) == (3, "gradient, column 1, response 0")


@few
@given(matrices(2, 5), matrices(2, 2), matrices(5, 2), st.sampled_from([Q(0), Q(1), Q(3)]))
def test_more_columns_than_rows_are_proven_alike_by_those_that_are_independent(H, Y, B, last):
    """The gap on columns chosen modulo a prime is that on columns chosen by elimination  [KRR.P1]."""
    w, zero = Vector([Q(1), last]), Matrix.zeros(5, 5, Q)
    assert ridge_certificate.certify(H, Y, B, w) == ridge_certificate.certify(H, Y, B, w, zero)


@pytest.mark.long
def test_thousands_of_columns_are_proven_as_fast_as_they_are_fitted():
    """2,925 monomials of eight points: the 8.6 million products of two of them took half a minute."""
    rows = [[Q(i * j % 7, 3) - j for j in range(24)] for i in range(1, 9)]
    began = process_time()
    proof = PolynomialRegression(degree=3).fit(rows, [i * i % 5 for i in range(8)]).certificate_
    assert proof.digits >= 9 and process_time() - began < 5


def test_a_plane_through_the_responses_but_for_roundoff_is_optimal_and_its_premise_is_named():
    """Residuals of roundoff have no digits of their own; in decimals the same coefficients have few."""
    X = [[float(i), float(i * i % 7)] for i in range(9)]
    y = [0.1 + 0.7 * a - b / 3 for a, b in X]
    for model in (LinearRegression(), Ridge(penalty=0), PolynomialRegression()):
        c = model.fit(X, y).certificate_
        assert c.status == "optimal" and c.premise == ridge_certificate.ROUNDINGS and c.dual > 0
    own, decimals = LinearRegression().fit(X, y), decimal(20)
    H, Y = Matrix([[1.0, *x] for x in X]), Matrix([[v] for v in y])
    B = [[decimals.lift(v)] for v in (*own.intercept_, *own.coef_)]
    assert ridge_certificate.certify(H, Y, Matrix(B), ones(9)).status != "optimal"


@pytest.mark.parametrize(("arithmetic", "power"), [("float", 16), ("decimal:20", 20)])
def test_few_digits_of_least_squares_stand_beside_their_ceiling(arithmetic, power):
    """A cubic nearly through responses at points of which one is far away: the exact coefficients, rounded.

    At 2³⁰ these keep less than a digit: a refusal with the bounds on the sum of squares.
    """
    for far in (2.0**power, 2.0**30):
        near = 1 / 3
        X, y = [[0.1], [1.2], [2.3], [3.1], [far]], [near, 1.0, 0.0, 1.0, near * far**3]
        model = PolynomialRegression(degree=3, arithmetic=arithmetic)
        if far == 2.0**30:
            with pytest.raises(NotConverged) as refusal:
                model.fit(X, y)
            assert refusal.value.witness["primal"] > refusal.value.witness["dual"] > 0
        else:
            c = model.fit(X, y).certificate_
            assert 1 <= c.digits < 9 and c.ceiling is not None and c.digits >= c.ceiling - 1


def test_residuals_are_roundoff_where_those_of_every_response_are():
    """Beside a response of 10²⁰ residuals of another are small, but no roundoff of its own values."""
    H, Y, B = Matrix([[1.0], [1.0]]), Matrix([[1e20, 0.001], [1e20, 0.0]]), Matrix([[1e20, 0.0]])
    found = ridge_certificate.certify(H, Y, B, ones(2))
    assert found.premise == "" and 0 < found.gap < found.primal and found.digits == 0.3


def test_responses_on_a_plane_need_no_premise():
    """All of the objective is the gap where the plane holds the responses, and coefficients are off by an ulp."""
    H = Matrix([[1.0], [1.0]])
    for size in (1.0, 2.0**-20):
        found = ridge_certificate.certify(H, size * H, Matrix([[size * (1 + 2.0**-52)]]), ones(2))
        assert found.premise == "" and found.gap == found.primal > 0 and found.digits == 31.3


def test_as_many_independent_columns_as_rows_have_one_solution():
    """H = I: the coefficients are unique, of n columns of n rows as of fewer  [RC-21]."""
    for n in (1, 2):
        found = ridge_certificate.certify(Matrix.identity(n, Q), Matrix.identity(n, Q), Matrix.identity(n, Q), ones(n))
        assert found.unique == {"coefficients": True} and found.status == "optimal"
