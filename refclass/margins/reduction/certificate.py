"""Several machines, each with a problem of its own, seen as one problem: the sum of their objectives.

Nothing couples them, so that the sum is least where each part is, and their proofs add up to one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Optional

from refclass.certificate import Certificate
from refclass.errors import InvalidInput

GOOD = ("optimal", "within roundoff", "stationary")


def certify(proofs: Sequence[tuple[str, Certificate]]) -> Certificate:
    """Return the proof of all machines together, each given with its name  [RC-23].

    primal, dual and gap are the sums; the worst violation is the largest, and `where` begins with the name of its
    machine. The digits are the fewest that a machine has, and the status is that of a machine whose proof fails, if
    there is one: the sum may be known to more digits than a machine that adds little to it.

    Exact     yes
    Raises    InvalidInput if there are none
    """
    if not proofs:
        raise InvalidInput("joint", need="at least one machine", got="none")
    each = [c for _, c in proofs]
    worst = max(c.worst_violation for c in each)
    name, witness = next((name, c) for name, c in proofs if c.worst_violation == worst)
    failed = [(name, c) for name, c in proofs if c.status not in GOOD]
    if failed and witness.status in GOOD:
        witness = _least([c for _, c in failed])
        name = next(name for name, c in failed if c is witness)
    word = max([c.status for c in each], key=GOOD.index) if not failed else _least([c for _, c in failed]).status
    return Certificate(
        status=word,
        primal=_sum([c.primal for c in each]),
        dual=_sum([c.dual for c in each]),
        gap=_sum([c.gap for c in each]),
        worst_violation=worst,
        where=f"{name}: {witness.where}" if witness.where else "",
        unique=_unique([c.unique for c in each]),
        premise="; ".join(dict.fromkeys(c.premise for c in each if c.premise)),
        digits=None if any(c.digits is None for c in each) else min(c.digits for c in each if c.digits is not None),
        ceiling=min((c.ceiling for c in each if c.ceiling is not None), default=None),
    )


def _least(failed: Sequence[Certificate]) -> Certificate:
    """Return the certificate of the fewest digits, first of those that have none."""
    return min(failed, key=lambda c: -1 if c.digits is None else c.digits)


def _sum(values: Sequence[Any]) -> Optional[Any]:
    return None if any(v is None for v in values) else sum(values[1:], values[0])


def _unique(said: Sequence[Mapping[str, Any]]) -> dict[str, Optional[bool]]:
    """Return what every machine says of a part: unique where it is so for all, not where it is not for one."""
    found: dict[str, Optional[bool]] = {}
    for part in said[0]:
        answers = [own.get(part) for own in said]
        found[part] = False if False in answers else True if all(a is True for a in answers) else None
    return found
