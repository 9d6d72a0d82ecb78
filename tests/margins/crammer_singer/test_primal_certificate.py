"""Weights that somebody found: proven or refuted by multipliers that are found beside them."""

from fractions import Fraction as Q

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refclass.errors import InvalidInput
from refclass.margins.crammer_singer import primal_certificate, problem
from refclass.margins.crammer_singer.fit import train as many
from refclass.number.rational import RATIONAL
from tests.margins.many import APART, LABELS, OWN, THREE, machine, machines, polynomial, value, weights
from tests.profiles import examples


def best(m):
    """The optimal weights of a machine, and the optimum."""
    t = many(RATIONAL, m)
    return problem.weights(t.alpha, m.K.X), t.objective


@settings(deadline=None, max_examples=examples(12))
@given(machines())
def test_the_optimal_weights_are_proven_with_gap_zero(m):
    """Multipliers that make them are found beside them, whatever the points  [ISML-27.5-weights] [ISML-27.5-soft]."""
    m = machine(m.K.X, m.labels, list(m.costs), m.classes)
    W, optimum = best(m)
    proof = primal_certificate.certify(m, W)
    assert (proof.status, proof.gap, proof.primal, proof.where) == ("optimal", 0, optimum, "")


@settings(deadline=None, max_examples=examples(12))
@given(st.data())
def test_other_weights_are_refuted_and_the_optimum_lies_between_the_bounds(data):
    """dual ≤ optimum ≤ primal, and the gap is zero for the optimal weights alone  [ISML-27.5-soft]."""
    m = data.draw(machines())
    m = machine(m.K.X, m.labels, list(m.costs), m.classes)
    W, (optimal, optimum) = data.draw(weights(m)), best(m)
    proof = primal_certificate.certify(m, W)
    assert proof.primal == value(m, W)
    assert proof.dual <= optimum <= proof.primal
    assert (proof.status == "optimal") is (optimal == W)


def test_rounded_weights_are_optimal_up_to_roundoff():
    """Rounded to doubles they are accepted as doubles, and an error of 10⁻³ is not  [ISML-27.5-soft]."""
    m = machine(THREE, LABELS)
    rounded = [[float(v) for v in row] for row in best(m)[0]]
    assert primal_certificate.certify(m, rounded).status == "optimal"
    rounded[0][0] += 1e-3
    proof = primal_certificate.certify(m, rounded)
    assert proof.status != "optimal" and "from the sums of alpha" in proof.where


@pytest.mark.parametrize("off, least", [(1e-9, 8.5), (1e-7, 6.5), (1e-5, 4.5), (1e-3, 2.5)])
def test_weights_a_little_off_have_as_many_digits_as_are_right(off, least):
    """The multipliers beside them are the optimal ones, though what ties at the optimum does not tie at the weights
    [RC-31]."""
    m = machine(THREE, LABELS)
    W, optimum = best(m)
    moved = [[v + off * (-1) ** (j + k) for j, v in enumerate(row)] for k, row in enumerate(W)]
    proof = primal_certificate.certify(m, moved)
    assert proof.dual == optimum and proof.digits > least


def test_hard_weights_are_scaled_up_when_roundoff_misses_the_margin():
    """Rounded to doubles they miss a margin by 10⁻¹⁶, which is mended; a miss of 1/10 is reported  [ISML-27.5-hard]."""
    m = machine(APART, OWN, None)
    W, optimum = best(m)
    assert primal_certificate.certify(m, W).gap == 0
    shrunk = [[float(v) * (1 - 1e-15) for v in row] for row in W]
    proof = primal_certificate.certify(m, shrunk)
    assert proof.status == "optimal" and proof.primal >= optimum
    proof = primal_certificate.certify(m, [[Q(9, 10) * v for v in row] for row in W])
    assert proof.status == "infeasible" and "0.1 less than 1" in proof.where


def test_only_weights_of_a_linear_kernel_can_be_judged():
    """Another kernel has no weights, and their shape is K × p  [ISML-27.5-weights]."""
    with pytest.raises(InvalidInput, match="linear kernel"):
        primal_certificate.certify(machine(THREE, LABELS, kernel=polynomial()), [[Q(0)] * 2] * 3)
    with pytest.raises(InvalidInput, match="3 rows of 2"):
        primal_certificate.certify(machine(THREE, LABELS), [[Q(0)] * 2] * 2)
