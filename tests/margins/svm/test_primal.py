"""The primal programmes: how many variables, bounds and constraints they have, and slack in actual distance."""

from fractions import Fraction as Q

from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.margins.svm import primal

X, Y = Matrix([[Q(0), Q(1)], [Q(2), Q(0)], [Q(3), Q(1)]]), Vector([Q(-1), Q(1), Q(1)])


def test_every_variable_has_its_bounds():
    """(β, β₀) are free, ξ ≥ 0; a margin for each point, and one more constraint for a budget  [ESL-12.7] [ESL-12.8]."""
    hard, soft = primal.hard(X, Y), primal.soft(X, Y, (Q(1),) * 3)
    budget, squared = primal.budget(X, Y, Q(2)), primal.soft(X, Y, (Q(1),) * 3, squared=True, nonnegative=False)
    assert tuple(hard.lower) == tuple(hard.upper) == (None,) * 3 and len(hard.G) == 3
    for programme, rows in ((soft, 3), (budget, 4)):
        assert tuple(programme.lower) == (None,) * 3 + (0,) * 3 and tuple(programme.upper) == (None,) * 6
        assert len(programme.G) == rows
    assert tuple(squared.lower) == tuple(squared.upper) == (None,) * 6


def test_slack_in_actual_distance_is_checked_at_every_point():
    """β = (1, 0), β₀ = −1: distances 1, 1, 2; each condition fails alone when it is broken  [ESL-12.5]."""
    beta, none = Vector([Q(1), Q(0)]), Vector([Q(0)] * 3)
    assert primal.meets_absolute(X, Y, beta, Q(-1), Q(1), none, Q(0))
    assert not primal.meets_absolute(X, Y, beta, Q(1), Q(1), none, Q(0))
    slack = Vector([Q(1), Q(1), Q(0)])
    assert primal.meets_absolute(X, Y, beta, Q(-1), Q(2), slack, Q(2))
    assert not primal.meets_absolute(X, Y, beta, Q(-1), Q(2), slack, Q(1))
    assert not primal.meets_absolute(X, Y, beta, Q(-1), Q(1), Vector([Q(0), Q(0), Q(-1)]), Q(0))
    assert not primal.meets_absolute(X, Y, Vector([Q(2), Q(0)]), Q(-2), Q(1), none, Q(0))
