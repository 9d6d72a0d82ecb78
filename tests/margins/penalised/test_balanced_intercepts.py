"""Intercepts of multinomial functions below roundoff: the score equations to all digits, or a refusal."""

from math import log

import pytest

from refclass import KernelClassifier
from refclass.errors import NotExact
from refclass.linear.vector import Vector
from refclass.margins.penalised import balanced_intercepts, multinomial
from refclass.number.decimals import decimal
from refclass.number.field import rational

X = [[1, 2], [2, 1], [3, 3.5], [6, 5], [7, 7], [8, 5.5], [2, 7], [1, 8], [3, 8.5]]
Y = list("aaabbbccc")


@pytest.mark.parametrize("arithmetic", ["float", "decimal:30"])
@pytest.mark.parametrize("decades", [9, 30, 150])
def test_functions_far_below_roundoff_tell_equal_classes_apart(arithmetic, decades):
    """With λ = 1 columns of 10⁻⁹ have functions of 10⁻¹⁷: f is linear in their squares, and labels do not depend on it
    [ESL-12.3.8-multinomial]."""
    tiny = [[v * 10.0**-decades for v in x] for x in X]
    m = KernelClassifier(loss="deviance", arithmetic=arithmetic).fit(tiny, Y)
    assert m.predict(tiny) == Y
    # −mean of Σ (x_k − mean x)·x over the points: (67.59, −45.46, −22.13) units of 10⁻² for columns of size one.
    unit = 10.0 ** (-2 * decades)
    for b, v in zip(m.intercept_, (67.5925925926, -45.462962963, -22.1296296296)):
        assert float(b) / unit == pytest.approx(v, rel=1e-9)


def test_a_large_penalty_makes_functions_as_small():
    """λ = 10²⁰ has the same effect as columns of 10⁻¹⁰."""
    assert KernelClassifier(loss="deviance", penalty=10**20).fit(X, Y).predict(X) == Y


def test_roundoff_of_the_intercepts_of_two_equal_classes_is_refused():
    """Of counts 3, 3, 2 the two largest intercepts agree to all digits of a double; decimals hold what is beyond."""
    tiny = [[v * 1e-9 for v in x] for x in X[:8]]
    with pytest.raises(NotExact, match="vary by more than the roundoff of their intercepts") as refusal:
        KernelClassifier(loss="deviance").fit(tiny, Y[:8])
    assert refusal.value.witness["roundoff"] > 0
    longer = KernelClassifier(loss="deviance", arithmetic="decimal:60").fit(tiny, Y[:8])
    assert longer.predict(tiny[:6]) == Y[:6]


def test_every_class_keeps_its_weight():
    """Σ wᵢ p_k(xᵢ) = Σ wᵢ 1{gᵢ = k}; of functions that are zero the intercepts are the logarithms of the shares."""
    D = decimal(50)
    weights = Vector.of([D.lift(v) for v in (1, 2, 3, 4, 5)])
    posed = multinomial.Problem(D, None, (0, 1, 2, 1, 0), 3, weights, D.kind(1))
    b = balanced_intercepts.balanced(D, posed, [Vector.of([D.kind(0)] * 5)] * 3)
    assert [float(v - b[0]) for v in b] == pytest.approx([0, 0, log(0.5)], abs=1e-15)
    h = [Vector.of([D.lift(v) / 10 for v in own]) for own in ((3, -8, 2, 7, 1), (0, 4, -5, 6, 2), (9, -3, 1, 1, -7))]
    b = balanced_intercepts.balanced(D, posed, h)
    p = [multinomial.probabilities(D, [v + c for v, c in zip(row, b)]) for row in zip(*h)]
    for k, count in enumerate((6, 6, 3)):
        assert abs(rational(sum(w * row[k] for w, row in zip(weights, p))) - count) < 10**-45
