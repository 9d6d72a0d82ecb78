"""The primal-dual active-set method ends at the optimum from a guess that is nearly right, or says that it does not."""

from fractions import Fraction

import pytest

from refclass.kernels.linear import Linear
from refclass.linear.factorisations.fixed_point import fixed
from refclass.linear.vector import Vector
from refclass.optimise.multiclass import coupled, equal_sums
from refclass.optimise.multiclass import primal_dual_active_set as method
from tests.optimise.multiclass.test_equal_sums import cloud

BITS = 200


def exactly(problem):
    """The problem in fractions, and the rows of K in multiples of 2^-BITS."""
    lifted = [tuple(Vector(list(map(Fraction, own))) for own in rows) for rows in (problem.c, problem.upper)]
    return coupled.Problem(problem.K, *lifted), [fixed(problem.K.row(i), BITS) for i in range(problem.n)]


def sets_of(problem, alpha):
    """Where multipliers of doubles are."""
    return [
        [method.LOW if a <= 0 else method.HIGH if a >= top else method.FREE for a, top in zip(*both)]
        for both in zip(alpha, problem.upper)
    ]


def test_it_ends_at_the_minimum_where_one_multiplier_is_misplaced():
    """The multipliers are those of decomposition, in many more digits: the gradients part at levels that sum to 0."""
    problem = cloud(24, 3)
    near = equal_sums.solve(problem).alpha
    sets = sets_of(problem, near)
    own = sets[0]
    own[own.index(method.FREE)] = method.LOW
    exact, rows = exactly(problem)
    found = method.solve(exact, rows, BITS, sets)
    assert all(0 <= a <= top for both in zip(found, exact.upper) for a, top in zip(*both))
    totals = [v.sum() for v in found]
    assert max(totals) - min(totals) < Fraction(1, 1 << 150)
    for a, b in zip(found, near):
        assert list(map(float, a)) == pytest.approx(list(b), abs=1e-6)


def test_a_guess_without_free_multipliers_leads_nowhere():
    """Without a free multiplier in each class no level is fixed."""
    problem, rows = exactly(cloud(12, 3, kernel=Linear()))
    assert method.solve(problem, rows, BITS, [[method.LOW] * 12 for _ in range(3)]) is None
