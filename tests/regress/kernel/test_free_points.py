"""Tests of the equations of free points: the exact optimum from one that is nearly right."""

from fractions import Fraction as Q

import pytest
from hypothesis import example, given

from refclass.linear.exact.fraction_free import rank
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.losses.insensitive import Insensitive, QuadraticInsensitive, SquaredInsensitive
from refclass.number.rational import RATIONAL
from refclass.regress.kernel import certificate, fitted_machine, free_points
from refclass.regress.kernel import fit as training
from refclass.regress.kernel.newton import crossover, semismooth_newton
from tests.regress.tables import QUADRATIC, costs, few, losses, machine, problems


def dependent(m, near):
    """Whether the equations of the free points follow from one another: their matrix is singular."""
    _, free = free_points.working(m, near)
    rows = [[m.K.row(i)[j] + (m.pieces[i][free[i]].curvature if i == j else 0) for j in free] + [Q(1)] for i in free]
    return rank(Matrix([*rows, [Q(1)] * len(free) + [Q(0)]])) <= len(free)


@few
@example((Matrix([[Q(0)], [Q(5)], [Q(0)]]), Vector([Q(0), Q(0), Q(1)])), Insensitive(Q(1, 4)), Q(1))
@example((Matrix([[Q(0)], [Q(0)]]), Vector([Q(0), Q(0)])), Insensitive(Q(0)), Q(1))
@given(problems(n=(2, 6)), losses, costs)
def test_the_exact_optimum_is_that_of_the_active_set_method(problem, loss, C):
    """The gap is zero, and the objective that of the method that goes exactly from the start; where the equations of
    the free points are singular, as those of two equal points, the active-set method ends the search  [ESL-12.36]."""
    for kernel in ({}, {"kernel": QUADRATIC}):
        m = machine(*problem, loss, C, **kernel)
        near = crossover.optimum(m).a
        found = free_points.solved(m, near)
        if found is None:  # the third step of `newton.crossover`
            assert dependent(m, near)
            found = free_points.iterated(m, near)
        proof = certificate.certify(m, found.a, found.beta0)
        want = training.fit(RATIONAL, m)
        assert proof.gap == 0 and proof.dual == fitted_machine.dual_objective(m, want.a, want.square)


@pytest.mark.parametrize("loss", [Insensitive, SquaredInsensitive, QuadraticInsensitive])
def test_a_wrong_guess_costs_steps_not_the_answer(loss):
    """From multipliers zero, or all at a bound, the optimum is reached  [RC-21]."""
    y = Vector([Q(0), Q(3), Q(1), Q(4)])
    m = machine(Matrix([[Q(0)], [Q(1)], [Q(2)], [Q(5)]]), y, loss(Q(1, 4)), Q(2))
    for start in ([Q(0)] * 4, [Q(2), Q(-2), Q(2), Q(-2)]):
        found = free_points.iterated(m, Vector(start))
        assert certificate.certify(m, found.a, found.beta0).gap == 0


def test_a_step_that_a_kink_limits_ends_at_the_kink(monkeypatch):
    """Two equal points at 0 whose responses differ by 1, one at 5, ε = 1/4: ten Newton steps a proximal step, not a
    hundred that halve the way to the kink  [RC-21]."""
    monkeypatch.setattr(semismooth_newton, "STEPS", 1)
    m = machine(Matrix([[Q(0)], [Q(5)], [Q(0)]]), Vector([Q(0), Q(0), Q(1)]), Insensitive(Q(1, 4)), Q(1))
    found = free_points.solved(m, crossover.optimum(m).a)
    assert (found.a, found.beta0) == (Vector([Q(-1), Q(0), Q(1)]), Q(1, 4))
