"""Training the direct many-class machine: floats, fractions and decimals reach one optimum, or one refusal."""

from fractions import Fraction as Q
from math import inf

import pytest
from hypothesis import given, settings

from refclass import CrammerSingerSVC
from refclass.errors import NoAnswer, NotConverged
from refclass.kernels.matrices.gram import Rows
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.margins.crammer_singer import certificate, problem, separation_witness
from refclass.margins.crammer_singer.fit import inseparable, solved, train
from refclass.margins.crammer_singer.problem import Machine
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL
from refclass.optimise.multiclass import block_sums
from tests.margins.many import LABELS, THREE, machine, machines
from tests.profiles import examples


@settings(deadline=None, max_examples=examples(12))
@given(machines())
def test_the_iteration_in_doubles_ends_at_the_exact_optimum(m):
    """Up to roundoff, and its α is proven to be there  [MC-CS-DUAL.P1] [ISML-27.5-dual]."""
    found = train(BINARY64, problem.over(BINARY64, m))
    exact = float(train(RATIONAL, m).objective)
    assert abs(found.objective - exact) <= 1e-12 * (1 + exact)
    assert certificate.certify(m, found.alpha).status == "optimal"


def test_decimals_are_the_exact_optimum_rounded():
    """In thirty digits, not in those of an iteration  [ISML-27.5-dual]."""
    D = decimal(30)
    m = machine(THREE, LABELS, Q(1, 3))
    exact, rounded = train(RATIONAL, m), train(D, problem.over(D, machine(THREE, LABELS, Q(1, 3))))
    third = Q(*rounded.objective.as_integer_ratio())
    assert 0 < abs(third - exact.objective) < Q(1, 10**28)


@settings(deadline=None, max_examples=examples(12))
@given(machines(hard=True))
def test_a_hard_margin_is_refused_in_doubles_with_an_exact_witness(m):
    """Whether there is one is decided alike in doubles and fractions; the witness is exact  [MC-CS-HARD] [RC-31]."""
    try:
        train(RATIONAL, m)
    except NoAnswer:
        with pytest.raises(NoAnswer) as refusal:
            train(BINARY64, problem.over(BINARY64, m))
        assert separation_witness.contradicts(m, refusal.value.witness["weights"])
    else:
        train(BINARY64, problem.over(BINARY64, m))


def test_a_margin_as_small_as_roundoff_is_found_exactly_and_in_doubles():
    """Points 10⁻⁹ apart on a line: multipliers in doubles keep no margin, the coefficients of the optimum, rounded, do
    [ISML-27.5-hard].
    """
    X, labels = [[1, 0], [1, Q(1, 10**9)], [1, Q(-1, 10**9)]], [0, 1, 2]
    m = machine(X, labels, None)
    exact = train(RATIONAL, m)
    assert exact.objective == exact.dual_objective
    found = train(BINARY64, problem.over(BINARY64, m))
    given = problem.over(RATIONAL, problem.over(BINARY64, m))
    assert certificate.certify(given, found.alpha).primal is None
    proof = certificate.certify(given, found.alpha, planes=found.planes)
    assert proof.digits > 15 and found.objective == float(proof.primal)


POWERS = [[2.0**v for v in row] for row in ((10, -5, -8), (-9, -7, 15), (-12, -15, -10), (-20, -1, 7), (-10, -3, 14))]
POWERS = [[*x, 2.0**u, 2.0**v] for x, u, v in zip(POWERS, (-4, -11, 0, 17, 19), (-4, -11, -8, 1, -3))]
HARD = [  # the first was called NoAnswer; the second had 1.2 digits, and the objective of another answer
    ([[1e6, 0.0, 1.0], [1e6 + 1, 1.0, 1.0]], [0, 1], {"name": "polynomial", "degree": 2}),
    (POWERS, [1, 1, 0, 0, 0], {"name": "polynomial", "degree": 3, "c": 0}),
]


@pytest.mark.parametrize("X, y, kernel", HARD)
def test_a_hard_margin_is_proven_as_far_as_doubles_hold_it(X, y, kernel):
    """C = ∞ keeps the promise, too: nine digits, or within one of the exact optimum's; the objective is its own."""
    found, exact = (CrammerSingerSVC(C=inf, kernel=kernel, arithmetic=a).fit(X, y) for a in ("float", "exact"))
    proof = found.certificate_
    assert proof.digits >= 9 or proof.digits >= proof.ceiling - 1
    assert float(abs(found.objective_ - exact.objective_)) <= 10 ** (0.1 - proof.digits) * float(exact.objective_)
    assert found.objective_ == float(proof.primal)


def test_the_general_method_finds_and_refuses_the_same():
    """Without an iteration in doubles before it, the active-set method ends at the optimum, or at a witness
    [RC-31].
    """
    m = machine(THREE, LABELS)
    n = len(LABELS)
    x = solved(m, None).x
    rows = [[x[k * n + i] for k in range(3)] for i in range(n)]
    assert certificate.certify(m, rows).gap == 0
    xor = machine([[0, 0], [1, 1], [0, 1], [1, 0]], [0, 0, 1, 1], None)
    with pytest.raises(NoAnswer) as refusal:
        solved(xor, None)
    assert separation_witness.contradicts(xor, refusal.value.witness["weights"])


def test_an_indefinite_matrix_is_refused_with_a_direction():
    """A kernel that promises nothing is tested: vᵀKv < 0 makes the dual unbounded  [ISML-27.5-dual]."""
    K = Matrix([[1.0, 2.0], [2.0, 1.0]])
    with pytest.raises(NoAnswer) as refusal:
        train(BINARY64, Machine(K, (0, 1), 2, (1.0, 1.0), positive=False))
    v = Vector.of(map(float, refusal.value.witness["direction"]))
    assert v @ (K @ v) < 0
    assert train(BINARY64, Machine(Matrix([[1.0, 0.0], [0.0, 1.0]]), (0, 1), 2, (1.0, 1.0), positive=False)).steps


def test_too_few_rounds_are_reported_with_the_point_reached():
    """max_iter ends an iteration  [MC-CS-DUAL]."""
    m = problem.over(BINARY64, machine(THREE * 3, LABELS * 3, 100))
    with pytest.raises(NotConverged) as refusal:
        train(BINARY64, m, max_iter=1)
    assert len(refusal.value.witness["x"]) == 3


def test_rows_of_the_matrix_may_be_forgotten():
    """A store that keeps two rows gives the same optimum as one that keeps all  [ISML-27.5-dual]."""
    m = problem.over(BINARY64, machine(THREE, LABELS))
    few = Machine(Rows(BINARY64, m.K.kernel, m.K.X, limit=24), m.labels, m.classes, m.costs)
    assert block_sums.solve(few.problem()).x == block_sums.solve(m.problem()).x


def test_the_refusal_holds_its_witness():
    """What `contradicts` checks is in the refusal  [RC-31]."""
    eta = Matrix([Vector([Q(0), Q(1)])])
    assert inseparable(eta).witness == {"weights": eta}
