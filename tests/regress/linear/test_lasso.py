"""The lasso: proven by its gap, against enumeration of signs, and as the text compares it with the ridge."""

import math
import random
from fractions import Fraction as Q
from itertools import product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from refclass import Lasso
from refclass.certificate import digits
from refclass.errors import InvalidInput, NotConverged
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.regress.linear import lasso as model
from tests.profiles import thorough

numbers = st.integers(-4, 4).map(Q)
tables = st.lists(st.tuples(numbers, numbers, numbers), min_size=3, max_size=6)


@settings(max_examples=40)
@given(tables, st.fractions(0, 6, max_denominator=4))
def test_the_gap_is_zero_and_no_neighbour_is_lower(rows, lam):
    """Primal equals dual with ==; along every axis, and from zero, the objective is no lower  [CMP-LASSO]."""
    H, y = Matrix([Vector(row[:2]) for row in rows]), Vector([row[2] for row in rows])
    beta = model.fit(H, y, lam)
    value = model.objective(H, y, beta, lam)
    assume(lam > 0 or model.dual(H, y, beta, lam) is not None)
    assert lam == 0 or model.dual(H, y, beta, lam) == value
    for a, b in product((Q(-1, 8), Q(0), Q(1, 8)), repeat=2):
        assert model.objective(H, y, [beta[0] + a, beta[1] + b], lam) >= value
    assert model.objective(H, y, [Q(0), Q(0)], lam) >= value


@settings(max_examples=20)
@given(tables, st.fractions(0, 2, max_denominator=4), st.lists(numbers, min_size=4, max_size=4))
def test_no_answer_has_digits_that_it_has_not(rows, lam, beta):
    """Of four columns, two of which depend on the others, the bound at any β is at most the optimum  [CMP-LASSO]."""
    H, y = Matrix([Vector([a, b, a + b, 2 * a]) for a, b, _ in rows]), Vector([row[2] for row in rows])
    least = model.objective(H, y, model.fit(H, y, lam), lam)
    proof = model.certify(H, y, Vector(beta), lam)
    assert proof.dual <= least <= proof.primal
    assert proof.digits == math.inf or 10**proof.digits * float(proof.gap) <= float(proof.primal) * (1 + 1e-12)


def test_columns_that_depend_leave_a_bound():
    """β = 2 of the shorter of two parallel columns costs twice the optimum, and is not called one  [CMP-LASSO]."""
    H, y, lam = Matrix([[Q(1), Q(2)]]), Vector([Q(2)]), Q(1, 10**12)
    twice, near = (model.certify(H, y, Vector(beta), lam) for beta in ([Q(2), Q(0)], [Q(0), Q(1)]))
    assert twice.status == "not converged" and twice.primal == 2 * near.primal
    assert near.status == "optimal" and near.digits < math.inf
    proof = Lasso(penalty=1e-12).fit([[1, 2, 3], [2, 1, 3]], [2, 1]).certificate_
    assert proof.status == "optimal" and proof.digits > 11


def test_orthonormal_columns_are_thresholded():
    """sign(z) (|z| − λ/2)₊, coefficient by coefficient; a large penalty leaves nothing."""
    identity = [[1 if i == j else 0 for j in range(3)] for i in range(3)]
    assert Lasso(penalty=1, arithmetic="exact").fit(identity, [3, -2, 0.25]).coef_ == [Q(5, 2), Q(-3, 2), 0]
    assert Lasso(penalty=6).fit(identity, [3, -2, 1]).coef_ == [0.0, 0.0, 0.0]


def test_a_penalty_below_zero_is_refused():
    """In one line."""
    with pytest.raises(InvalidInput, match="penalty a finite number ≥ 0"):
        Lasso(penalty=-1).fit([[1]], [1])


@pytest.mark.parametrize("lam", [0, "1/3", 20])
@pytest.mark.parametrize("arithmetic", ["float", "exact"])
def test_integer_weights_are_copies_of_rows(lam, arithmetic):
    """Dependent columns and a weight of zero among them; fractions of weights scale both terms."""
    X, y, w = [[1, 2, 3], [0, 1, 1], [4, -1, 3], [2, 2, 4], [-3, 1, -2]], [3, -1, 4, 1, -5], [2, 1, 0, 3, 1]
    weighted = Lasso(penalty=lam, arithmetic=arithmetic).fit(X, y, sample_weight=w)
    rows = [i for i, v in enumerate(w) for _ in range(v)]
    copied = Lasso(penalty=lam, arithmetic=arithmetic).fit([X[i] for i in rows], [y[i] for i in rows])
    assert weighted.objective_ == copied.objective_ and weighted.certificate_.status == "optimal"
    third = Lasso(penalty=Q(lam) / 3, arithmetic="exact").fit(X, y, sample_weight=[Q(v, 3) for v in w])
    assert third.certificate_.gap == 0 and abs(3 * third.objective_ - Q(copied.objective_)) <= Q(1, 10**9)


def test_weights_that_are_all_zero_are_refused():
    """There is nothing to fit."""
    with pytest.raises(InvalidInput, match="a positive weight in sample_weight"):
        Lasso().fit([[1], [2]], [1, 2], sample_weight=[0, 0])


def hard(rng):
    """Return rows, responses, weights and a penalty: columns far from zero, of sizes far apart, dependent, copied."""
    n, p, kind = (
        rng.randint(1, 9),
        rng.randint(1, 5),
        rng.choice(["offset", "mixed", "long", "short", "line", "copies"]),
    )
    size = {"offset": 1, "long": 1e120, "short": 1e-120}.get(kind, 1)
    rows = [
        [rng.gauss(0, 1) * size * (10 ** (6 * (j % 3 - 1)) if kind == "mixed" else 1) for j in range(p)]
        for _ in range(n)
    ]
    if kind == "offset":
        rows = [[1e6 + v for v in row] for row in rows]
    if kind == "line":
        rows = [[row[0] * (j + 1) for j in range(p)] for row in rows]
    if kind == "copies":
        rows = [rows[i // 2] for i in range(n)]
    y = [rng.gauss(0, 1) * rng.choice([1, 1, 1e6]) for _ in rows]
    weights = rng.choice([None, [rng.choice([1, 1 / 3, 1e6, 1e-6]) for _ in rows]])
    return rows, y, weights, rng.choice([0.1, 1, 1 / 3, 1e-12, 1e3, 1e12])


@pytest.mark.parametrize("seed", range(600 if thorough() else 12))
@pytest.mark.parametrize("arithmetic", ["float", "decimal:20"])
def test_rounded_coefficients_state_the_digits_that_they_have(seed, arithmetic):
    """Nine digits of the optimum, or those of its rounding, named as the ceiling; or a refusal with its bounds."""
    rows, y, weights, lam = hard(random.Random(seed))
    optimum = Lasso(penalty=lam, arithmetic="exact").fit(rows, y, weights).certificate_.primal
    try:
        found = Lasso(penalty=lam, arithmetic=arithmetic).fit(rows, y, weights).certificate_
    except NotConverged as refusal:
        assert refusal.witness["dual"] == optimum and digits(refusal.witness["primal"] - optimum, optimum) < 1
        return
    assert found.dual == optimum and found.digits >= min(9, found.ceiling or 9)
    assert found.digits == digits(found.primal - optimum, found.primal)
