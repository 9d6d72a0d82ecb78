"""Values of a kernel so nearly alike that doubles do not tell which score is the largest."""

import random
from fractions import Fraction
from types import SimpleNamespace

import pytest

from refclass.errors import NotExact
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.margins.crammer_singer import vanishing
from refclass.margins.crammer_singer.fit import train
from refclass.margins.crammer_singer.problem import Machine, over, values
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL


@pytest.mark.parametrize(
    "near, hidden", [(2.0**-50, True), (2.0**-43, True), (2.0**-40, False), (0.5, False), (0.0, False)]
)
def test_scores_that_vary_by_less_than_a_thousand_roundings_of_their_terms_are_refused(near, hidden):
    """Two of three points nearly alike have scores of ±near, of terms of size 2; the third class is always zero.

    Where nothing varies every label is a tie.
    """
    K = Matrix([[1.0, 1 - near, 1 - near], [1 - near, 1.0, 1 - near], [1 - near, 1 - near, 1.0]])
    alpha = Matrix([[1.0, -1.0, 0.0], [-1.0, 1.0, 0.0], [0.0, 0.0, 0.0]])
    machine = SimpleNamespace(K=K)
    try:
        vanishing._refuse_hidden(machine, alpha, values(K, alpha))
    except NotExact:
        assert hidden
    else:
        assert not hidden


@pytest.mark.parametrize("seed", range(40))
def test_scores_are_zero_where_no_class_has_more_than_half_of_the_costs_at_any_point(seed):
    """And only there, of copies of three points; they are zero exactly, in every arithmetic."""
    r = random.Random(seed)
    K = r.choice([2, 3, 4])
    places = [r.randrange(3) for _ in range(r.choice([6, 8]))]
    labels, costs = [r.randrange(K) for _ in places], [Fraction(r.choice([1, 1, 2])) for _ in places]
    if seed % 2:  # as many of each of two classes at every point
        places, labels, costs = 2 * places, [*labels, *[(g + 1) % K for g in labels]], 2 * costs
    gram = Matrix([[Fraction(1, 1 + abs(a - b) * 3) for b in places] for a in places])
    machine = Machine(gram, tuple(labels), K, tuple(costs))
    found = train(RATIONAL, machine)
    level = not values(gram, found.alpha).largest()
    for F in (BINARY64, decimal(6)):
        assert (vanishing.level(F, over(F, machine) if F is BINARY64 else machine) is not None) == level
        if level:
            own = train(F, over(F, machine) if F is BINARY64 else machine)
            alpha = Matrix.of([Vector.of(map(Fraction, row)) for row in own.alpha])
            assert not values(gram, alpha).largest() and own.objective == own.dual_objective == sum(costs)
