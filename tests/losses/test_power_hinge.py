"""Powers of the hinge loss, and the machines with a slack of any exponent."""

import random
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refclass import KernelClassifier
from refclass.errors import InvalidInput, NoAnswer
from refclass.linear.vector import Vector
from refclass.losses.power_hinge import PowerHinge
from refclass.margins.svm import primal
from refclass.number.binary64 import BINARY64
from refclass.number.rational import RATIONAL
from tests.profiles import examples

X = [[0, 1], [1, 0], [2, 2], [3, 1], [4, 4], [5, 2], [2, 5], [1, 3], [3, 3], [0, 4]]
LABELS = [1, -1, 1, -1, 1, -1, -1, 1, 1, -1]
GAUSSIAN = {"name": "gaussian", "gamma": 0.5}


def machine(p, **options):
    """A machine with the slack to the power of p."""
    return KernelClassifier(loss={"name": "power_hinge", "p": p}, **options).fit(X, LABELS)


def test_whole_powers_are_exact_on_fractions():
    """[1 − m]³ and its slope −3[1 − m]² at m = −1/2  [KIM-3.33]."""
    loss = PowerHinge(Fraction(3))
    assert loss(RATIONAL, Fraction(-1, 2)) == Fraction(27, 8) and loss.slope(RATIONAL, Fraction(-1, 2)) == Fraction(
        -27, 4
    )


@pytest.mark.parametrize("kernel", ["linear", GAUSSIAN])
@pytest.mark.parametrize("p", ["4/3", 1.5, 2, 2.5, 3, 7])
def test_every_exponent_is_proven(p, kernel):
    """Newton's method ends at an optimum with nine digits or more between primal and dual [KIM-3.33] [SVC-LP.P1]."""
    m = machine(p, kernel=kernel, penalty=0.1)
    assert m.certificate_.status == "optimal" and m.certificate_.digits > 9


def test_the_exponent_two_is_the_squared_hinge():
    """p = 2 has the objective and the function of the squared hinge [KIM-3.33] [SVC-LP.P1]."""
    ours = machine(2, penalty=0.1)
    squared = KernelClassifier(loss="squared_hinge", penalty=0.1).fit(X, LABELS)
    assert ours.objective_ == pytest.approx(squared.objective_, rel=1e-12)
    assert ours.coef_[0] == pytest.approx(squared.coef_[0], rel=1e-9)


def test_the_objective_is_that_of_the_slack():
    """λ times ½‖β‖² + C Σ ξ^p with C = 1/λ [KIM-3.33] [SVC-LP.P1] [ESL-12.25]."""
    m = machine(3, penalty=0.25)
    beta = Vector(m.coef_[0])
    xi = Vector([max(0.0, 1 - y * f) for y, f in zip(LABELS, m.decision_function(X))])
    assert m.objective_ == pytest.approx(0.25 * primal.power_objective(beta @ beta, xi, 4.0, 3), rel=1e-12)


@pytest.mark.parametrize(
    ("loss", "kind", "line"),
    [
        ({"name": "power_hinge", "p": 1}, InvalidInput, "power_hinge: need p > 1"),
        ("power_hinge", InvalidInput, "need the parameters p of power_hinge; got none"),
    ],
)
def test_what_cannot_be_is_refused(loss, kind, line):
    """p ≤ 1, and no p [KIM-3.33]."""
    with pytest.raises(kind) as refusal:
        KernelClassifier(loss=loss, penalty=0.01, kernel=GAUSSIAN).fit(X, LABELS)
    assert line in str(refusal.value)


NINE = 9  # digits that are proven


@pytest.mark.slow
@pytest.mark.parametrize("kernel", ["linear", GAUSSIAN])
@pytest.mark.parametrize("p", [1.001, 1.1, 5, 10])
def test_exponents_near_one_and_large_ones_are_proven(p, kernel):
    """Near 1 the slope is steep as a kink, of a high power flat at its foot: nine digits or more."""
    assert machine(p, kernel=kernel, penalty=0.01).certificate_.digits > NINE


@pytest.mark.slow
@given(st.floats(1.0005, 40), st.sampled_from([1e-3, 0.1, 10]), st.integers(0, 99))
@settings(max_examples=examples(6))
def test_any_exponent_is_proven(p, penalty, seed):
    """Every exponent, penalty and sample has an answer proven to nine digits [KIM-3.33]."""
    rng = random.Random(seed)
    x = [[rng.gauss(0, 1), rng.gauss(0, 1)] for _ in range(8)]
    y = [1, -1, *[1 if v[0] + rng.gauss(0, 1) > 0 else -1 for v in x[2:]]]
    found = KernelClassifier(loss={"name": "power_hinge", "p": p}, kernel=GAUSSIAN, penalty=penalty).fit(x, y)
    assert found.certificate_.digits > NINE


@pytest.mark.slow
def test_toward_the_exponent_one_the_machine_is_that_of_the_hinge():
    """As p falls to 1 the optimal value tends to that of the hinge, from which p = 1.001 differs by less than 1 %."""
    hinge = KernelClassifier(loss="hinge", penalty=0.1).fit(X, LABELS).objective_
    values = [machine(p, penalty=0.1).objective_ for p in (1.1, 1.01, 1.001)]
    apart = [abs(v / hinge - 1) for v in values]
    assert apart == sorted(apart, reverse=True)
    assert apart[-1] < 0.01


@pytest.mark.slow
def test_decimals_prove_an_exponent_near_one():
    """Where Newton's method in decimals does not hold the curvature, the optimum of 27 digits is proven to 20."""
    found = machine("1001/1000", kernel=GAUSSIAN, penalty=0.01, arithmetic="decimal:40")
    assert found.certificate_.digits > 20


def test_the_curvature_at_one_is_two_for_the_exponent_two_alone():
    """p(p − 1)(1 − m)^(p − 2) below m = 1; at m = 1 its limit, 2 for p = 2 and 0 for p = 3; 0 beyond  [KIM-3.33]."""
    for p, want in ((2, [2, 2, 0, 0]), (3, [6, 0, 0, 0])):
        assert [PowerHinge(p=p).curvature(RATIONAL, Fraction(m)) for m in (0, 1, 2, 3)] == want


def test_slopes_of_the_conjugate_that_are_positive_are_refused():
    """The loss never rises: s ≤ 0."""
    with pytest.raises(NoAnswer, match="slope in"):
        PowerHinge(p=2).conjugate(RATIONAL, Fraction(1, 2))


@pytest.mark.parametrize(("p", "odds"), [(2, 4.0), (3, 2.0), (1.5, 16.0)])
def test_the_expected_loss_is_least_at_a_power_of_the_odds(p, odds):
    """With o = (p/(1 − p))^(1/(q − 1)) at (o − 1)/(o + 1), here of the probability 4/5  [KIM-3.33]."""
    ((low, high),) = PowerHinge(p=p).population_minimisers(BINARY64, 0.8)
    assert low == high == pytest.approx((odds - 1) / (odds + 1), rel=1e-13)
