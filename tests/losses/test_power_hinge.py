"""Powers of the hinge loss, and the machines with a slack of any exponent."""

from fractions import Fraction

import pytest

from refclass import KernelClassifier
from refclass.errors import InvalidInput, NotConverged
from refclass.linear.vector import Vector
from refclass.losses.power_hinge import PowerHinge
from refclass.margins.svm import primal
from refclass.number.rational import RATIONAL

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
        ({"name": "power_hinge", "p": 1.02}, NotConverged, "need an exponent farther from 1"),
    ],
)
def test_what_cannot_be_is_refused(loss, kind, line):
    """p ≤ 1, no p, and an exponent whose curvature is beyond doubles [KIM-3.33]."""
    with pytest.raises(kind) as refusal:
        KernelClassifier(loss=loss, penalty=0.01, kernel=GAUSSIAN).fit(X, LABELS)
    assert line in str(refusal.value)
