"""Costs of programmes, splines, MARS and active sets: leading orders, and what grows in proportion, as counted."""

import math
from fractions import Fraction
from functools import partial
from random import Random
from unittest import mock

import pytest

from refclass.estimators.solve_qp import programme as given
from refclass.linear import conjugate_gradients
from refclass.linear.factorisations import orthogonal_columns, sparse_ldl
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, inner_product
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL
from refclass.optimise.active_set import primal
from refclass.optimise.active_set.iteration import ActiveSetIteration
from refclass.optimise.multiclass import central_path, interior_point, newton_equations
from refclass.optimise.path import hastie
from refclass.optimise.programme import presolve, problem, rounding, semidefinite
from refclass.optimise.quadratic.problem import Problem
from refclass.regress.bruto import bruto, bruto_steps
from refclass.regress.mars import backward, forward, knots, mars
from refclass.regress.spline import additive, additive_representers, curve_decimals, spline
from refclass.regress.spline.gcv import gcv_certificate, gcv_enclosure
from refclass.regress.spline.smoother import Smoother
from tests.laws.test_engine_costs import counted, dominant, doubles, orders
from tests.laws.test_machine_costs import divided, grows, step
from tests.operations import operations
from tests.optimise import paths

pytestmark = pytest.mark.slow

F = Fraction


def largest(iteration):
    """Return the most multiplications that a step of an iteration takes."""
    found = 0
    while True:
        try:
            with operations() as c:
                next(iteration)
        except StopIteration:
            return found
        found = max(found, c.multiply)


def free(n):
    """Return a problem without bounds."""
    return Problem(dominant(n, float), Vector([float(i % 5 - 2) for i in range(n)]), (None,) * n, (None,) * n)


def driven(n, f):
    """Return a step of the active-set method with f free variables."""
    c = Vector([-1.0] * f + [5000.0] * (n - f - 1) + [-3.0])
    asked = Problem(dominant(n, float), c, (0.0,) * n, (None,) * n)
    return partial(next, iter(ActiveSetIteration(asked, Vector([1e-3] * f + [0.0] * (n - f)), range(f), None)))


def centred(n, q, K):
    """Return a step of the interior point method for n points of q coordinates in K classes."""
    points = newton_equations.Points(doubles(n, q), False)
    iteration = interior_point.steps(central_path.Simplex(points, [i % K for i in range(n)], [1.0] * n, K, 1.0))
    next(iteration)
    assert points.products  # made once, at the first step

    def call():
        points.dot = inner_product(float)  # the one that counts
        next(iteration)

    return call


def path(n):
    """Return a segment of a path of n points."""
    X = [[i * 7 % n, i * i % 11] for i in range(n)]
    return step(hastie.segments(paths.problem(X, [i % 2 for i in range(n)], paths.narrow)), 3)


def chain(n):
    """Return a programme in which each variable meets its neighbours only."""
    P = [[4 if i == j else int(abs(i - j) == 1) for j in range(n)] for i in range(n)]
    return given(
        P, [1] * n, [[int(j in (i, i + 1)) for j in range(n)] for i in range(n - 1)], [1] * (n - 1), [1] * (n - 1)
    )


def dense(n):
    """Return a programme with all entries."""
    return given([list(map(int, row)) for row in dominant(n)], [1] * n, [[1] * n], [1], [1])


def band(n):
    """Return a matrix with an entry beside the diagonal, sparse."""
    near = [{j for j in (i - 1, i + 1) if 0 <= j < n} for i in range(n)]
    return near, [[*((j, 1.0) for j in (i - 1,) if j >= 0), (i, 4.0)] for i in range(n)]


def full(n):
    """Return a matrix with all entries, as a sparse one."""
    table = dominant(n, float)
    near = [{j for j in range(n) if j != i} for i in range(n)]
    return near, [[(j, table[i][j]) for j in range(i + 1)] for i in range(n)]


def two_steps(n):
    """Return what solves a system whose matrix has two eigenvalues, in two steps."""
    A = Matrix([[3.0 if i == j else 1.0 for j in range(n)] for i in range(n)])
    return partial(conjugate_gradients.solve, A, Vector([float(i % 3) for i in range(n)]), False)


def factored(made, n, solved=False):
    """Return what factors a sparse matrix, or solves with its factor."""
    near, lower = made(n)
    plan = sparse_ldl.plan(near)
    return (
        partial(sparse_ldl.factor(plan, lower, n).solve, [1.0] * n)
        if solved
        else partial(sparse_ldl.factor, plan, lower, n)
    )


def curves(m, q=1, p=1, number=Fraction):
    """Return m points in p variables, and q responses that bend."""
    X = Matrix([[number(i * 10 + i * i * (j + 3) % 7) for j in range(p)] for i in range(m)])
    return X, Matrix([[number(round(math.sin(i / 2 + j) * 8)) for j in range(q)] for i in range(m)])


def smoother(m, q, F=RATIONAL):
    """Return a smoother of m knots with q responses, pooled."""
    X, Y = curves(m, q, number=F.kind)
    own = Smoother.of(X.T[0], Vector([F.kind(1)] * m))
    return own, own.pooled(tuple(Y.T))


def certified(m, q=1):
    """Return the certificate of a spline."""
    X, Y = curves(m, q, number=float)
    return partial(spline.certify, X, Y, spline.fit(BINARY64, X, Y, lam=1.0))


def loose(m, q=1):
    """Return whether roundoff may be large in a spline."""
    own, pooled = smoother(m, q, BINARY64)
    operator = own.at(1.0)
    return partial(curve_decimals.loose, operator, operator.curve(pooled), 1.0)


def enclosed(m, q=1):
    """Return the enclosure of a criterion."""
    D = decimal(100)
    return partial(gcv_enclosure.Spline.of(D, smoother(m, q, D)[1]).at, D.lift(1))


def chosen(m):
    """Return the multiplications of the certificate of a choice of smoothing, for each λ that is looked at."""
    pooled, at = smoother(m, 1)[1], gcv_enclosure.Spline.at
    with mock.patch.object(gcv_enclosure.Spline, "at", autospec=True, side_effect=at) as looked:
        found = counted(partial(gcv_certificate.certify, pooled, F(1)))
    assert 50 <= looked.call_count <= 150
    return found / F(looked.call_count)


def added(m, q=1, p=2):
    """Return the certificate of an additive spline."""
    X, Y = curves(m, q, p)
    return partial(additive.certify, X, Y, additive.fit(RATIONAL, X, Y, smoothing=[F(1)] * p))


def direct(m, p):
    """Return the direct solution of an additive spline."""
    X, Y = curves(m, 1, p)
    asked = additive.Problem.of(RATIONAL, X, Y, None)
    return partial(additive_representers.solve, asked, [s.at(F(1)) for s in asked.smoothers])


def pruned(M, q):
    """Return the deletion of all columns but the first."""
    rng = Random(5)
    A, Y = (Matrix([[F(rng.randint(-9, 9)) for _ in range(24)] for _ in range(k)]) for k in (M, q))
    made, _ = orthogonal_columns.independent(RATIONAL, Vector([F(1)] * 24), A)
    z = [Vector(made.coordinates(y)) for y in Y]
    rss = sum(made.square(made.rest(RATIONAL, y)[0]) for y in Y)
    return lambda: list(backward.steps(RATIONAL, made, z, rss))


def grown(n, p=2, q=1, count=2):
    """Return a step forward."""
    asked = mars.asked(BINARY64, doubles(n, p, 3), curves(n, q, number=float)[1], max_terms=9, threshold=0.0)
    return step(forward.steps(BINARY64, asked), count)


def scanned(n):
    """Return the scan of a variable."""
    ones = Vector([1.0] * n)
    return partial(knots.scan, ones, [float(i * 7 % n) for i in range(n)], ones, 1, 1, 2)


def swept(m, p=1):
    """Return a sweep of selection."""
    return step(bruto_steps.steps(BINARY64, bruto.asked(BINARY64, *curves(m, 1, p, float))), 1)


def points(n):
    """Return n fractions."""
    return [F(i + 1) for i in range(n)]


# name -> the degree of the multiplications, the coefficient of its power, from which number on by which step, the count
LEADING = {
    "optimise.active_set.primal:solve": (3, F(1, 3), (4, 2), lambda n: largest(primal.steps(free(n), convex=True))),
    "optimise.active_set.solver:solve": (2, 2, (3, 2), lambda f: driven(20, f)),
    "optimise.active_set.solver:solve | variables": (1, 5 + 2, (12, 4), lambda n: driven(n, 5)),
    "optimise.multiclass.interior_point:solve": (
        1,
        12 * 3,
        (2, 1),
        lambda q: grows(lambda n: centred(n, q, 3)) - 3 * q * (q + 1),
    ),
    "optimise.path.hastie:solve": (2, 4, (8, 4), path),
    "optimise.programme.presolve:presolve": (1, 4, (6, 6), lambda n: partial(presolve.presolve, chain(n))),
    "optimise.programme.problem:times": (1, 2 * 3 + 1, (6, 6), lambda n: partial(problem.times, chain(n).P, points(n))),
    "optimise.programme.problem:transposed_times": (
        1,
        2 * 3 + 1,
        (6, 6),
        lambda n: partial(problem.transposed_times, chain(n).P, points(n), n),
    ),
    "optimise.programme.rounding:balanced": (
        1,
        2,
        (12, 6),
        lambda n: divided(partial(rounding.balanced, chain(n), points(n - 1), F(1, 7))),
    ),
    "optimise.programme.semidefinite:negative_part": (
        3,
        F(1, 6),
        (4, 3),
        lambda n: partial(semidefinite.negative_part, dense(n)),
    ),
    "optimise.programme.semidefinite:negative_part | sparse": (
        1,
        11,
        (4, 6),
        lambda n: partial(semidefinite.negative_part, chain(n)),
    ),
    "linear.conjugate_gradients:solve": (2, 2 + 1 + 1, (18, 6), two_steps),
    "linear.factorisations.sparse_ldl:factor": (3, F(1, 6), (6, 3), partial(factored, full)),
    "linear.factorisations.sparse_ldl:factor | band": (1, 3, (6, 6), partial(factored, band)),
    "linear.factorisations.sparse_ldl:Factor.solve": (2, 1, (6, 3), lambda n: factored(full, n, True)),
    "linear.factorisations.sparse_ldl:Factor.solve | band": (1, 2, (6, 6), lambda n: factored(band, n, True)),
    "regress.spline.curve_decimals:loose": (1, 6, (12, 12), loose),
    "regress.spline.gcv.gcv_enclosure:Spline.at": (1, 48, (12, 12), enclosed),
    "regress.spline.additive:certify": (1, 43, (4, 2), added),
    "regress.spline.additive_representers:solve": (3, F(1, 3), (3, 1), lambda m: direct(m, 2)),
    "regress.mars.backward:steps": (3, F(13, 6) + F(1, 2), (2, 1), lambda M: pruned(M, 1)),
    "regress.mars.backward:steps | responses": (
        3,
        F(1, 2),
        (2, 1),
        lambda M: counted(pruned(M, 2)) - counted(pruned(M, 1)),
    ),
    "regress.mars.knots:scan": (1, 8, (12, 12), scanned),
}

# name -> the counts, for n, 2n and 3n of what the cost is in proportion to
PROPORTIONAL = {
    "regress.spline.spline:certify": (12, certified),
    "regress.spline.spline:certify | responses": (1, lambda q: certified(24, q)),
    "regress.spline.curve_decimals:loose | responses": (1, lambda q: loose(24, q)),
    "regress.spline.gcv.gcv_enclosure:Spline.at | responses": (1, lambda q: enclosed(12, q)),
    "regress.spline.gcv.gcv_certificate:certify": (6, chosen),
    "regress.spline.additive:certify | responses": (1, lambda q: added(5, q)),
    "regress.mars.forward:steps": (12, grown),
    "regress.mars.forward:steps | responses": (1, lambda q: grown(12, 2, q)),
    "regress.mars.forward:steps | variables": (1, lambda p: grown(12, p, 1, 1)),
    "regress.bruto.bruto_steps:steps": (12, swept),
    "regress.bruto.bruto_steps:steps | variables": (1, lambda p: swept(16, p)),
}

NAMES = {name.partition(" | ")[0] for name in (*LEADING, *PROPORTIONAL)}


@pytest.mark.many
@pytest.mark.parametrize("name", LEADING)
def test_the_leading_order_that_a_cost_states_is_what_is_counted(name):
    """The multiplications are a polynomial of the degree stated, with the coefficient stated."""
    degree, coefficient, (start, apart), made = LEADING[name]
    assert orders(degree, start, apart, made) == [coefficient] * 3


SLOW = {"regress.spline.gcv.gcv_certificate:certify"}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] if name in SLOW else []) for name in PROPORTIONAL]
)
def test_a_cost_in_proportion_to_a_size_grows_with_it_evenly(name):
    """From n to 2n by as much as from 2n to 3n, but for a quarter: the number of λ or of knots may differ."""
    n, made = PROPORTIONAL[name]
    found = [made(k * n) for k in (1, 2, 3)]
    first, second, third = (counted(f) if callable(f) else f for f in found)
    assert 4 * abs(third - 2 * second + first) <= second - first
