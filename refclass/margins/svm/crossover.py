"""From about the optimum of a machine to the optimum itself, in longer numbers: crossover.

The active-set method goes on from a float answer, for few points in fractions, for more in decimals of 50 digits and
more, until a proof has more digits than doubles could have.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any, Optional

from refclass.errors import NoAnswer, NotConverged
from refclass.kernels.gram import Rows
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.margins.svm import certificate
from refclass.margins.svm.candidate import Candidate, between, candidate
from refclass.margins.svm.soft import Machine
from refclass.number.decimals import decimal
from refclass.number.field import Field, rational
from refclass.optimise.active_set import crossover
from refclass.optimise.active_set import solver as active_set
from refclass.optimise.quadratic.problem import Converted

LENGTHS = (50, 120, 300)  # digits of the decimals, one after another until they hold the optimum
ENOUGH = 25  # digits that they must prove: those of a double and some more
WORK = 10**7  # multiplications of decimals that a crossover may take, two microseconds each with their additions
FEW, SMALL = 10, 120  # points up to which fractions are as fast as decimals; up to which they take some seconds
STEPS = 20  # steps for each point, after which longer decimals or fractions are tried


def optimum(machine: Machine, alpha: Optional[Vector]) -> Optional[Candidate]:
    """Return the optimum, its proof of more digits than doubles have; None where that is too much work.

    Raises    NoAnswer where no slack is allowed and the classes cannot be separated
    """
    start = certificate.feasible(certificate.lifted(machine), [rational(a) for a in alpha or (0,) * len(machine.y)])
    found = _in_decimals(machine, start) if len(start) > FEW else None
    return found if found is not None or len(start) > SMALL else _in_fractions(machine, start)


def _in_fractions(machine: Machine, start: Vector) -> Candidate:
    signed = start.times(Vector.of(map(rational, machine.y)))
    whole = certificate.lifted(machine) if type(machine.K.row(0)[0]) is Fraction else machine
    found = crossover.solve(whole.problem(), signed, convex=True).x
    return candidate(machine, Vector.of([abs(rational(a)) for a in found]), _same)


def _in_decimals(machine: Machine, start: Vector) -> Optional[Candidate]:
    for length in LENGTHS:
        try:
            signed = _crossover(decimal(length), machine, start)
        except (NoAnswer, NotConverged):
            continue
        if signed is None:
            return None
        found = candidate(machine, Vector.of(map(abs, signed)), _same)
        if found.digits >= ENOUGH:
            return found
    return None


def _same(value: Fraction) -> Fraction:
    return value


def _crossover(F: Field, machine: Machine, start: Vector) -> Optional[Vector]:
    """Return the signed multipliers where the active-set method ends in that field; None beyond WORK operations."""
    n = len(start)
    support = [i for i, a in enumerate(start) if a]
    longer = _over(F, machine)
    each = n * (len(machine.K.X[0]) + 1 if isinstance(longer.K, Rows) else 1)
    spent = len(support) * each
    if spent > WORK:
        return None
    lifted = Vector.of([F.lift(a) * t for a, t in zip(start, longer.y)])
    free = between(machine, start)
    run = active_set.begin(longer.problem(), start=lifted, free=free, convex=True, max_steps=STEPS * n)
    for _ in run:
        working = len(run.equations.working)
        spent += each + n * working + 3 * working * working
        if spent > WORK:
            return None
    return Vector.of(map(rational, active_set.ended(run).answer().x))


def _over(F: Field, machine: Machine) -> Machine:
    """Return the machine in that field: a rational kernel's values computed there, others at their exact worth."""
    K = machine.K
    if isinstance(K, Rows) and isinstance(K.X, Matrix) and K.kernel.exact:
        longer: Any = Rows(F, K.kernel.over(F), Matrix.of([Vector.of(map(F.lift, x)) for x in K.X]))
    else:
        longer = Converted(K, F.lift)
    costs = tuple([None if c is None else F.lift(c) for c in machine.costs])
    return replace(machine, K=longer, y=Vector.of(map(F.lift, machine.y)), costs=costs)
