"""Many classes by one two-class model for each pair of them, which vote.

Given     n class numbers 0 … K−1, and any way to fit two classes: a function that takes a `Question` and returns a
          model with `scores(Z)`, one number for each point of Z, positive for the class `yes`
Yields    K(K−1)/2 models, their votes, the class that has the most, and the points where no one class has

The pairs stand in the order (0, 1), (0, 2), …, (0, K−1), (1, 2), …. In the pair j < k positive values mean k, the
later class, as positive values mean the later of two classes everywhere else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Callable, Optional

from refclass.errors import InvalidInput
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.margins.reduction.one_vs_rest import Question, Tie, largest
from refclass.number.field import Number

Winners = Sequence[Optional[int]]  # for each pair the class that wins it, None if nobody does


def pairs(classes: int) -> tuple[tuple[int, int], ...]:
    """Return the pairs j < k of K classes, in the order of their models  [MMST-11.4.1-one].

    Raises    InvalidInput for fewer than two classes

    Example
        >>> pairs(3)
        ((0, 1), (0, 2), (1, 2))
    """
    if classes < 2:
        raise InvalidInput("one_vs_one", need="at least two classes", got=classes)
    return tuple(combinations(range(classes), 2))


def questions(labels: Sequence[int], classes: int) -> tuple[Question, ...]:
    """Return the questions "k, or j?", only the observations of the two having a part in it  [MMST-11.4.1-one]."""
    members: list[list[int]] = [[] for _ in range(classes)]
    for i, g in enumerate(labels):
        members[g].append(i)
    found = []
    for j, k in pairs(classes):
        places = tuple(sorted(members[j] + members[k]))
        found.append(Question(k, j, places, tuple([1 if labels[i] == k else -1 for i in places])))
    return tuple(found)


def winners(values: Sequence[Number], classes: int, *, strict: bool = False) -> tuple[Optional[int], ...]:
    """Return the class that wins each pair by the sign of its value  [MMST-11.4.1-one].

    A value of zero is won by the later class of the pair, as f(x) = 0 is given to +1  [MMST-11.2]; in the strict sense
    by nobody, since a point on the boundary of two classes belongs to neither  [KIM-5-pairs].

    Shapes    values: K(K−1)/2
    Exact     yes

    Example
        >>> winners([-1, 0, 2], 3), winners([-1, 0, 2], 3, strict=True)
        ((0, 2, 2), (0, None, 2))
    """
    zero = (lambda k: None) if strict else (lambda k: k)
    return tuple([k if v > 0 else j if v < 0 else zero(k) for v, (j, k) in zip(values, pairs(classes))])


def votes(won: Winners, classes: int) -> tuple[int, ...]:
    """Return how many pairs each class wins  [MMST-11.4.1-one].

    Exact     yes
    Laws      they sum to K(K−1)/2, less the pairs that nobody wins

    Example
        >>> votes((0, 2, 2), 3)
        (1, 0, 2)
    """
    return tuple([sum(1 for w in won if w == k) for k in range(classes)])


def alone(won: Winners, classes: int) -> Optional[int]:
    """Return the one class that wins the most pairs; None if several do: unclassifiable  [KIM-5-pairs].

    Exact     yes

    Example
        >>> alone((0, 2, 2), 3), alone((0, 2, 1), 3)
        (2, None)
    """
    found = largest(votes(won, classes))
    return found[0] if len(found) == 1 else None


def columns(won: Sequence[int], values: Sequence[Number]) -> list[Number]:
    """Return a number for each class: its votes, and a part between −½ and ½ that orders classes of equal votes.

        s_k = 1/(2K) Σ f_kj / (1 + |f_kj|) over the other classes j, f_kj the value of their pair as it stands for k

    Classes of equal votes share their sₖ out among themselves, the larger to the one that comes first, as a tie goes to
    it: so the first of the largest numbers is the class of most votes that comes first.

    Shapes    won: K numbers of votes; values: K(K−1)/2
    Exact     yes

    Example
        >>> from fractions import Fraction
        >>> columns((1, 0, 2), [Fraction(-1), Fraction(0), Fraction(2)])
        [Fraction(13, 12), Fraction(-7, 36), Fraction(19, 9)]
    """
    classes = len(won)
    parts = [values[0] - values[0]] * classes
    for v, (j, k) in zip(values, pairs(classes)):
        share = v / (1 + abs(v)) / (2 * classes)
        parts[j], parts[k] = parts[j] - share, parts[k] + share
    found = list(parts)
    for count in set(won):
        places = [k for k, w in enumerate(won) if w == count]
        for k, part in zip(places, sorted([parts[k] for k in places], reverse=True)):
            found[k] = count + part
    return found


def table(values: Sequence[Number], classes: int) -> Matrix:
    """Return the values of all ordered pairs: f_kj in row k and column j, positive for k.

        f_jk = −f_kj,   f_kk = 0

    Shapes    values: K(K−1)/2; K × K
    Exact     yes
    """
    zero = values[0] - values[0]
    rows = [[zero] * classes for _ in range(classes)]
    for v, (j, k) in zip(values, pairs(classes)):
        rows[k][j], rows[j][k] = v, -v
    return Matrix.of(map(Vector.of, rows))


@dataclass(frozen=True)
class Model:
    """K(K−1)/2 two-class models, in the order of `pairs`."""

    machines: tuple[Any, ...]
    classes: int

    def scores(self, Z: Any) -> list[Vector]:
        """Return the values of all pairs at every point, positive for the later class."""
        return [Vector.of(row) for row in zip(*[machine.scores(Z) for machine in self.machines])]

    def votes(self, Z: Any) -> list[tuple[int, ...]]:
        """Return the K numbers of votes at every point."""
        return [votes(winners(row, self.classes), self.classes) for row in self.scores(Z)]

    def predict(self, Z: Any, tie: Tie = min) -> list[int]:
        """Return the class number of most votes at every point; `tie` chooses where there are several."""
        return [tie(largest(row)) for row in self.votes(Z)]

    def decided(self, Z: Any) -> list[Optional[int]]:
        """Return the one class that wins most pairs at every point; None where it is unclassifiable  [KIM-5-pairs]."""
        return [alone(winners(row, self.classes, strict=True), self.classes) for row in self.scores(Z)]


def fit(labels: Sequence[int], classes: int, train: Callable[[Question], Any]) -> Model:
    """Return the model of K(K−1)/2 machines, each trained on the observations of its two classes  [MMST-11.4.1-one].

    Exact     if `train` is
    Cost      the K(K−1)/2 machines have (K−1)n observations between them
    Raises    InvalidInput for fewer than two classes; what `train` refuses
    """
    return Model(tuple(map(train, questions(labels, classes))), classes)
