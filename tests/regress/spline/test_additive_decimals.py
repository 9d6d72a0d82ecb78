"""Additive splines whose functions doubles leave few digits: computed in decimals, rounded once, or refused."""

import random

import pytest

from refclass import BRUTO, FlexibleDiscriminantAnalysis, SmoothingSpline
from refclass.errors import NoAnswer, NotConverged
from refclass.regress.spline import additive_decimals
from tests.hunt import kinds
from tests.profiles import examples


def table(seed):
    """Return rows and responses: heavy tails, mixed scales, an outlier, copies, offsets, uneven gaps."""
    r = random.Random(seed)
    n, p = r.choice([6, 10, 20, 30]), r.choice([1, 2, 3])
    X = r.choice([kinds.heavy, kinds.heavy, kinds.mixed, kinds.outlier, kinds.ordinary])(r, n, p)
    change = r.choice(["none", "none", "copies", "offset", "gaps"])
    if change == "copies":
        X = [r.choice(X) for _ in X]
    elif change == "offset":
        X = [[v + 1e9 for v in x] for x in X]
    elif change == "gaps":
        X = [[v * 10 ** r.uniform(-25, 0) for v in x] for x in X]
    largest, unit, power = max(abs(x[0]) for x in X) or 1, r.choice([1, 1, 1e6, 1e-6]), r.choice([1, 5])
    return X, [(r.gauss(0, 1) ** power + x[0] / largest) * unit for x in X]


def enough(proof):
    """Return whether a proof has nine digits, or at least one and misses its ceiling by less than one."""
    return proof.digits >= 9 or (proof.digits >= 1 and proof.ceiling is not None and proof.digits > proof.ceiling - 1)


def answered(estimator, X, y):
    """Return whether a fit was not refused, and assert that it has its digits."""
    try:
        proof = estimator.fit(X, y).certificate_
    except (NotConverged, NoAnswer):
        return False
    assert enough(proof), str(proof)
    return True


@pytest.mark.parametrize("seed", [1, 13])
def test_functions_that_rounding_has_cost_their_digits_are_computed_in_decimals(seed):
    """Heavy tails: knots near each other left doubles no digit, and 2.9."""
    r = random.Random(seed)
    X = [[r.gauss(0, 1) ** 5, r.gauss(0, 1)] for _ in range(20)]
    y = [r.gauss(0, 1) + x[1] for x in X]
    assert answered(SmoothingSpline(penalty=1), X, y)


def test_knots_near_each_other_are_refined_without_decimals(monkeypatch):
    """Rows of which two in each column are 10⁻⁸ apart: refinement in doubles proves what decimals were taken for."""
    r = random.Random(2)
    X = [[r.gauss(0, 1), r.gauss(0, 1)] for _ in range(40)]
    X[1][0], X[3][1] = X[0][0] + 1e-8, X[2][1] + 1e-8
    monkeypatch.setattr(additive_decimals, "limit", None)
    fitted = SmoothingSpline(penalty=1 / 100).fit(X, [x[0] ** 2 + x[1] + r.gauss(0, 0.3) for x in X])
    monkeypatch.undo()
    assert fitted.certificate_.digits > 12


@pytest.mark.parametrize("seed", [243, 1346, pytest.param(1365, marks=pytest.mark.slow)])
def test_scores_have_the_digits_of_fitted_values_that_stand_still(seed):
    """A gap of 12 digits leaves values six: scores of backfitting that stopped there had 7.3 to 8.6."""
    X, y = table(seed)
    labels = [v > sorted(y)[len(y) // 2] for v in y]
    chance = random.Random(seed)
    penalty = [chance.choice([1e-6, 1e-3, 1, 1e3, float("inf")]) for _ in X[0]]
    model = FlexibleDiscriminantAnalysis(regression=SmoothingSpline(penalty=penalty)).fit(X, labels)
    assert model.certificate_.digits > 12


@pytest.mark.parametrize("seed", [1547, 1643])
def test_sweeps_that_stand_leave_the_gap_its_digits(seed):
    """Of λ = 10⁻⁶ the dual divides by λ what sweeps no longer move: 8.6 digits of 15.2 and 12.7."""
    X, y = table(seed)
    chance = random.Random(seed)
    penalty = [chance.choice([1e-6, 1e-3, 1, 1e3, float("inf")]) for _ in X[0]]
    assert SmoothingSpline(penalty=penalty).fit(X, y).certificate_.digits > 12


@pytest.mark.slow
@pytest.mark.thorough
def test_ordinary_rows_close_to_each_other():
    """Of 1,000 normal points two are 10⁻⁷ apart: doubles had 2.6 digits, of a ceiling of 16."""
    r = random.Random(1)
    X = [[r.gauss(0, 1) for _ in range(2)] for _ in range(1000)]
    assert answered(BRUTO(), X, [x[0] ** 2 + x[1] + r.gauss(0, 0.3) for x in X])


@pytest.mark.slow
@pytest.mark.thorough
@pytest.mark.parametrize("first", [0, 1000])
def test_no_additive_fit_is_poor_without_saying_so(first):
    """BRUTO, penalties and degrees of freedom; alone, and within flexible discriminants."""
    count = 0
    for seed in range(first, first + examples(30)):
        X, y = table(seed)
        r, p = random.Random(seed), len(X[0])
        penalty = [r.choice([1e-6, 1e-3, 1, 1e3, float("inf")]) for _ in range(p)]
        count += answered(BRUTO(), X, y)
        count += answered(SmoothingSpline(penalty=penalty), X, y)
        few = all(len(set(column)) > 3 for column in zip(*X))
        count += few and answered(SmoothingSpline(degrees_of_freedom=2.5), X, y)
        labels = ["a" if v > sorted(y)[len(y) // 2] else "b" for v in y]
        if set(labels) == {"a", "b"}:
            count += answered(FlexibleDiscriminantAnalysis(regression=SmoothingSpline(penalty=penalty)), X, labels)
    assert count > examples(30)
