"""Machines in doubles on hard data: proven, at the ceiling of doubles, or refused with their bounds."""

import math
from fractions import Fraction as Q
from itertools import product
from random import Random

import pytest

from refclass import SVC
from refclass.errors import NoAnswer, NotConverged, NotExact
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.margins.svm.soft import Machine
from refclass.regress.kernel import fit as training
from refclass.regress.kernel import intercept
from refclass.regress.kernel.rounded import rounding
from tests.profiles import examples, thorough

KERNELS = {1: "linear", 2: {"name": "polynomial", "degree": 2, "c": 1}, 3: {"name": "polynomial", "degree": 3, "c": 1}}
COSTS = (1e-6, 1, 1e4, 1e8, math.inf)


def cauchy(random):
    """Return a number of heavy tails."""
    return math.tan(math.pi * (random.random() - 0.5))


DATA = {
    "ordinary": lambda r, i: [r.gauss(0, 1), r.gauss(0, 1)],
    "offset of a million": lambda r, i: [1e6 + r.gauss(0, 1), 1e6 + r.gauss(0, 1)],
    "offset of a thousand million": lambda r, i: [1e9 + r.gauss(0, 1), r.gauss(0, 1)],
    "prices": lambda r, i: [r.uniform(1e5, 2e6), r.uniform(1e5, 2e6)],
    "large beside small": lambda r, i: [1e6 * r.gauss(0, 1), 1e-6 * r.gauss(0, 1)],
    "heavy tails": lambda r, i: [cauchy(r) ** 3, cauchy(r) ** 3],
    "copies": lambda r, i: [float(r.randint(0, 1)), float(r.randint(0, 1)) * 1e6],
    "all equal": lambda r, i: [1e6, 3.0],
    "collinear": lambda r, i: [v := 1e3 * r.gauss(0, 1), 2 * v],
    "two points": lambda r, i: [1e6 + r.gauss(0, 1), 1e6 + r.gauss(0, 1)],
}


def sample(name, seed):
    """Return points and labels of a kind."""
    random = Random(f"{name} {seed}")
    n = 2 if name == "two points" else 9
    return [DATA[name](random, i) for i in range(n)], [i % 2 for i in range(n)]


def gap(X, y, degree, C, squared, alpha, b):
    """Return the exact primal at (α, b), and the dual at α clipped and balanced, by the formulas alone."""
    signs, a, b = [2 * t - 1 for t in y], [Q(v) for v in alpha], Q(b)
    rows = [[Q(v) for v in x] for x in X]
    inner = [[sum(u * v for u, v in zip(x, z)) for z in rows] for x in rows]
    K = inner if degree == 1 else [[(v + 1) ** degree for v in row] for row in inner]
    f = [sum(w * t * k for w, t, k in zip(a, signs, row)) for row in K]
    square = sum(w * t * v for w, t, v in zip(a, signs, f))
    margins = [t * (v + b) for t, v in zip(signs, f)]
    if math.isinf(C):
        least = min(margins)
        primal = square / 2 / min(least, Q(1)) ** 2 if least > 0 else None
    else:
        slack = [max(1 - m, Q(0)) for m in margins]
        primal = square / 2 + Q(C) * sum(s * s if squared else s for s in slack)
    a = [max(v, Q(0)) if squared or math.isinf(C) else min(max(v, Q(0)), Q(C)) for v in a]
    sums = {s: sum(v for v, t in zip(a, signs) if t == s) for s in (1, -1)}
    a = [v * min(sums.values()) / sums[t] if sums[t] else Q(0) for v, t in zip(a, signs)]
    total = sum(
        v * w * s * t * K[i][j] for i, (v, s) in enumerate(zip(a, signs)) for j, (w, t) in enumerate(zip(a, signs))
    )
    soft = sum(v * v for v in a) / (4 * Q(C)) if squared and not math.isinf(C) else 0
    return primal, sum(a) - total / 2 - soft


def at_coefficients(X, y, C, squared, beta, b):
    """Return the exact primal at the coefficients of a linear machine, by the formula alone.

    Where no slack is allowed it is that of the least multiple t ≥ 1 of (β, b) whose margins are all at least 1.
    """
    margins = [(2 * t - 1) * (sum(Q(v) * Q(u) for v, u in zip(beta, x)) + Q(b)) for x, t in zip(X, y)]
    if math.isinf(C):
        return sum(Q(v) ** 2 for v in beta) / 2 / min(*margins, Q(1)) ** 2 if min(margins) > 0 else None
    slack = [max(1 - m, Q(0)) for m in margins]
    return sum(Q(v) ** 2 for v in beta) / 2 + Q(C) * sum(s * s if squared else s for s in slack)


def assert_promise(name, seed, degree, C, squared):
    """Assert what `fit` promises."""
    X, y = sample(name, seed)
    loss = "squared_hinge" if squared else "hinge"
    options = {"C": C, "kernel": KERNELS[degree], "loss": loss}
    try:
        m = SVC(**options).fit(X, y)
    except NotConverged as refusal:
        best = SVC(**options, arithmetic="exact").fit(X, y).objective_
        assert math.isclose(best, Q(refusal.witness["primal"]), rel_tol=1e-12)
        assert refusal.witness["dual"] <= refusal.witness["primal"]
        return "refused"
    except NoAnswer:
        with pytest.raises(NoAnswer):
            SVC(**options, arithmetic="exact").fit(X, y)
        return "none"
    c = m.certificate_
    primal, dual = gap(X, y, degree, C, squared, m.alpha_, m.intercept_[0])
    delivered = primal if degree > 1 else at_coefficients(X, y, C, squared, m.coef_[0], m.intercept_[0])
    primal = max(primal, delivered)  # a linear machine is delivered twice; the certificate covers both
    assert (c.primal, c.dual, c.gap) == (primal, dual, primal - dual) and primal >= dual
    assert c.status == "optimal" or c.digits >= c.ceiling - 1
    assert (c.status == "optimal") == (primal - dual <= Q(1, 10**9) * max(abs(primal), abs(dual)))
    if not math.isinf(C):
        assert abs(Q(m.objective_) - delivered) <= Q(1, 10**9) * delivered
    return c.status


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("degree", [1, 2, 3])
def test_without_slack_the_objective_and_the_margin_are_those_of_the_optimum(seed, degree):
    """Multipliers a few digits short, whose f scaled to margin 1 is optimal, are finished  [ESL-12.4]."""
    X, y = sample("two points", seed)
    options = {"C": math.inf, "kernel": KERNELS[degree]}
    m, best = SVC(**options).fit(X, y), SVC(**options, arithmetic="exact").fit(X, y)
    assert math.isclose(m.objective_, best.objective_, rel_tol=1e-9)
    assert math.isclose(m.margin_**2, 1 / (2 * best.objective_), rel_tol=1e-9)


EVERY = list(product(DATA, range(2), (1, 2, 3), COSTS, (False, True)))


@pytest.mark.many
@pytest.mark.parametrize("case", Random(11).sample(EVERY, examples(50)), ids=str)
def test_a_default_fit_is_proven_or_at_the_ceiling_or_refused_with_its_bounds(case):
    """Primal and dual computed by the formulas in fractions: nothing poor is returned silently  [ESL-12.8]."""
    assert_promise(*case)


@pytest.mark.parametrize(
    "case",
    [
        ("heavy tails", 1, 1, 1e8, True),  # coefficients and multipliers are both roundings of the optimum
        ("two points", 0, 1, math.inf, False),  # the primal at the coefficients is larger than at the multipliers
    ],
    ids=str,
)
def test_a_linear_machine_is_judged_by_the_worse_of_its_coefficients_and_its_multipliers(case):
    """Both are delivered, rounded from one optimum; they agree up to that rounding, and it is proven of both
    [ESL-12.10].
    """
    assert_promise(*case)


@pytest.mark.many
@pytest.mark.slow
@pytest.mark.parametrize("case", EVERY if thorough() else Random(12).sample(EVERY, examples(50)), ids=str)
def test_every_default_fit_keeps_the_promise(case):
    """All kinds of data with all costs, losses and degrees  [ESL-12.8] [MMST-Ex11.3]."""
    assert_promise(*case)


@pytest.mark.parametrize("name", ["offset of a million", "two points", "copies", "ordinary", "all equal"])
@pytest.mark.parametrize("C", [1, 1e4])
def test_linear_machines_have_nine_digits_on_unscaled_data(name, C):
    """An offset costs no linear machine the digits that are promised  [ESL-12.8]."""
    assert assert_promise(name, 5, 1, C, False) == "optimal"


def brute(values, y, costs, squared, b):
    return sum(c * max(1 - t * (v + b), Q(0)) ** (2 if squared else 1) for v, t, c in zip(values, y, costs))


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("squared", [False, True])
def test_the_intercept_is_the_best_for_the_values(seed, squared):
    """No break point, no neighbour and nothing between the ends of the interval has a smaller loss  [ISML-27.4]."""
    random = Random(seed)
    n = random.randint(2, 6)
    y = [Q(1), Q(-1), *[Q(random.choice([1, -1])) for _ in range(n - 2)]]
    values, costs = [Q(random.randint(-4, 4), 2) for _ in y], tuple(Q(random.randint(1, 3)) for _ in y)
    machine = Machine(Matrix.identity(n, Q), Vector(y), costs, squared)
    low, high = intercept.best(machine.dual(), Vector(values))
    best = brute(values, y, costs, squared, low)
    assert low <= high and best == brute(values, y, costs, squared, high)
    for b in [t - v for t, v in zip(y, values)] + [low - Q(1, 100), high + Q(1, 100)]:
        assert brute(values, y, costs, squared, b) >= best
        assert low <= b <= high or brute(values, y, costs, squared, b) > best


def test_the_intercept_of_a_hard_margin_is_half_way():
    """−1 and 3 without slack at β = ½: −½ exactly; at β = ¼ both are as far inside  [MMST-11.26]."""
    machine = Machine(Matrix.identity(2, Q), Vector([Q(-1), Q(1)]), (None, None))
    assert intercept.best(machine.dual(), Vector([Q(-1, 2), Q(3, 2)])) == (Q(-1, 2), Q(-1, 2))
    assert intercept.best(machine.dual(), Vector([Q(-1, 4), Q(3, 4)])) == (Q(-1, 4), Q(-1, 4))
    assert intercept.best(machine.dual(), Vector([Q(-1), Q(3)])) == (Q(-2), Q(0))


@pytest.mark.slow
def test_ordinary_machines_need_no_safeguard(monkeypatch):
    """On scaled data the estimate in doubles decides, and no proof is made  [ESL-12.8]."""
    monkeypatch.setattr(rounding, "judged", None)
    random = Random(4)
    X = [[random.gauss(0, 1) for _ in range(3)] for _ in range(80)]
    y = [int(x[0] + random.gauss(0, 1) > 0) for x in X]
    for kernel in ("linear", {"name": "gaussian", "gamma": 1}, KERNELS[2]):
        for C in (1e-3, 1, 100):
            for loss in ("hinge", "squared_hinge"):
                assert SVC(C=C, kernel=kernel, loss=loss).fit(X, y).certificate_.status == "optimal"


@pytest.mark.parametrize("arithmetic", ["float", "exact", "decimal:30"])
def test_what_is_not_convex_is_answered_and_called_stationary(arithmetic):
    """Tables that are no kernels: the conditions hold to nine digits in every arithmetic  [ESL-12.16]."""
    random = Random(arithmetic)
    for n in (4, 6, 8):
        rows = [[random.randint(-3, 3) for _ in range(n)] for _ in range(n)]
        table = [[rows[max(i, j)][min(i, j)] for j in range(n)] for i in range(n)]
        m = SVC(kernel="precomputed", arithmetic=arithmetic).fit(table, [-1, 1] * (n // 2))
        assert (m.certificate_.status, m.certificate_.gap, m.certificate_.premise) == ("stationary", None, "")
    K = [[-1, -2, 3, -3, 1, 3], [-2, -1, 1, 2, 3, 1], [3, 1, -2, -1, -3, 2]]
    K += [[-3, 2, -1, -3, 3, 2], [1, 3, -3, 3, -1, 0], [3, 1, 2, 2, 0, 1]]
    c = SVC(kernel="precomputed", arithmetic=arithmetic).fit(K, [-1, 1] * 3).certificate_
    assert (c.status, c.gap, c.dual, c.premise) == ("stationary", None, None, "")


def test_more_points_than_fractions_can_take_are_finished_in_decimals(monkeypatch):
    """The same optimum from decimals as from fractions, on columns whose digits doubles lose  [ESL-12.8]."""
    X, y = sample("offset of a million", 2)
    want = SVC(C=1e8).fit(X, y)
    monkeypatch.setattr(training, "SMALL", 0)
    found = SVC(C=1e8).fit(X, y)
    assert found.certificate_.status == want.certificate_.status
    assert math.isclose(found.objective_, want.objective_, rel_tol=1e-8)


@pytest.mark.parametrize("kernel", [{"name": "thin_plate", "sigma": 1}, {"name": "sigmoid", "a": "1/2", "b": -1}])
def test_functions_that_are_no_kernels_are_answered_with_a_margin_or_without(kernel):
    """‖f‖² may be negative: then the margin is NotExact, and the answer stands without it  [MMST-T11.1]."""
    margins = set()
    for seed in range(12):
        random = Random(seed)
        X = [[random.gauss(0, 1) for _ in range(2)] for _ in range(10)]
        m = SVC(kernel=kernel).fit(X, [i % 2 for i in range(10)])
        assert m.certificate_.status in ("stationary", "optimal")
        if m._trained.square < 0:
            with pytest.raises(NotExact, match="need a kernel that is positive semidefinite, for a margin"):
                assert m.margin_
        margins.add(m._trained.square > 0)
    assert margins == {True, False} or kernel["name"] == "thin_plate"
