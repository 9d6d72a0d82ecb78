"""Labels of functions that vanish beside the margins, on columns of 10⁻⁹ to 10⁻¹⁵⁰: the exact ones, or refused.

A point at which the exact functions tie has no label but by the roundoff of any machine: there the label is to be that
of one of those which tie.
"""

from fractions import Fraction
from random import Random

import pytest

from refclass import (
    SVC,
    CrammerSingerSVC,
    KernelClassifier,
    LeeLinWahbaSVC,
    LogisticRegression,
    OneVersusOne,
    OneVersusRest,
    SVMPath,
)
from refclass.errors import NotConverged, NotExact
from tests.hunt.own_and_changed import own, verdict
from tests.profiles import thorough

SEEDS = range(60) if thorough() else range(4, 6)
SQUARED = {"name": "svc", "loss": "squared_hinge"}
SAME = Fraction(1, 10**6)  # of what a function varies by, below which two functions tie
MACHINES = {
    "deviance": (KernelClassifier, {"loss": "deviance", "penalty": 1}),
    "crammer_singer": (CrammerSingerSVC, {}),
    "lee_lin_wahba": (LeeLinWahbaSVC, {}),
    "svc": (SVC, {}),
    "hinge": (KernelClassifier, {"loss": "hinge"}),
    "logistic": (LogisticRegression, {"penalty": 1}),
}
NEAR = {  # of two classes, and a function that the intercept is to balance
    "svc": (SVC, {}),
    "squared slack": (SVC, {"loss": "squared_hinge"}),
    "path": (SVMPath, {}),
    "deviance": (KernelClassifier, {"loss": "deviance"}),
    "power": (KernelClassifier, {"loss": {"name": "power_hinge", "p": 3}}),
    "squared": (KernelClassifier, {"loss": "squared"}),
    "huberised": (KernelClassifier, {"loss": "huberised"}),
}
ASIDE = [[4.0, 1], [5, 2], [4.5, 1], [6, 1], [6, -1], [5, 4], [7, 5], [8, 3]]
SIDES = [0, 0, 0, 0, 1, 1, 1, 1]
TWO = {"svc", "hinge"}  # machines of two classes
DECIMALS = {"deviance", "logistic", "power"}  # machines without an exact arithmetic
DECADES = [(name, k) for name in MACHINES for k in ((9, 60, 145) if thorough() else (60 if name == "logistic" else 9,))]


def drawn(seed, K):
    """Return rows of sixty-fourths, and labels of K classes, with equal and unequal counts."""
    r = Random(seed)
    counts = [[r.choice([2, 3, 4]) for _ in range(K)], [3] * K, [3, 3, *[2] * (K - 2)]][seed // 4 % 3]
    y = [k for k, count in enumerate(counts) for _ in range(count)]
    r.shuffle(y)
    return [[round(64 * (r.gauss(0, 0.7) + 3 * (k == j) + (k > 1) * (j == 0) * k)) / 64 for j in (0, 1)] for k in y], y


def at_half(machine):
    """Return a machine, of a path that of λ = ½."""
    return machine.at(0.5) if isinstance(machine, SVMPath) else machine


def behind(machine, X, labels):
    """Return by how much the functions of some labels are below the largest at most, as part of what one varies by."""
    f = [[Fraction(v) for v in (row if isinstance(row, list) else (-row, row))] for row in machine.decision_function(X)]
    spread = max(max(own) - min(own) for own in zip(*f))
    return max(max(row) - row[machine.classes_.index(label)] for row, label in zip(f, labels)) / spread


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name, decades", DECADES)
def test_labels_of_tiny_columns_are_those_of_longer_numbers(seed, name, decades):
    """The optimum does not change with the length of the numbers that it is computed in."""
    X, y = drawn(seed, 2 if name in TWO else 2 + seed % 4)
    tiny, (cls, how) = [[v * 10.0**-decades for v in x] for x in X], MACHINES[name]
    try:
        found = at_half(cls(**how).fit(tiny, y)).predict(tiny)
    except NotExact as refusal:
        assert "roundoff of their intercepts" in str(refusal)
        return
    longer = f"decimal:{60 + 4 * decades}" if name in DECIMALS else "exact"
    assert behind(at_half(cls(**how, arithmetic=longer).fit(tiny, y)), tiny, found) <= SAME


@pytest.mark.parametrize("decades", (9, 60, 145) if thorough() else (60,))
@pytest.mark.parametrize("name", NEAR if thorough() else ["path", "power"])
def test_labels_of_two_tiny_classes_on_one_side_are_those_of_longer_numbers(name, decades):
    """The middle of the function, which the intercept balances, is larger than the function varies: 1.1·10⁻¹¹⁸."""
    tiny, (cls, how) = [[v * 10.0**-decades for v in x] for x in ASIDE], NEAR[name]
    found = at_half(cls(**how).fit(tiny, SIDES)).predict(tiny)
    longer = f"decimal:{60 + 4 * decades}" if name in DECIMALS else "exact"
    assert behind(at_half(cls(**how, arithmetic=longer).fit(tiny, SIDES)), tiny, found) <= SAME


@pytest.mark.parametrize("decades", (163, 170, 320) if thorough() else (170,))
@pytest.mark.parametrize("name", [*NEAR, "lee_lin_wahba"] if thorough() else ["svc", "deviance", "lee_lin_wahba"])
def test_functions_below_the_normal_doubles_are_refused(name, decades):
    """The kernel is zero in doubles, and every label was that of one class."""
    cls, how = {**MACHINES, **NEAR}[name]
    with pytest.raises((NotExact, NotConverged)):
        at_half(cls(**how).fit([[v * float(f"1e-{decades}") for v in x] for x in ASIDE], SIDES))


@pytest.mark.parametrize("decades", (9, 60, 150) if thorough() else (9,))
@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
def test_classes_against_the_rest_whose_functions_intercepts_hide_are_refused(decades, loss):
    """Functions are −1/3 and 10⁻¹⁷: every label was that of the first class; machines of pairs compare with zero."""
    X, y = drawn(5, 3)
    tiny = [[v * 10.0**-decades for v in x] for x in X]
    several = OneVersusRest(estimator=SVC(loss=loss)).fit(tiny, y)
    with pytest.raises(NotExact, match="roundoff of their intercepts"):
        several.predict(tiny)
    exact = OneVersusOne(estimator=SVC(loss=loss, arithmetic="exact")).fit(tiny, y)
    assert OneVersusOne(estimator=SVC(loss=loss)).fit(tiny, y).predict(tiny) == exact.predict(tiny)


def test_constant_functions_that_tie_are_no_hidden_ones():
    """Two classes at the same points have the constant −1 each, with 10⁻¹⁶ of roundoff: they are not refused."""
    X = [[0.0, 0.1], [0.0, 0.1], [1.0, 0.2], [1.0, 0.2], [3.0, 1.0], [4.0, 1.5]]
    assert OneVersusRest().fit(X, list("ababcc")).predict(X)[4:] == ["c", "c"]


def test_kernel_values_that_are_nearly_alike_hide_no_label():
    """(1 + ⟨x, z⟩)² of columns of 10⁻⁹ is one in doubles: scores of classes of equal size vary by roundoff alone."""
    X, y = drawn(5, 3)
    tiny = [[v * 1e-9 for v in x] for x in X]
    with pytest.raises(NotExact, match="roundoff of their terms"):
        CrammerSingerSVC(kernel={"name": "polynomial", "degree": 2}).fit(tiny, y)


@pytest.mark.parametrize("cls", [CrammerSingerSVC, LeeLinWahbaSVC])
@pytest.mark.parametrize("kernel", [{"name": "linear"}, {"name": "gaussian", "gamma": 1}])
@pytest.mark.parametrize("rows", [[[0.1]], [[1, 3], [5, 1]]])
def test_functions_that_are_zero_are_no_hidden_ones(cls, kernel, rows):
    """Points at which every class is found equally often: the optimum is zero, and proven so."""
    fitted = cls(kernel=kernel).fit([x for x in rows for _ in range(3)], list("abc") * len(rows))
    assert fitted.certificate_.status == "optimal"


@pytest.mark.long
@pytest.mark.parametrize("n, p, K", [(150, 20, 3), pytest.param(60, 30, 4, marks=pytest.mark.thorough)])
def test_labels_of_many_tiny_columns_do_not_depend_on_the_unit(n, p, K):
    """Fits too large to be made in decimals: their constants are, where roundoff hides which class is more likely."""
    r = Random(2)
    y = [i % K for i in range(n)]
    X = [[r.gauss(0, 1) + (g == j) for j in range(p)] for g in y]
    found = []
    for decades in (12, 40):
        tiny = [[v * 10.0**-decades for v in x] for x in X]
        found.append(LogisticRegression(penalty=1).fit(tiny, y).predict(tiny))
    assert found[0] == found[1] and set(found[0]) == set(y)


def test_a_refusal_of_functions_that_vanish_has_the_bounds_of_the_optimum():
    """Weighted points of 10⁻⁹ whose multipliers doubles round too coarsely for their functions  [MMST-11.104]."""
    X = [[1.288018970405888e-09, 3.3037682221196564e-10], [1.07940338786181e-09, -9.208758050869525e-10]]
    X += [[7.180009251057391e-10, 1.0143810247339852e-09], [8.033109881090278e-11, -2.350971064320831e-10]]
    X += [[2.92508313230169e-10, -1.3837124426520373e-09]]
    machine, weights = LeeLinWahbaSVC(penalty=Fraction(1, 5)), [1, 2, Fraction(1, 3), 2, 2]
    try:
        proof = machine.fit(X, [0, 1, 2, 0, 0], sample_weight=weights).certificate_
        primal, dual = proof.primal, proof.dual
    except NotConverged as refusal:
        primal, dual = refusal.witness["primal"], refusal.witness["dual"]
    assert dual <= primal <= dual * (1 + Fraction(1, 10**9))


@pytest.mark.parametrize("seeds", [(0, 15, 28), pytest.param(range(200), marks=pytest.mark.thorough)])
def test_functions_that_are_zero_in_decimals_have_the_labels_of_ties(seeds):
    """One class against the rest where no line tells them apart: β = 0, and `verify` accepts labels that tie."""
    for seed in seeds:
        r = Random(seed)
        unit, n, p = r.choice([5e-320, 1e-200, 1e-60]), r.choice([6, 9, 12]), r.choice([1, 2])
        x = [[unit * round(r.gauss(0, 9)) for _ in range(p)] for _ in range(n)]
        parameters = r.choice([{}, {"estimator": {"name": "svc", "C": 10}}, {"estimator": SQUARED}])
        given = {"method": "one_vs_rest", "parameters": parameters, "x": x, "y": [i % 3 for i in range(n)]}
        query, arithmetic = [x[0], [1.5 * v for v in x[-1]]], r.choice(["decimal:20", "decimal:30"])
        asked, said = own({**given, "query": query, "arithmetic": arithmetic})
        assert verdict(asked, said)["accepted"], (seed, verdict(asked, said)["verdict"])
