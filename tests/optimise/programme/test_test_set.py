"""The test set of Maros and Mészáros (1999): exact optima are the recorded ones, doubles hold residuals of 1e-9.

The problems are read from a folder beside the project, and skipped where it is not there. The default run takes small
ones, the thorough profile all.
"""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from refclass import solve_qp
from refclass.errors import NoAnswer, NotConverged
from refclass.estimators import solve_qp as stating
from refclass.optimise.programme import certificate, solver
from tests.benchmarks import quadratic_programmes as benchmark
from tests.profiles import thorough

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT.parent / "shared" / "data" / "maros_meszaros"
NAMES = sorted(path.stem for path in FOLDER.glob("*.json"))
SMALL = 220 if not thorough() else 10**6  # variables and rows of the problems in the default run
HIGH = Fraction(1, 10**9)
# Rows without an interior, contradictory as they are held: multipliers of 10⁸ have units in the last place of 10⁻⁸.
REFUSED = {"QFORPLAN"}

pytestmark = pytest.mark.skipif(not NAMES, reason="the problems are not beside the project")


def problem(name):
    """Return a problem; skip it where it is too large for the default run."""
    found = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    if len(found["q"]) + len(found["l"]) > SMALL:
        pytest.skip("in the thorough profile")
    return found


def recorded():
    """Return the lines of the record, by problem."""
    lines = (ROOT / "spec" / "exact_optima.md").read_text(encoding="utf-8").splitlines()
    return {line.split(" | ")[0].strip("| "): line for line in lines if line.startswith("| ")}


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_the_exact_optimum_is_the_recorded_one(name):
    """The gap is zero, and value, bits, active rows and uniqueness are those of the record; a refusal is proven."""
    d = problem(name)
    assert benchmark.row(d) == recorded()[name]


@pytest.mark.many
@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_doubles_have_residuals_of_a_billionth(name):
    """Primal residual, dual residual and duality gap of the doubles, in fractions, are 1e-9 at most; or a proof."""
    d = problem(name)
    p = stating.programme(*benchmark.given(d))
    try:
        found = solve_qp(*benchmark.given(d))
    except NoAnswer as refusal:
        assert "direction" in refusal.witness
        assert certificate.refusal_reason(p, refusal.witness) is None
        return
    except NotConverged as refusal:
        assert name in REFUSED and certificate.contradicts(p, refusal.witness["y"]) is None
        assert solver.least_excess(p, refusal.witness["y"]) < Fraction(1, 10**15)
        assert len(refusal.witness["x"]) == p.n
        return
    x, y = [list(map(Fraction, v)) for v in (found.x, found.y)]
    missed, balances = certificate.residuals(p, x, y)
    assert max(*missed, *balances, abs(certificate.duality_gap(p, x, y))) <= HIGH
    assert found.certificate.digits >= 9


def test_every_problem_is_in_the_record():
    """The record has a line of each problem, and none is open."""
    lines = recorded()
    assert set(NAMES) <= set(lines)
    assert not [name for name in NAMES if "| open |" in lines[name]]
