"""The smoothing spline: by λ, by degrees of freedom, by GCV."""

import math
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass.errors import InvalidInput, NotExact
from refclass.estimators.regression.smoothing_spline import SmoothingSpline
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import near
from refclass.regress.linear import least_squares
from refclass.regress.spline import spline
from refclass.regress.spline.gcv import gcv as score
from tests.strategies import fractions, integers

X = Matrix([[float(k % 17) / 4] for k in range(40)])
Y = Matrix([[math.sin(x) + ((k * 7919) % 11 - 5) / 20] for k, (x,) in enumerate(X)])


def exact(M):
    """Return a matrix of doubles at its exact value."""
    return Matrix([[Fraction(v) for v in row] for row in M])


@given(st.lists(st.tuples(integers, fractions, st.integers(0, 3)), min_size=2, max_size=7))
def test_integer_weights_are_copies(rows):
    """A row of weight 3 counts as three rows, one of weight 0 not at all: same curve, degrees of freedom, RSS, GCV."""
    if not any(w for _, _, w in rows):
        return
    X = Matrix([[Fraction(x)] for x, _, _ in rows])
    Y = Matrix([[y] for _, y, _ in rows])
    w = Vector([Fraction(w) for _, _, w in rows])
    copies = [(x, y) for (x, y, c) in rows for _ in range(c)]
    once = spline.fit(RATIONAL, X, Y, w, lam=Fraction(1, 3))
    many = spline.fit(
        RATIONAL, Matrix([[Fraction(x)] for x, _ in copies]), Matrix([[y] for _, y in copies]), lam=Fraction(1, 3)
    )
    for name in ("curve", "degrees_of_freedom", "rss", "gcv"):
        assert getattr(once, name) == getattr(many, name)


def test_the_score_is_recomputed_from_the_fitted_values():
    """gcv = (Σ(y − f)²/n)/(1 − cost · tr S/n)², with RSS from the fitted values and the trace as reported."""
    for cost in (1, 2):
        model = spline.fit(RATIONAL, exact(X), exact(Y), lam=Fraction(1, 5), cost=cost)
        rss = sum((y - f) ** 2 for (y,), (f,) in zip(exact(Y), model.fitted))
        kept = 1 - cost * model.degrees_of_freedom / 40
        assert model.rss == rss and model.gcv == rss / 40 / kept**2


def test_the_chosen_lambda_has_the_lowest_score_of_all():
    """No λ on a fine grid over many decades, nor the line, scores lower than the one chosen  [GAP-9]."""
    model = spline.fit(BINARY64, X, Y)
    scores = [spline.fit(BINARY64, X, Y, lam=model.lam * 2.0 ** (k / 4)).gcv for k in range(-80, 81)]
    scores.append(spline.fit(BINARY64, X, Y, lam=math.inf).gcv)
    assert all(not score.clearly_lower(BINARY64, s, model.gcv, 40) for s in scores)


def test_noise_about_a_line_is_smoothed_to_the_line():
    """Where no λ scores lower than the straight line, the line is chosen, and said so."""
    x = [float(k) for k in range(12)]
    y = [2 * v + (-1) ** k for k, v in enumerate(x)]
    model = spline.fit(BINARY64, Matrix([[v] for v in x]), Matrix([[v] for v in y]))
    assert model.lam == math.inf and model.degrees_of_freedom == 2


@pytest.mark.parametrize("wanted", [2.5, 4.0, 9.0, 16.5])
def test_the_degrees_of_freedom_asked_for_are_met(wanted):
    """λ is found so that tr S_λ is what was asked."""
    assert near(BINARY64, spline.fit(BINARY64, X, Y, degrees_of_freedom=wanted).degrees_of_freedom, wanted, steps=40)


def test_the_ends_of_the_degrees_of_freedom_are_the_line_and_the_interpolant():
    """2 is λ = ∞, the least-squares line exactly; the number of distinct x is λ = 0; both in exact arithmetic."""
    rows, responses = exact(X), exact(Y)
    line = spline.fit(RATIONAL, rows, responses, degrees_of_freedom=2)
    linear = least_squares.fit(RATIONAL, rows, responses)
    assert line.lam == math.inf
    assert [f for (f,) in line.fitted] == [linear.intercepts[0] + linear.coefficients[0][0] * x for (x,) in rows]
    through = spline.fit(RATIONAL, rows, responses, degrees_of_freedom=17)
    assert through.lam == 0 and through.degrees_of_freedom == 17


def test_responses_share_lambda_and_nothing_else():
    """Several responses at one λ are fitted as each alone; their sums of squares add up."""
    Z = Matrix([[y, y * y] for (y,) in exact(Y)])
    both = spline.fit(RATIONAL, exact(X), Z, lam=Fraction(1, 2))
    alone = [spline.fit(RATIONAL, exact(X), Matrix([[v] for v in z]), lam=Fraction(1, 2)) for z in Z.T]
    assert Matrix([a.fitted.T[0] for a in alone]) == both.fitted.T and both.rss == sum(a.rss for a in alone)


def test_predictions_at_the_sample_are_the_fitted_values():
    """predict(X) is fitted."""
    model = spline.fit(BINARY64, X, Y, lam=0.1)
    assert model.predict(X) == model.fitted


def test_decimals_agree_with_doubles():
    """The λ of lowest GCV found in 30 digits is that of doubles, to the digits that doubles can know."""
    F = decimal(30)
    rows = [Matrix([[F.lift(v) for v in row] for row in M[::4]]) for M in (X, Y)]
    fine = spline.fit(F, *rows)
    rough = spline.fit(BINARY64, Matrix(X[::4]), Matrix(Y[::4]))
    assert abs(float(fine.lam) / rough.lam - 1) < 1e-3 and abs(float(fine.gcv) / rough.gcv - 1) < 1e-9


def test_the_certificate_of_an_exact_fit_is_a_proof_of_its_optimum():
    """In exact arithmetic every gradient is zero, for splines and lines; ties make no difference."""
    for lam in (Fraction(1, 7), Fraction(0), math.inf):
        model = spline.fit(RATIONAL, exact(X), exact(Y), lam=lam)
        proof = spline.certify(exact(X), exact(Y), model)
        assert (proof.status, proof.gap, proof.worst_violation) == ("optimal", 0, 0)


def test_the_certificate_of_a_rounded_fit_bounds_what_is_lost():
    """A fit in doubles is within a gap of roundoff of the exact minimum; a bent one within its own, larger gap."""
    model = spline.fit(BINARY64, X, Y, lam=0.1)
    proof = spline.certify(X, Y, model)
    best = spline.fit(RATIONAL, exact(X), exact(Y), lam=Fraction(0.1))
    least = best.rss + best.lam * best.curve.roughness()
    assert proof.dual <= least <= proof.primal and 0 < proof.gap < 1e-12
    assert proof.status == "optimal" and proof.digits < math.inf
    values = (model.curve.values[0] + Vector.unit(17, 3, float),)
    bent = spline.Model(**{**vars(model), "curve": type(model.curve)(model.curve.knots, values, model.curve.seconds)})
    worse = spline.certify(X, Y, bent)
    assert worse.dual <= least and worse.primal > least + 1 and worse.worst_violation > 1
    assert worse.status == "not converged" and worse.digits < 1


def test_a_curve_nearly_a_line_far_from_zero_is_proven_by_its_second_derivatives():
    """The spline through values in doubles has no digit of the criterion; that of the second derivatives has all."""
    x = [0.37 * i + 0.11 * (i * i % 7) for i in range(20)]
    rows, values = Matrix([[v] for v in x]), Matrix([[1e6 + v] for v in x])
    for lam in (1e12, 1e15, 1e18):
        assert spline.certify(rows, values, spline.fit(BINARY64, rows, values, lam=lam)).digits > 15


def test_a_search_has_no_exact_answer():
    """GCV and degrees of freedom strictly between 2 and m lead to irrational λ: refused in exact arithmetic."""
    for options in ({}, {"degrees_of_freedom": Fraction(5)}):
        with pytest.raises(NotExact):
            spline.fit(RATIONAL, exact(X), exact(Y), **options)


def test_degenerate_samples_have_their_answers():
    """One point: its value. One distinct x: the mean. Two: the line. None of them has a bend to choose."""
    one = spline.fit(BINARY64, Matrix([[1.0]]), Matrix([[5.0]]))
    assert one.fitted == Matrix([[5.0]]) and one.degrees_of_freedom == 1 and one.gcv is None
    same = spline.fit(BINARY64, Matrix([[1.0]] * 4), Matrix([[1.0], [2.0], [3.0], [6.0]]))
    assert same.predict(Matrix([[7.0]])) == Matrix([[3.0]])
    two = spline.fit(BINARY64, Matrix([[0.0], [1.0], [1.0]]), Matrix([[1.0], [2.0], [4.0]]))
    assert near(BINARY64, two.predict(Matrix([[2.0]]))[0][0], 5.0) and two.degrees_of_freedom == 2


def test_what_cannot_be_meant_is_refused():
    """Two variables, λ and degrees of freedom at once, negative λ, degrees of freedom out of range."""
    wide = Matrix([[x, x] for (x,) in X])
    for rows, options in (
        (wide, {}),
        (X, {"lam": 1.0, "degrees_of_freedom": 3.0}),
        (X, {"lam": -1.0}),
        (X, {"degrees_of_freedom": 1.5}),
        (X, {"degrees_of_freedom": 18.0}),
    ):
        with pytest.raises(InvalidInput):
            spline.fit(BINARY64, rows, Y, **options)


def test_a_line_far_from_the_origin_is_its_own_spline():
    """Knots 10⁻³ apart, 10⁸ away: their mean is a hundred-thousandth of that off in doubles (GCV had no logarithm)."""
    x = [100000000 + v / 1024 for v in (0, 1, 3, 4, 7, 10)]
    found = SmoothingSpline().fit([[t] for t in x], [2 * (t - 100000000) for t in x])
    assert found.penalty_ == float("inf") and found.certificate_.digits > 12


@pytest.mark.parametrize("F", [RATIONAL, decimal(40)], ids=["exact", "decimal:40"])
def test_small_residuals_are_roundoff_of_doubles_alone(F):
    """Responses 10⁻¹⁹ from a line: curves far above the optimum are not optimal; of doubles the premise says so."""
    rows = Matrix([[F.lift(k)] for k in range(12)])
    responses = Matrix([[F.lift(Fraction(1, 3) + Fraction(k * 2, 7) + Fraction(k * k % 7, 10**19))] for k in range(12)])
    model = spline.fit(F, rows, responses, lam=F.lift(1))
    assert spline.certify(rows, responses, model).status == "optimal"
    (values,) = model.curve.values
    moved = Vector([v + F.lift(Fraction((-1) ** k, 10**16)) for k, v in enumerate(values)])
    found = spline.certify(rows, responses, replace(model, curve=replace(model.curve, values=(moved,))))
    assert found.status == "not converged" and found.primal > 2 * found.dual > 0
    doubles = [Matrix([[float(v) for v in row] for row in M]) for M in (rows, responses)]
    found = spline.certify(*doubles, spline.fit(BINARY64, *doubles, lam=1.0))
    assert found.status == "optimal" and "roundoff" in found.premise


def test_one_large_response_hides_no_residual_of_the_others():
    """Eleven responses about 1 and one of 4·10²⁶: a curve a tenth from the eleven is not optimal."""
    rows = Matrix([[float(k)] for k in range(12)])
    responses = Matrix([[(-1.0) ** k] for k in range(11)] + [[4e26]])
    model = spline.fit(BINARY64, rows, responses, lam=1e-60)
    assert spline.certify(rows, responses, model).status == "optimal"
    (values,) = model.curve.values
    moved = Vector([*(v + 0.1 for v in values[:11]), values[11]])
    found = spline.certify(rows, responses, replace(model, curve=replace(model.curve, values=(moved,))))
    assert found.status != "optimal" and not found.premise
