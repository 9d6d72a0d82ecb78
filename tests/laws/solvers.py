"""The solvers of quadratic problems, and the problems they are tried on. A new solver is a new line here.

GENERAL solvers take every convex problem; MACHINES are those that take the dual of a support vector machine in signed
multipliers: a box, and one row of ones or none.
"""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from refclass.errors import NoAnswer
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.optimise.active_set import crossover, primal
from refclass.optimise.active_set import solver as active_set
from refclass.optimise.decomposition import chunking, coordinate_ascent, fixed_size, smo
from refclass.optimise.quadratic import certificate as quadratic
from refclass.optimise.quadratic.problem import Problem
from tests.strategies import samples

GENERAL = [
    ("active_set", active_set),
    ("refine", crossover),
    ("primal_active_set", primal),
]

MACHINES = [*GENERAL, ("chunking", chunking)]

# Those that approach the minimum of a machine without end, and stop at a violation `tol`.
APPROACHING = [("smo", smo), ("gradient_ascent", coordinate_ascent), ("decomposition", fixed_size)]


def names(solvers):
    """Return the names of solvers, for pytest."""
    return [name for name, _ in solvers]


def outcome(solve, problem):
    """Return what a solver says: ("optimal", value), or what it refuses with and None."""
    try:
        answer = solve(problem)
    except NoAnswer as refusal:
        return refusal.got, None
    return "optimal", quadratic.certify(problem, answer).primal


small = st.builds(Fraction, st.integers(-3, 3), st.integers(1, 2))
ends = st.sampled_from([None, Fraction(0), Fraction(0), Fraction(1), Fraction(1, 2), Fraction(-1)])


@st.composite
def boxes(draw, n):
    """Bounds: absent, one-sided, of any width, zero included."""
    lower, upper = draw(st.lists(ends, min_size=n, max_size=n)), draw(st.lists(ends, min_size=n, max_size=n))
    pairs = [(a, b) if a is None or b is None or a <= b else (b, a) for a, b in zip(lower, upper)]
    return tuple(a for a, _ in pairs), tuple(b for _, b in pairs)


@st.composite
def rows(draw, n, most, inside, slack):
    """A few rows of small integers with their right sides, or none; mostly such that a given point meets them."""
    count = draw(st.integers(0, most))
    if not count:
        return None, None
    line = st.lists(st.integers(-1, 1), min_size=n, max_size=n).map(lambda row: Vector(map(Fraction, row)))
    A = Matrix(draw(st.lists(line, min_size=count, max_size=count)))
    if draw(st.integers(0, 3)):
        return A, Vector([row @ inside + draw(slack) for row in A])
    return A, Vector(draw(st.lists(st.integers(-1, 2).map(Fraction), min_size=count, max_size=count)))


slopes = st.sampled_from([Fraction(v) for v in (-3, -2, -1, 1, 2)] + [Fraction(-1, 2), Fraction(0)])
none, some = st.just(Fraction(0)), st.sampled_from([Fraction(0), Fraction(0), Fraction(1)])


@st.composite
def quadratics(draw, most=4, equalities=2, inequalities=2):
    """Convex problems of every kind: singular, zero and duplicated Hessians, dependent and contradictory rows."""
    n = draw(st.integers(1, most))
    rank = draw(st.integers(0, n))
    B = draw(st.lists(st.lists(small, min_size=rank, max_size=rank), min_size=n, max_size=n))
    for i in range(1, n):
        if draw(st.integers(0, 3)) == 0:
            B[i] = B[i - 1]
    zero = Fraction(0)
    Q = Matrix([[sum((u * v for u, v in zip(a, b)), zero) for b in B] for a in B])
    c = Vector(draw(st.lists(slopes, min_size=n, max_size=n)))
    lower, upper = draw(boxes(n))
    inside = Vector([draw(small) for _ in range(n)])
    inside = Vector([v if a is None else max(a, v) for v, a in zip(inside, lower)])
    inside = Vector([v if b is None else min(b, v) for v, b in zip(inside, upper)])
    E, G = draw(rows(n, equalities, inside, none)), draw(rows(n, inequalities, inside, some))
    return Problem(Q, c, lower, upper, *E, *G)


costs = st.sampled_from([Fraction(1), Fraction(1), Fraction(1), Fraction(1, 3), Fraction(0), Fraction(5), None])


def machine(X, labels, C, *, degree=1, intercept=True, kind=Fraction):
    """Return the dual of a support vector machine with the kernel ⟨x, z⟩, or (1 + ⟨x, z⟩)² for degree 2."""
    y = [1 if k else -1 for k in labels]
    zero = kind(0)
    products = [[sum((kind(u) * kind(v) for u, v in zip(x, z)), zero) for z in X] for x in X]
    K = Matrix([[v if degree == 1 else (v + 1) ** degree for v in row] for row in products])
    given = [None if c is None else kind(c) for c in C]
    lower = tuple(zero if t > 0 else (None if c is None else -c) for t, c in zip(y, given))
    upper = tuple((None if c is None else c) if t > 0 else zero for t, c in zip(y, given))
    sums = (Matrix([[kind(1)] * len(y)]), Vector([zero])) if intercept else (None, None)
    return Problem(K, Vector([kind(-t) for t in y]), lower, upper, *sums)


@st.composite
def machines(draw, per_class=(1, 3), kind=Fraction):
    """Machines on a small grid, so that duplicates, collinear points and ties are the rule; any costs."""
    X, labels = draw(samples(per_class=per_class, p=draw(st.integers(1, 2)), entries=st.integers(-2, 2)))
    C = draw(st.one_of(st.just([Fraction(1)] * len(X)), st.lists(costs, min_size=len(X), max_size=len(X))))
    return machine(X, labels, C, degree=draw(st.integers(1, 2)), intercept=draw(st.booleans()), kind=kind)


def cast(problem, number):
    """Return a problem of fractions in another kind of number."""

    def vector(values):
        return None if values is None else Vector([number(v) for v in values])

    def matrix(A):
        return None if A is None else Matrix([vector(row) for row in A])

    def bounds(values):
        return tuple(None if v is None else number(v) for v in values)

    p = problem
    lower, upper = bounds(p.lower), bounds(p.upper)
    return Problem(matrix(p.Q), vector(p.c), lower, upper, matrix(p.E), vector(p.d), matrix(p.G), vector(p.h))


def permuted(problem, order):
    """Return the problem with its variables in another order: variable i of it is variable order[i]."""

    def columns(A):
        return None if A is None else Matrix([[row[i] for i in order] for row in A])

    p = problem
    lower, upper = tuple(p.lower[i] for i in order), tuple(p.upper[i] for i in order)
    return Problem(p.Q.block(order, order), p.c.pick(order), lower, upper, columns(p.E), p.d, columns(p.G), p.h)


def is_ray(problem, ray):
    """Return whether the objective falls for ever along a ray from every feasible point."""
    p = problem
    bounds = all((a is None or v >= 0) and (b is None or v <= 0) for v, a, b in zip(ray, p.lower, p.upper))
    level = (p.E is None or not any(p.E @ ray)) and (p.G is None or all(v <= 0 for v in p.G @ ray))
    return bounds and level and not any(p.Q @ ray) and p.c @ ray < 0
