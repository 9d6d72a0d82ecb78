from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.optimise.path import degenerate
from tests.strategies import matrices


@st.composite
def edges(draw):
    """Points on one elbow, which a plane holds at their labels, with or without a say at their bounds."""
    X = draw(matrices(5, 2, st.integers(-2, 2).map(Fraction)))
    normal = draw(st.tuples(st.integers(-1, 1), st.integers(-1, 1), st.integers(-1, 1)))
    dtarget = [sum(a * b for a, b in zip(normal, (*x, 1))) for x in X]
    rows = [(x, Fraction(t)) for x, t in zip(X, dtarget) if t in (-1, 1)]
    signs = [draw(st.sampled_from([-1, 0, 1])) for _ in rows]
    return rows, signs


@given(edges())
def test_the_slopes_satisfy_their_conditions(drawn):
    """Ka + b₀ is the rate of the target where a point moves, else on the allowed side of it [ESL-12.3.5-path]."""
    rows, signs = drawn
    if not rows:
        return
    X = Matrix([x for x, _ in rows])
    dtarget = Vector([t for _, t in rows])
    a, level = degenerate.least(X @ X.T, dtarget, Fraction(0), signs)
    assert sum(a) == 0
    for i, row in enumerate(X @ X.T):
        beyond = row @ a + level - dtarget[i]
        assert a[i] * signs[i] >= 0 and beyond * signs[i] >= 0
        assert beyond == 0 or (a[i] == 0 and signs[i] != 0)


@given(edges())
def test_rounded_slopes_are_the_exact_ones(drawn):
    """In floats the same slopes, also where the equations are singular [ESL-12.3.5-path]."""
    rows, signs = drawn
    if not rows:
        return
    X = Matrix([x for x, _ in rows])
    dtarget = Vector([t for _, t in rows])
    a, _ = degenerate.least(X @ X.T, dtarget, Fraction(0), signs)
    rounded = Matrix([list(map(float, r)) for r in X @ X.T])
    b, _ = degenerate.least(rounded, Vector(map(float, dtarget)), 0.0, signs)
    assert max(abs(float(u) - v) for u, v in zip(a, b)) <= 1e-10


def test_of_several_slopes_the_shortest_is_taken():
    """Three equal points share evenly what one of the other class loses [OPT-PATH.P2]."""
    X = Matrix([[Fraction(1)], [Fraction(1)], [Fraction(1)], [Fraction(-1)]])
    dtarget = Vector([Fraction(t) for t in (1, 1, 1, -1)])
    a, level = degenerate.least(X @ X.T, dtarget, Fraction(0), [1, 1, 1, -1])
    assert a == (Fraction(1, 6), Fraction(1, 6), Fraction(1, 6), Fraction(-1, 2)) and level == 0
