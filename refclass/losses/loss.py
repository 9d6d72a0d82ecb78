"""What every loss provides: value, slopes, conjugate, what it estimates in the population; a loss by its name."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, ClassVar, Optional

from refclass import registry
from refclass.errors import InvalidInput, NoAnswer, quoted
from refclass.losses.conjugate_pieces import Pieces, mirrored
from refclass.number.field import Field, Number

Interval = tuple[Optional[Number], Optional[Number]]  # None stands for no bound


@dataclass(frozen=True)
class Loss:
    """A loss L of one number: of the margin m = y f(x), or of the residual r = y − f(x).

    exact     whether value and slopes need nothing but + − × ÷ and <, so that they are exact on fractions
    convex    whether it is convex
    smooth    whether its slope is continuous
    quadratic whether it is convex and piecewise quadratic, so that it has `pieces`
    name      what it is called, where that is not its class's name; empty where it has none
    """

    name: ClassVar[str] = ""
    exact: ClassVar[bool]
    convex: ClassVar[bool] = True
    smooth: ClassVar[bool] = True
    quadratic: ClassVar[bool] = False

    def value(self, F: Field, t: Number) -> Number:
        """Return L(t)."""
        raise NotImplementedError

    def __call__(self, F: Field, t: Number) -> Number:
        """Return L(t)."""
        return self.value(F, t)

    def slopes(self, F: Field, t: Number) -> tuple[Number, Number]:
        """Return the derivatives of L at t from the left and from the right.

        Where L is convex the subgradients at t are the numbers between them.
        """
        raise NotImplementedError

    def slope(self, F: Field, t: Number) -> Number:
        """Return L′(t).  Raises NoAnswer at a kink, the two slopes its witness."""
        left, right = self.slopes(F, t)
        if left != right:
            raise NoAnswer(self._module(), need="a point without a kink", got=t, left=left, right=right)
        return left

    def curvature(self, F: Field, t: Number) -> Number:
        """Return L″(t), the larger side where it jumps.  Raises NoAnswer if L′ is not continuous."""
        raise NoAnswer(self._module(), need="a loss with a continuous slope", got=type(self).__name__)

    def conjugate(self, F: Field, s: Number) -> Number:
        """Return sup over t of st − L(t), for a convex L.  Raises NoAnswer where it is infinite."""
        raise NoAnswer(self._module(), need="a convex loss", got=type(self).__name__)

    def pieces(self, F: Field) -> Optional[Pieces]:
        """Return the pieces of the conjugate of a convex piecewise quadratic loss, of a residual (see `pieces`).

        Of a loss of the margin it is V(r) = L(1 − r), the loss of a point of label 1 with r = 1 − f. None for others.

        Exact     yes, but for roots
        Raises    NotExact for a root that is not rational, in exact arithmetic
        """
        return None

    def curvature_bound(self, F: Field) -> Optional[Number]:
        """Return c, for which some parabola ½c(m − v)² touches L at any m and lies above it, up to a constant.

        Where L is smooth, c is what L″ never exceeds  [ISML-27.6.2-identity]. None where there is none.
        """
        return None

    def target(self, F: Field, m: Number) -> Number:
        """Return the v of the parabola that touches L at m  [ISML-27.6.2-retarget].

        v = m − L′(m)/c        squared hinge: m + max(0, 1 − m)
        """
        return m - self.slope(F, m) / self.curvature_bound(F)

    def _need(self, condition: bool, need: str, got: object) -> None:
        if not condition:
            raise InvalidInput(self._module(), need=need, got=quoted(got))

    def _slope_between(self, s: Number, low: Optional[int], high: Optional[int]) -> None:
        if (low is not None and s < low) or (high is not None and s > high):
            ends = f"[{'−∞' if low is None else low}, {'∞' if high is None else high}]"
            raise NoAnswer(self._module(), need=f"a slope in {ends}", got=s)

    def _module(self) -> str:
        return type(self).__module__.rpartition(".")[2]


@dataclass(frozen=True)
class MarginLoss(Loss):
    """A loss of the margin m = y f(x), y = ±1  [ESL-T12.1] [YANG-common-loss-functions].

    margin_maximising    whether the penalised fit tends to the hard margin as the penalty goes, on separable data
                         [ESL-12.3.2-margin]
    """

    name: ClassVar[str] = ""
    margin_maximising: ClassVar[bool]

    def of_label(self, F: Field, y: Number) -> Pieces:
        """Return the pieces of V*, V(r) = L(yf) with r = y − f, for a label y = ±1  [MMST-11.67].

        Exact     yes
        Raises    InvalidInput for a loss that is not convex and piecewise quadratic
        """
        # Proof: yf = 1 − yr for y² = 1, so that V(r) = L(1 − yr) is mirrored where y = −1.
        pieces = self.pieces(F)
        if pieces is None:
            raise InvalidInput(
                self._module(), need="a convex piecewise quadratic loss", got=quoted(type(self).__name__)
            )
        return pieces if y > 0 else mirrored(pieces)

    def population_minimisers(self, F: Field, p: Number) -> tuple[Interval, ...]:
        """Return the intervals of f that minimise p L(f) + (1 − p) L(−f), the expected loss where Pr(Y = +1) = p.

        An end None is infinite.

        Raises    InvalidInput unless 0 < p < 1
        """
        self._need(0 < p < 1, "a probability 0 < p < 1", p)
        return self._minimisers(F, p)

    def _minimisers(self, F: Field, p: Number) -> tuple[Interval, ...]:
        raise NotImplementedError


def point(f: Number) -> tuple[Interval, ...]:
    """Return the intervals that hold f alone."""
    return ((f, f),)


def beyond(low: Any, p: Number) -> tuple[Interval, ...]:
    """Return the ray of f ≥ low for p > ½, of f ≤ −low for p < ½, both for p = ½."""
    right: tuple[Interval, ...] = ((low, None),) if 2 * p >= 1 else ()
    left: tuple[Interval, ...] = ((None, -low),) if 2 * p <= 1 else ()
    return left + right


def losses() -> dict[str, Any]:
    """Return the loss classes by name.

    Example
        >>> losses()["epsilon_insensitive"].__name__
        'Insensitive'
    """
    return registry.classes(__package__, Loss)


def of_margins() -> tuple[str, ...]:
    """Return the names of the losses of the margin that have slopes everywhere: zero-one has not.

    Example
        >>> "hinge" in of_margins(), "zero_one" in of_margins(), "huber" in of_margins()
        (True, False, False)
    """
    return tuple(n for n, kind in losses().items() if issubclass(kind, MarginLoss) and n != "zero_one")


def loss(F: Field, name: Any, **parameters: Any) -> Loss:
    """Return the loss of that name, its parameters lifted into F.

    Raises    InvalidInput for an unknown name, for other parameters than the loss has, or a value out of range

    Example
        >>> from refclass.number.rational import RATIONAL
        >>> loss(RATIONAL, "hinge"), loss(RATIONAL, "huber", c="3/2")
        (Hinge(), Huber(c=Fraction(3, 2)))
    """
    if not isinstance(name, str) or name not in losses():
        raise InvalidInput("loss", need=f"a name among {', '.join(losses())}", got=quoted(name))
    known = [f.name for f in fields(losses()[name])]
    if set(parameters) != set(known):
        need = f"the parameters {', '.join(known)} of {name}" if known else f"no parameters of {name}"
        raise InvalidInput("loss", need=need, got=", ".join(parameters) or "none")
    made: Loss = losses()[name](**{parameter: F.lift(value) for parameter, value in parameters.items()})
    return made
