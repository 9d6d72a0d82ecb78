"""The words for margins: functional, geometric, of a class, of a set, and their distribution."""

from fractions import Fraction as Q

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from refclass.errors import InvalidInput
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.margins.svm.geometry import hyperplane
from refclass.number.rational import RATIONAL
from tests.margins.machines import plane, separable, solved
from tests.profiles import examples
from tests.strategies import fractions, positive, vectors

few = settings(max_examples=examples(25))

# Normals whose length is rational, so that distances are.
LENGTHS = [((3, 4), 5), ((5, -12), 13), ((-8, 15), 17), ((0, 2), 2), ((-7, -24), 25)]


@st.composite
def measured(draw):
    """A plane with a normal of rational length, that length, and a point."""
    (a, b), length = draw(st.sampled_from(LENGTHS))
    scale = draw(positive)
    return Vector([a * scale, b * scale]), length * scale, draw(fractions), draw(vectors(2))


@st.composite
def clouds(draw):
    """A plane with a normal of rational length, and points of both classes anywhere."""
    beta, length, beta0, _ = draw(measured())
    n = draw(st.integers(2, 6))
    X = Matrix([draw(vectors(2)) for _ in range(n)])
    y = Vector([Q(1), Q(-1)] + [Q(draw(st.sampled_from([-1, 1]))) for _ in range(n - 2)])
    return X, y, beta, length, beta0


@st.composite
def separated(draw):
    """Points on both sides of a plane, none on it, each with the label of its side."""
    X, _, beta, length, beta0 = draw(clouds())
    f = [hyperplane.decision(x, beta, beta0) for x in X]
    assume(min(f) < 0 < max(f) and 0 not in f)
    return X, Vector([Q(hyperplane.side(v)) for v in f]), beta, length, beta0


@given(measured())
def test_the_steps_to_the_plane_end_on_it(case):
    """x + aβ/‖β‖ with a = −f(x)/‖β‖ is the foot of x, for any point x and any intercept
    [KIM-Thm3.2.1] [KIM-3.10] [KIM-3.11] [KIM-3.12] [KIM-3.13] [KIM-3.14] [KIM-3.15] [KIM-3.16] [ERR-KIM-11]."""
    beta, length, beta0, x = case
    for shift in (beta0 - beta0, beta0):
        a = hyperplane.steps_to_plane(RATIONAL, x, beta, shift)
        assert a * length + hyperplane.decision(x, beta, shift) == 0
        assert hyperplane.along(RATIONAL, x, a, beta) == hyperplane.foot(x, beta, shift)
        by_definition = a * (beta @ beta) / length + beta @ x + shift
        assert hyperplane.decision(hyperplane.along(RATIONAL, x, a, beta), beta, shift) == by_definition == 0
        assert hyperplane.distance(RATIONAL, x, beta, shift) == -a


@given(measured(), fractions)
def test_a_point_of_the_plane_through_zero_is_moved_onto_the_plane(case, t):
    """x0 with x0ᵀβ = 0 goes to x0 − β0β/‖β‖², where f = 0: |β0|/‖β‖ away  [HYP-DIST.P3] [KIM-3.2-shift]."""
    beta, length, beta0, _ = case
    x0 = Vector([-t * beta[1], t * beta[0]])
    moved = hyperplane.shifted(x0, beta, beta0)
    assert hyperplane.decision(moved, beta, beta0) == 0 == x0 @ beta
    assert (moved - x0) @ (moved - x0) == (beta0 / length) ** 2


@given(fractions, fractions, st.sampled_from(LENGTHS), fractions)
def test_a_point_is_as_far_from_a_line_as_the_formula_says(h, k, normal, c):
    """|ah + bk + c|/√(a² + b²) is the least distance of (h, k) to the points of ax + by + c = 0, the derivative of the
    squared distance along the line vanishing at the foot
    [EX-MMST-11.1a] [MMST-Ex11.1a] [MMST-Ex11.1b] [ERR-MMST-27]."""
    (a, b), length = normal
    x, beta = Vector([h, k]), Vector([Q(a), Q(b)])
    formula = abs(a * h + b * k + c) / length
    assert abs(hyperplane.distance(RATIONAL, x, beta, c)) == formula
    on_line, direction = hyperplane.shifted(x - x, beta, c), Vector([-beta[1], beta[0]])

    def squared(t):
        apart = x - (on_line + direction * t)
        return apart @ apart

    best = (x - on_line) @ direction / (direction @ direction)
    assert squared(best) == formula**2 and squared(best + 1) == squared(best - 1) == formula**2 + length**2


@given(clouds())
def test_functional_margins_are_geometric_ones_times_the_norm(case):
    """yf(x) = ‖β‖ · yf(x)/‖β‖: two quantities, that deserve two letters  [MARGIN-FUNC] [KIM-3.17] [ERR-ISML-09]."""
    X, y, beta, length, beta0 = case
    functional = hyperplane.functional_margins(X, y, beta, beta0)
    geometric = hyperplane.geometric_margins(RATIONAL, X, y, beta, beta0)
    assert functional == length * geometric
    assert hyperplane.geometric_margins(RATIONAL, X, y, 3 * beta, 3 * beta0) == geometric
    assert hyperplane.functional_margins(X, y, 3 * beta, 3 * beta0) == 3 * functional


@given(separated())
def test_in_canonical_scale_the_margin_is_one_over_the_norm(case):
    """min yf = 1, the margin is 1/‖β‖, and its product with ‖β‖ one  [CANON.P1] [ESL-12.4] [KIM-3.18] [ISML-27.1]
    [ISML-27.1.1-separable] [SEPARABLE.P1]."""
    X, y, beta, _, beta0 = case
    normal, offset = hyperplane.canonical(X, y, beta, beta0)
    assert min(hyperplane.functional_margins(X, y, normal, offset)) == 1
    margin = hyperplane.margin(RATIONAL, X, y, normal, offset)
    assert margin == hyperplane.half_width(RATIONAL, normal) == hyperplane.margin(RATIONAL, X, y, beta, beta0)
    assert margin * hyperplane.norm(RATIONAL, normal) == 1


@given(clouds())
def test_a_plane_separates_strictly_exactly_if_some_scale_of_it_separates_by_one(case):
    """yf > 0 for every point ⇔ c·yf ≥ 1 for some c > 0  [SEPARABLE.P1] [ISML-27.1.1-positive] [ISML-27.1.1-separable]
    [KIM-3.7] [MMST-11.3] [MMST-11.4] [MMST-11.5]."""
    X, y, beta, _, beta0 = case
    strict = min(hyperplane.functional_margins(X, y, beta, beta0)) > 0
    try:
        normal, offset = hyperplane.canonical(X, y, beta, beta0)
    except InvalidInput:
        assert not strict
    else:
        f = [hyperplane.decision(x, normal, offset) for x in X]
        assert strict and all(v >= 1 if t > 0 else v <= -1 for v, t in zip(f, y))


@given(separated(), st.integers(1, 5))
def test_a_feasible_plane_has_at_least_the_margin_of_its_norm(case, times):
    """yf ≥ 1 gives a margin of at least 1/‖β‖; it is more where the scale is not canonical
    [ISML-27.1.1-margin] [ERR-ISML-06]."""
    X, y, beta, _, beta0 = case
    normal, offset = hyperplane.canonical(X, y, beta, beta0)
    margin = hyperplane.margin(RATIONAL, X, y, times * normal, times * offset)
    assert min(hyperplane.functional_margins(X, y, times * normal, times * offset)) >= 1
    assert margin == times * hyperplane.half_width(RATIONAL, times * normal)
    assert (margin > hyperplane.half_width(RATIONAL, times * normal)) == (times > 1)


@given(separated())
def test_the_whole_margin_is_the_sum_of_both_sides(case):
    """d = d₋ + d₊, each the distance of the nearest point of its class  [MARGIN-GEO.P2] [MMST-11.2.1-margin]."""
    X, y, beta, length, beta0 = case
    least = [min(abs(hyperplane.decision(x, beta, beta0)) for x, t in zip(X, y) if t == s) / length for s in (-1, 1)]
    assert list(hyperplane.distances_of_classes(RATIONAL, X, y, beta, beta0)) == least
    assert min(least) == hyperplane.margin(RATIONAL, X, y, beta, beta0)


@given(separated())
def test_midway_between_both_classes_the_two_sides_are_equal(case):
    """With β0 = −½(x₊ + x₋)ᵀβ of the nearest points d₋ = d₊ = 1/‖β‖ in canonical scale, d = 2/‖β‖
    [MARGIN-GEO.P2] [MMST-11.6] [MMST-11.7] [MMST-11.26]."""
    X, y, beta, _, _ = case
    nearest = [min((s * (x @ beta), x) for x, t in zip(X, y) if t == s)[1] for s in (1, -1)]
    middle = hyperplane.intercept_between(*nearest, beta)
    normal, offset = hyperplane.canonical(X, y, beta, middle)
    assert {abs(hyperplane.decision(x, normal, offset)) for x in nearest} == {1}
    assert (
        hyperplane.distances_of_classes(RATIONAL, X, y, normal, offset)
        == (hyperplane.half_width(RATIONAL, normal),) * 2
    )


@few
@given(separable(), st.fractions(-1, 1).filter(lambda c: abs(c) < 1))
def test_every_plane_inside_the_band_of_the_hard_margin_separates(case, c):
    """f(x) = c with −1 < c < 1 has every point on its side, and no point has |f| < 1
    [CANON.P2] [KIM-3.9] [KIM-3.20]."""
    m, t = solved(*case, C=None)
    beta, beta0 = plane(m, t)
    assert min(hyperplane.functional_margins(m.K.X, m.y, beta, beta0 - c)) > 0
    assert min(abs(hyperplane.decision(x, beta, beta0)) for x in m.K.X) == 1


@few
@given(separable())
def test_the_least_of_the_margins_is_one_and_no_width(case):
    """The distribution of yf begins at 1 in canonical position, whatever the width 2/‖β‖, and ends with all points
    [MARGIN-DIST] [MMST-11.2.1-distribution] [ERR-MMST-26]."""
    m, t = solved(*case, C=None)
    steps = hyperplane.distribution(hyperplane.functional_margins(m.K.X, m.y, *plane(m, t)))
    assert steps[0][0] == 1 and steps[-1][1] == 1
    assert [v for v, _ in steps] == sorted({v for v, _ in steps})
    assert t.square == 4 or steps[0][0] ** 2 != 4 / t.square  # 1 = 2/‖β‖ in one scale only


@given(st.lists(fractions, min_size=1, max_size=8), fractions)
def test_the_distribution_counts_the_points_up_to_each_margin(values, t):
    """At any t the distribution is the share of margins at most t  [MARGIN-DIST] [MMST-11.2.1-distribution]."""
    steps = [Q(0)] + [share for v, share in hyperplane.distribution(Vector(values)) if v <= t]
    assert steps[-1] == Q(sum(v <= t for v in values), len(values)) and steps == sorted(set(steps))


def test_a_plane_without_a_normal_has_no_distances():
    """β = 0 is refused by everything that measures."""
    x = Vector([Q(1), Q(2)])
    for measure in (
        lambda b: hyperplane.shifted(x, b, Q(1)),
        lambda b: hyperplane.along(RATIONAL, x, Q(1), b),
        lambda b: hyperplane.steps_to_plane(RATIONAL, x, b, Q(1)),
    ):
        with pytest.raises(InvalidInput, match="normal vector other than zero"):
            measure(x - x)
