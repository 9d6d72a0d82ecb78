"""GCV over the smoothing of one variable: its limits, its bounds, its lowest value."""

import math
import random
from fractions import Fraction

import pytest

from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64 as F
from refclass.number.rational import RATIONAL
from refclass.regress.spline import degrees_of_freedom, spline
from refclass.regress.spline.gcv import gcv_criterion, gcv_minimum
from refclass.regress.spline.smoother import Smoother

KINDS = ("grid", "uniform", "decades", "ties", "weights", "steps", "costly")


def sample(kind, seed):
    """Return x, the responses, the weights, and the cost of a degree of freedom."""
    chance = random.Random(f"{kind} {seed}")
    n = chance.choice([3, 4, 5, 6, 8, 12, 20, 30])
    x = [float(i) for i in range(n)] if kind in ("grid", "costly") else [chance.uniform(0, 3) for _ in range(n)]
    if kind == "decades":
        x = [10 ** chance.uniform(-5, 5) for _ in range(n)]
    if kind in ("ties", "steps"):
        x = [float(chance.randrange(n)) for _ in range(n)]
    noise = [chance.gauss(0, chance.choice([0.1, 1.0])) for _ in range(n)]
    bends = (lambda v: math.sin(2 * v)), (lambda v: 3 * v), (lambda v: float(int(5 * v) % 3))
    bend = chance.choice(bends)
    responses = [[bend(v) + e for v, e in zip(x, noise)]]
    if chance.random() < 0.3:
        responses.append([e * v for v, e in zip(x, noise)])
    weights = [chance.choice([0.5, 1.0, 2.0]) for _ in x] if kind == "weights" else [1.0] * n
    return x, responses, Vector(weights), 2.0 if kind == "costly" else 1.0


def of(kind, seed):
    """Return the criterion of a sample, with its ladder; None where there is no bend."""
    x, responses, weights, cost = sample(kind, seed)
    smoother = Smoother.of(x, weights)
    pooled = smoother.pooled([Vector(y) for y in responses])
    return gcv_criterion.Criterion(pooled, weights.sum(), cost, 0.0, 0.0) if len(smoother.knots) > 2 else None


@pytest.mark.parametrize("kind", KINDS)
def test_no_smoothing_on_a_grid_scores_lower_than_the_one_found(kind):
    """Over 40 decades of λ, and in both limits, nothing is lower by a share 1e-9, and the bound holds  [GAP-9]."""
    for seed in range(8):
        gcv = of(kind, seed)
        if gcv is None:
            continue
        smoother = gcv.pooled.smoother
        found, least = gcv_minimum.isolated(F, gcv, degrees_of_freedom.ladder(F, smoother))
        scores = [gcv(smoother.at(smoother.unit * 10 ** (k / 5))) for k in range(-100, 101)] + [
            gcv(smoother.at(math.inf))
        ]
        finite = [s for s in scores if s is not None]
        assert (least is None) == (not finite)
        if finite:
            assert gcv(found) <= min(finite) * (1 + 1e-9) + 1e-25
            assert least <= min(finite) * (1 + 1e-9) + 1e-25 and gcv(found) - least <= 1e-9 * gcv(found) + 1e-25


def test_the_curvature_bound_holds_between_any_two_points():
    """log GCV + αt²/2 is convex: no point of a chord lies below the function by more than rounding."""
    for seed in range(6):
        gcv = of("uniform", seed + 50)
        if gcv is None:
            continue
        terms = gcv_minimum.Terms(gcv.ends(), F.log, F.exp)
        unit = gcv.pooled.smoother.unit
        points = [gcv.point(F, gcv.pooled.smoother.at(unit * math.exp(k / 3))) for k in range(-30, 40)]
        points = [p for p in points if p.high is not None]
        for step in (1, 3):
            for a, b, c in zip(points, points[step:], points[2 * step :]):
                alpha, width = terms.bend(a, c), b.place - a.place
                assert (a.high + c.high) / 2 + alpha * width * width / 2 >= b.high - 1e-9
                assert terms.floor(a, c) <= b.high + 1e-12


def test_the_score_at_zero_is_the_limit():
    """At λ = 0, where RSS and N vanish, GCV is what it tends to: exactly, on fractions."""
    x, y = [Fraction(v) for v in (0, 1, 3, 4, 6)], Vector(map(Fraction, (2, -1, 0, 5, 1)))
    smoother = Smoother.of(x, Vector([Fraction(1)] * 5))
    gcv = gcv_criterion.Criterion(smoother.pooled([y]), Fraction(5), Fraction(1), Fraction(0), Fraction(0))
    at = [gcv(smoother.at(lam)) for lam in (Fraction(0), Fraction(1, 10**12))]
    assert at[0] > 0 and abs(at[1] / at[0] - 1) < Fraction(1, 10**10)


def test_three_knots_are_solved_in_closed_form():
    """With one eigenvalue GCV has one stationary point, or none: with ties between, with none at an end."""
    smoother = Smoother.of([0.0, 1.0, 1.0, 2.0, 2.0], Vector([1.0] * 5))
    gcv = gcv_criterion.Criterion(smoother.pooled([Vector([0.0, 2.0, 2.2, 0.0, 0.1])]), 5.0, 1.0, 0.0, 0.0)
    found = gcv_minimum.lowest(F, gcv, degrees_of_freedom.ladder(F, smoother))
    assert 0 < found.lam < math.inf
    assert gcv(found) < min(gcv(smoother.at(found.lam * f)) for f in (0.99, 1.01))


@pytest.mark.parametrize(
    ("y", "known"),
    [([2, 4, 8, 4, 8, 3, 0, 4, 2, 7, 8, 9, 3, 3, 7], 9.0757)],
)
def test_a_narrow_valley_is_not_stepped_over(y, known):
    """The penalty 0.56 scores 9.0757 where the line scores 9.25: what is chosen is no higher."""
    X, Y = Matrix([[float(i)] for i in range(15)]), Matrix([[float(v)] for v in y])
    assert spline.fit(F, X, Y).gcv < known


def test_a_smooth_curve_is_preferred_to_near_interpolation():
    """A sine whose GCV has two valleys, at 8 and at 39 degrees of freedom: the lower is taken."""
    chance = random.Random(1)
    rows = [chance.uniform(0, 3) for _ in range(1)]
    chance = random.Random(1)
    rows = [[chance.uniform(0, 3)] for _ in range(40)]
    Y = Matrix([[math.sin(2 * x) + 0.1 * chance.gauss(0, 1)] for (x,) in rows])
    model = spline.fit(F, Matrix(rows), Y)
    assert model.degrees_of_freedom < 9 and model.gcv < 0.01243


def test_a_limit_on_degrees_of_freedom_is_kept():
    """With `most` the trace is no more, and the score is the lowest of those that keep it."""
    X = Matrix([[float(i)] for i in range(12)])
    Y = Matrix([[float((i * 7) % 5)] for i in range(12)])
    free, kept = spline.fit(F, X, Y), spline.fit(F, X, Y, most=4.0)
    assert kept.degrees_of_freedom <= 4 and kept.gcv >= free.gcv * (1 - 1e-9)
    assert spline.fit(F, X, Y, most=2.0).lam == math.inf
    assert (
        RATIONAL.exact
        and spline.fit(RATIONAL, *(Matrix([[Fraction(v) for v in r] for r in M]) for M in (X, Y)), most=2).lam
        == math.inf
    )
