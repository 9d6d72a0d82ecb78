"""Points, planes and distances, checked on paper and as laws."""

from fractions import Fraction as Q

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass.errors import InvalidInput
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.margins.svm.geometry import hyperplane
from refclass.number.binary64 import BINARY64
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import near
from tests.numbers import Counted, counting
from tests.strategies import fractions, positive, vectors


@st.composite
def planes(draw, p=2):
    """A plane with a normal vector other than zero, and a point."""
    beta = draw(vectors(p).filter(any))
    return beta, draw(fractions), draw(vectors(p))


@given(planes(), positive)
def test_the_side_does_not_depend_on_a_positive_scale(plane, c):
    """G is the same for (β, β₀) and (cβ, cβ₀), c > 0, and turned for c < 0  [HYP.P1] [ESL-12.2] [ERR-KIM-12]."""
    beta, beta0, x = plane
    side = hyperplane.side(hyperplane.decision(x, beta, beta0))
    assert side == hyperplane.side(hyperplane.decision(x, c * beta, c * beta0))
    assert side == -hyperplane.side(hyperplane.decision(x, -c * beta, -c * beta0))


@given(planes())
def test_the_foot_lies_on_the_plane_along_the_normal(plane):
    """The foot is on the plane, x − foot along β  [HYP-DIST.P1] [KIM-3.13] [KIM-3.12] [KIM-3.10]."""
    beta, beta0, x = plane
    foot = hyperplane.foot(x, beta, beta0)
    assert hyperplane.decision(foot, beta, beta0) == 0
    apart = x - foot
    assert apart[0] * beta[1] == apart[1] * beta[0]


@given(planes(), vectors(2))
def test_no_point_of_the_plane_is_nearer_than_the_foot(plane, z):
    """‖x − z‖ ≥ ‖x − foot‖ for every z of the plane  [HYP-DIST.P2] [TH-KIM-3.2.1] [EX-MMST-11.1b]."""
    beta, beta0, x = plane
    foot = hyperplane.foot(x, beta, beta0)
    other = hyperplane.foot(z, beta, beta0)
    assert (x - other) @ (x - other) >= (x - foot) @ (x - foot)


@given(planes())
def test_the_squared_distance_is_f_squared_over_the_square_of_the_normal(plane):
    """‖x − foot‖² = f(x)²/‖β‖², by the normal's norm and not x's  [HYP-DIST.P1] [MMST-11.7] [ERR-KIM-10]."""
    beta, beta0, x = plane
    apart = x - hyperplane.foot(x, beta, beta0)
    assert apart @ apart == hyperplane.decision(x, beta, beta0) ** 2 / (beta @ beta)


@given(planes())
def test_a_plane_with_intercept_is_a_shifted_plane(plane):
    """{f = 0} is {xᵀβ = 0} moved by −β₀β/‖β‖²  [HYP-DIST.P3] [KIM-3.2-shift]."""
    beta, beta0, x = plane
    through_origin = hyperplane.foot(x, beta, beta0 - beta0)
    assert hyperplane.decision(through_origin - beta * (beta0 / (beta @ beta)), beta, beta0) == 0


def test_the_distance_is_signed_and_exact_where_the_norm_is():
    """x = (3, 4), β = (3, 4), β₀ = −5: f = 20, distance 4; on the other side −4  [MMST-Ex11.1a] [ERR-MMST-27]."""
    beta = Vector([Q(3), Q(4)])
    assert hyperplane.distance(RATIONAL, Vector([Q(3), Q(4)]), beta, Q(-5)) == 4
    assert hyperplane.distance(RATIONAL, Vector([Q(-1), Q(-3)]), beta, Q(-5)) == -4
    assert hyperplane.half_width(RATIONAL, beta) == Q(1, 5)


@given(planes())
def test_the_steps_along_the_normal_are_the_signed_distance_turned(plane):
    """x + a β/‖β‖ meets the plane at a = −f(x)/‖β‖, for any x  [KIM-3.15] [KIM-3.16] [KIM-3.14] [ERR-KIM-11]."""
    beta, beta0, x = (Vector(map(float, v)) if isinstance(v, Vector) else float(v) for v in plane)
    a = -hyperplane.distance(BINARY64, x, beta, beta0)
    met = x + beta * (a / hyperplane.norm(BINARY64, beta))
    size = abs(beta0) + sum(abs(u * v) for u, v in zip(x, beta)) + 1
    assert near(BINARY64, hyperplane.decision(met, beta, beta0), 0.0, scale=size)


POINTS = Matrix([[Q(0), Q(1)], [Q(2), Q(3)], [Q(0), Q(-1)], [Q(1), Q(-4)]])
LABELS = Vector([Q(1), Q(1), Q(-1), Q(-1)])


def test_the_canonical_scale_makes_the_least_margin_one():
    """min yᵢf(xᵢ) = 1 after rescaling, attained and not exceeded  [CANON.P1] [ESL-12.4] [KIM-3.8] [ERR-KIM-09]."""
    beta, beta0 = hyperplane.canonical(POINTS, LABELS, Vector([Q(0), Q(7)]), Q(0))
    margins = hyperplane.functional_margins(POINTS, LABELS, beta, beta0)
    assert (beta, beta0, min(margins)) == (Vector([Q(0), Q(1)]), 0, 1)


def test_points_on_the_two_edges_give_the_intercept():
    """β₀ = −½(x₊ + x₋)ᵀβ, and x₊ᵀβ − x₋ᵀβ = 2  [CANON.P1] [MMST-11.6] [MMST-11.26]."""
    beta = Vector([Q(0), Q(1)])
    assert hyperplane.intercept_between(POINTS[0], POINTS[2], beta) == 0
    assert POINTS[0] @ beta - POINTS[2] @ beta == 2


@given(st.fractions(-1, 1).filter(lambda c: abs(c) < 1))
def test_every_plane_between_the_edges_separates(c):
    """f(x) = c, −1 < c < 1, separates what f = 0 does, and no point lies between the edges  [CANON.P2] [KIM-3.9]."""
    beta = Vector([Q(0), Q(1)])
    assert min(hyperplane.functional_margins(POINTS, LABELS, beta, -c)) > 0
    assert min(hyperplane.functional_margins(POINTS, LABELS, beta, Q(0))) >= 1


def test_the_margins_of_a_set():
    """Functional and geometric margins, and the half-width, of a plane of normal (0, 2)  [MARGIN-GEO.P1] [KIM-3.17]."""
    beta = Vector([Q(0), Q(2)])
    assert hyperplane.functional_margins(POINTS, LABELS, beta, Q(0)) == Vector([Q(2), Q(6), Q(2), Q(8)])
    assert hyperplane.geometric_margins(RATIONAL, POINTS, LABELS, beta, Q(0)) == Vector([Q(1), Q(3), Q(1), Q(4)])
    assert 2 * hyperplane.half_width(RATIONAL, beta) == 1


def test_a_plane_that_does_not_separate_is_refused_naming_the_point():
    """The canonical scale exists for separating planes only; the witness is the worst point  [SEPARABLE.P1]."""
    with pytest.raises(InvalidInput, match=r"separates the points; got margin -4 \(row=3\)"):
        hyperplane.canonical(POINTS, LABELS, Vector([Q(0), Q(-1)]), Q(0))
    with pytest.raises(InvalidInput, match="normal vector other than zero"):
        hyperplane.foot(POINTS[0], Vector([Q(0), Q(0)]), Q(1))


def test_a_decision_value_costs_p_multiplications():
    """The Cost line of decision is an equality  [ESL-12.1]."""
    x = Vector(map(Counted, (1, 2, 3)))
    with counting() as c:
        hyperplane.decision(x, x, Counted(1))
    assert (c.multiply, c.divide) == (3, 0)
