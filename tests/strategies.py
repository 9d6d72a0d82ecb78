"""What Hypothesis draws: rational numbers of small height, vectors, matrices, labelled samples with accidents."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector

SIZES = (1, 2, 3, 5, 10)

integers = st.integers(-6, 6)
fractions = st.builds(Fraction, st.integers(-12, 12), st.integers(1, 6))
positive = st.builds(Fraction, st.integers(1, 12), st.integers(1, 6))
doubles = st.floats(-1e3, 1e3, allow_nan=False, width=32)


def vectors(n, entries=fractions):
    """Vectors of length n."""
    return st.lists(entries, min_size=n, max_size=n).map(Vector)


def matrices(m, n, entries=fractions):
    """m × n matrices."""
    return st.lists(st.lists(entries, min_size=n, max_size=n), min_size=m, max_size=m).map(Matrix)


def symmetric(n, entries=fractions):
    """Symmetric n × n matrices, of any inertia."""
    return matrices(n, n, entries).map(lambda A: A + A.T)


def semidefinite(n, rank, entries=fractions):
    """Symmetric positive semidefinite n × n matrices of that rank or less."""
    return matrices(n, rank, entries).map(lambda A: A @ A.T)


@st.composite
def samples(draw, classes=2, p=None, per_class=(1, 4), entries=integers):
    """Rows and labels 0 … classes−1, in mixed order; duplicates and collinear points happen."""
    p = p if p is not None else draw(st.integers(1, 3))
    rows = []
    for k in range(classes):
        for _ in range(draw(st.integers(*per_class))):
            rows.append(([draw(entries) for _ in range(p)], k))
    rows = draw(st.permutations(rows))
    return [x for x, _ in rows], [k for _, k in rows]
