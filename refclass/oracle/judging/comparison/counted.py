"""What machines say of a point, counted once: votes, labels, decision values, and which points no class wins.

A pair whose value is zero is won by either class, by a rule for ties; among the points that no class wins, zero is won
by nobody  [KIM-5-pairs].
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, product
from typing import Any, Optional

from refclass.oracle import alignment
from refclass.oracle.leaves import finite

ZEROS = 8  # machines of a value of zero at a point, up to which all ways to count them are tried
Side = tuple[bool, bool]  # whether a pair's value is zero to the digits asked for, and whether it is positive


def possible(sides: Sequence[Side], said: Mapping[str, Any], classes: Sequence[Any]) -> bool:
    """Return whether one count of the pairs leads to all that is said of a point; true where zeros are too many.

    said    any of votes, unclassifiable, the label, and decision values, of which a column each is votes and a part
    """
    K, values = len(classes), said.get("decision", [])
    pairs = list(combinations(range(K), 2))
    if sum(near for near, _ in sides) > ZEROS:
        return True
    columns = _columns(values, K) and list(map(round, values))
    for won in product(*[((j, k) if near else (k if up else j,)) for (j, k), (near, up) in zip(pairs, sides)]):
        votes = [won.count(k) for k in range(K)]
        best = [label for label, own in zip(classes, votes) if own == max(votes)]
        agree = said.get("votes", votes) in (votes, tuple(votes)) and (not columns or columns == votes)
        if agree and "labels" in said:
            agree = any(alignment.same(said["labels"], label) for label in best)
        if agree and ("unclassifiable" not in said or said["unclassifiable"] in _open(won, sides, K)):
            return True
    return False


def _columns(values: Any, K: int) -> bool:
    return isinstance(values, list) and len(values) == K and all(map(finite, values))


def _open(won: Sequence[int], sides: Sequence[Side], K: int) -> set[bool]:
    """Return whether no class wins most pairs, or one does, where any of the values near zero may be zero."""
    ways = [((k, None) if near else (k,)) for k, (near, _) in zip(won, sides)]
    return {alone(strict, K) is None for strict in product(*ways)}


def alone(won: Sequence[Optional[int]], K: int) -> Optional[int]:
    """Return the class that wins more pairs than every other; None if none does."""
    votes = [won.count(k) for k in range(K)]
    return votes.index(max(votes)) if votes.count(max(votes)) == 1 else None


def by_signs(said: Mapping[str, Any], K: int) -> bool:
    """Return whether a point is called unclassifiable as its values say, of a class against all others each.

    Not exactly one of them says yes; one of zero does so, or does not  [KIM-5-rest].
    """
    values = said.get("decision", [])
    if "unclassifiable" not in said or not _columns(values, K):
        return True
    yes = sum(v > 0 for v in values)
    return said["unclassifiable"] in {count != 1 for count in range(yes, yes + values.count(0) + 1)}
