"""Tests of the equations of free points: the exact optimum from one that is nearly right."""

from fractions import Fraction as Q

import pytest
from hypothesis import given

from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.losses.insensitive import Insensitive, QuadraticInsensitive, SquaredInsensitive
from refclass.number.rational import RATIONAL
from refclass.regress.kernel import certificate, fitted_machine, free_points
from refclass.regress.kernel import fit as training
from refclass.regress.kernel.newton import crossover
from tests.regress.tables import QUADRATIC, costs, few, losses, machine, problems


@few
@given(problems(n=(2, 6)), losses, costs)
def test_the_exact_optimum_is_that_of_the_active_set_method(problem, loss, C):
    """The gap is zero, and the objective that of the method that goes exactly from the start  [ESL-12.36]."""
    for kernel in ({}, {"kernel": QUADRATIC}):
        m = machine(*problem, loss, C, **kernel)
        found = free_points.solved(m, crossover.optimum(m).a)
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
