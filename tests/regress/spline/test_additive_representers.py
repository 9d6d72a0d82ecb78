"""Additive splines by their representers, also where variables are copies of each other."""

import math
import random
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refclass import RegressionClassifier, SmoothingSpline
from refclass.errors import NotConverged
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.rational import RATIONAL
from refclass.regress.spline import additive, additive_representers
from refclass.regress.spline.additive_bound import independent
from refclass.regress.spline.additive_fit import Problem
from tests.profiles import examples
from tests.regress.spline.test_additive_decimals import enough
from tests.strategies import fractions, integers, positive


@settings(max_examples=examples(10))
@given(st.lists(st.tuples(integers, integers, fractions, positive), min_size=3, max_size=6), st.data())
def test_the_fit_is_optimal_in_fractions(rows, data):
    """The dual is the criterion itself, whatever variables depend on each other: the third is a copy of the first."""
    X = Matrix([[Fraction(a), Fraction(b), Fraction(a)] for a, b, _, _ in rows])
    Y = Matrix([[y, y * y] for _, _, y, _ in rows])
    w = Vector([c for _, _, _, c in rows])
    lams = [data.draw(st.sampled_from([Fraction(1, 2), Fraction(4), math.inf, None])) for _ in range(3)]
    problem = Problem.of(RATIONAL, X, Y, w)
    operators = [None if lam is None else s.at(lam) for s, lam in zip(problem.smoothers, lams)]
    used = [j for j, lam in enumerate(lams) if lam is not None]
    fit = additive_representers.solve(problem, operators, independent(problem, used))
    proof = additive.certify(X, Y, additive.model(fit, X, 0), w)
    assert proof.gap == 0 and proof.worst_violation == 0


def copied(seed, n):
    """Return rows of two or three columns that are copies of each other, or nearly so, and responses."""
    r = random.Random(seed)
    near, p = r.choice([0, 0, 1e-9, 1e-4]), r.choice([2, 3])
    x = [r.gauss(0, 1) ** r.choice([1, 5]) for _ in range(n)]
    return [[v * (1 + near * j * r.random()) for j in range(p)] for v in x], [v + r.gauss(0, 1) for v in x]


@pytest.mark.parametrize("seed", [1, 3])
def test_variables_that_are_copies_are_fitted(seed):
    """Backfitting of them does not settle within 1,000 sweeps, and was refused without bounds."""
    r = random.Random(seed)
    X, y = copied(seed, 10)
    penalty = [r.choice([1e-6, 1e-3, 1]) for _ in X[0]]
    assert enough(SmoothingSpline(penalty=penalty).fit(X, y).certificate_)


@pytest.mark.parametrize("seed", range(4))
def test_straight_parts_of_dependent_variables_are_the_same_in_all_arithmetics(seed):
    """Of x, 2x, z and a constant: doubles predict what fractions do, also where 2x is not twice x."""
    r = random.Random(seed)
    rows = [[float(k * k % 7), 2.0 * (k * k % 7), 3.0, float(r.randint(0, 5))] for k in range(9)]
    y, penalty = [r.gauss(0, 1) for _ in rows], [r.choice([1 / 2, 4, math.inf]) for _ in rows[0]]
    points = [[r.uniform(-1, 14) for _ in rows[0]] for _ in range(5)]
    rough, exact = (SmoothingSpline(penalty=penalty, arithmetic=a).fit(rows, y) for a in ("float", "exact"))
    assert exact.certificate_.gap == 0
    for a, b in zip(rough.predict(points), exact.predict(points)):
        assert abs(a - b) < 1e-9 * (1 + abs(b))


@pytest.mark.slow
@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(examples(20)))
def test_more_variables_that_are_copies(seed):
    """Of 30, 70 and 260 rows, alone and within a classifier; where doubles hold no digit there are bounds."""
    r = random.Random(seed)
    X, y = copied(seed, r.choice([30, 30, 70, 260]))
    spline = SmoothingSpline(penalty=[r.choice([1e-6, 1e-3, 1, 1e3]) for _ in X[0]])
    labels = ["a" if v > 0 else "b" for v in y]
    for fit in (lambda: spline.fit(X, y), lambda: RegressionClassifier(regression=spline).fit(X, labels)):
        try:
            assert enough(fit().certificate_)
        except NotConverged as refusal:  # heavy tails, of which doubles may hold no digit
            assert refusal.witness["primal"] >= refusal.witness["dual"] >= 0
