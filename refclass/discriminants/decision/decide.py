"""Decisions from known densities, priors and costs; a tie is reported as a tie.

Throughout: densities f₁ … f_K at a point, priors πₖ, joint weights wₖ = πₖfₖ, and costs c(i|j) of deciding class i when
the truth is class j, in the matrix costs[i][j] with zeros on its diagonal. Nothing here needs more than + − × ÷ and <.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any, Callable, Optional

from refclass.errors import InvalidInput, NoAnswer, quoted
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Field, Number

TieRule = Callable[[tuple[int, ...]], Optional[int]]


@dataclass(frozen=True)
class Decision:
    """The classes that a rule cannot distinguish at a point, in class order: one, or several that tie."""

    classes: tuple[int, ...]

    @property
    def tie(self) -> bool:
        """Whether several classes share the best value: the point is unclassifiable  [KIM-2.1-unclassifiable]."""
        return len(self.classes) > 1

    def settle(self, rule: TieRule) -> Optional[int]:
        """Return the class, a tie settled by the caller's rule."""
        return rule(self.classes) if self.tie else self.classes[0]


def first(tied: tuple[int, ...]) -> Optional[int]:
    """Settle a tie in favour of the class that comes first."""
    return tied[0]


def last(tied: tuple[int, ...]) -> Optional[int]:
    """Settle a tie in favour of the class that comes last."""
    return tied[-1]


def unclassifiable(tied: tuple[int, ...]) -> Optional[int]:
    """Settle a tie by giving the point to no class  [KIM-2.1-unclassifiable]."""
    return None


def largest(values: Sequence[Number]) -> Decision:
    """Return the decision for the largest value.

    Raises    InvalidInput where a value is infinite, or no number

    Example
        >>> largest([1.0, 3.0, 3.0]).classes
        (1, 2)
    """
    best = max(within_range(values))
    return Decision(tuple(k for k, v in enumerate(values) if v == best))


def within_range(scores: Sequence[Number]) -> Sequence[Number]:
    """Return scores.  Raises InvalidInput where one is infinite, or no number."""
    total = sum(scores)
    if total - total != 0:
        raise InvalidInput("decide", need="scores within the range of the numbers", got="others")
    return scores


def best(count: int, compared: Callable[[int, int], int]) -> Decision:
    """Return the decision for the best of some classes, given the sign of how much better class k is than class l.

    Example
        >>> best(3, lambda k, l: (k > 0) - (l > 0)).classes
        (1, 2)
    """
    found = [0]
    for k in range(1, count):
        order = compared(k, found[0])
        if order >= 0:
            found = [*found, k] if order == 0 else [k]
    return Decision(tuple(found))


def smallest(values: Sequence[Number]) -> Decision:
    """Return the decision for the smallest value."""
    best = min(values)
    return Decision(tuple(k for k, v in enumerate(values) if v == best))


class Deciding:
    """What every model offers that scores the classes: the class of the largest score, ties as ties.

    A model defines `scores`; one that has a better way to a decision, or to many at once, overrides it.
    """

    def scores(self, x: Vector) -> Any:
        """Return a score of each class at x."""
        raise NotImplementedError

    def decide(self, x: Vector) -> Decision:
        """Return the decision at x; ties are ties."""
        return largest(self.scores(x))

    def predict(self, x: Vector, tie: TieRule = first) -> Optional[int]:
        """Return the class number at x."""
        return self.decide(x).settle(tie)

    def classify(self, rows: Sequence[Vector]) -> list[int]:
        """Return the class number of each row, ties to the first class."""
        return [self.decide(x).classes[0] for x in rows]


def posterior(priors: Vector, densities: Vector) -> Vector:
    """Return the posterior of each class  [YANG-estimation-lda].

        Pr(k | x) = πₖfₖ(x) / Σₗ πₗfₗ(x)

    Shapes    priors, densities: K
    Exact     yes
    Raises    NoAnswer where every πₖfₖ is zero
    """
    joint = priors.times(densities)
    total = joint.sum()
    if total == 0:
        raise NoAnswer("decide", need="a class with a positive prior and density", got="none")
    shares: Vector = joint / total
    return shares


def bayes(priors: Vector, densities: Vector) -> Decision:
    """Return the Bayes classifier's decision: the class of the largest posterior  [YANG-bayes-classifier].

    Exact     yes
    """
    return largest(priors.times(densities))


def above_half(p: Number) -> int:
    """Return the two-class rule's decision from p = Pr(class 1 | x)  [YANG-bayes-classifier].

    Class 1 (number 1 of 0 and 1) if p > ½, else the other, at exactly ½, too.

    Exact     yes
    """
    return 1 if 2 * p > 1 else 0


def expected_costs(costs: Matrix, joint: Vector) -> Vector:
    """Return what each decision costs on average, times the density at the point.

        rᵢ = Σⱼ c(i|j) πⱼfⱼ(x)

    Exact     yes
    """
    return costs @ joint


def cheapest(costs: Matrix, joint: Vector) -> Decision:
    """Return the decision of least expected cost, for any number of classes: argminᵢ Σⱼ c(i|j) πⱼfⱼ(x).

    Two classes: [KIM-Thm2.1.1].

    Exact     yes
    """
    return smallest(expected_costs(costs, joint))


def unit_costs(K: int, kind: Any) -> Matrix:
    """Return the costs of errors that all cost the same: 1 off the diagonal."""
    return Matrix([[kind(int(i != j)) for j in range(K)] for i in range(K)])


def ratio_threshold(costs: Matrix, priors: Vector) -> Number:
    """Return what f₁/f₂ must exceed for class 1, the first of two  [KIM-2.10].

        (c(1|2)/c(2|1)) (p₂/p₁)

    Exact     yes
    """
    return costs[0][1] * priors[1] / (costs[1][0] * priors[0])


def likelihood_ratio(f1: Number, f2: Number, threshold: Number) -> Decision:
    """Return the probability-ratio rule's decision  [KIM-2.1-ratio] [KIM-2.10] [KIM-2.11] [KIM-2.1-unclassifiable].

        f₁/f₂ > t: the first class        f₁/f₂ < t: the second        f₁/f₂ = t: a tie

    A ratio over f₂ = 0 is infinite; f₁ = f₂ = 0 is a tie.

    Exact     yes
    """
    bound = threshold * f2
    if f1 > bound:
        return Decision((0,))
    return Decision((1,)) if f1 < bound else Decision((0, 1))


def prior_vector(F: Field, priors: Any, K: int) -> Vector:
    """Return K priors > 0 over F, divided by their sum, which must be one within a millionth.

    Raises    InvalidInput
    """
    given = _sequence(F, priors, K, "priors")
    if min(given) <= 0 or abs(given.sum() - 1) * 1000000 > 1:
        raise InvalidInput("decide", need="priors > 0 whose sum is 1", got=list(map(str, priors)))
    even: Vector = given / given.sum()
    return even


def cost_matrix(F: Field, costs: Any, K: int) -> Matrix:
    """Return the matrix of costs over F: costs[i][j] > 0 of deciding class i when the truth is j, costs[i][i] = 0.

    Shapes    K × K
    Raises    InvalidInput, naming the place
    """
    try:
        rows = list(costs)
    except TypeError:
        raise InvalidInput("decide", need=f"costs as {K} rows of {K} numbers", got=quoted(costs)) from None
    if len(rows) != K:
        raise InvalidInput("decide", need=f"costs as {K} rows of {K} numbers", got=f"{len(rows)} rows")
    C = Matrix.of([_sequence(F, row, K, "each row of costs") for row in rows])
    for i, row in enumerate(C):
        for j, value in enumerate(row):
            if value < 0 or (value == 0) != (i == j):
                need = "costs > 0, and 0 for deciding what is true"
                raise InvalidInput("decide", need=need, got=value, row=i, column=j)
    return C


def _sequence(F: Field, values: Any, K: int, name: str) -> Vector:
    if not isinstance(values, Iterable) or isinstance(values, (str, bytes, Mapping, Set)):
        raise InvalidInput("decide", need=f"{name} as {K} numbers", got=quoted(values))
    given = list(values)
    if len(given) != K:
        raise InvalidInput("decide", need=f"{name} as {K} numbers, one for each class", got=len(given))
    try:
        return Vector.of([F.parameter(v) for v in given])
    except InvalidInput as refusal:
        raise InvalidInput("decide", need=f"{refusal.need} in {name}", got=refusal.got) from None
