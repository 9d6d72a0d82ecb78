"""Whether classes can be separated, decided exactly."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass.discriminants.logistic import balanced_weights, separation
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.sample import data
from tests.discriminants.samples import few
from tests.strategies import samples

drawn = st.integers(2, 3).flatmap(lambda K: samples(classes=K, per_class=(1, 4)))


def asked(rows, labels):
    """Return the problem for rows and labels."""
    X = Matrix([[Fraction(v) for v in x] for x in rows])
    return separation.problem(X, labels, max(labels) + 1)


def inner(theta, x):
    """Return θ₀ + θ·x."""
    return theta[0] + sum(a * v for a, v in zip(theta[1:], x))


def overlaps(problem, u):
    """Return whether every weight is positive, and the weighted sum of all rows zero: then nothing separates."""
    if set(u) != set(problem.pairs()) or min(u.values()) <= 0:
        return False
    return not any(
        sum(u[pair] * row[j] for pair, row in rows)
        for rows in [[(q, problem.row(q)) for q in u]]
        for j in range(len(rows[0][1]))
    )


@given(drawn)
def test_directions_or_weights_are_found_and_checked(sample):
    """Either directions that put no point on a wrong side and some on a right one, or positive weights that balance;
    each
    is checked by sums  [LOGIT-SEP.P1].
    """
    rows, labels = sample
    problem = asked(rows, labels)
    answer = separation.decide(problem)
    if not isinstance(answer, separation.Separation):
        assert overlaps(problem, answer)
        return
    margins = [
        inner(answer.directions[g], x) - inner(theta, x)
        for x, g in zip(rows, labels)
        for k, theta in enumerate(answer.directions)
        if k != g
    ]
    assert min(margins) >= 0 and max(margins) > 0
    assert (min(margins) > 0) == answer.complete
    assert not any(answer.directions[0])


@few
@given(drawn)
def test_what_is_between_cannot_be_helped(sample):
    """Points that quasi-complete directions leave between the classes overlap among themselves: no direction is
    strict for
    more of them.
    """
    rows, labels = sample
    problem = asked(rows, labels)
    answer = separation.decide(problem)
    if isinstance(answer, separation.Separation) and not answer.complete:
        margins = dict(zip(problem.pairs(), separation.margins(problem, answer.directions)))
        kept = [problem.row(pair) for pair in problem.pairs() if margins[pair] == 0]
        assert separation.stiemke.decide(kept).direction is None


@pytest.mark.parametrize(
    ("rows", "labels", "complete"),
    [
        ([[0], [1], [3], [4]], [0, 0, 1, 1], True),
        ([[0], [1], [1], [4]], [0, 0, 1, 1], False),
        ([[0], [2], [1], [4]], [0, 0, 1, 1], None),
        ([[0, 0], [1, 1], [1, 0], [0, 1]], [0, 0, 1, 1], None),
        ([[0, 0], [1, 5], [0, 1], [1, 0]], [0, 0, 1, 1], None),
        ([[0], [1], [5], [6], [10], [11]], [0, 0, 1, 1, 2, 2], True),
        ([[0], [5], [1], [6], [10], [11]], [0, 0, 1, 1, 2, 2], False),
        ([[0], [5], [1], [9], [8], [4]], [0, 0, 1, 1, 2, 2], None),
    ],
)
def test_known_constellations_are_distinguished(rows, labels, complete):
    """Gaps, shared end points, interleaved points, the exclusive or, and three classes."""
    answer = separation.decide(asked(rows, labels))
    assert complete is (answer.complete if isinstance(answer, separation.Separation) else None)


def test_the_witness_is_short():
    """Directions are rounded to as few digits as still separate as well."""
    X = Matrix([[0.1234567], [0.2345678], [0.9876543], [0.8765432]])
    answer = separation.decide(separation.problem(X, [0, 0, 1, 1], 2))
    assert all(v.denominator <= 100 for v in answer.directions[1])
    refusal = answer.refusal()
    assert refusal.witness["direction"] == Vector(answer.directions[1]) and "completely" in str(refusal)


def test_given_directions_are_judged_exactly():
    """A direction that is wrong by one unit of roundoff at one point does not separate."""
    X = Matrix([[1.0], [1.0 + 2**-52]])
    problem = separation.problem(X, [0, 1], 2)
    assert separation.complete(problem, [[0.0, 0.0], [-1.0, 1.0]]) is None
    assert separation.complete(problem, [[Fraction(0), Fraction(0)], [-1 - Fraction(1, 2**53), Fraction(1)]]).complete


LINE = data.read(BINARY64, [[0.0], [1.0], [2.0], [3.0], [0.5], [1.5], [2.5], [9.0]], [0, 0, 0, 0, 1, 1, 1, 1])


def test_approximate_posteriors_become_a_proof_of_overlap():
    """Posteriors near those of the largest likelihood are mended to weights that balance exactly."""
    from refclass.discriminants.logistic import ascent, logistic

    run = list(logistic.steps(ascent.problem(BINARY64, LINE, 0.0)))
    problem = separation.problem(LINE.X, LINE.labels, 2)
    weights = balanced_weights.balanced(problem, run[-1].P)
    assert weights is not None and overlaps(problem, weights)
    assert all(abs(float(weights[pair]) - run[-1].P[pair[0]][pair[1]]) < 1e-12 for pair in weights)


def test_what_cannot_be_mended_is_left_open():
    """Where a class is separated no weights can be made, and none are."""
    problem = asked([[0], [1], [3], [4]], [0, 0, 1, 1])
    assert balanced_weights.balanced(problem, [[0.5, 0.5]] * 4) is None
    assert balanced_weights.balanced(problem, [[1 - 1e-9, 1e-9], [0.9, 0.1], [0.1, 0.9], [1e-9, 1 - 1e-9]]) is None


def test_a_claim_of_overlap_is_checked():
    """Weights that miss a pair, are not positive or do not balance prove nothing."""
    problem = asked([[0], [2], [1], [4]], [0, 0, 1, 1])
    weights = separation.decide(problem)
    assert overlaps(problem, weights)
    first = next(iter(weights))
    for bad in ({**weights, first: weights[first] + 1}, {**weights, first: Fraction(0)}, {first: Fraction(1)}):
        assert not overlaps(problem, bad)
