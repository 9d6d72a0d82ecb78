"""What somebody tells, beside what is right: attribute by attribute, prediction by prediction.

What is right is computed anew in exact arithmetic, and in decimals where the method needs roots; or, where an answer is
one of many, it follows from the part of the answer that was proven. What only tells of the way to an answer is not
judged: another way may lead to the same one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from operator import attrgetter, methodcaller
from typing import Any, Callable, Optional

from refclass.errors import InvalidInput, NotExact
from refclass.estimators.estimator import Labelled
from refclass.number import arithmetic, text
from refclass.number.field import rational
from refclass.number.near import THRESHOLD

DECIMALS = "decimal:60"
AXES = ("scalings",)  # a matrix whose columns are directions: each may point the other way
PREDICTIONS = (("labels", "predict"), ("decision", "decision_function"), ("posterior", "predict_proba"))
SIGNED = ("dual_coef", "coef")  # what turns its sign when the two classes change places


@dataclass
class Reference:
    """The right answer: an estimator that is fitted, or has taken the proven part of an answer, in two arithmetics.

    make     the estimator in an arithmetic
    own      the arithmetic of the answer, in which its words are compared
    n        the number of rows: roundoff gathers over them
    bulk     the size of what its numbers are summed from, where they may cancel
    """

    make: Callable[[str], Any]
    own: str
    n: int
    bulk: Fraction = Fraction(0)
    _made: dict[str, Any] = field(default_factory=dict)

    def read(self, take: Callable[[Any], Any]) -> tuple[Any, Fraction]:
        """Return what `take` takes from the estimator, and the spacing of its numbers: 0 where they are exact.

        Raises    NotExact if it is neither rational nor computed in decimals
        """
        spacing = rational(arithmetic.field(DECIMALS).eps)
        if self.own.startswith("decimal"):  # Premise: exact arithmetic takes a kernel that is not rational in binary64
            return take(self.over(DECIMALS)), spacing
        try:
            return take(self.over("exact")), Fraction(0)
        except NotExact:
            return take(self.over(DECIMALS)), spacing

    def over(self, name: str) -> Any:
        """Return the estimator in that arithmetic.  Raises NotExact."""
        if name not in self._made:
            try:
                self._made[name] = self.make(name)
            except NotExact as refusal:
                self._made[name] = refusal
        if isinstance(self._made[name], NotExact):
            raise self._made[name]
        return self._made[name]


@dataclass
class Comparison:
    """How far what is told lies from what is right.

    worst       the largest distance, in units of roundoff of what the number is summed from
    where       which number that is, what came and what is right
    judged      the names of what was compared; left: of what was not, because it tells of the way only
    """

    eps: Fraction
    worst: Fraction = Fraction(0)
    where: str = ""
    judged: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)

    @property
    def agrees(self) -> bool:
        """Whether nothing is wrong by more than 30 units."""
        return self.worst <= THRESHOLD

    def against(self, name: str, got: Any, want: Any, spacing: Fraction, n: int, bulk: Fraction) -> None:
        """Compare the values of one name; `spacing` is of the right ones.  Raises InvalidInput for other shapes."""
        told, right = list(leaves(got)), list(leaves(want))
        if name == "support" and len(told) != len(right):
            self.worst, self.where = Fraction(10**9), f"support: got {len(told)} rows, want {len(right)}"
            told, right = [], []
        if len(told) != len(right):
            raise InvalidInput("verify", need=f"{len(right)} values in {name}", got=len(told))
        sizes = [abs(rational(v)) for v in right if _is_finite(v)]
        size = max([*sizes, bulk]) * n * (self.eps + spacing)
        for i, (g, w) in enumerate(zip(told, right)):
            units = _units(name, g, w, size)
            if units > self.worst:
                self.worst, self.where = units, f"{name}[{i}]: got {_short(g)}, want {_short(w)}"
        self.judged.append(name)


def compare(
    comparison: Comparison, reference: Reference, fitted: Mapping[str, Any], known: Any, turned: bool = False
) -> None:
    """Compare the fitted values that somebody tells with those of the reference.

    known     the class of the estimator: which attributes it has, and which tell of the way
    turned    whether the answer has its two classes in the other order

    Raises    InvalidInput for a name that is no attribute, and for values of another shape
    """
    kinds = {name.rstrip("_") for name in known.fitted}
    for name, got in fitted.items():
        if name not in kinds:
            raise InvalidInput("verify", need=f"fitted values among {', '.join(sorted(kinds))}", got=repr(name))
        if name + "_" in known.history:
            comparison.left.append(name)
        elif name == "classes":
            _classes(comparison, got, reference, turned)
        else:
            want, spacing = reference.read(attrgetter(name + "_"))
            if any(isinstance(v, str) for v in leaves(want)):
                want = getattr(reference.over(reference.own), name + "_")
            if turned and name in SIGNED:
                want = [[-v for v in row] for row in want]
            if name in AXES:
                want = _directed(got, want)
            if name == "margin":  # Premise: it is 1/‖f‖, and ‖f‖ is what is summed; where f is near to 0, to few digits
                got, want = ([1 / rational(v) for v in leaves(side)] for side in (got, want))
            comparison.against(name, got, want, spacing, reference.n, reference.bulk)


def _classes(comparison: Comparison, got: Any, reference: Reference, turned: bool) -> None:
    (want, _) = reference.read(lambda estimator: list(estimator.classes_))
    want = want[::-1] if turned else want
    if got != want and comparison.agrees:
        comparison.worst, comparison.where = Fraction(10**9), f"classes: got {got}, want {want}"
    comparison.judged.append("classes")


def _directed(got: Any, want: Sequence[Sequence[Any]]) -> list[list[Any]]:
    """Return the columns, each turned to the side on which that of the answer lies."""
    if not isinstance(got, list) or len(got) != len(want) or any(len(g) != len(w) for g, w in zip(got, want)):
        return [list(row) for row in want]
    sides = []
    for told, right in zip(zip(*got), zip(*want)):
        sides.append(-1 if sum(rational(g) * rational(w) for g, w in zip(told, right)) < 0 else 1)
    return [[s * v for s, v in zip(sides, row)] for row in want]


def predictions(comparison: Comparison, reference: Reference, told: Mapping[str, Any], query: Any, known: Any) -> None:
    """Compare the predictions that somebody tells for the query points with those of the reference.

    A label is right, too, where its class ties with that of the reference up to roundoff.

    Raises    InvalidInput if there are no query points, and for predictions of another shape
    """
    for name, method in PREDICTIONS:
        if name not in told:
            continue
        if query is None:
            raise InvalidInput("verify", need="query points in the problem, for predictions", got="none")
        want, spacing = reference.read(methodcaller(method, query))
        if name == "labels" and issubclass(known, Labelled):
            _labels(comparison, reference, told[name], want, query)
        else:
            comparison.against(name, told[name], want, spacing, reference.n, reference.bulk)


def _labels(comparison: Comparison, reference: Reference, got: Any, want: Sequence[Any], query: Any) -> None:
    if not isinstance(got, list) or len(got) != len(want):
        raise InvalidInput("verify", need=f"{len(want)} labels in predictions", got=got)
    for i, (g, w) in enumerate(zip(got, want)):
        if g != w and comparison.agrees and not _tied(comparison, reference, query[i], g, w):
            comparison.worst, comparison.where = Fraction(10**9), f"labels[{i}]: got {g!r}, want {w!r}"
    comparison.judged.append("labels")


def _tied(comparison: Comparison, reference: Reference, point: Any, got: Any, want: Any) -> bool:
    """Return whether two labels have the same decision value at a point, up to roundoff."""
    classes, _ = reference.read(lambda estimator: list(estimator.classes_))
    try:
        (value,), spacing = reference.read(lambda estimator: estimator.decision_function([point]))
    except AttributeError:
        return False
    values = list(value) if isinstance(value, (list, tuple)) else [0 * value, value]
    if got not in classes or len(values) != len(classes):
        return False
    apart = abs(rational(values[classes.index(got)]) - rational(values[classes.index(want)]))
    size = max([*(abs(rational(v)) for v in values), reference.bulk]) * reference.n
    return bool(apart <= THRESHOLD * size * (comparison.eps + spacing))


def leaves(value: Any) -> Iterator[Any]:
    """Yield the numbers and words of nested lists, in order."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, str) or not hasattr(value, "__iter__"):
        yield value
        return
    for part in value:
        yield from leaves(part)


def _is_finite(value: Any) -> bool:
    """Return whether a right value is a finite number; what is none, words and infinities too, is told as it is."""
    return value is not None and not isinstance(value, (str, bool)) and value - value == 0


def _units(name: str, got: Any, want: Any, size: Fraction) -> Fraction:
    """Return how many times `size` a value lies from the right one; what is no finite number must be equal."""
    if not _is_finite(want):
        return Fraction(0 if got in (want, str(want)) else 10**9)
    try:
        apart = abs(rational(got) - rational(want))
    except InvalidInput:
        raise InvalidInput("verify", need=f"finite numbers in {name}", got=repr(got)) from None
    if size:
        return apart / size
    return Fraction(10**9 if apart else 0)


def _short(value: Any) -> str:
    number: Optional[float] = None
    try:
        number = text.approximate(rational(value))
    except InvalidInput:
        return repr(value)
    return f"{number:.9g}"
