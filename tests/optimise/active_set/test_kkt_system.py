"""The working equations."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass.linear.exact import fraction_free
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.tolerance import near
from refclass.optimise.active_set.kkt_system import Equations
from refclass.optimise.quadratic.problem import Problem
from tests.laws.solvers import cast, quadratics
from tests.numbers import Strict
from tests.strategies import SIZES

F = Fraction


def whole(problem):
    """Return the matrix [Q Aᵀ; A 0] of a problem."""
    A = [*(problem.E or ()), *(problem.G or ())]
    top = [[*row, *[a[i] for a in A]] for i, row in enumerate(problem.Q)]
    return Matrix([*top, *[[*a, *[F(0)] * len(A)] for a in A]])


def regular(equations, problem):
    """Let places enter one by one, those that can; return how many did."""
    count = 0
    for k in range(len(whole(problem))):
        if equations.pivot(k, k):
            equations.change([k], [])
            count += 1
    return count


@given(quadratics())
def test_entries_and_columns_are_those_of_the_whole_matrix(problem):
    """Variables first, then the rows of E, then those of G; zeros where two rows meet."""
    s, M = Equations(problem), whole(problem)
    assert [[s.entry(a, b) for b in range(len(M))] for a in range(len(M))] == [list(row) for row in M]


@given(quadratics(), st.data())
def test_a_product_is_that_of_the_whole_matrix(problem, data):
    """Qp + Aᵀm for any variables and rows; nothing for none."""
    s, n = Equations(problem), problem.n
    numbers = st.builds(F, st.integers(-3, 3), st.integers(1, 3))
    p = [(i, data.draw(numbers)) for i in range(n) if data.draw(st.booleans())]
    m = [(i, data.draw(numbers)) for i in range(len(s.A)) if data.draw(st.booleans())]
    want = [sum((problem.Q[i][k] * v for i, v in p), F(0)) + sum((s.A[i][k] * v for i, v in m), F(0)) for k in range(n)]
    assert s.product(p, m) == want


@given(quadratics())
def test_solutions_satisfy_the_working_equations(problem):
    """B times the solution is the right side; `unit` solves for −1 at one place; the free variables are marked."""
    s, M = Equations(problem), whole(problem)
    if not regular(s, problem):
        return
    places = s.working.index
    B = M.block(places, places)
    right = Vector([F(k - 1) for k in range(len(places))])
    moving, rates = s.solve(right)
    found = {**dict(moving), **{problem.n + i: v for i, v in rates}}
    assert B @ Vector([found[i] for i in places]) == right
    moving, rates = s.unit(places[0])
    found = {**dict(moving), **{problem.n + i: v for i, v in rates}}
    assert B @ Vector([found[i] for i in places]) == -Vector.unit(len(places), 0, F)
    assert [i for i, free in enumerate(s.is_free) if free] == sorted(i for i in places if i < problem.n)
    assert s.active() == [i - problem.n for i in places if i >= problem.n]


@given(quadratics())
def test_a_place_changes_sides_alone_if_and_only_if_the_rest_stays_regular(problem):
    """The pivot of the inverse tells: zero if and only if the minor without the place is zero."""
    s, M = Equations(problem), whole(problem)
    if regular(s, problem):
        for i in [i for i in s.working.index if i < problem.n]:
            rest = [j for j in s.working.index if j != i]
            minor = fraction_free.determinant(M.block(rest, rest)) if rest else 1
            assert s.alone(i) == (minor != 0)


@given(quadratics())
def test_exact_kinds_are_computed_in_fractions(problem):
    """Strict fractions become plain ones inside; their pivots are the same."""
    strict = Equations(cast(problem, Strict))
    assert type(strict.zero) is F and strict.eps == 0
    assert regular(strict, problem) == regular(Equations(problem), problem)


@pytest.mark.parametrize("n", SIZES)
def test_a_fresh_inverse_is_the_inverse(n):
    """After many updates in doubles, inverting anew gives B⁻¹ again."""
    Q = Matrix([[1.0 / (i + j + 1) + (i == j) for j in range(n)] for i in range(n)])
    s = Equations(Problem(Q, Vector([0.0] * n), (None,) * n, (None,) * n))
    for j in range(n):
        s.change([j], [])
    assert not s.fresh
    before = [row[:] for row in s.working.rows]
    s.renew()
    assert s.fresh and all(near(BINARY64, u, v, 1, n) for a, b in zip(before, s.working.rows) for u, v in zip(a, b))
