"""Kernels that are definite where coefficients sum to zero only: K + u1ᵀ + 1uᵀ has the functions of K.

With an intercept, f and its objective are the same for both, whatever u is: here u that makes the diagonal zero, as
that of −|x − z|² is, so that it bounds no entry of the matrix.
"""

import math
import random
from fractions import Fraction

import pytest

import refclass
from tests.hunt.examine import near
from tests.profiles import thorough

MACHINES = [
    ("SVC", {}, 2),
    ("SVC", {"loss": "squared_hinge"}, 2),
    ("SVC", {"solver": "active_set"}, 2),
    ("SVC", {"multiclass": "ovr"}, 3),
    ("SVMPath", {}, 2),
    ("SVR", {}, 0),
    ("HuberRegression", {}, 0),
    ("KernelRidge", {"intercept": True}, 0),
    ("KernelClassifier", {"loss": "hinge"}, 2),
    ("KernelClassifier", {"loss": "huberised"}, 2),
    ("LeeLinWahbaSVC", {}, 3),
    ("LeeLinWahbaSVC", {"solver": "active_set"}, 3),
    ("LeeLinWahbaSVC", {"solver": "decomposition"}, 4),
]


def drawn(seed, classes):
    """Return a semidefinite Gram matrix, the same less half its diagonal by row and column, labels, and a cost."""
    r = random.Random(f"contrasts {seed}")
    n, p, scale = max(classes, r.choice([3, 4, 5, 6])), r.choice([1, 2, 5]), Fraction(2) ** r.choice([-20, 0, 0, 20])
    rows = [[r.randint(-3, 3) for _ in range(p)] for _ in range(n)]
    K = [[scale * sum(a * b for a, b in zip(x, z)) for z in rows] for x in rows]
    moved = [[K[i][j] - (K[i][i] + K[j][j]) / 2 for j in range(n)] for i in range(n)]
    y = [i % classes for i in range(n)] if classes else [r.randint(-4, 4) for _ in range(n)]
    return K, moved, y, Fraction(r.choice([1, 1, 4, 64])) / (scale if r.random() < 0.5 else 1)


def fitted(name, given, arithmetic, K, y, cost):
    """Return the fitted machine; of a path that of this cost."""
    own = {"LeeLinWahbaSVC": {"penalty": 1 / cost}, "SVMPath": {}}
    known = own.get(name, {"C": cost} if name in ("SVC", "SVR") else {"penalty": 1 / cost})
    estimator = getattr(refclass, name)(**given, **known, kernel="precomputed", arithmetic=arithmetic)
    table = [list(map(float, row)) for row in K] if arithmetic == "float" else K
    found = estimator.fit(table, y)
    return found.at(1 / cost) if name == "SVMPath" else found


@pytest.mark.parametrize("arithmetic", ["float", "exact", "decimal:40"])
@pytest.mark.parametrize(("name", "given", "classes"), MACHINES)
def test_a_matrix_with_a_diagonal_of_zero_has_the_machine_of_the_definite_one(name, given, classes, arithmetic):
    """The objective is that of the definite matrix, with == in fractions, else to the digits that are proven of it."""
    found, usual = [], {part: given[part] for part in given if part != "solver"}
    for seed in range(40 if thorough() else 2):
        K, moved, y, cost = drawn(seed, classes)
        least = fitted(name, usual, "exact", K, y, cost).certificate_.primal
        proof = fitted(name, given, arithmetic, moved, y, cost).certificate_
        error, exact = Fraction(proof.primal) - least, arithmetic == "exact" or proof.digits == math.inf
        # Premise: multipliers sum to zero up to roundoff, and ‖f‖² of K less u1ᵀ + 1uᵀ is ‖f‖² as nearly.
        right = error == 0 if exact else abs(error) * 10 ** Fraction(proof.digits) <= proof.primal
        poor = given == usual and proof.status != "optimal" and proof.digits < (proof.ceiling or proof.digits) - 1
        if not right or poor:
            found.append(f"seed {seed}: {near(proof.primal)} beside {near(least)}, {proof}")
    assert not found, "\n".join(["", *found])


@pytest.mark.parametrize("arithmetic", ["float", "decimal:30"])
def test_break_points_that_roundoff_makes_at_zero_are_none(arithmetic):
    """Multiples of −|x − z| that doubles round nearly tie: no break point follows where none does in fractions.

    In doubles λ of events that nearly tie has few digits; the machines have all.
    """
    found = []
    for seed in range(40 if thorough() else 3):
        r = random.Random(f"ties {seed}")
        n, unit = r.choice([8, 12]), r.choice([1e-8, 1e-4, 0.1])
        x, y = [r.randint(0, 9) for _ in range(n)], [i % 2 for i in range(n)]
        K = [[-unit * abs(a - b) for a in x] for b in x]
        path = refclass.SVMPath(kernel="precomputed", arithmetic=arithmetic).fit(K, y)
        exact = refclass.SVMPath(kernel="precomputed", arithmetic="exact").fit(K, y)
        last, least = Fraction(path.lambdas_[-1]), exact.lambdas_[-1]
        poor = {path.at(lam).certificate_.status for lam in (unit / 100, unit, 100 * unit)} - {"optimal"}
        apart = last < least / 10**9 if arithmetic == "float" else abs(last - least) * 10**9 > least
        if apart or path.least_lambda_ or poor:
            found.append(f"seed {seed}: {path.lambdas_} beside {list(map(near, exact.lambdas_))}, {poor}")
    assert not found, "\n".join(["", *found])
