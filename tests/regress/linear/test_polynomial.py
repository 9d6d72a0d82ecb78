"""Polynomial regression: least squares on monomials, of any rank."""

from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from refclass import PolynomialRegression
from refclass.errors import InvalidInput, NotExact
from refclass.linear.factorisations import elimination
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.rational import RATIONAL as F
from refclass.number.tolerance import near
from refclass.regress.linear import least_squares, polynomial
from tests.numbers import STRICT, Strict
from tests.profiles import examples
from tests.regress import reference
from tests.strategies import fractions, integers, matrices


@settings(max_examples=examples(20))
@given(matrices(8, 2, integers.map(Fraction)), matrices(8, 2), st.sampled_from([0, 1, 2]))
def test_residuals_are_orthogonal_to_every_monomial(X, Y, degree):
    """HᵀW(Y − Ŷ) = 0, whatever the rank: least squares on all monomials of the degree  [FDA-POLY]."""
    model = polynomial.fit(F, X, Y, degree=degree)
    H = model.basis.matrix(F, X)
    assert not any(any(row) for row in H.T @ (Y - model.fitted))
    assert model.rss == reference.rss(H.T, Y)
    assert model.degrees_of_freedom == elimination.rank(F, H)


@settings(max_examples=examples(20))
@given(matrices(12, 2, integers.map(Fraction)), matrices(6, 1), matrices(3, 2))
def test_polynomials_of_the_degree_are_reproduced(X, beta, new):
    """Responses that are a polynomial of degree 2 are fitted by it, at the sample; anywhere, if that determines it."""
    H = polynomial.Monomials(2, 2)
    model = polynomial.fit(F, X, H.matrix(F, X) @ beta, degree=2)
    assert model.rss == 0
    if model.rank == 6:
        assert model.coefficients == beta and model.predict(new) == H.matrix(F, new) @ beta


@settings(max_examples=examples(20))
@given(matrices(6, 2, integers.map(Fraction)), matrices(6, 1))
def test_degree_one_is_linear_regression(X, Y):
    """With degree 1 the fit is least squares with an intercept."""
    assume(elimination.rank(F, Matrix([[*x, Fraction(1)] for x in X])) == 3)
    model, linear = polynomial.fit(F, X, Y, degree=1), least_squares.fit(F, X, Y)
    assert list(model.coefficients.T[0]) == [linear.intercepts[0], *linear.coefficients.T[0]]


@settings(max_examples=examples(20))
@given(matrices(5, 1, integers.map(Fraction)), matrices(5, 1), st.lists(st.integers(0, 3), min_size=5, max_size=5))
def test_integer_weights_are_copies(X, Y, w):
    """Rows with integer weights are fitted as repeated rows."""
    assume(any(w))
    copies = [i for i, c in enumerate(w) for _ in range(c)]
    once = polynomial.fit(F, X, Y, Vector(map(Fraction, w)), degree=2)
    many = polynomial.fit(F, *(Matrix([M[i] for i in copies]) for M in (X, Y)), degree=2)
    assert (once.coefficients, once.rss, once.rank) == (many.coefficients, many.rss, many.rank)


def test_monomials_that_depend_on_earlier_ones_are_left_out():
    """Duplicated and constant columns: the earlier monomial carries the fit, the later has coefficient zero."""
    X = Matrix([[Fraction(7), Fraction(k), Fraction(k)] for k in range(5)])
    model = polynomial.fit(F, X, Matrix([[3 * x[1]] for x in X]), degree=1)
    assert model.coefficients == Matrix([[Fraction(v)] for v in (0, 0, 3, 0)]) and model.rank == 2


def test_large_offsets_cost_no_digits():
    """Cubics in years: residuals in doubles are those of exact arithmetic to the last digits, thanks to the centre."""
    X = Matrix([[1900.0 + k] for k in range(20)])
    Y = Matrix([[float((k * k) % 11)] for k in range(20)])
    rounded = polynomial.fit(BINARY64, X, Y, degree=3)
    exact = polynomial.fit(F, *(Matrix([[Fraction(v) for v in row] for row in M]) for M in (X, Y)), degree=3)
    for (a,), (b,) in zip(rounded.fitted, exact.fitted):
        assert near(BINARY64, a, float(b), scale=10, steps=20)
    assert rounded.predict(X) == rounded.fitted


def test_the_certificate_is_exact():
    """A fit in fractions is proven optimal; one in doubles within a gap of roundoff; a bent one has a larger gap."""
    X = Matrix([[Fraction(k), Fraction(k * k % 5)] for k in range(9)])
    Y = Matrix([[Fraction(k % 4, 3)] for k in range(9)])
    proof = polynomial.certify(X, Y, polynomial.fit(F, X, Y, degree=2))
    assert (proof.status, proof.gap) == ("optimal", 0)
    floats = [Matrix([[float(v) for v in row] for row in M]) for M in (X, Y)]
    rounded = polynomial.fit(BINARY64, *floats, degree=2)
    close = polynomial.certify(*floats, rounded)
    assert close.status == "optimal" and 0 < close.gap < 1e-25
    bent = polynomial.Model(**{**vars(rounded), "centred": rounded.centred * 2.0})
    wrong = polynomial.certify(*floats, bent)
    assert wrong.gap > 0.1 and wrong.status == "not converged"


def test_no_float_slips_in():
    """Strict numbers stay strict."""
    X = Matrix([[Strict(k)] for k in range(4)])
    assert type(polynomial.fit(STRICT, X, X, degree=2).coefficients[0][0]) is Strict


def test_samples_that_do_not_fit_are_refused():
    """Other numbers of rows, a degree that is none."""
    X = Matrix([[Fraction(1)], [Fraction(2)]])
    with pytest.raises(InvalidInput):
        polynomial.fit(F, X, Matrix(X[:1]))
    with pytest.raises(InvalidInput):
        polynomial.fit(F, X, X, degree=-1)


@given(fractions)
def test_degree_zero_is_the_mean(shift):
    """With degree 0 every fitted value is the weighted mean."""
    X = Matrix([[Fraction(k)] for k in range(3)])
    Y = Matrix([[shift], [shift + 1], [shift + 5]])
    assert set(polynomial.fit(F, X, Y, degree=0).fitted.T[0]) == {shift + 2}


@pytest.mark.parametrize(("exponent", "degree"), [(299, 1), (149, 2), (-301, 1), (-151, 2)])
def test_powers_beyond_the_range_are_refused_and_no_smaller_ones(exponent, degree):
    """Variables below 2^300, their powers as well, and above 2^−300; one bit less is fitted  [ESL-12.42]."""
    step = -1 if exponent > 0 else 1
    with pytest.raises(NotExact, match="powers of the variables"):
        polynomial.fit(BINARY64, Matrix([[2.0**exponent]]), Matrix([[1.0]]), degree=degree)
    kept = polynomial.fit(BINARY64, Matrix([[2.0 ** (exponent + step)]]), Matrix([[1.0]]), degree=degree)
    assert kept.fitted == Matrix([[1.0]])


def test_one_observation_has_its_response():
    """A constant is all that one row determines; nothing is left over  [ESL-12.42]."""
    model = polynomial.fit(F, Matrix([[Fraction(2), Fraction(3)]]), Matrix([[Fraction(5)]]), degree=1)
    assert (model.rss, model.rank, model.coefficients.T) == (0, 1, Matrix([[Fraction(v) for v in (5, 0, 0)]]))


def test_weights_whose_sums_leave_the_doubles_are_refused_by_row_and_column():
    """Four weights of 10³⁰⁸ have no sum in doubles; decimals have it."""
    X, y, weights = [[1], [2], [3], [4]], [1, 2, 3, 5], [1e307, 1e308, 1e308, 1e308]
    with pytest.raises(NotExact, match=r"weights in sample_weight .* got 1e\+308 \(row=1, column=0\)"):
        PolynomialRegression().fit(X, y, sample_weight=weights)
    found = PolynomialRegression(arithmetic="decimal:20").fit(X, y, sample_weight=[1e308] * 4).predict([[5]])
    assert float(found[0]) == pytest.approx(6.0)


def test_only_long_fits_are_asked_whether_they_are_steep():
    """Short ones are proven at once, in fractions where that is needed."""
    X = Matrix.of([Vector.of([float(i), i + 1e-8 * (i * i % 5)]) for i in range(9)])
    Y = Matrix.of([Vector.of([float(i % 3)]) for i in range(9)])
    assert not polynomial.fit(BINARY64, X, Y, degree=1).steep
