"""Fits that doubles cannot decide or hold: computed from the data as given in decimals of 100 digits, and rounded once.

Columns that depend on each other but for the last digits of doubles have a covariance that doubles cannot tell from a
singular one, and one of rank less than full has a rank that is decided by digits that doubles do not have.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from functools import partial, wraps
from typing import Any, Callable, Optional, TypeVar

from refclass import certificate
from refclass.certificate import Certificate
from refclass.errors import NoAnswer, NotConverged, NotExact, Refusal
from refclass.estimators.protocol.estimator import clone
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, as_given
from refclass.number import text
from refclass.number.arithmetic import field
from refclass.number.field import Field, Number, rational
from refclass.number.tolerance import decades, roundoff
from refclass.sample.mean import shares
from refclass.sample.metric import Metric
from refclass.sample.observations import Sample, units

DIGITS = 100
MOST = 500_000  # multiplications of decimals up to which a fit is made again
LONG = 10_000_000  # up to which it is where labels may be wrong: some ten seconds; beyond, it is refused
WRONG = 1000  # units of roundoff of scores: where those of two classes differ by less, their labels may be wrong
ASKED = ("predict", "predict_proba", "decision_function", "ties", "transform")
STEEP = 10**6  # the largest variance inflation at which doubles keep the nine digits that are promised
LONGEST = 1600  # digits up to which they are doubled while the fit in decimals has too few
STOPPED = ("bruto", "backfitting", "em", "logistic")  # refusals after so many steps, which digits do not change
STEPS = 2000  # of an iteration in decimals: from a saddle, or where subclasses all but agree, it takes ever more
SMALLEST = Fraction(1, 2**1000)  # what is no larger has few of the digits of doubles, or will where it is squared

Fit = TypeVar("Fit", bound=Callable[..., Any])


def in_more_digits(fit: Fit) -> Fit:
    """Return a fit that is made again in more decimals where rounded numbers refuse it, or leave it few digits."""

    @wraps(fit)
    def helped(self: Any, X: Any, y: Any, sample_weight: Any = None) -> Any:
        last = vars(self).pop("_last", False) or self.arithmetic == "exact"
        try:
            found = fit(self, X, y, sample_weight)
        except (NoAnswer, NotConverged) as refusal:
            most = LONG if isinstance(refusal, NoAnswer) else None  # Premise: that there is none is to be proven.
            if last or self.certain(refusal) or not _again(self, of_none=True, most=most):
                raise
            _require_digits(self)
            return self
        if not last and (heavy(self._sample) or self.doubtful()):
            blurred = self.blurred() if self.work() > MOST else ""
            decided = _again(self, of_none=False, most=LONG if blurred or self.lengthy else None)
            if blurred and not decided:
                need = f"classes that {self.field().name} tells apart beside the farthest (use more decimals)"
                raise NotExact(self.method, need=need, got=blurred)
            _require_digits(self)
        return found

    return helped  # type: ignore[return-value]


def at_ceiling(estimator: Any, found: Certificate) -> Certificate:
    """Return the proof of what is delivered, with its ceiling where that is a proven fit in decimals, rounded.

    Where decimals decide, the numbers delivered are theirs, each rounded once: the digits that these have of what is
    claimed are all that their arithmetic holds, however few.
    """
    known, held = vars(estimator).get("_twin"), found.digits
    if known is None or held is None or held >= certificate.ASKED or any(v for v, _ in estimator.delivered()):
        return found
    if (known.certificate_.digits or 0) < certificate.ASKED:
        return found
    return replace(found, status=certificate.status(held, ceiling=held), ceiling=held)


def proof(estimator: Any) -> Certificate:
    """Return the certificate of a fit that has just ended; who asks for it later has it made of what is then there."""
    found: Certificate = estimator.certificate_
    vars(estimator).pop("certificate_", None)
    return found


def _require_digits(estimator: Any) -> None:
    """Refuse what was doubted, and is proven to fewer digits than are promised, if to any, with no ceiling known.

    Raises    NotConverged with the bounds
    """
    # Premise: who says where to end has asked for what stands there; but a share of the gradient of rows that outweigh
    # others by all digits says nothing of the others.
    if getattr(estimator, "tol", None) is not None and not heavy(estimator._sample):
        return
    found = proof(estimator)
    few = found.digits is not None and found.digits < certificate.ASKED and found.ceiling is None
    if found.status != "not converged" and not few:
        return
    if found.dual is None:
        need, got = f"{certificate.ASKED} digits of its equations", found.digits or float(0)
        raise NotConverged(estimator.method, need=need, got=got, where=found.where)
    raise certificate.lost(estimator.method, found.digits, found, where=found.where)


def limit(kind: Any) -> Number:
    """Return the largest condition at which numbers of a kind keep the digits that are promised."""
    return STEEP if kind is float else kind(10) ** (getattr(kind, "precision", 0) // 2)


def steep(known: Metric, exact: Callable[[], Matrix]) -> bool:
    """Return whether doubles leave a metric few digits, or its rank is not that of the exact covariance.

    exact    a multiple of the covariance in fractions, asked for where the rank is less than full
    """
    if known.condition > limit(type(known.pivots[0])):
        return True
    if known.rank == len(known.matrix):
        return False
    from refclass.linear.exact import fraction_free  # loaded where a rank is in doubt

    return fraction_free.rank(exact()) != known.rank


def tiny(columns: Sequence[Sequence[Number]]) -> bool:
    """Return whether a column varies by so little that doubles hold its differences to fewer digits than others."""
    return any(0 < u < SMALLEST for u in units(columns) if type(u) is float)


def _again(estimator: Any, of_none: bool, most: Optional[int] = None) -> bool:
    """Fit the estimator in decimals, and round what was found; return False where that finds no answer, or is long.

    of_none    whether doubles have found no answer. Where they have, that there is none is a refusal

    Raises    NotExact where a fitted number is beyond doubles, or all that doubles have not found
    """
    F, sample, known, held = estimator.field(), estimator._sample, None, False
    stands = not of_none and estimator.apart()
    try:
        known = twin(estimator, most)
        if known is None:
            return False
        for name in known.fitted:
            with suppress(NoAnswer):  # of what is refused where it is asked for
                rounded(known.reported(name), F)
        held = True
        found = _numbers(known, F)
    except NotExact:
        if known is not None and not stands and (of_none or not held):
            raise
        return False
    except NoAnswer as refusal:
        if stands:
            return False
        witness = rounded(refusal.witness, F)
        raise NoAnswer(refusal.module, need=refusal.need, got=refusal.got, **witness) from None
    except Refusal:
        return False
    _hold(estimator, known, sample, found)
    return True


def of_twin(estimator: Any, known: Any, sample: Sample) -> Any:
    """Return an estimator, which holds what is rounded from a fit in decimals, and answers by that."""
    _hold(estimator, known, sample, _numbers(known, estimator.field()))
    return estimator


def _numbers(known: Any, F: Field) -> dict[str, Any]:
    for name in known.fitted:  # what is derived when it is asked for is rounded, too, not derived from rounded numbers
        with suppress(NoAnswer):
            known.reported(name)
    own = [*known.parameters(), "_sample"]
    return {name: rounded(value, F) for name, value in vars(known).items() if name not in own}


def _hold(estimator: Any, known: Any, sample: Sample, found: Mapping[str, Any]) -> None:
    estimator.forget()
    vars(estimator).update(found, _sample=sample, _width=sample.p, _twin=known)
    estimator.held()
    for name in ASKED:  # Method: answers at points are the twin's, rounded; what is saved answers from rounded numbers.
        if hasattr(known, name):
            vars(estimator)[name] = partial(_asked, estimator, name)


def more(F: Field) -> int:
    """Return how many digits the decimals have in which a fit is made again."""
    return DIGITS + int(getattr(F.kind, "precision", 0))


def heavy(sample: Sample) -> bool:
    """Return whether some rows weigh so much that the roundoff of what they are multiplied by outweighs others."""
    positive, kind = [w for w in sample.weights if w], sample.kind
    return kind is not Fraction and bool(max(positive) > limit(kind) ** 2 * min(positive))


def uneven_weights(weights: Vector) -> bool:
    """Return whether some weights are so much larger than others that roundoff of what they weigh outweighs these."""
    return bool(max(weights) > STEEP**2 * min([w for w in weights if w]))


def faint(fitted: Matrix) -> bool:
    """Return whether the fits of responses of about one vary by so little that doubles hold few digits of it."""
    return fitted.kind is float and all(STEEP * (max(column) - min(column)) < 1 for column in fitted.T)


def moved(coefficients: Matrix, X: Matrix) -> Number:
    """Return by how much rounding coefficients may move values at the rows: much, far from zero, of values of one.

    Shapes    coefficients: p × q
    """
    reach = [max(map(abs, column)) for column in X.T]
    sizes = [sum((abs(b) * v for b, v in zip(column, reach)), reach[0] * 0) for column in coefficients.T]
    return max(sizes) * roundoff(coefficients.kind)


def explained(sample: Sample, weights: Vector) -> str:
    """Return in words that a score of three or more classes is explained so far that roundoff may be what is left.

    weights    1/(μ(1 − μ)), μ the share of each score that is explained: of a 1 − μ of 10⁻¹¹ doubles keep no digit

    Where there is but one score, labels do not depend on its weight beside others.
    """
    few = sample.K > 2 and max(weights) > limit(sample.kind)
    return f"a score that is explained but for {1 / float(max(weights)):.1e}" if few else ""


def uneven(sample: Sample) -> bool:
    """Return whether the shares of the classes differ so much that scores of one are roundoff of those of another."""
    pi = shares(sample)
    return bool(limit(sample.kind) ** 2 * min(pi) < max(pi))


def twin(estimator: Any, most: Optional[int] = None) -> Any:
    """Return the same fit in decimals, of twice the digits while these are too few; None where it is long."""
    F, sample = estimator.field(), estimator._sample
    if estimator.work() > (MOST if most is None else most):
        return None
    given = [rational(w) for w in as_given(sample.weights)]
    digits, labels = more(F) + decades(given) + _penalties(estimator), [sample.classes[g] for g in sample.labels]
    digits = digits + estimator.further()
    while True:
        D = field(f"decimal:{digits}")
        rows = [[D.lift(v) for v in x.exactly()] for x in sample.X]
        known = estimator.in_decimals(D.name)
        try:
            known, sure = _decided(known, rows, labels, list(map(D.lift, given)))
            enough = not (sure and known.doubtful())
        except NotConverged as refusal:
            if digits >= LONGEST or refusal.module in STOPPED:
                raise
            enough = False
        if enough or digits >= LONGEST:
            return known
        digits = 2 * digits


def _decided(asked: Any, rows: list[list[Number]], labels: list[Any], weights: list[Number]) -> tuple[Any, bool]:
    """Return the estimator, fitted, and whether more digits may decide what these do not.

    Scores that seem explained wholly in so many digits seem so in any, where no fractions say whether they are.

    Raises    NoAnswer where fractions say so of scores that seem explained wholly
    """
    asked._last = True
    asked.fit(rows, labels, weights)
    if asked.undecided():
        try:
            clone(asked).set_params(arithmetic="exact").fit(rows, labels, weights)
        except NotExact:
            return asked, False
    return asked, True


def _penalties(estimator: Any) -> int:
    """Return by how many powers of ten penalties differ from one, about: what they leave is so much smaller."""
    inner, found = getattr(estimator, "regression", None), 0
    for given in (getattr(estimator, "penalty", 0), inner.get("penalty", 0) if isinstance(inner, Mapping) else 0):
        value = rational(text.read(given))
        found += abs(value.numerator.bit_length() - value.denominator.bit_length()) // 3 if value else 0
    return found


def shrinkage(sample: Sample, penalty: Number) -> int:
    """Return by how many powers of ten functions shrunk by a penalty are below one, about, if they are.

    Coefficients are at most Σ |x|/λ for responses of about one, and functions Σ x²/λ.
    """
    if not penalty:
        return 0
    widest = max([rational(max(column)) - rational(min(column)) for column in zip(*sample.X)])
    share = rational(penalty) / (sample.n * widest * widest or rational(penalty))
    return max(0, share.numerator.bit_length() - share.denominator.bit_length()) * 3 // 10


def _asked(estimator: Any, name: str, X: Any) -> Any:
    return answers(estimator, estimator.answering(), name, estimator.rows(X))


def answers(estimator: Any, known: Any, name: str, rows: Iterable[Vector]) -> Any:
    """Return what the twin of an estimator answers at rows, as they were given, rounded."""
    D = known.field()
    points = [[D.lift(v) for v in x.exactly()] for x in rows]
    found, F = getattr(known, name)(points), estimator.field()
    if name == "decision_function" and F.eps and estimator.shifted:
        found = [_apart(D.lift(rational(F.eps)), row) for row in found]
    return rounded(found, F)


def _apart(eps: Number, row: Any) -> Any:
    """Return scores of three or more classes, less the largest where roundoff would leave their differences few digits.

    eps    the roundoff of what they are rounded to; scores are determined up to a common shift
    """
    if not isinstance(row, (list, tuple)) or len(row) < 3:
        return row
    top = max(row)
    least = min([top - v for v in row if v != top], default=top * 0)
    return [v - top for v in row] if least and STEEP * eps * max(map(abs, row)) > least else row


def rounded(value: Any, F: Field) -> Any:
    """Return a value, and all its parts, with numbers of other fields rounded to those of F.

    A point c + r is kept as such, r taking up what rounding takes off c.

    Raises    NotExact for a number beyond the range of F
    """
    if hasattr(type(value), "precision"):
        return F.delivered("discriminant", value)
    if isinstance(value, Field):
        return F
    if isinstance(value, Matrix):
        return Matrix.of([rounded(row, F) for row in value])
    if isinstance(value, Vector):
        return Vector.of([rounded(v, F) for v in value])
    if type(value) in (list, tuple):
        return type(value)([rounded(v, F) for v in value])
    if isinstance(value, Mapping):
        return {name: rounded(v, F) for name, v in value.items()}
    if not is_dataclass(value) or isinstance(value, type):
        return value
    parts = {part.name: getattr(value, part.name) for part in fields(value)}
    changed = {name: rounded(part, F) for name, part in parts.items()}
    if "centre" in parts and "rest" in parts:
        changed["rest"] = Vector.of([_left(F, *v) for v in zip(parts["centre"], changed["centre"], parts["rest"])])
    return replace(value, **changed)


def _left(F: Field, exact: Number, near: Number, rest: Number) -> Number:
    return F.lift(rational(exact) - rational(near) + rational(rest))
