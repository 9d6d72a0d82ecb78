"""Problems in blocks, for tests: duals of direct many-class machines, and others."""

import math
from fractions import Fraction as Q
from random import Random

from hypothesis import strategies as st

from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.optimise.decomposition.one_sum import OneSum
from refclass.optimise.decomposition.reduced_basis import Basis
from refclass.optimise.multiclass.zero_sum import Problem
from refclass.optimise.quadratic import certificate as quadratic
from tests.optimise.gram import gaussian as gaussian


def dual(K, labels, classes, C, kind=float):
    """The dual of a machine: one cost, a list of costs, or None for ∞."""
    costs = C if isinstance(C, (list, tuple)) else [C] * len(labels)
    c = tuple(Vector([kind(-1 if g == k else 0) for g in labels]) for k in range(classes))
    upper = [
        [(None if b is None else kind(b)) if g == k else kind(0) for g, b in zip(labels, costs)] for k in range(classes)
    ]
    return Problem(K, c, tuple(map(tuple, upper)))


def clouds(n, classes, p=2, spread=1.0, seed=1):
    """Points of Gaussian clouds around a circle, the classes in turn."""
    rng = Random(seed)
    turns = [2 * math.pi * k / classes for k in range(classes)]
    centres = [[2 * math.cos(t), 2 * math.sin(t)] + [0.0] * (p - 2) for t in turns]
    labels = [i % classes for i in range(n)]
    return [tuple(rng.gauss(c, spread) for c in centres[k]) for k in labels], labels


def linear(X, kind=float):
    """The Gram matrix of the linear kernel."""
    return Matrix([Vector([sum((kind(u) * kind(v) for u, v in zip(x, z)), kind(0)) for z in X]) for x in X])


@st.composite
def problems(draw, bounded=False):
    """Problems in fractions: K of any rank, duplicated rows, any c, bounds of any sign that leave a point."""
    n, size = draw(st.integers(1, 5)), draw(st.integers(2, 4))
    small = st.builds(Q, st.integers(-3, 3), st.integers(1, 2))
    X = draw(st.lists(st.lists(small, min_size=2, max_size=2), min_size=n, max_size=n))
    c = [Vector(draw(st.lists(small, min_size=n, max_size=n))) for _ in range(size)]
    ends = st.builds(Q, st.integers(0, 3)) if bounded else st.one_of(st.none(), st.builds(Q, st.integers(0, 3)))
    upper = [tuple(draw(st.lists(ends, min_size=n, max_size=n))) for _ in range(size)]
    return Problem(linear(X, Q), tuple(c), tuple(upper))


def cast(problem, number):
    """The problem in another kind of number."""
    Q_ = Matrix([Vector(map(number, problem.Q.row(i))) for i in range(problem.n)])
    c = tuple(Vector(map(number, part)) for part in problem.c)
    return Problem(Q_, c, tuple(tuple(None if u is None else number(u) for u in part) for part in problem.upper))


def basis(K):
    """Return directions that keep the sum of a box problem with this matrix, and their factor."""
    n = len(K)
    sums = Matrix([[1.0] * n]), Vector([1.0])
    return Basis(OneSum(quadratic.Problem(K, Vector([1.0] * n), (0.0,) * n, (1.0,) * n, *sums)))
