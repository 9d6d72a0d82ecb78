"""The choice for one variable of BRUTO."""

import math
import random

import pytest

from refclass.linear.matrix import Matrix
from refclass.number.binary64 import BINARY64 as F
from refclass.regress.spline import bruto, bruto_selection, bruto_steps


def problem(seed, n=40):
    """Return a problem of two correlated variables, the first bent."""
    chance = random.Random(seed)
    rows = [(a, 0.8 * a + 0.6 * chance.gauss(0, 1)) for a in (chance.gauss(0, 1) for _ in range(n))]
    return bruto.asked(
        F, Matrix([list(r) for r in rows]), Matrix([[math.sin(2 * a) + chance.gauss(0, 0.2)] for a, _ in rows])
    )


def test_looking_everywhere_is_never_worse_than_looking_beside():
    """The smoothing isolated over all λ scores no higher than those of the rungs and of Newton's step."""
    for seed in range(4):
        asked = problem(seed)
        fit = bruto_steps.start(F, asked)
        for j, smoother in enumerate(asked.sample.smoothers):
            choices = bruto_selection.Choices.of(F, asked, smoother)
            gcv = bruto_selection.criterion_of(asked, fit, j)
            score = {}
            for look in ("everywhere", "rungs", "beside"):
                operator = bruto_selection.improve(F, asked, fit, j, choices, look).operators[j]
                score[look] = gcv(operator) if operator is not None else math.inf
            assert score["everywhere"] <= min(score.values()) * (1 + 1e-4)


@pytest.mark.slow
def test_a_joint_refit_lets_in_what_a_step_alone_would_not():
    """At the end no other type of an excluded or linear variable, all refitted with it, scores clearly lower."""
    for seed in (5, 11):
        chance = random.Random(seed)
        n, p, rho = chance.choice([40, 60, 80]), chance.choice([4, 6, 7]), chance.choice([0.5, 0.8, 0.9])
        rows, y = [], []
        for _ in range(n):
            z = chance.gauss(0, 1)
            rows.append([rho * z + math.sqrt(1 - rho * rho) * chance.gauss(0, 1) for _ in range(p)])
            x = rows[-1]
            y.append([math.sin(x[0]) + 0.5 * x[1] + 0.3 * x[2] * x[2] + chance.gauss(0, 0.5)])
        model = bruto.fit(F, Matrix(rows), Matrix(y))
        # Backfitting to the limit after every sweep, without joint refits, ends at .2527 and .2014.
        assert model.gcv < {5: 0.2420, 11: 0.2000}[seed]
