"""Exchanges between the loose variables of a block: their curvature, and Newton's method on them."""

import math
from random import Random

from refclass.linear.matrix import Matrix
from refclass.optimise.multiclass import zero_sum
from refclass.optimise.multiclass.zero_sum_newton import Exchanges
from tests.optimise.groups import clouds, dual, gaussian, linear


def at(problem, x):
    """The exchanges of a problem at a point, with the gradient there."""
    upper = [[math.inf if u is None else u for u in part] for part in problem.upper]
    x = [list(part) for part in x]
    return Exchanges(problem.Q, problem.c, x, upper), zero_sum.gradient(problem, x)


def inside(problem, labels, seed=1):
    """A point with every variable below its bound."""
    rng = Random(seed)
    x = [[0.0] * problem.n for _ in problem.c]
    for i, g in enumerate(labels):
        for k in range(problem.size):
            if k != g:
                x[k][i] = -rng.uniform(0.1, 0.4)
        x[g][i] = -sum(x[k][i] for k in range(problem.size))
    return x


def test_its_matrix_is_the_curvature_along_exchanges():
    """R = BᵀHB, the columns of B raising one variable and lowering the reference of its block  [RC-31]."""
    X, labels = clouds(5, 3)
    problem = dual(gaussian(X, 0.5), labels, 3, 1.0)
    exchanges, g = at(problem, inside(problem, labels))
    exchanges.settle(g)
    H = problem.quadratic().Q
    n, members = problem.n, exchanges.face.members
    assert len(members) == 2 * n
    B = []
    for v in members:
        i, k = divmod(v, 3)
        b = exchanges.reference[i]
        B.append([float(j == k * n + i) - float(j == b * n + i) for j in range(3 * n)])
    rows = [exchanges.entries(v) for v in members]
    image = [[sum(p * q for p, q in zip(H.row(j), column)) for j in range(3 * n)] for column in B]
    for row, own in zip(rows, image):
        for v, column in zip(members, B):
            assert abs(row[v] - sum(p * q for p, q in zip(own, column))) < 1e-15


def test_newton_ends_where_no_exchange_pays():
    """From a point with everything loose to the minimum over what stays loose: slopes at roundoff, blocks that sum to
    zero, bounds that are met exactly  [RC-31]."""
    X, labels = clouds(20, 3)
    problem = dual(gaussian(X, 0.5), labels, 3, 1.0)
    exchanges, g = at(problem, inside(problem, labels))
    before = zero_sum.objective(problem, exchanges.x, g)
    assert exchanges.settle(g) is None
    assert exchanges.newton() > 0
    g = zero_sum.gradient(problem, exchanges.x)
    for v in exchanges.face.members:
        i, k = divmod(v, 3)
        assert abs(g[k][i] - g[exchanges.reference[i]][i]) < 1e-13
    assert zero_sum.objective(problem, exchanges.x, g) < before
    assert all(abs(sum(block)) <= 1e-15 for block in zip(*exchanges.x))
    assert all(v <= u for part, ends in zip(exchanges.x, exchanges.upper) for v, u in zip(part, ends))


def test_dependent_exchanges_are_moved_to_a_bound():
    """Twenty points in the plane: at most four exchanges of three classes stay, the others meet bounds on the way, and
    no score changes  [RC-31]."""
    X, labels = clouds(20, 3)
    problem = dual(linear(X), labels, 3, 1.0)
    exchanges, g = at(problem, inside(problem, labels))
    assert exchanges.settle(g) is None
    assert len(exchanges.face.members) <= 4
    loose = sum(len(exchanges.loose(i)) - 1 for i in range(20))
    assert loose == len(exchanges.face.members)
    after = zero_sum.gradient(problem, exchanges.x)
    change = sum(v * w for d, part in zip(zip(*after), zip(*g)) for v, w in zip(d, part))
    assert math.isfinite(change)
    assert (
        zero_sum.objective(problem, exchanges.x, after)
        <= zero_sum.objective(problem, inside(problem, labels), g) + 1e-12
    )


def test_a_reference_that_meets_its_bound_hands_over():
    """The own class, at its cost, stops being what the others are exchanged with  [RC-31]."""
    problem = dual(Matrix([[1.0]]), [0], 3, 0.25)
    exchanges, g = at(problem, [[0.2], [-0.1], [-0.1]])
    exchanges.reference[0] = 0
    assert exchanges.settle(g) is None
    exchanges.newton()
    assert exchanges.x[0][0] == 0.25 and exchanges.reference[0] != 0
    assert max(abs(exchanges.x[k][0] + 0.125) for k in (1, 2)) < 1e-15


def test_a_direction_without_end_is_a_ray():
    """A point at the origin without a bound on its own class  [ISML-27.5-hard]."""
    problem = dual(Matrix([[0.0]]), [0], 2, None)
    exchanges, g = at(problem, [[1.0], [-1.0]])
    assert exchanges.settle(g) is not None
