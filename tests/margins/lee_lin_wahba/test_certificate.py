"""The proof of a Lee–Lin–Wahba machine: it accepts every optimal answer, whoever found it, and no other."""

import math
from dataclasses import replace
from fractions import Fraction as Q

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refclass.errors import InvalidInput
from refclass.kernels.matrices.gram import Rows
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.margins.lee_lin_wahba import certificate, problem
from refclass.number.binary64 import BINARY64
from refclass.number.rational import RATIONAL
from tests.margins.columns import QUADRATIC, TOY, feasible, machine, machines, solved
from tests.profiles import examples
from tests.strategies import vectors

FEW = settings(max_examples=examples(10))


@FEW
@given(machines())
def test_an_exact_answer_has_a_gap_of_zero(m):
    """Status optimal, violation 0, primal = dual = the objective, exactly [MMST-11.104] [MC-LLW-DUAL.P1]."""
    m, t = solved(m)
    proof = certificate.certify(m, t.alpha, t.beta0)
    assert (proof.status, proof.worst_violation, proof.gap) == ("optimal", 0, 0)
    assert proof.primal == proof.dual == t.objective


@FEW
@given(machines())
def test_multipliers_alone_are_enough(m):
    """Without intercepts the proof takes them from the multipliers, and accepts [MMST-11.102] [RC-28]."""
    m, t = solved(m)
    assert certificate.certify(m, t.alpha).status == "optimal"


@FEW
@given(machines(per_class=(1, 2)), st.data())
def test_any_split_between_duplicates_is_accepted(m, data):
    """Multipliers of a repeated point may be shared between its copies in any way [RC-29] [RC-20]."""
    m, t = solved(m)
    twice = replace(m, K=Rows(RATIONAL, m.K.kernel, Matrix([*m.K.X, *m.K.X])), labels=m.labels * 2, costs=m.costs * 2)
    first, second = [], []
    for k, own in enumerate(t.alpha):
        for a, L in zip(own, m.costs):
            part = data.draw(st.sampled_from([Q(0), Q(1, 3), Q(1)]))
            least, most = max(2 * a - L[k], Q(0)), min(2 * a, L[k])
            first.append(least + part * (most - least))
            second.append(2 * a - first[-1])
    n = m.n
    alpha = [first[k * n : k * n + n] + second[k * n : k * n + n] for k in range(m.classes)]
    proof = certificate.certify(twice, alpha, t.beta0)
    assert proof.status == "optimal" and proof.gap == 0


def test_every_optimal_intercept_is_accepted():
    """Where the intercepts are not unique, all of the interval are, and none beyond [RC-28]."""
    m, t = solved(machine([[-1], [1]], [0, 1], lam=Q(1)))
    for b, good in ((Q(1, 2), True), (Q(-1, 2), True), (Q(1, 3), True), (Q(3, 5), False)):
        proof = certificate.certify(m, t.alpha, [b, -b])
        assert (proof.status == "optimal") == good
        assert not good or (proof.unique["intercept"] is False and proof.unique["h"])


@FEW
@given(machines(), st.data())
def test_the_optimum_lies_between_primal_and_dual_of_any_answer(m, data):
    """Whatever the multipliers, feasible or not, and the intercepts: dual ≤ optimum ≤ primal [MMST-11.104] [RC-29]."""
    best = solved(m)[1].objective
    alpha = data.draw(st.one_of(feasible(m), st.tuples(*[vectors(m.n)] * m.classes)))
    proof = certificate.certify(m, alpha, data.draw(vectors(m.classes)))
    assert proof.dual <= best <= proof.primal and proof.gap == proof.primal - proof.dual


@FEW
@given(machines(), st.data())
def test_an_answer_that_is_not_optimal_is_refused(m, data):
    """A feasible α other than optimal has a positive gap and a violation that is named [MMST-11.102]
    [MC-LLW-KKT.P1]."""
    alpha = data.draw(feasible(m))
    proof = certificate.certify(m, alpha)
    assert (proof.gap == 0) == (proof.worst_violation == 0) == (proof.status == "optimal")
    assert bool(proof.where) == (proof.status != "optimal")


def test_what_is_wrong_is_named():
    """A multiplier outside its box, uneven sums, intercepts that do not sum to zero, a margin: each by its place
    [MMST-11.105] [MMST-11.106] [MMST-11.95] [MMST-11.102]."""
    m, t = solved(machine(*TOY))

    def where(alpha=t.alpha, beta0=t.beta0):
        return certificate.certify(m, alpha, beta0).where

    first = Vector([Q(-3), *t.alpha[0][1:]])
    assert where(beta0=Vector([b + 5 for b in t.beta0])) == "the intercepts sum to 15, not 0"
    assert where(beta0=t.beta0 + Vector([Q(9), Q(-9), Q(0)])).startswith("point ")
    assert where((first, *t.alpha[1:])) == "point 0, class 0: alpha -3 is outside [0, 0] by 3"
    assert "the multipliers sum to" in where(tuple(Vector([Q(int(k == 1))] * m.n) for k in range(3)), t.beta0 * 0)
    assert certificate.certify(m, t.alpha, t.beta0).where == ""


@pytest.mark.parametrize("kernel", [None, QUADRATIC])
def test_an_answer_in_doubles_is_optimal_up_to_roundoff(kernel):
    """The float machine has 11 digits, but not all of them [MMST-11.104] [RC-20]."""
    m = problem.over(BINARY64, machine(*TOY)) if kernel is None else machine(*TOY, kernel=kernel, F=BINARY64)
    _, t = solved(m, BINARY64)
    exact = machine(*TOY, lam=Q(0.1), kernel=kernel)
    proof = certificate.certify(exact, t.alpha, t.beta0, asked=11)
    assert proof.status == "optimal" and proof.gap <= proof.primal / 10**11
    strict = certificate.certify(exact, t.alpha, t.beta0, asked=math.inf)
    assert (strict.status == "optimal") is (strict.worst_violation == 0)


@pytest.mark.parametrize("size", [10**5, 10**6])
def test_large_columns_make_no_wrong_answer_optimal(size):
    """On columns of 10⁵ and more an arbitrary answer has no digit, whatever roundoff could explain [MMST-11.104]."""
    X, labels = [[size + 13 * i * i % size, size * (1 + i % 3)] for i in range(9)], [0, 1, 2] * 3
    m = machine(X, labels, lam=Q(1))
    alpha = [[Q(int(g != k), 1 + i % 2) for i, g in enumerate(labels)] for k in range(3)]
    proof = certificate.certify(m, alpha, [Q(0)] * 3)
    assert proof.status == "not converged" and proof.digits < 1 and proof.primal > 10**6


def test_lengths_are_checked():
    """Multipliers for another number of points or classes, and other intercepts, are refused [MMST-11.104]."""
    m, t = solved(machine(*TOY))
    for alpha, beta0, need in (
        (t.alpha[:2], t.beta0, "8 multipliers for each of 3 classes"),
        ([own[:3] for own in t.alpha], t.beta0, "8 multipliers"),
        (t.alpha, t.beta0[:2], "3 intercepts"),
    ):
        with pytest.raises(InvalidInput, match=need):
            certificate.certify(m, alpha, beta0)


def test_the_premise_says_what_is_taken_for_granted():
    """Rounded kernel values are named; of a kernel that promises nothing convexity is decided [MMST-11.104] [RC-20]."""
    m, t = solved(machine(*TOY))
    says = [certificate.certify(replace(m, **o), t.alpha).premise for o in ({}, {"rounded": True})]
    says.append(certificate.certify(replace(m, positive=False), t.alpha).premise)
    assert [bool(s) for s in says] == [False, True, False]


def test_each_class_needs_a_multiplier_for_each_point():
    """One class of too few is refused, though the others are right."""
    m, t = solved(machine([[0], [2]], [0, 1]))
    short = Vector(list(t.alpha[1])[:1])
    for alpha in ((t.alpha[0], short), (short, t.alpha[1]), t.alpha[:1]):
        with pytest.raises(InvalidInput, match="2 multipliers for each of 2 classes"):
            certificate.certify(m, alpha)


def test_a_matrix_that_promises_nothing_is_decomposed():
    """K is positive semidefinite though nobody says so: the optimum is proven. An answer that violates a condition
    says nothing of a unique intercept, whatever K is."""
    m, t = solved(machine([[0], [2]], [0, 1]))
    unsaid = replace(m, K=Matrix([[Q(0), Q(0)], [Q(0), Q(4)]]), positive=False)
    assert certificate.certify(unsaid, t.alpha, t.beta0).status == "optimal"
    found = certificate.certify(m, (Vector([Q(0)] * 2),) * 2, [Q(0), Q(0)])
    assert found.worst_violation > 0 and found.unique == {"h": True, "intercept": None}
