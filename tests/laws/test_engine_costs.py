"""Costs in integers, fractions and doubles that no field chooses: leading orders, counted in the package's own code."""

from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import factorial
from random import Random
from unittest import mock

import pytest

from refclass.discriminants.comparators import node_digits
from refclass.kernels.linear import Linear
from refclass.kernels.matrices.gram import Rows
from refclass.linear import polar
from refclass.linear.common_denominator import Scaled
from refclass.linear.exact import dixon
from refclass.linear.factorisations import fixed_point, low_rank, lower_triangle
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, inner_product
from refclass.losses.conjugate_pieces import Piece
from refclass.number.binary64 import BINARY64
from refclass.number.rational import RATIONAL
from refclass.optimise.active_set.kkt_adjugate import Adjugate
from refclass.optimise.active_set.kkt_inverse import Entering
from refclass.optimise.decomposition import reduced_cholesky
from refclass.optimise.linear_svm import solver as linear_svm
from refclass.optimise.multiclass import newton_equations
from refclass.optimise.quadratic import box_bounds, certificate, convexity, definiteness, exact_data, uniqueness
from refclass.optimise.quadratic.problem import Answer, Problem
from refclass.regress.kernel import certificate as machine_certificate
from refclass.regress.kernel import inactive_points, null_space
from refclass.regress.kernel import machine as kernel_machine
from refclass.regress.kernel.newton import newton_coordinates
from refclass.regress.kernel.ridge import kernel_ridge
from refclass.regress.kernel.tube import tube_optimality
from refclass.sample import moments
from refclass.sample.observations import Sample
from tests.operations import operations

pytestmark = pytest.mark.slow


def counted(call):
    """Return how many multiplications a call carries out."""
    with operations() as c:
        call()
    return c.multiply


def whole(n, p, seed=1, most=50):
    """Return n rows of p integers."""
    rng = Random(seed)
    return [[rng.randint(1, most) for _ in range(p)] for _ in range(n)]


def fractions(n, p, seed=1):
    """Return n rows of p fractions."""
    return Matrix([[Fraction(v) for v in row] for row in whole(n, p, seed)])


def dominant(n, number=Fraction, own=None):
    """Return a positive definite matrix."""
    return Matrix([[number(4 * n + i if i == j else 1 + (i * j) % 3) for j in range(n)] for i in range(n)])


def doubles(n, p, seed=1):
    """Return n rows of p doubles."""
    rng = Random(seed)
    return Matrix([[rng.uniform(1, 2) for _ in range(p)] for _ in range(n)])


def sample(X):
    """Return a sample of two classes."""
    labels = tuple(i % 2 for i in range(len(X)))
    return Sample(X, labels, (0, 1), Vector([X.kind(1)] * len(X)))


def box(n, number=Fraction, rows=0):
    """Return a convex problem in n variables between −1 and 1, with equalities, and an answer that is not optimal."""
    one = number(1)
    E = Matrix([[number((i + 2) * j % 7 + 1) for j in range(n)] for i in range(rows)]) if rows else None
    d = Vector([number(0)] * rows) if rows else None
    problem = Problem(dominant(n, number), Vector([one] * n), (-one,) * n, (one,) * n, E, d)
    x, zeros = Vector([number(i % 2) for i in range(n)]), Vector([number(0)] * n)
    return problem, Answer(x, Vector([number(0)] * rows) if rows else None, None, zeros, zeros)


def tables(n):
    """Return a table of n in multiples of 2^−300, and its factor in shorter numbers."""
    rows = [[(5 * n if i == j else 1 + (i * j) % 3) << 300 for j in range(n)] for i in range(n)]
    return fixed_point.refined(fixed_point.Table(300, rows, 300, [1 << 300] * n))


def corrections(n):
    """Return the multiplications of a solution with corrections, and how many corrections there are."""
    known, b = tables(n), [(i + 1) << 300 for i in range(n)]
    own = fixed_point.Factor.solve
    with mock.patch.object(fixed_point.Factor, "solve", autospec=True, side_effect=own) as solved:
        known.solve(b)
    return counted(partial(known.solve, b)) - n * (n - 1), solved.call_count - 1


def adjugate(m):
    """Return an adjugate of m places."""
    found = Adjugate()
    for k in range(m):
        found.pivot([Entering(k, [Fraction(1)] * k, [Fraction(3 * m)])], [])
    return found


def looped(rows):
    """Return the entries of sparse rows."""
    return sum(map(len, rows))


def sparse(n, number=Fraction):
    """Return n rows with three or four entries each."""
    return [{j: number(3 + (i + j) % 4) for j in {i, (i + 1) % n, (3 * i) % n}} for i in range(n)]


TUBE = (
    Piece(Fraction(1, 2), Fraction(0), Fraction(0), Fraction(1)),
    Piece(Fraction(-1, 2), Fraction(0), Fraction(-1), Fraction(0)),
)
SQUARED = (Piece(Fraction(0), Fraction(1, 2), None, None),)


def machine(n, pieces=TUBE, number=Fraction, intercept=True):
    """Return a kernel machine on n points."""
    y = Vector([number(i % 7) for i in range(n)])
    own = tuple(p.lifted(BINARY64) for p in pieces) if number is float else pieces
    return kernel_machine.Machine(dominant(n, number), y, (own,) * n, intercept)


def some(n, number=Fraction):
    """Return multipliers, those of the points of odd numbers zero, of the sum zero if n is a multiple of four."""
    return Vector([number((1 - i % 4) if i % 2 == 0 else 0) / 4 for i in range(n)])


def factored(m):
    """Return the factor of the curvature of m directions."""
    Q = dominant(m + 1, float)
    found = reduced_cholesky.Factor(lambda v, others: ([Q[v][j] for j in others], Q[v][v]))
    for v in range(m):
        found.append(v)
    return found


def line(n, p):
    """Return a linear machine in doubles, and an answer."""
    X = [Vector([float(v) for v in row]) for row in whole(n, p)]
    y = Vector([1.0 if i % 2 else -1.0 for i in range(n)])
    problem = linear_svm.Problem(X, y, (1.0,) * n)
    return problem, linear_svm.Answer(Vector([0.5] * p), 0.25, Vector([0.5] * n), 0)


def equations(made, n, q):
    """Return what makes the equations of three classes from n points of q coordinates and a weight for each."""
    own, weights = newton_equations.Points(doubles(n, q), False), [[0.25] * n for _ in range(3)]
    assert own.products  # once for all steps

    def call():
        own.dot = inner_product(float)  # the one that counts
        made(own, weights)

    return call


def inverted(n):
    """Return what inverts a matrix from its factor."""
    lower = [row[: i + 1] for i, row in enumerate(dominant(n, float))]
    known = lower_triangle.Cholesky(BINARY64, lower, newton_equations.FAINT)

    def call():
        known.dot = inner_product(float)  # the loop that counts, in the place of the one that it was made with
        known.inverse()

    return call


coupled = partial(equations, lambda own, weights: newton_equations.Coupled(own, 1.0, weights, weights))
zero_sum = partial(equations, lambda own, weights: newton_equations.ZeroSum(own, 1.0, weights))


def fixed_points(n, p):
    """Return a linear function's equations in fixed point: the coordinates, and what they solve."""
    own = newton_coordinates.Coefficients(fractions(n, p), 60)
    return partial(own.solve, [0] * n, [1 << 60] * n, [1 << 60] * n, True)


def table_points(n):
    """Return a kernel machine's equations in fixed point."""
    own = newton_coordinates.Multipliers(dominant(n), n, 60)
    return partial(own.solve, [0] * n, [1 << 60] * n, [1 << 60] * n, False)


def leveller(n, m):
    """Return what levels multipliers beside m functions."""
    T = Matrix([[Fraction(1 if i % m == k else (k + 2) * i % 5) for k in range(m)] for i in range(n)])
    given, zero = null_space.Semiparametric(machine(n, intercept=False), T), Vector([Fraction(0)] * m)
    a = Vector([Fraction(i + 1) for i in range(n)])
    return partial(null_space.levelled, given, a, zero, a / 2)


def linear(n, p):
    """Return the degrees of freedom of ridge regression on n points in p variables."""
    K = Rows(RATIONAL, Linear(), fractions(n, p))
    return partial(kernel_ridge.degrees_of_freedom, replace(machine(n, SQUARED), K=K))


# name -> the degree in n of the multiplications, the coefficient of its power, from which n on by which step, the count
LEADING = {
    "discriminants.comparators.node_digits:error": (
        3,
        Fraction(1, 3),
        (36, 8),
        lambda n: partial(node_digits.error, BINARY64, dominant(n, float), 2, [[1.0] * n], fractions(n, 1)),
    ),
    "linear.exact.dixon:solve": (3, Fraction(1, 3), (4, 3), lambda n: partial(dixon.solve, whole(n, n), [])),
    "linear.polar:Columns.__call__": (
        1,
        3 + 2,
        (4, 3),
        lambda n: partial(polar.Columns(doubles(3, n)), tuple([2.0**9 * v for v in doubles(1, n)[0]])),
    ),
    "linear.polar:Products.__call__": (
        1,
        3 + 2,
        (4, 3),
        lambda n: partial(polar.Products(doubles(3, n)), doubles(1, n)[0]),
    ),
    "linear.polar:gram": (2, Fraction(20 + 1, 2), (4, 3), lambda n: partial(polar.gram, doubles(n, 20))),
    "optimise.active_set.kkt_adjugate:Adjugate.pivot": (
        2,
        2,
        (4, 2),
        lambda n: partial(adjugate(n).pivot, [Entering(n, [Fraction(1)] * n, [Fraction(9 * n)])], []),
    ),
    "optimise.active_set.kkt_adjugate:Adjugate.pivot | leave": (
        2,
        1,
        (4, 2),
        lambda n: partial(adjugate(n).pivot, [], [0]),
    ),
    "optimise.active_set.kkt_adjugate:Adjugate.pivot | two": (
        2,
        Fraction(5, 2),
        (4, 2),
        lambda n: partial(adjugate(n).pivot, [Entering(n, [Fraction(1)] * n, [Fraction(9 * n)])], [0]),
    ),
    "optimise.active_set.kkt_adjugate:Adjugate.pivot | two in": (
        2,
        Fraction(7, 2),
        (4, 2),
        lambda n: partial(
            adjugate(n).pivot,
            [
                Entering(n, [Fraction(1)] * n, [Fraction(9 * n), Fraction(1)]),
                Entering(n + 1, [Fraction(2)] * n, [Fraction(1), Fraction(9 * n)]),
            ],
            [],
        ),
    ),
    "optimise.active_set.kkt_adjugate:Adjugate.pivot | two out": (
        2,
        Fraction(3, 2),
        (4, 2),
        lambda n: partial(adjugate(n).pivot, [], [0, 1]),
    ),
    "optimise.quadratic.box_bounds:bounds": (
        2,
        Fraction(1, 2),
        (6, 4),
        lambda n: partial(box_bounds.bounds, box(n)[0], box(n)[1].x),
    ),
    "optimise.quadratic.exact_data:exact": (2, Fraction(1, 2), (6, 4), lambda n: partial(exact_data.exact, *box(n))),
    "optimise.quadratic.certificate:certify": (
        2,
        Fraction(1, 2),
        (6, 4),
        lambda n: partial(certificate.certify, *box(n), convex=True),
    ),
    "optimise.quadratic.convexity:negative_direction": (
        3,
        Fraction(1, 3),
        (4, 3),
        lambda n: partial(convexity.negative_direction, box(n)[0]),
    ),
    "optimise.quadratic.convexity:negative_direction | float": (
        3,
        Fraction(1, 6),
        (4, 3),
        lambda n: partial(convexity.negative_direction, box(n, float)[0]),
    ),
    "optimise.quadratic.convexity:negative_direction | eq": (
        2,
        2,
        (4, 3),
        lambda n: (
            counted(partial(convexity.negative_direction, box(n, float, 1)[0]))
            - counted(partial(convexity.negative_direction, box(n - 1, float)[0]))
        ),
    ),
    "optimise.quadratic.definiteness:definite": (
        3,
        Fraction(1, 6),
        (8, 5),
        lambda n: partial(definiteness.definite, dominant(n, float)),
    ),
    "optimise.quadratic.definiteness:definite | in integers": (
        3,
        Fraction(1, 6),
        (8, 5),
        lambda n: partial(definiteness.definite, dominant(n)),
    ),
    "optimise.quadratic.uniqueness:of_x": (
        3,
        Fraction(1, 3),
        (8, 5),
        lambda n: partial(uniqueness.of_x, box(n)[0], uniqueness.Touching(range(n), (), (), ())),
    ),
    "sample.moments:moments": (1, 6, (24, 4), lambda n: partial(moments.moments, sample(fractions(n, 3)))),
    "sample.moments:_products": (1, 6, (24, 4), lambda n: partial(moments._products, whole(3, n), whole(3, n), 50)),
    "sample.moments:_products | 5": (1, 5, (24, 4), lambda n: partial(moments._products, whole(5, n), whole(5, n), 50)),
    "optimise.decomposition.reduced_cholesky:Factor.append": (
        2,
        Fraction(1, 2),
        (6, 4),
        lambda n: partial(factored(n).append, n),
    ),
    "optimise.decomposition.reduced_cholesky:Factor.half": (
        2,
        Fraction(1, 2),
        (6, 4),
        lambda n: partial(factored(n).half, [1.0] * n),
    ),
    "optimise.decomposition.reduced_cholesky:Factor.back": (
        2,
        Fraction(1, 2),
        (6, 4),
        lambda n: partial(factored(n).back, [1.0] * n),
    ),
    "optimise.decomposition.reduced_cholesky:Factor.drop": (
        2,
        Fraction(5, 2),
        (6, 4),
        lambda n: partial(factored(n).drop, 0, [1.0] * n),
    ),
    "optimise.decomposition.reduced_cholesky:Factor.rebase": (
        2,
        1 + Fraction(3, 2),
        (6, 4),
        lambda n: partial(factored(2 * n).rebase, n - 1, 0, dict.fromkeys(range(n, 2 * n), 1), [1.0] * n * 2),
    ),
    "linear.factorisations.low_rank:turned": (
        1,
        5 * 3 * 3 + 3,
        (6, 4),
        lambda n: partial(low_rank.turned, doubles(n, 3)),
    ),
    "optimise.multiclass.newton_equations:Coupled": (3, Fraction(27, 6), (3, 2), lambda n: coupled(20, n)),
    "optimise.multiclass.newton_equations:Coupled | n": (
        2,
        Fraction(12, 4),
        (3, 2),
        lambda n: counted(coupled(21, n)) - counted(coupled(20, n)),
    ),
    "optimise.multiclass.newton_equations:ZeroSum": (3, Fraction(3 * 3 + 1, 6), (3, 2), lambda n: zero_sum(20, n)),
    "linear.factorisations.lower_triangle:Cholesky.inverse": (3, Fraction(1, 3), (3, 2), inverted),
    "optimise.multiclass.newton_equations:ZeroSum | n": (
        2,
        Fraction(3, 2),
        (3, 2),
        lambda n: counted(zero_sum(21, n)) - counted(zero_sum(20, n)),
    ),
    "regress.kernel.newton.newton_coordinates:Coefficients.solve": (
        2,
        Fraction(1, 2),
        (6, 2),
        lambda n: counted(fixed_points(13, n)) - counted(fixed_points(12, n)),
    ),
    "regress.kernel.newton.newton_coordinates:Coefficients.solve | p": (
        2,
        Fraction(12 + 3, 2),
        (3, 2),
        lambda n: fixed_points(12, n),
    ),
    "regress.kernel.newton.newton_coordinates:Multipliers.solve": (
        2,
        Fraction(2),
        (3, 2),
        lambda n: table_points(n),
    ),
    "regress.kernel.certificate:certify": (
        2,
        Fraction(1, 2),
        (8, 4),
        lambda n: partial(machine_certificate.certify, machine(n), some(n), Fraction(0)),
    ),
    "regress.kernel.certificate:certify | outside": (
        2,
        Fraction(3, 4),
        (28, 4),
        lambda n: partial(machine_certificate.certify, machine(n), 9 * some(n), Fraction(0)),
    ),
    "regress.kernel.inactive_points:active": (
        2,
        1,
        (8, 4),
        lambda n: partial(
            inactive_points.active,
            machine_certificate.lifted(machine(n, TUBE, float)),
            Scaled.of(some(n, float)),
            Fraction(0),
        ),
    ),
    "regress.kernel.null_space:levelled": (2, 1, (8, 4), lambda n: leveller(n, 2)),
    "regress.kernel.null_space:levelled | m": (
        2,
        1,
        (2, 1),
        lambda n: counted(leveller(13, n)) - counted(leveller(12, n)),
    ),
    "regress.kernel.ridge.kernel_ridge:degrees_of_freedom": (
        3,
        Fraction(1, 6),
        (6, 3),
        lambda n: partial(kernel_ridge.degrees_of_freedom, machine(n, SQUARED)),
    ),
    "regress.kernel.ridge.kernel_ridge:degrees_of_freedom | linear": (
        3,
        Fraction(1, 6),
        (2, 2),
        lambda p: linear(30, p),
    ),
    "regress.kernel.ridge.kernel_ridge:degrees_of_freedom | points": (
        2,
        Fraction(1, 2),
        (2, 1),
        lambda p: counted(linear(31, p)) - counted(linear(30, p)),
    ),
    "regress.kernel.tube.tube_optimality:optimality": (
        2,
        3,
        (9, 3),
        lambda n: partial(
            tube_optimality.optimality,
            dominant(n),
            machine(n).y,
            (some(n), machine(n).y),
            Fraction(0),
            Fraction(9),
            Fraction(1, 2),
        ),
    ),
}

NAMES = {name.partition(" | ")[0] for name in LEADING}


def orders(degree, start, step, made):
    """Return the differences of a degree of the counts at as many places as decide it and two more, over its factorial.

    They are the coefficient of the highest power, and equal, if the counts are a polynomial of that degree.
    """
    counts = []
    for n in range(start, start + (degree + 3) * step, step):
        found = made(n)
        counts.append(counted(found) if callable(found) else found)
    for _ in range(degree):
        counts = [b - a for a, b in zip(counts, counts[1:])]
    return [Fraction(v, factorial(degree) * step**degree) for v in counts]


@pytest.mark.many
@pytest.mark.parametrize("name", LEADING)
def test_the_leading_order_that_a_cost_states_is_what_is_counted(name):
    """The multiplications are a polynomial of the degree stated, with the coefficient stated."""
    degree, coefficient, (start, step), made = LEADING[name]
    assert orders(degree, start, step, made) == [coefficient] * 3
