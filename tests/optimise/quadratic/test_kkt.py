"""The conditions of Lagrange, Karush, Kuhn and Tucker on small problems."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from refclass.errors import InvalidInput
from refclass.linear.vector import Vector
from refclass.optimise.active_set import solver as active_set
from refclass.optimise.quadratic import certificate as quadratic
from refclass.optimise.quadratic import kkt
from refclass.optimise.quadratic.kkt import Constraint, residuals, stationarity
from tests.laws.solvers import quadratics
from tests.numbers import COUNTED, counting
from tests.strategies import fractions, positive, vectors

F = Fraction


@given(fractions, positive)
def test_a_linear_function_on_the_unit_circle_is_largest_along_itself(t, scale):
    """At x = c/‖c‖, ∇f + λ∇g = 0 with λ = −‖c‖/2, and no point of the circle is better [LAGRANGE-EQ.P1] [KIM-3.1]."""
    x = Vector([(1 - t * t) / (1 + t * t), 2 * t / (1 + t * t)])  # a rational point of the circle
    c = scale * x
    circle = Constraint(x @ x - 1, 2 * x, "= 0", -scale / 2)
    assert not any(residuals("maximise", c, [circle]).values())
    for s in (F(0), F(1), F(-3), F(1, 2)):
        other = Vector([(1 - s * s) / (1 + s * s), 2 * s / (1 + s * s)])
        assert c @ other <= c @ x


@given(vectors(3), vectors(3))
def test_the_gradient_of_a_constraint_is_normal_to_its_tangents(normal, direction):
    """What `tangent` leaves of a direction has no part along ∇g, and keeps the rest [LAGRANGE-EQ.P2] [KIM-Thm3.1.1]."""
    assume(any(normal))
    along = kkt.tangent(normal, direction)
    assert along @ normal == 0
    assert kkt.tangent(normal, along) == along


@given(st.lists(fractions, min_size=2, max_size=2), fractions)
def test_a_curve_on_the_circle_moves_at_right_angles_to_the_gradient(values, t):
    """The rational curve ((1 − t²)/(1 + t²), 2t/(1 + t²)) has a derivative orthogonal to ∇g = 2x [TH-KIM-3.1.1]."""
    q = 1 + t * t
    x, speed = Vector([(1 - t * t) / q, 2 * t / q]), Vector([-4 * t / q**2, (2 - 2 * t * t) / q**2])
    assert speed @ (2 * x) == 0
    assert kkt.tangent(2 * x, Vector(values)) == (Vector(values) @ speed / (speed @ speed)) * speed


def test_a_flat_constraint_has_no_tangent():
    """Where ∇g = 0 the surface has none."""
    with pytest.raises(InvalidInput):
        kkt.tangent(Vector([F(0)]), Vector([F(1)]))


def test_an_equality_may_have_the_multiplier_zero():
    """f = −x² on y = 0 is stationary at the origin by itself: λ = 0, denied there [ERR-KIM-08] [KIM-3.1-lagrange]."""
    flat = Constraint(F(0), Vector([F(0), F(1)]), "= 0", F(0))
    assert not any(residuals("maximise", Vector([F(0), F(0)]), [flat]).values())


forms = st.sampled_from([("maximise", "≥ 0"), ("maximise", "≤ 0"), ("minimise", "≥ 0"), ("minimise", "≤ 0")])
SWAP = {"≥ 0": "≤ 0", "≤ 0": "≥ 0", "maximise": "minimise", "minimise": "maximise"}


@given(forms, vectors(2), vectors(2), fractions, fractions)
def test_the_forms_agree_under_a_change_of_sign(form, slope, normal, value, multiplier):
    """max f is min −f, g ≥ 0 is −g ≤ 0: each residual is the same [KKT-GEN.P1] [ERR-KIM-07] [KIM-3.1-minimise]."""
    goal, kind = form
    constraint = Constraint(value, normal, kind, multiplier)
    turned = Constraint(-value, -normal, SWAP[kind], multiplier)
    here = residuals(goal, slope, [constraint])
    assert residuals(goal, slope, [turned]) == here
    assert residuals(SWAP[goal], -slope, [constraint]) == here


def test_minimising_over_a_lower_end_needs_the_other_sign():
    """min x on x ≥ 0: 1 − λ = 0 has λ = 1; the printed 1 + λ = 0 has no λ ≥ 0 [ERR-KIM-07] [KIM-3.2] [KIM-3.4]."""
    end = Constraint(F(0), Vector([F(1)]), "≥ 0", F(1))
    assert stationarity("minimise", Vector([F(1)]), [end]) == (0,)
    assert stationarity("maximise", Vector([F(1)]), [end]) == (2,)
    negative = Constraint(F(0), Vector([F(1)]), "≥ 0", F(-1))
    assert residuals("maximise", Vector([F(1)]), [negative])["sign"] == 1


@given(positive, fractions)
def test_a_constraint_that_is_not_active_has_no_multiplier(slack, multiplier):
    """λg = 0 with g > 0 leaves λ = 0: anything else is measured by its product [KKT-GEN.P2] [KIM-3.5]."""
    loose = Constraint(slack, Vector([F(1)]), "≥ 0", multiplier)
    found = residuals("maximise", Vector([F(0)]), [loose])["complementarity"]
    assert found == abs(multiplier) * slack and (found == 0) == (multiplier == 0)


@given(positive, st.sampled_from(["= 0", "≥ 0", "≤ 0"]))
def test_a_broken_constraint_is_measured(amount, kind):
    """g = 0 on both sides, g ≥ 0 below, g ≤ 0 above [KIM-3.3]."""
    for value in (amount, -amount):
        broken = kind == "= 0" or (value < 0) == (kind == "≥ 0")
        constraint = Constraint(value, Vector([F(1)]), kind, F(0))
        assert residuals("maximise", Vector([F(0)]), [constraint])["feasibility"] == (amount if broken else 0)


@given(quadratics())
def test_in_the_convex_case_the_conditions_are_those_of_the_minimum(problem):
    """Where the quadratic proof is complete all residuals are zero [KKT-GEN.P3] [KIM-3.6] [ISML-27.3-kkt]."""
    try:
        answer = active_set.solve(problem)
    except ArithmeticError:
        return
    x, units = answer.x, [Vector.unit(problem.n, i, F) for i in range(problem.n)]
    constraints = [
        Constraint(r @ x - v, r, "= 0", m) for r, v, m in zip(problem.E or (), problem.d or (), answer.nu or ())
    ]
    constraints += [
        Constraint(r @ x - v, r, "≤ 0", m) for r, v, m in zip(problem.G or (), problem.h or (), answer.mu or ())
    ]
    for i, (low, high) in enumerate(zip(problem.lower, problem.upper)):
        if low is not None:
            constraints.append(Constraint(x[i] - low, units[i], "≥ 0", answer.at_lower[i]))
        if high is not None:
            constraints.append(Constraint(x[i] - high, units[i], "≤ 0", answer.at_upper[i]))
    slope = quadratic.gradient(problem, x)
    assert not any(residuals("minimise", slope, constraints).values())
    turned = [replace(c, multiplier=-c.multiplier) if c.kind == "= 0" else c for c in constraints]
    assert not any(residuals("maximise", -slope, turned).values())


@pytest.mark.parametrize("goal, kind", [("improve", "= 0"), ("minimise", "> 0")])
def test_other_questions_are_refused(goal, kind):
    """Only maximise and minimise, =, ≥ and ≤ have a sign."""
    with pytest.raises(InvalidInput):
        stationarity(goal, Vector([F(1)]), [Constraint(F(0), Vector([F(1)]), kind, F(1))])


@pytest.mark.parametrize("n, q", [(1, 0), (2, 1), (5, 3)])
def test_stationarity_costs_n_multiplications_a_constraint(n, q):
    """The Cost line is an equality, but for the sign, which is one more."""
    one = COUNTED.lift(1)
    constraints = [Constraint(one, Vector([one] * n), "= 0", one)] * q
    with counting() as count:
        stationarity("minimise", Vector([one] * n), constraints)
    assert count.multiply == q * (n + 1) and count.divide == 0


def test_the_worst_of_several_multipliers_and_constraints_is_reported():
    """Of three inequalities one has a multiplier of −2, one breaks its constraint by 5, one is slack: each residual is
    the largest over the constraints, not any other one [KIM-3.3] [KIM-3.4] [KIM-3.5]."""
    zero = Vector([Fraction(0)])
    good = Constraint(Fraction(-1), zero, "≤ 0", Fraction(0))
    wrong = Constraint(Fraction(0), zero, "≤ 0", Fraction(-2))
    broken = Constraint(Fraction(5), zero, "≤ 0", Fraction(3))
    for order in ([good, wrong, broken], [broken, good, wrong], [wrong, broken, good]):
        found = residuals("minimise", zero, order)
        assert (found["sign"], found["feasibility"], found["complementarity"]) == (2, 5, 15)
