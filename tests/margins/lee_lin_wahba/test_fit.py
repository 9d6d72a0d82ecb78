"""Training the machine of Lee, Lin and Wahba: every solver and arithmetic reaches one optimum."""

import pytest

from refclass.errors import InvalidInput
from refclass.margins.lee_lin_wahba import fit, problem
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.field import rational
from refclass.number.rational import RATIONAL
from tests.margins.columns import QUADRATIC, TOY, machine


@pytest.mark.parametrize("solver", fit.SOLVERS)
@pytest.mark.parametrize("kernel", [None, QUADRATIC])
def test_every_solver_reaches_the_exact_optimum(solver, kernel):
    """In doubles to 11 digits [MMST-11.104]."""
    m = machine(*TOY, kernel=kernel)
    best = fit.train(RATIONAL, m).objective
    found = fit.train(BINARY64, problem.over(BINARY64, m), solver=solver)
    assert found.objective == pytest.approx(float(best), rel=1e-11)


def test_another_solver_is_refused():
    """The names are reported [MMST-11.104]."""
    with pytest.raises(InvalidInput, match="auto, active_set, decomposition"):
        fit.train(RATIONAL, machine(*TOY), solver="simplex")


@pytest.mark.parametrize("F", [RATIONAL, decimal(20)], ids=["exact", "decimal"])
@pytest.mark.parametrize("closer", ["found", "none"])
def test_multipliers_without_a_guess_of_their_active_set_lead_to_the_same_optimum(F, closer, monkeypatch):
    """From decimals, where they are found, or from doubles: the machine of fractions, to all digits  [MMST-11.104]."""
    m = machine(*TOY)
    best = fit.train(F, problem.over(F, m))
    monkeypatch.setattr(fit, "SMALL", 0)
    monkeypatch.setattr(fit.crossover, "guessed", lambda *given: None)
    if closer == "none":
        monkeypatch.setattr(fit.decimal_fit, "multipliers", lambda exact: None)
    found = fit.train(F, problem.over(F, m))
    missed = abs(rational(found.objective) - rational(best.objective))
    assert missed == 0 if F.exact else missed * 10**18 < 1
