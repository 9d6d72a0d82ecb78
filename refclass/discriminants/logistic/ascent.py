"""The log likelihood of logistic regression: its slopes, its information, and Newton's ascent."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from operator import mul
from typing import Any, Optional

from refclass.errors import NoAnswer
from refclass.linear.exact import fraction_free
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot
from refclass.number.field import Field, Number, rational
from refclass.optimise.smooth import newton
from refclass.sample import metric, scatter
from refclass.sample.mean import mean
from refclass.sample.observations import Sample, spread_out

FAR = 18  # powers of ten between differences of a column's values from which on Newton's method takes 90 steps, or more
LEFT = 10**11  # one over the share of the score equations' terms that Newton's method in doubles may leave
WIDE = 10**6  # typical differences of a column's values that the range is of, from which on doubles lose digits to it
Thetas = list[Vector]  # for each class but the first, (β₀, β) relative to the first class's


@dataclass(frozen=True)
class Problem:
    """A sample, centred, by columns, and a penalty.

    columns     p + 1 columns of n numbers, the first of ones, the others with their means taken off
    first       the class that the functions are relative to, which changes places with class 0
    """

    F: Field
    sample: Sample
    columns: tuple[tuple[Number, ...], ...]
    centre: Vector
    penalty: Number
    first: int = 0

    @cached_property
    def labels(self) -> list[int]:
        """The classes of the points, numbered as the functions are."""
        places = self.ordered(range(self.sample.K))
        return [places[g] for g in self.sample.labels]

    def ordered(self, values: Iterable[Any]) -> list[Any]:
        """Return one value for each class, in the sample's order from the functions', or the other way."""
        found = list(values)
        found[0], found[self.first] = found[self.first], found[0]
        return found

    @cached_property
    def rows(self) -> list[Vector]:
        """The points (1, xᵢ − x̄)."""
        return [Vector.of(row) for row in zip(*self.columns)]


@dataclass(frozen=True)
class State:
    """Where the iteration stands.

    thetas      (β₀, β) of the classes but the first of the problem, in whose order of classes all stands
    P           n posteriors
    beyond      n rows 1 − pᵢₖ, to their own leading digits
    value       the penalised log-likelihood
    likelihood  the log-likelihood
    gradient    K − 1 vectors
    """

    thetas: Thetas
    P: list[Vector]
    beyond: list[Vector]
    value: Number
    likelihood: Number
    gradient: Thetas


def problem(F: Field, sample: Sample, penalty: Number) -> Problem:
    """Return the problem.  Raises NoAnswer with a null vector if columns (and the constant) are linearly dependent."""
    centre = mean(sample.whole)
    if penalty == 0:
        _independent(F, sample, centre)
    # Method: one value far from all others takes the mean along, and the others' digits with it.
    if is_far(sample) or spread_out(sample, WIDE):
        centre = _medians(sample)
    ones = tuple([sample.kind(1)] * sample.n)
    deviations = [sample.whole.less(j, c) for j, c in enumerate(centre)]
    return Problem(F, sample, (ones, *deviations), centre, penalty)


def farthest(sample: Sample) -> int:
    """Return the class of the point that is farthest from the others, where one is so far that doubles lose digits.

    Its own class is certain, to nearly one, and others' functions relative to it lead to an information that is nearly
    diagonal at that point; relative to another, to differences of nearly equal numbers of which doubles keep none.
    """
    if sample.K == 2 or not (is_far(sample) or spread_out(sample, WIDE)):
        return 0
    found = []
    for column, middle in zip(zip(*sample.X), _medians(sample)):
        away = [abs(v - middle) for v in column]
        top = max(away)
        found.append((top / (sorted(away)[sample.n // 2] or top or 1), sample.labels[away.index(top)]))
    return max(found)[1]


def _medians(sample: Sample) -> Vector:
    return Vector.of([sorted(column)[sample.n // 2] for column in zip(*sample.X)])


def _independent(F: Field, sample: Sample, centre: Vector) -> None:
    """Raise NoAnswer with a null vector if columns and the constant are dependent, whatever the rows weigh."""
    try:
        metric.factor(F, scatter.scatter(sample.whole, centre))
    except NoAnswer as refusal:  # of weights that differ by all digits, or numbers that do, it may be roundoff
        rows = [x.exactly() for x in sample.X]
        null = fraction_free.null_space(Matrix.of([x - rows[0] for x in rows]))
        if null:
            raise NoAnswer("metric", need=refusal.need, got="a singular one", null_vector=null[0]) from None


def apart(sample: Sample) -> int:
    """Return by how many powers of ten, about, differences of the values of a column differ at the most.

    Margins of a value of 10ᵉ beside values of one grow to log 10ᵉ where these pull the other way, and beyond 2 log 10ᵉ
    before these are seen at all; a step of Newton's method adds one.
    """
    found = 0
    for column in zip(*sample.X):
        values = sorted(set(map(rational, column)))
        if len(values) > 2:
            ratio = (values[-1] - values[0]) / min(b - a for a, b in zip(values, values[1:]))
            found = max(found, (ratio.numerator.bit_length() - ratio.denominator.bit_length()) * 3 // 10)
    return found


def is_far(sample: Sample) -> bool:
    """Return whether some value is so far from all others of its column that Newton's method is slow, as above."""
    return apart(sample) >= FAR


def state(asked: Problem, thetas: Thetas) -> State:
    """Return the state at these parameters."""
    F, sample = asked.F, asked.sample
    zero = F.kind(0)
    P, beyond, terms = [], [], []
    for x, g in zip(asked.rows, asked.labels):
        f = [zero, *[dot(theta, x) for theta in thetas]]
        top = max(f)
        first = f.index(top)
        weights = [F.exp(v - top) for v in f]
        others = _sum(F, [v for k, v in enumerate(weights) if k != first])
        total = weights[first] + others
        p = [v / total for v in weights]
        P.append(Vector.of(p))
        beyond.append(Vector.of([others / total if k == first else 1 - v for k, v in enumerate(p)]))
        terms.append(f[g] - top - log_above_one(F, total, others))
    likelihood = _sum(F, [w * term for w, term in zip(sample.weights, terms)])
    gradient = []
    for k in range(1, sample.K):
        rows = zip(sample.weights, asked.labels, P, beyond)
        missed = [w * (left[k] if g == k else -p[k]) for w, g, p, left in rows]
        gradient.append(Vector.of([dot(column, missed) for column in asked.columns]) - _pull(asked, thetas, k))
    return State(thetas, P, beyond, likelihood - _penalty(asked, thetas), likelihood, gradient)


def constants_alone(asked: Problem) -> Thetas:
    """Return the maximum where all coefficients are zero: the log-odds of the classes' weights; zero if one has none.

    Newton's steps from zero add about one to a constant each, 230 of them for a weight of 10¹⁰⁰.
    """
    F, sample = asked.F, asked.sample
    totals = [F.kind(0)] * sample.K
    for w, g in zip(sample.weights, asked.labels):
        totals[g] = totals[g] + w
    rest = [F.kind(0)] * (len(asked.columns) - 1)
    return [Vector.of([F.log(t / totals[0]) if min(totals) > 0 else F.kind(0), *rest]) for t in totals[1:]]


def log_above_one(F: Field, total: Number, above: Number) -> Number:
    """Return log (1 + above) to the digits of `above`, which the rounded sum 1 + above has lost.

    Source    Higham (2002), section 1.14.1: log(1 + s) = s log(u)/(u − 1) for the rounded u = 1 + s
    """
    return F.log(total) * above / (total - 1) if total != 1 else above


def _sum(F: Field, values: list[Number]) -> Number:
    return sum(values, F.kind(0))


def _penalty(asked: Problem, thetas: Thetas) -> Number:
    """Return ½λ Σₖ ‖βₖ‖², at its least over shifts of all βₖ by the same vector."""
    if asked.penalty == 0:
        return asked.F.kind(0)
    flat = [theta[1:] for theta in thetas]
    total = [sum(column) for column in zip(*flat)]
    squares = sum((dot(beta, beta) for beta in flat), asked.F.kind(0))
    return asked.penalty * (squares - dot(total, total) / asked.sample.K) / 2


def residual(asked: Problem, at: State) -> Number:
    """Return the largest entry of the gradient over the sum of the sizes of its terms.

    Cost      n(K − 1)(p + 2) multiplications
    """
    worst = asked.F.kind(0)
    for k, own in enumerate(at.gradient, 1):
        rows = zip(asked.sample.weights, asked.labels, at.P, at.beyond)
        missed = [w * (left[k] if g == k else p[k]) for w, g, p, left in rows]
        for g, column, pull in zip(own, asked.columns, _pull(asked, at.thetas, k)):
            bulk = dot(list(map(abs, column)), missed) + abs(pull)
            worst = max(worst, abs(g) / bulk) if bulk else worst
    return worst


def _pull(asked: Problem, thetas: Thetas, k: int) -> Vector:
    """Return the gradient of the penalty for class k: λ(βₖ − (1/K) Σ βₗ), and 0 for the constant."""
    total = [sum(column) / asked.sample.K for column in zip(*thetas)]
    pulled = [asked.penalty * (v - m) for v, m in zip(thetas[k - 1], total)]
    return Vector.of([asked.F.kind(0), *pulled[1:]])


def information(asked: Problem, at: State) -> Matrix:
    """Return minus the Hessian.

        Hₖₗ = Σᵢ wᵢ pᵢₖ(δₖₗ − pᵢₗ)(1, xᵢ)(1, xᵢ)ᵀ + λ(δₖₗ − 1/K) I        blocks k, l ≥ 2

    Shapes    (K − 1)(p + 1) square
    Cost      n(q² + 3q + 4)/2 · K(K − 1)/2 multiplications, q = p + 1
    """
    K, q = asked.sample.K, len(asked.columns)
    H: list[list[Number]] = [[asked.F.kind(0)] * (q * (K - 1)) for _ in range(q * (K - 1))]
    posteriors, beyond = list(zip(*at.P)), list(zip(*at.beyond))
    for k in range(1, K):
        for j in range(1, k + 1):
            own = 1 if j == k else 0
            left = beyond[k] if own else [-b for b in posteriors[j]]
            v = [w * a * b for w, a, b in zip(asked.sample.weights, posteriors[k], left)]
            scaled = [tuple(map(mul, v, column)) for column in asked.columns]
            for a in range(q):
                for b in range(a + 1):
                    value = dot(scaled[a], asked.columns[b])
                    if a == b and a > 0 and asked.penalty != 0:
                        value = value + asked.penalty * (own - asked.F.kind(1) / K)
                    for r, c in (((k - 1) * q + a, (j - 1) * q + b), ((k - 1) * q + b, (j - 1) * q + a)):
                        H[r][c] = H[c][r] = value
    return Matrix.of([Vector.of(row) for row in H])


class Ascent:
    """The negative log-likelihood as Newton's method evaluates it; the state of the last point is kept."""

    def __init__(self, asked: Problem) -> None:
        self.asked = asked
        self._last: Optional[tuple[Vector, State]] = None

    def at(self, x: Vector) -> State:
        """Return the state at parameters laid in one row."""
        if self._last is None or self._last[0] is not x:
            q = len(self.asked.columns)
            self._last = x, state(self.asked, [Vector.of(x[k : k + q]) for k in range(0, len(x), q)])
        return self._last[1]

    def solve(self, x: Vector, g: Vector) -> Vector:
        """Return H⁻¹g.  Raises NoAnswer with a null vector where the information is singular."""
        return metric.definite(self.asked.F, information(self.asked, self.at(x))).solve(g)

    def optimise(self) -> newton.Problem:
        """Return the problem for Newton's method."""
        return newton.Problem(
            lambda x: -self.at(x).value,
            lambda x: -stacked(self.at(x).gradient),
            self.solve,
            resolved=lambda x: bool(LEFT * residual(self.asked, self.at(x)) > 1),
        )


def stacked(thetas: Thetas) -> Vector:
    """Return the parameters of all classes in one vector."""
    return Vector.of([v for theta in thetas for v in theta])
