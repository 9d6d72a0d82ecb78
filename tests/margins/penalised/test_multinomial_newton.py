"""The multinomial deviance in doubles: factored or truncated Newton steps reach one optimum, at any penalty."""

from random import Random

import pytest

from refclass import KernelClassifier
from refclass.errors import NotConverged
from refclass.kernels.gaussian import Gaussian
from refclass.kernels.matrices.gram import gram
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.margins.penalised import multinomial, multinomial_newton
from refclass.number.binary64 import BINARY64
from tests.margins.hard import KINDS, hard

R = Random(4)
X = Matrix([Vector([R.gauss(g, 1), R.gauss(-g, 1)]) for g in (0, 1, 2) for _ in range(8)])
LABELS = tuple(g for g in (0, 1, 2) for _ in range(8))


def problem(penalty, intercept=True):
    """A problem with a Gaussian kernel."""
    K = gram(BINARY64, Gaussian(0.5), X)
    return multinomial.Problem(BINARY64, K, LABELS, 3, Vector([1.0] * 24), penalty, intercept)


@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("penalty", [10.0, 0.1, 1e-3])
def test_truncated_and_factored_steps_reach_one_optimum(penalty, intercept, monkeypatch):
    """The same objective to 12 digits  [ESL-12.3.8-multinomial]."""
    p = problem(penalty, intercept)
    factored = multinomial.fit(p).objectives[-1]
    monkeypatch.setattr(multinomial_newton, "WIDTH", 0)
    assert multinomial.fit(p).objectives[-1] == pytest.approx(factored, rel=1e-12)


def test_no_iterate_lies_higher_than_the_one_before():
    """Damped steps never raise the objective, up to roundoff  [MC-KMULTI.P2]."""
    values = multinomial.fit(problem(1e-4)).objectives
    assert all(b <= a * (1 + 1e-14) for a, b in zip(values, values[1:]))


def test_too_few_steps_are_reported():
    """NotConverged after max_steps  [ESL-12.3.8-multinomial]."""
    with pytest.raises(NotConverged, match="within 2 steps"):
        multinomial.fit(problem(1e-4), max_steps=2)


@pytest.mark.parametrize("kind", KINDS)
def test_hard_data_give_proven_digits_or_a_refusal_with_bounds(kind):
    """Three classes of every kind: nine digits, or fewer and reported, or refused  [ESL-12.3.8-multinomial]."""
    rows, _, C = hard(kind, 2)
    rows = rows * 2 if len(rows) < 3 else rows
    y = [i % 3 for i in range(len(rows))]
    try:
        m = KernelClassifier(loss="deviance", penalty=1 / C).fit(rows, y)
    except NotConverged as refusal:
        assert refusal.witness["dual"] <= refusal.witness["primal"]
        return
    c = m.certificate_
    assert (c.status == "optimal") is (c.digits >= 9) and c.digits >= 1
    assert m.objective_ == pytest.approx(float(c.primal), rel=1e-9)
