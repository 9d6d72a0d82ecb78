"""Rules in the plane: straight lines exactly, curved ones near, a unit as long up as across."""

from fractions import Fraction as Q

import pytest
from hypothesis import given

from refclass.report.drawing import plane, svg
from refclass.report.drawing.axis import Axis
from refclass.report.figures import geometry, mixture
from tests.strategies import fractions

FIELD = plane.Plane(Axis("x₁", -2, 3), Axis("x₂", -1, 4), 11)


@given(fractions, fractions, fractions)
def test_straight_lines_are_exact(a, b, c):
    """Both ends of βᵀx + β₀ = level have the level, with ==, and lie on the border  [ESL-12.1]."""
    for level in (-1, 0, 1):
        for line in FIELD.straight((a, b), c, level):
            assert [a * x + b * y + c for x, y in line] == [level] * 2
            assert all(x in (-2, 3) or y in (-1, 4) for x, y in line)


def test_a_finer_lattice_brings_the_lines_nearer():
    """The distance of f from its level on the lines drawn falls with the square of the lattice's width."""
    found = []
    for fine in (11, 41, 161):
        field = plane.Plane(FIELD.x, FIELD.y, fine)
        _, distance = plane.banded(field, lambda rows: [x * x + y * y - 2 for x, y in rows])
        found.append(distance)
    assert found[0] > 10 * found[1] > 100 * found[2] > 0


def test_to_scale_a_unit_is_as_long_up_as_across():
    """Nothing that was seen is lost."""
    field = plane.to_scale(FIELD)
    widths = [(axis.high - axis.low) / size for axis, size in ((field.x, svg.WIDTH), (field.y, svg.HEIGHT))]
    assert widths[0] == pytest.approx(widths[1], rel=1e-15)
    assert field.x.low <= -2 and field.x.high >= 3 and field.y.low <= -1 and field.y.high >= 4


def test_the_foot_of_a_point_is_the_nearest_on_its_edge():
    """yf = 1 there, and the way to it is along β, exactly  [ESL-12.6] [M-ESL-F12.1]."""
    X, y = geometry.clouds(geometry.SHIFT)
    machine = geometry.SVC(C=1, arithmetic="exact").fit(X, y)
    (a, b), c = machine.coef_[0], machine.intercept_[0]
    for x, t in zip(X, y):
        foot = geometry.foot(machine, x, t)
        assert t * (a * foot[0] + b * foot[1] + c) == 1
        assert (foot[0] - x[0]) * b == (foot[1] - x[1]) * a


def test_the_densities_of_the_mixture_are_the_bayes_rule():
    """On the lattice that comes with the data the Bayes error is the text's .2101; on the whole plane the mass is one
    [M-ESL-F12.6]."""
    assert round(mixture.supplied_risk(), 4) == 0.2101
    assert abs(sum(map(sum, mixture.masses())) - 1) < 1e-9 and type(mixture.bayes_risk()) is float
    assert Q(1, 5) < Q(mixture.bayes_risk()) < Q(21, 100)
