"""The hunt on whole paths: every break point that a fit reports is judged, and found in fractions.

Six fits by default, 60 in the thorough profile, or `REFCLASS_HUNT` / 5; `REFCLASS_HUNT_SEED` says where seeds begin.
"""

import os
import random
from fractions import Fraction

import pytest

from refclass import SVC, SVMPath, errors
from refclass.oracle import kernel
from tests.hunt import kinds
from tests.hunt.examine import ASKED, TooLong, limited, near
from tests.profiles import examples

COUNT = max(60, int(os.environ.get("REFCLASS_HUNT", "300")) // 5)
FIRST = int(os.environ.get("REFCLASS_HUNT_SEED", "0"))
STEP = 6
SECONDS = 60
NINE = Fraction(1, 10**ASKED)

KERNELS = (
    *["linear"] * 3,
    *[{"name": "polynomial", "degree": d, "c": c} for d, c in ((2, 1), (3, 1), (4, 1), (2, 0))],
    *[{"name": "gaussian", "gamma": g} for g in (1, "scale", 1e-8, 1e6)],
)


def far_and_small(r, n, p):
    """A column of 10⁹ ± 10⁶ beside columns of 10⁻⁶."""
    return [[1e9 + 125e3 * r.randint(-8, 8), *[r.randint(-8, 8) / 8e6 for _ in range(p - 1)]] for _ in range(n)]


def far_grid(r, n, p):
    """Points of a small grid, far from the origin."""
    middle = 10.0 ** r.choice([6, 9])
    return [[middle + r.randint(0, 3) for _ in range(p)] for _ in range(n)]


def mixed_grid(r, n, p):
    """Columns of whole numbers times scales from 10⁻⁶ to 10⁶."""
    scales = [10.0 ** r.choice([-6, -3, 0, 3, 6]) for _ in range(p)]
    return [[s * r.randint(-3, 3) for s in scales] for _ in range(n)]


def near_copies(r, n, p):
    """Few rows, each several times, some of them 10⁻⁹ or 10⁻¹² apart."""
    base = kinds.ordinary(r, max(2, n // 3), p)
    return [[v + r.choice([0, 1e-9, 1e-12]) * r.gauss(0, 1) for v in r.choice(base)] for _ in range(n)]


KINDS = (*kinds.KINDS, far_and_small, far_grid, mixed_grid, near_copies)


def path(seed, sizes=(2, 3, 4, 5, 6, 8, 10, 14)):
    """Return the kernel, rows and labels of a path, classes of equal sizes, nearly equal, or one to three."""
    r = random.Random(f"path {seed}")
    kind, n, p = r.choice(KINDS), r.choice(sizes), r.choice([1, 2, 2, 3])
    X, few = kind(r, n, p), r.choice([0, n // 2, max(1, n // 4)])
    y = [int(i < few) for i in range(n)] if few else kinds.labels(r, kind.__name__, X, 2)
    return r.choice(KERNELS), X, y


def judged(given, lam, alpha, beta0):
    """Return the digits that the kernel of trust proves of the machine at one λ."""
    k, X, y = given
    problem = {"method": "svm_path", "parameters": {"kernel": k}, "x": X, "y": y}
    fitted = {"classes": [0, 1], "lambdas": [lam], "alphas": [alpha], "intercepts": [beta0]}
    return kernel.judge(problem, {"fitted": fitted}, 0)["digits"]


def exact(given):
    """Return the path in fractions; None where a rounded kernel has none, or it takes long."""
    try:
        with limited(SECONDS):
            return SVMPath(kernel=given[0], arithmetic="exact").fit(*given[1:])
    except (errors.Refusal, TooLong):
        return None


def beside(lam, others):
    """Return which of the others is nearest to λ; None if its first nine digits are not those of λ."""
    nearest = min(range(len(others)), key=lambda k: abs(others[k] - lam), default=None)
    return nearest if nearest is not None and abs(others[nearest] - lam) <= NINE * lam else None


def examined(seed, arithmetic="float", solver="auto"):
    """Return what is wrong with the path of a seed, in words; empty if nothing is."""
    given = path(seed)
    try:
        with limited(SECONDS):
            found = SVMPath(kernel=given[0], arithmetic=arithmetic, solver=solver).fit(*given[1:])
            proof = found.certificate_
    except errors.NotConverged as refusal:
        return "" if {"primal", "dual", "lam"} <= set(refusal.witness) else f"no bounds: {refusal}"
    except TooLong:
        return f"no end within {SECONDS} s"
    except Exception as error:
        return f"{type(error).__name__}: {error}"[:200]
    if proof.status == "not converged":
        return f"returned, and {proof}"
    return compared(given, found, exact(given), arithmetic)


def compared(given, found, right, arithmetic):
    """Return which break point is wrong, in words: one of few digits, or of a λ that the exact path does not have."""
    several = right is not None and degenerate(right)
    lams, alphas, constants = ([*map(exactly, v)] for v in (found.lambdas_, found.alphas_, found.intercepts_))
    all_of_them = [] if right is None else right.lambdas_
    for k, (lam, alpha, beta0) in enumerate(zip(lams, alphas, constants)):
        digits, own = judged(given, lam, alpha, beta0), beside(lam, all_of_them)
        if right is not None and own is None and not several:
            return f"lambdas_[{k}] is {near(lam):.17g}, no break point"
        if digits < ASKED:
            most = None
            if own is not None:
                point = right.lambdas_[own], right.alphas_[own], right.intercepts_[own]
                rounded = [exactly(v, near if arithmetic == "float" else None) for v in point]
                most = judged(given, *rounded)
            if digits < 1 or (most is not None and arithmetic == "float" and digits < most - 1):
                return f"break point {k}: {digits} digits, rounded exactly {most}"
    down = exactly(found.least_lambda_)
    missing = [lam for lam in all_of_them if lam >= down * (1 + NINE) and beside(lam, lams) is None]
    missing = [] if several else missing
    return f"no break point at {near(missing[0]):.17g}" if missing else ""


def degenerate(right):
    """Return whether equations of points on the elbow follow from one another's: then the multipliers are not unique,
    nor are the break points."""
    for state in right._model.path.states:
        elbow = [i for i, sides in enumerate(zip(state.above, state.below)) if 0 in sides]
        rows = [[*(state.problem.K.row(i)[j] for j in elbow), 1] for i in elbow]
        while rows:
            first = max(rows, key=lambda row: next((k for k, v in enumerate(row) if v), -1))
            place = next((k for k, v in enumerate(first) if v), None)
            if place is None:
                return True
            rows.remove(first)
            rows = [[v - row[place] / first[place] * w for v, w in zip(row, first)] for row in rows]
    return False


def exactly(value, rounding=None):
    """Return numbers, or nested lists of them, in fractions, rounded first if so said."""
    if isinstance(value, (list, tuple)):
        return [exactly(v, rounding) for v in value]
    return Fraction(value if rounding is None else rounding(value))


def hunted(seeds, *how):
    """Return what is wrong with the paths of the seeds."""
    found = {seed: examined(seed, *how) for seed in seeds}
    return "\n".join(f"seed {seed}, {path(seed)}: {wrong}" for seed, wrong in found.items() if wrong)


@pytest.mark.parametrize("middle", [1e3, 1e6])
@pytest.mark.parametrize("seed", range(examples(6)))
def test_a_machine_of_a_path_in_decimals_has_the_digits_of_the_machine_alone(seed, middle):
    """α rounded, then α/λ rounded, is further from the optimum than what is rounded once: nine digits, or as many."""
    r = random.Random(seed)
    X, y = [[middle + r.gauss(0, 1) for _ in range(2)] for _ in range(6)], [0, 1, 0, 1, 1, 0]
    for lam in ("1/1000", 1):
        along = SVMPath(arithmetic="decimal:20").fit(X, y).at(lam).certificate_.digits
        alone = SVC(C=1 / Fraction(lam), arithmetic="decimal:20").fit(X, y).certificate_.digits
        assert along >= min(ASKED, alone)


@pytest.mark.slow
@pytest.mark.parametrize(
    "first", [FIRST, *(pytest.param(k, marks=pytest.mark.thorough) for k in range(FIRST + STEP, FIRST + COUNT, STEP))]
)
def test_every_break_point_that_is_reported_is_proven_and_right(first):
    """Nine digits, or within one of the exact break point's, rounded; λ to nine digits; none is left out above
    `least_lambda_`; else a refusal with its bounds."""
    assert not hunted(range(first, first + STEP))


@pytest.mark.thorough
@pytest.mark.parametrize("how", [("decimal:20",), ("float", "hastie"), ("decimal:30", "hastie")])
@pytest.mark.parametrize("first", range(FIRST, FIRST + COUNT, STEP))
def test_every_break_point_is_right_in_decimals_and_of_the_page(how, first):
    """The same of decimals, and of the page of the algorithm; fractions take a Gaussian kernel in binary64."""
    assert not hunted([seed for seed in range(first, first + STEP) if "gaussian" not in str(path(seed)[0])], *how)
