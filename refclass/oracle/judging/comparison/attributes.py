"""What somebody reports, beside what is right: attribute by attribute, in digits on the scale of each.

What is right is computed anew in exact arithmetic, and in decimals where the method needs roots; or, where an answer is
one of many, it follows from the part of the answer that was proven. What only describes the way to an answer is not
judged: another way may lead to the same one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from operator import attrgetter
from typing import Any, Callable, Optional

from refclass.certificate import digits
from refclass.errors import InvalidInput, NotExact, Refusal, quoted
from refclass.number import arithmetic
from refclass.number.field import rational
from refclass.number.interval import root
from refclass.oracle import alignment
from refclass.oracle.judging.comparison import forms, scales
from refclass.oracle.judging.comparison.held import DOUBLE
from refclass.oracle.leaves import finite, leaves, places, shape
from refclass.oracle.references import textbook

UNITS = 30  # of roundoff, by which a number may miss where doubles hold no more; the threshold of LAPACK's test ratios
DECIMALS = "decimal:60"
SHORT = 60  # decimal places of numbers that count as finite decimals
LEAST = Fraction(1, 2**1074)  # the least positive double
BEYOND = 2**1024 - 2**970  # from here on doubles round to infinity
WEIGHED = ("scoring", "fda", "pda")  # methods whose weights are those of axes
SUMS = ("objective", "dual_objective", "rss", "gcv")
SEMIPARAMETRIC = ("semiparametric_classifier", "semiparametric_regression")  # their reference is the function reported
BESIDE = {"objective": "kept_", "dual_objective": "bound_"}  # what a number may be right by, too
MOST = 10**9  # a condition number beyond which no digit of doubles is left; then nothing is allowed for it


@dataclass
class Reference:
    """The right answer: an estimator that is fitted, or has taken the proven part of an answer, in two arithmetics.

    make     the estimator in an arithmetic
    own      the arithmetic of the answer, in which its words are compared
    how      where it comes from, in words
    """

    make: Callable[[str], Any]
    own: str
    how: str = "follows from what is reported and proven; nothing was fitted"
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


@dataclass(frozen=True)
class Wrong:
    """A number that is wrong: of which attribute, where in it, what came, what is right, and to how many digits."""

    attribute: str
    place: str
    got: str
    want: str
    digits: float

    def __str__(self) -> str:
        return f"{self.attribute}{self.place}: got {self.got}, want {self.want}"


@dataclass
class Comparison:
    """How far what is reported lies from what is right.

    asked     the digits that each attribute must have on its scale
    unit      the unit of roundoff of the answer's numbers, at most that of doubles: by some of them any number may miss
    data      the sizes of the data, from which the scales come
    digits    the digits that each attribute has
    left      of what was not judged, why
    wrong     the first number that is wrong, if one is
    ceiling   where doubles hold fewer digits than are asked for, those of the right numbers rounded; the fewest of all
    """

    asked: float
    unit: Fraction
    data: scales.Data
    condition: Fraction = Fraction(1)
    digits: dict[str, float] = field(default_factory=dict)
    left: dict[str, str] = field(default_factory=dict)
    wrong: Optional[Wrong] = None
    ceiling: float = math.inf

    @property
    def agrees(self) -> bool:
        """Whether nothing that was judged is wrong."""
        return self.wrong is None

    def against(
        self,
        name: str,
        got: Any,
        want: Any,
        spacing: Any = Fraction(0),
        key: str = "",
        double: int = 1,
        moved: Callable[[int], Fraction] = lambda i: Fraction(0),
        closely: bool = False,
    ) -> None:
        """Compare the values of one name.

        A number is right, too, that is within a digit of its ceiling: of what roundings leave of the right one. Where
        that leaves one digit to judge, the place stands among what is not judged.

        spacing    that of the right ones
        key        the name of the scale, where it is another
        double     what the digits count: 2 for the place of a minimum, which is known to half the digits of its value
        moved      how far rounding what a value is computed from moves it, by its number
        closely    whether a small number has its own digits, but for the roundoff of the scale
        """
        got = forms.fitting(got, want)
        reported, right, where = list(leaves(got)), list(leaves(want)), list(places(want))
        if shape(got) != shape(want):
            if name != "support":
                raise InvalidInput("verify", need=f"{forms.size(want)} in {name}", got=forms.size(got))
            self.refute(name, "", forms.size(got), forms.size(want))
            return
        given = scales.scale(key or name, want, self.data)
        sizes = given if isinstance(given, list) else [given] * len(right)
        allowed = UNITS * (self.unit + spacing) * self.condition
        if closely and not isinstance(given, list):
            close = 10 ** int(min(self.asked, 300)) * allowed * given
            sizes = [min(given, abs(rational(w)) + close) or given if finite(w) else given for w in right]
        denormal = UNITS * LEAST if self.unit >= DOUBLE else 0  # the same units, of numbers that have fewer digits
        least = self.digits.get(name, math.inf)
        for i, (g, w, size, place) in enumerate(zip(reported, right, sizes, where)):
            found = math.inf if self._is_beyond(g, w) else double * forms.on_scale(name, g, w, size)
            if self._has_other_sign(name, g, w, allowed * size):
                self.refute(name, place, forms.short(g), forms.short(w))
                return
            if found < self.asked and found < double * digits(allowed * size + denormal, size):
                most = double * digits(abs(rational(w)) * self.unit / 2 + moved(i), size) if finite(w) else math.inf
                nearest = not moved(i) and self._nearest(g, w)
                if found < max(1, most - 1) and not nearest:
                    self.refute(name, place, forms.short(g), forms.short(w), found)
                else:
                    self.ceiling = min(self.ceiling, most)
                    if most < 2 and not nearest:
                        self.left[name + place] = "beyond one digit: rounding what it is computed from moves it more"
            least = min(least, found)
        self.digits[name] = least

    def _is_beyond(self, got: Any, want: Any) -> bool:
        """Return whether the right number is beyond doubles, and the infinite one of its sign is what they hold."""
        said = got if isinstance(got, (str, float)) else 0
        if self.unit < DOUBLE or not finite(want) or said not in ("inf", "-inf", math.inf, -math.inf):
            return False
        return rational(want) >= BEYOND if float(said) > 0 else rational(want) <= -BEYOND

    def _has_other_sign(self, name: str, got: Any, want: Any, roundoff: Fraction) -> bool:
        """Return whether a sum of squares or losses is negative where the right one is not; a bound, beyond roundoff.

        On a scale of the responses' squares, for which a small sum counts as none, its sign would say nothing.
        """
        if name not in SUMS or not (finite(got) and finite(want)) or not self.data.constant:
            return False
        missed = abs(rational(got) - rational(want))
        return rational(got) * rational(want) < 0 and (name != "dual_objective" or missed > roundoff)

    def _nearest(self, got: Any, want: Any) -> bool:
        """Return whether no number of the arithmetic is nearer; doubles end at a least positive one."""
        if not (finite(got) and finite(want)):
            return False
        least = LEAST if self.unit >= DOUBLE else Fraction(0)
        return bool(2 * abs(rational(got) - rational(want)) <= max(abs(rational(want)) * self.unit, least))

    def refute(self, name: str, place: str, got: Any, want: Any, found: float = 0) -> None:
        """Keep what is wrong; of several things the one with the fewest digits."""
        self.digits[name] = min(found, self.digits.get(name, math.inf))
        if self.wrong is None or found < self.wrong.digits:
            got, want = (v if isinstance(v, str) else quoted(v) for v in (got, want))
            self.wrong = Wrong(name, place, got, want, found)


def compare(comparison: Comparison, reference: Reference, fitted: Mapping[str, Any], problem: Any, kind: Any) -> None:
    """Compare the fitted values reported, in the order of the reference's classes, with those of the reference.

    kind      the class of the estimator: which attributes it has, and which describe the way

    Raises    InvalidInput for values of another shape
    """
    signs: dict[str, dict[int, int]] = {}
    alignment.require_as_many(problem.method, fitted)
    for name, got in fitted.items():
        if name + "_" in kind.history:
            comparison.left[name] = "describes the way to the answer"
        elif name == "classes":
            _classes(comparison, got, reference)
        elif name == "margin":
            _margin(comparison, fitted, reference, problem)
        else:
            try:
                want, spacing = _right(reference, name)
            except (AttributeError, Refusal) as refusal:
                if isinstance(refusal, InvalidInput) and not isinstance(refusal, AttributeError):
                    raise
                comparison.left[name] = f"there is none: {refusal}"
                continue
            if name in BESIDE and (beside := _beside(problem, reference, fitted, name)) is not None:
                # Premise: that of what is reported is known, however far this is from the optimum.
                comparison.against(name, got, forms.nearer(got, want, beside), spacing, closely=True)
                continue
            _attribute(comparison, reference, name, got, want, spacing, problem, signs)


def _beside(problem: Any, reference: Reference, fitted: Mapping[str, Any], name: str) -> Any:
    """Return what an objective may be right by, too: that of what is reported, or a bound; None where none is known."""
    if name == "objective" and problem.method == "perceptron" and {"coef", "intercept"} <= set(fitted):
        found = textbook.squares(problem, fitted["coef"], fitted["intercept"])
        return found / (4 if len(fitted["coef"]) == 1 else 2)
    if not _has_exact(reference):
        return None
    exact = reference.over("exact")
    if problem.method in SEMIPARAMETRIC:
        return getattr(exact, name + "_")
    return getattr(exact, BESIDE[name], None)


def _right(reference: Reference, name: str) -> tuple[Any, Fraction]:
    want, spacing = reference.read(attrgetter(name + "_"))
    if any(isinstance(v, str) for v in leaves(want)):
        want = getattr(reference.over(reference.own), name + "_")
    return want, spacing


def _bounds_are_rounded(problem: Any) -> bool:
    """Return whether decimals miss the bounds of Lee, Lin and Wahba's multipliers, as for costs or weights of 1/3."""
    bounds = [problem.parameters.get("costs"), problem.weights] if problem.method == "lee_lin_wahba" else []
    return any(10**SHORT % rational(v).denominator for v in leaves([v for v in bounds if v]) if finite(v))


def _attribute(
    comparison: Comparison,
    reference: Reference,
    name: str,
    got: Any,
    want: Any,
    spacing: Fraction,
    problem: Any,
    signs: dict[str, dict[int, int]],
) -> None:
    method, K = problem.method, len(getattr(reference.over("exact"), "classes_", ()) if _has_exact(reference) else ())
    group = next((g for g in alignment.AXES.get(method, ()) if name in g), ())
    if group or name == "eigenvalues" or (name == "weights" and method in WEIGHED):
        got, want = _trimmed(comparison, reference, name, got, want)
    if group:
        by_row = name in alignment.ROWS
        found = blocks(comparison, reference)
        if any(len(block) > 1 for block in found):
            for block in found:
                told, plane = (alignment.products(v, block, by_row) for v in (got, want))
                if len(block) > 1 or plane is not want:  # an axis that both have
                    comparison.against(name, told, plane, spacing, key="products")
                if len(block) > 1:
                    comparison.left[f"{name}, axes {block}"] = "equal eigenvalues: only their common plane is judged"
            return
        want = alignment.turned(name, got, want, signs.setdefault(group[0], {}), by_row)
    elif method in alignment.SHIFTED and name in alignment.BY_CLASS:
        got, want = alignment.shifted(name, got, want, K)
    ramp = "ramp" in str(problem.parameters.get("loss"))
    rounded = comparison.unit >= DOUBLE or (comparison.unit and _bounds_are_rounded(problem))
    if name == "intercept_interval" and (ramp or rounded):
        forms.same(name, got, want)
        lost = "its ends are judged as intercepts; that it is not wider is lost in rounded numbers"
        comparison.left[name] = "of a loss that is not convex, as far as its solver determines it" if ramp else lost
        return
    given = [problem.parameters.get(own) for own in ("penalty", "degrees_of_freedom")]
    flat = name == "penalty" and method in ("smoothing_spline", "bruto") and given == [None, None]
    comparison.against(name, got, want, spacing, double=2 if flat else 1)


def _has_exact(reference: Reference) -> bool:
    try:
        reference.over("exact")
    except NotExact:
        return False
    return True


def blocks(comparison: Comparison, reference: Reference) -> list[list[int]]:
    """Return the axes in groups of eigenvalues that are equal to the digits asked for."""
    try:
        values, _ = reference.read(attrgetter("eigenvalues_"))
    except (AttributeError, Refusal):
        return []
    return alignment.blocks(values, Fraction(1, 10 ** max(4, 14 - int(min(comparison.asked, 10)))))


def _trimmed(comparison: Comparison, reference: Reference, name: str, got: Any, want: Any) -> tuple[Any, Any]:
    """Return both without the axes that only one of them has, if these have eigenvalues of zero to the digits asked."""
    by_row = name in (*alignment.ROWS, "eigenvalues", "weights")
    if not isinstance(got, list) or not got or not (by_row or all(isinstance(row, list) for row in (*got, *want))):
        return got, want
    sizes = [len(v) if by_row else len(v[0]) for v in (got, want)]
    values = [rational(v) for v in reference.read(attrgetter("eigenvalues_"))[0]]
    share = Fraction(1, 10 ** int(min(comparison.asked, 300)))
    kept = sum(1 for v in values if v > share * max(values))
    if sizes[0] == sizes[1] or min(sizes) < kept:
        return got, want
    if name == "eigenvalues":
        for i, v in list(enumerate(got))[len(want) :]:
            if not finite(v) or abs(rational(v)) > share * max(values, default=1):
                comparison.refute(name, f"[{i}]", forms.short(v), "0: no more axes distinguish the classes")
    beyond = list(range(min(sizes), max(sizes)))
    comparison.left[f"{name}, axes {beyond}"] = "eigenvalues of zero to the digits asked for, which only one side has"
    if by_row:
        return got[: min(sizes)], want[: min(sizes)]
    return [row[: min(sizes)] for row in got], [row[: min(sizes)] for row in want]


def _margin(comparison: Comparison, fitted: Mapping[str, Any], reference: Reference, problem: Any) -> None:
    """Compare 1/‖f‖ by its square, which needs no root; one machine, or each of several.

    Of a linear function with coefficients that are reported it is 1/‖β‖ of these, or of the multipliers' own. Where the
    terms Σ aᵢaⱼK(xᵢ, xⱼ) of ‖f‖² cancel to all digits that are asked for, it is not judged.
    """
    machines, unit = reference.read(lambda e: list(getattr(e, "estimators_", None) or [e]))
    trained = [machine._trained for machine in machines]
    reported = list(leaves(fitted["margin"]))
    if len(reported) != len(trained):
        raise InvalidInput("verify", need=f"{len(trained)} values in margin", got=len(reported))
    beside = _length(fitted, problem) if len(trained) == 1 else Fraction(0)
    for i, (g, machine, own) in enumerate(zip(reported, machines, trained)):
        square = max(rational(own.square), Fraction(0))
        place = f"[{i}]" if len(trained) > 1 else ""
        lost = Fraction(0) if beside else UNITS * comparison.unit * _terms(machine)
        if not (square or (unit and lost)) or not finite(g) or rational(g) <= 0:
            comparison.refute("margin", place, forms.short(g), "1/‖f‖ > 0" if square else "none")
            continue
        missed = 1 / rational(g) ** 2 - square
        found = digits(missed, 2 * square) if square or not missed else 0.0
        if beside:
            found = max(found, digits(missed + square - beside, 2 * beside))
        if found < comparison.asked and abs(missed) <= lost:
            comparison.left[f"margin{place}"] = "the terms of ‖f‖² cancel to fewer digits than are asked for"
            continue
        comparison.digits["margin"] = min(found, comparison.digits.get("margin", math.inf))
        if found < comparison.asked and found < digits(UNITS * comparison.unit, 1):
            want = forms.short(root(1 / square)[1]) if square else "none"
            comparison.refute("margin", place, forms.short(g), want, found)


def _terms(machine: Any) -> Fraction:
    """Return a bound on Σ |aᵢaⱼK(xᵢ, xⱼ)|; 0 of a function without multipliers.

    Proof: |K(x, z)|² ≤ K(x, x)K(z, z), so that it is no more than (Σ |aᵢ|√Kᵢᵢ)² ≤ m Σ aᵢ²Kᵢᵢ, m numbers not being zero.
    """
    if not hasattr(machine, "solved"):
        return Fraction(0)
    (own,) = machine.solved()
    squares = [rational(v) ** 2 * abs(rational(k)) for v, k in zip(own.a, own.machine.K.diagonal()) if v]
    return len(squares) * sum(squares, Fraction(0))


def _length(fitted: Mapping[str, Any], problem: Any) -> Fraction:
    """Return ‖β‖² of coefficients that are reported, one for each column; 0 if none are."""
    beta = [v for v in leaves(fitted.get("coef", [])) if finite(v)]
    if not beta or any(len(row) != len(beta) for row in problem.x):
        return Fraction(0)
    return sum((rational(v) ** 2 for v in beta), Fraction(0))


def _classes(comparison: Comparison, got: Any, reference: Reference) -> None:
    (want, _) = reference.read(lambda estimator: list(estimator.classes_))
    if not isinstance(got, list) or len(got) != len(want) or not all(map(alignment.same, got, want)):
        comparison.refute("classes", "", got, want)
    else:
        comparison.digits["classes"] = math.inf
