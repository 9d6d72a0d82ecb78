"""Points that are level along a direction, and gaps that are equally wide: where the fewest err is decided exactly."""

from fractions import Fraction
from random import Random

import pytest

from refclass import LeastSquaresClassifier, LinearDiscriminantAnalysis
from refclass.errors import NoAnswer


def table(seed):
    """Return points with copies, or on a grid, so that many are level along any direction; and labels."""
    r = Random(seed)
    p, n, kind = r.choice([1, 2, 3]), r.choice([6, 9, 14]), seed % 3
    if kind == 0:
        few = [[r.gauss(0, 1) for _ in range(p)] for _ in range(3)]
        rows = [few[r.randrange(3)] for _ in range(n)]
    elif kind == 1:
        rows = [[r.randint(0, 4) / 3 for _ in range(p)] for _ in range(n)]
    else:
        rows = [[10**9 + r.randint(0, 3), *(r.randint(-2, 2) for _ in range(p - 1))] for _ in range(n)]
    return rows, [i % 2 for i in range(n)]


RULES = {
    "lda": lambda arithmetic: LinearDiscriminantAnalysis(cutpoint="empirical", arithmetic=arithmetic),
    "lda, pseudo-inverse": lambda arithmetic: LinearDiscriminantAnalysis(
        cutpoint="empirical", pseudo_inverse=True, arithmetic=arithmetic
    ),
    "least squares": lambda arithmetic: LeastSquaresClassifier(
        coding=[-1, 1], cutpoint="empirical", arithmetic=arithmetic
    ),
    "ridge": lambda arithmetic: LeastSquaresClassifier(
        coding=[3, 1], penalty="1/2", cutpoint="empirical", arithmetic=arithmetic
    ),
}


def cut(model):
    """Return the cut of a fitted rule."""
    return -model.intercept_[0] if isinstance(model, LinearDiscriminantAnalysis) else model._model.cut


@pytest.mark.parametrize("rule", RULES)
def test_the_empirical_cut_is_that_of_fractions_in_every_arithmetic(rule):
    """To the digits of the arithmetic, and the certificate proves as many."""
    for seed in range(12):
        rows, labels = table(seed)
        try:
            want = cut(RULES[rule]("exact").fit(rows, labels))
        except NoAnswer:
            continue
        for arithmetic, digits in (("float", 14), ("decimal:30", 28), ("decimal:50", 48)):
            model = RULES[rule](arithmetic).fit(rows, labels)
            size = max(abs(want), 1)
            assert abs(Fraction(cut(model)) - want) <= size / Fraction(10) ** digits, (seed, arithmetic)
            assert model.certificate_.digits > 9, (seed, arithmetic, model.certificate_)
