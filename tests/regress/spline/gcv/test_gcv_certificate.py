"""The proof that a smoothing parameter has the lowest GCV: a choice is judged by GCV, not by its digits."""

import math
import random
from fractions import Fraction

import pytest

from refclass import SmoothingSpline
from refclass.linear.matrix import Matrix
from refclass.number.binary64 import BINARY64 as F
from refclass.regress.spline import spline


def sample(seed, n=14):
    """Return rows and responses."""
    chance = random.Random(seed)
    rows = [[chance.uniform(0, 3)] for _ in range(n)]
    return Matrix(rows), Matrix([[math.sin(2 * x) + chance.gauss(0, 0.3)] for (x,) in rows])


@pytest.mark.parametrize("seed", range(3))
def test_the_chosen_smoothing_is_proven_to_nine_digits(seed):
    """The default fit's GCV is within 1e-9 of a lower bound over all λ."""
    X, Y = sample(seed)
    proof = spline.certify_choice(X, Y, spline.fit(F, X, Y), eps=F.eps)
    assert proof.status == "optimal" and proof.digits >= 9 and proof.dual <= proof.primal


@pytest.mark.slow
def test_another_smoothing_is_noticed_and_one_as_good_is_not():
    """λ a tenth larger loses digits; λ a part in 10⁷ larger scores the same, and is as right."""
    X, Y = sample(5)
    lam = spline.fit(F, X, Y).lam
    assert 0 < lam < math.inf
    worse = spline.certify_choice(X, Y, spline.fit(F, X, Y, lam=lam * 1.1), eps=F.eps)
    alike = spline.certify_choice(X, Y, spline.fit(F, X, Y, lam=lam * (1 + 1e-7)), eps=F.eps)
    assert worse.digits < 5 and worse.status != "optimal"
    assert alike.status == "optimal"


@pytest.mark.parametrize("y", [[0.3, 0.6, 0.9, 2.1], [1, 1, 1, 1], [1, 3, 2, 5]])
def test_responses_on_a_line_prove_what_they_can(y):
    """A line, a constant, ties of roundoff: a status in words, never an exception."""
    model = SmoothingSpline().fit([[0.1], [0.2], [0.3], [0.7]], y)
    assert model.certificate_.status == "optimal"


@pytest.mark.parametrize("seed", [5, 13, 36])
def test_the_bound_covers_all_that_a_limit_on_the_degrees_of_freedom_allows(seed):
    """Two points 10⁻⁹ to 10⁻¹⁴ apart: doubles find the least λ to few digits; the one of that trace scores no lower."""
    chance = random.Random(seed)
    x = [chance.gauss(0, 1) for _ in range(12)]
    x[1] = x[0] + chance.choice([1e-9, 1e-10, 1e-11, 1e-12, 1e-13, 1e-14])
    rows, y = [[v] for v in x], [v + chance.gauss(0, 1) for v in x]
    proof = SmoothingSpline(max_degrees_of_freedom=4, cost=0.5).fit(rows, y).certificate_
    exact = SmoothingSpline(degrees_of_freedom=4, cost=0.5, arithmetic="decimal:50").fit(rows, y)
    assert proof.digits > 10 and proof.dual <= Fraction(exact.gcv_)


def test_a_smoothing_below_the_doubles_is_proven_in_decimals():
    """λ has the size of the cube of distances: of columns of 10⁻¹²⁰ no double holds it."""
    rng = random.Random(6)
    x, y = [rng.gauss(0, 1) * 1e-120 for _ in range(8)], [rng.gauss(0, 1) for _ in range(8)]
    small = SmoothingSpline(arithmetic="decimal:20").fit([[v] for v in x], y)
    large = SmoothingSpline(arithmetic="decimal:20").fit([[v * 2.0**400] for v in x], y)
    assert small.certificate_.digits > 9
    assert float(small.degrees_of_freedom_) == pytest.approx(float(large.degrees_of_freedom_), rel=1e-6)
