"""The proof of a direct many-class machine: exact, from any α, with the place and the reason where it fails."""

import math
import re
from fractions import Fraction as Q

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refclass.errors import InvalidInput, NoAnswer
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.margins.crammer_singer import certificate, problem, separation_witness
from refclass.margins.crammer_singer.fit import train as many
from refclass.number.rational import RATIONAL
from tests.margins.many import APART, LABELS, OWN, THREE, feasible, machine, machines
from tests.profiles import examples


def changed(alpha, *changes):
    """The multipliers with amounts added at (point, class)."""
    rows = [list(row) for row in alpha]
    for i, k, amount in changes:
        rows[i][k] += amount
    return rows


@settings(deadline=None, max_examples=examples(12))
@given(machines())
def test_the_exact_optimum_is_proven_with_gap_zero(m):
    """Every condition of optimality holds with ==, on duplicates, collinear points and points of no cost, too
    [MC-CS-DUAL.P1] [ISML-27.5-dual]."""
    proof = certificate.certify(m, many(RATIONAL, m).alpha)
    assert (proof.status, proof.gap, proof.worst_violation, proof.where) == ("optimal", 0, 0, "")
    assert proof.unique["w"] is True


@settings(deadline=None, max_examples=examples(12))
@given(st.data())
def test_the_gap_is_what_each_point_contributes(data):
    """primal − dual = Σᵢ Σ_k η_ik (max_l m_il − m_ik) for every α within the constraints, each term ≥ 0  [RC-31]."""
    m = data.draw(machines())
    alpha = data.draw(feasible(m))
    f = problem.values(m.K, alpha)
    parts = certificate.gaps(m, alpha, f)
    proof = certificate.certify(m, alpha)
    assert proof.gap == sum(parts) and min(parts) >= 0
    assert (proof.worst_violation == 0) is (proof.gap == 0)


@settings(deadline=None, max_examples=examples(12))
@given(st.data())
def test_the_bounds_of_any_multipliers_hold_the_optimum_between_them(data):
    """dual ≤ optimum ≤ primal at every α within the constraints  [ISML-27.5-dual] [RC-31]."""
    m = data.draw(machines())
    proof = certificate.certify(m, data.draw(feasible(m)))
    assert proof.dual <= many(RATIONAL, m).objective <= proof.primal


M = machine(THREE, LABELS)
BEST = many(RATIONAL, M).alpha
LOOSE = next(i for i, row in enumerate(BEST) if 0 < row[LABELS[i]] < 1)
FULL = next(i for i, row in enumerate(BEST) if row[LABELS[i]] == 1 and sum(map(bool, row)) == 2)
TINY = Q(1, 10**12)


@pytest.mark.parametrize(
    "change, reason",
    [
        ([(FULL, LABELS[FULL], TINY), (FULL, (LABELS[FULL] + 1) % 3, -TINY)], f"point {FULL}: alpha .* 1e-12 above C"),
        ([(LOOSE, LABELS[LOOSE], 1), (LOOSE, (LABELS[LOOSE] + 1) % 3, -1)], f"point {LOOSE}: alpha .* above C"),
        ([(LOOSE, LABELS[LOOSE], -Q(1, 100))], f"point {LOOSE}: alpha sums to -0.01 over the classes"),
        ([(i, k, -v) for i, row in enumerate(BEST) for k, v in enumerate(row)], "short of the largest f"),
        ([(FULL, k, -2 * v) for k, v in enumerate(BEST[FULL])], f"point {FULL}: alpha .* above 0"),
    ],
)
def test_a_wrong_multiplier_is_named(change, reason):
    """Above its bound by 10⁻¹², a row that does not sum to zero, multipliers left at zero, signs turned
    [MC-CS-DUAL.P2]."""
    proof = certificate.certify(M, changed(BEST, *change), asked=math.inf)
    assert proof.status != "optimal" and proof.worst_violation > 0
    assert re.search(reason, proof.where), proof.where


def test_an_optimum_rounded_to_doubles_is_optimal_to_as_many_digits_as_doubles_hold():
    """It has 14 digits and more, but not all of them  [ISML-27.5-dual]."""
    rounded = [[float(v) for v in row] for row in BEST]
    assert certificate.certify(M, rounded, asked=14).status == "optimal"
    proof = certificate.certify(M, rounded, asked=math.inf)
    assert proof.status == f"{math.floor(10 * proof.digits) / 10} digits"


@settings(deadline=None, max_examples=examples(12))
@given(st.data())
def test_multipliers_outside_their_constraints_bound_the_optimum_too(data):
    """dual ≤ optimum ≤ primal for any numbers at all: the dual is that of a point within the constraints  [RC-31]."""
    m = data.draw(machines())
    entry = st.builds(Q, st.integers(-9, 9), st.integers(1, 4))
    proof = certificate.certify(m, [[data.draw(entry) for _ in range(m.classes)] for _ in m.labels])
    assert proof.dual <= many(RATIONAL, m).objective <= proof.primal


@pytest.mark.parametrize("size", [10**5, 10**6])
def test_large_columns_make_no_wrong_answer_optimal(size):
    """On columns of 10⁵ and more an arbitrary α has no digit, whatever roundoff could explain  [ISML-27.5-dual]."""
    m = machine([[size + 13 * i * i % size, size * (1 + i % 3)] for i in range(12)], LABELS)
    bogus = [[Q(1) if k == g else -Q(1, 2) for k in range(3)] for g in LABELS]
    proof = certificate.certify(m, bogus)
    assert proof.status == "not converged" and proof.digits < 1 and proof.primal > 10**6


def test_a_shape_that_does_not_fit_is_refused():
    """One row less, or one class less  [MC-CS-DUAL]."""
    for alpha in (list(BEST)[1:], [row[1:] for row in map(list, BEST)]):
        with pytest.raises(InvalidInput):
            certificate.certify(M, alpha)


# --- uniqueness


def test_any_split_between_duplicates_is_optimal_and_the_proof_says_so():
    """Two equal points share their multipliers in any way: alpha is not unique, w is  [RC-31]."""
    X, labels = [[2, 1], [2, 1], [-1, 2], [0, -3]], [0, 0, 1, 2]
    m = machine(X, labels, 5)
    alpha = many(RATIONAL, m).alpha
    proof = certificate.certify(m, alpha)
    assert dict(proof.unique) == {"w": True, "alpha": False}
    both = [a + b for a, b in zip(alpha[0], alpha[1])]
    for share in (Q(0), Q(1, 3), Q(1)):
        split = [[share * v for v in both], [(1 - share) * v for v in both], *map(list, alpha[2:])]
        other = certificate.certify(m, split)
        assert other.status == "optimal" and other.gap == 0


def test_on_independent_points_the_multipliers_are_the_only_ones():
    """K positive definite: there is no direction with Kd = 0  [RC-31]."""
    m = machine([[3, 0, 1], [0, 2, -1], [1, 1, 4]], [0, 1, 2], 1)
    assert certificate.certify(m, many(RATIONAL, m).alpha).unique["alpha"] is True


@settings(deadline=None, max_examples=examples(12))
@given(machines())
def test_where_alpha_is_said_to_be_unique_an_optimum_from_elsewhere_is_the_same(m):
    """Solved with the points in reverse order, the same α comes out  [RC-31]."""
    alpha = many(RATIONAL, m).alpha
    rows = range(len(m.labels))[::-1]
    again = machine([m.K.X[i] for i in rows], [m.labels[i] for i in rows], [m.costs[i] for i in rows], m.classes)
    again = type(m)(type(m.K)(RATIONAL, m.K.kernel, again.K.X), again.labels, again.classes, again.costs)
    if certificate.certify(m, alpha).unique["alpha"]:
        assert list(many(RATIONAL, again).alpha)[::-1] == list(alpha)


# --- the hard margin


def test_a_missed_hard_margin_has_an_upper_bound_while_scaling_up_mends_it():
    """Half the weights miss the margin by 1/2: twice as large they keep it. No weights at all cannot be mended
    [ISML-27.5-hard]."""
    m = machine(APART, OWN, None)
    alpha = many(RATIONAL, m).alpha
    best = certificate.certify(m, alpha)
    half = certificate.certify(m, [[v / 2 for v in row] for row in alpha])
    assert half.status not in ("optimal", "infeasible") and half.primal == best.primal and half.gap > 0
    none = certificate.certify(m, [[Q(0)] * 3 for _ in OWN])
    assert none.primal is None and none.gap is None


@settings(deadline=None, max_examples=examples(20))
@given(machines(hard=True))
def test_a_hard_margin_is_found_or_the_constraints_contradict(m):
    """Either an optimum with gap 0, or weights η ≥ 0, Σ η = 1, with Σ η_ik (w_{yᵢ} − w_k)ᵀxᵢ = 0 for every w
    [MC-CS-HARD] [ISML-27.5-hard] [RC-31]."""
    try:
        proof = certificate.certify(m, many(RATIONAL, m).alpha)
    except NoAnswer as refusal:
        assert separation_witness.contradicts(m, refusal.witness["weights"])
    else:
        assert proof.status == "optimal" and proof.gap == 0


XOR = machine([[0, 0], [1, 1], [0, 1], [1, 0]], [0, 0, 1, 1], None)


@pytest.mark.parametrize(
    "eta",
    [
        [[0, 0], [0, Q(1, 2)], [Q(1, 2), 0], [0, 0]],  # does not vanish
        [[0, 0], [0, 1], [1, 0], [1, 0]],  # sums to 3
        [[0, 0], [0, -1], [1, 0], [1, 0]],  # has a negative weight
        [[0, 0], [Q(1, 3), 0], [Q(1, 3), 0], [Q(1, 3), 0]],  # stands on a constraint that is none
    ],
)
def test_weights_that_do_not_contradict_are_no_witness(eta):
    """Every condition on a witness is checked  [RC-31]."""
    good = Matrix([[Q(0), Q(0)], [Q(0), Q(1, 3)], [Q(1, 3), Q(0)], [Q(1, 3), Q(0)]])
    assert separation_witness.contradicts(XOR, good)
    assert not separation_witness.contradicts(XOR, [[Q(v) for v in row] for row in eta])
    soft = machine(XOR.K.X, XOR.labels, 1)
    assert not separation_witness.contradicts(soft, good)


def test_a_rough_direction_is_made_an_exact_witness():
    """Only which entries move is taken from it  [RC-31]."""
    rough = {1: (0.3, -0.3), 2: (-0.29, 0.29), 3: (-0.31, 0.31)}
    eta = separation_witness.ray(XOR, rough)
    assert eta is not None and eta[1] == Vector([Q(0), Q(1, 3)])
    assert separation_witness.ray(XOR, {1: (0.3, -0.3)}) is None
    assert separation_witness.ray(XOR, {1: (0.0, 0.0)}) is None
