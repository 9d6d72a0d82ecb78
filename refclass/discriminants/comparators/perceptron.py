"""The single-layer perceptron: linear outputs, one for each class, trained by its gradient.

minimise E(b, B) = ½ Σᵢ wᵢ ‖yᵢ − b − Bᵀxᵢ‖²        class of x = argmaxₖ (bₖ + βₖᵀx)
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from fractions import Fraction
from operator import mul
from typing import Any, Optional

from refclass.discriminants.gaussian.least_squares import Indicated
from refclass.errors import NotConverged
from refclass.iteration import ending
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot
from refclass.number.field import Field, Number, rational
from refclass.number.tolerance import THRESHOLD, magnitude
from refclass.regress.linear.least_squares import Linear, Measured
from refclass.sample.indicator import indicator
from refclass.sample.mean import Origin, centred, mean, of_block
from refclass.sample.observations import Sample
from refclass.sample.observations import units as within_range
from refclass.sample.scatter import products

Columns = list[tuple[Number, ...]]


@dataclass(frozen=True)
class Problem:
    """Points and the outputs that they should have.

    origin      the mean of the points, and what rounding has taken off it
    units       p powers of two, near the spread of each variable: dividing by them makes no error
    columns     p + 1 columns of n numbers: x measured from the origin, divided by the units, and ones
    responses   K columns of n numbers, the indicators
    weights     n numbers ≥ 0, over `heavy`
    heavy       a power of the base near weights that have no squares, 1 for others
    """

    origin: Origin
    units: Vector
    columns: Columns
    responses: Columns
    weights: Vector
    heavy: Number

    def products(self, B: Matrix) -> Columns:
        """Return the outputs of coefficients B, (p + 1) × K: K columns of n numbers."""
        outputs = []
        for beta in B.T:
            total = tuple([beta[0] * v for v in self.columns[0]])
            for b, column in zip(beta[1:], self.columns[1:]):
                total = tuple([t + b * v for t, v in zip(total, column)])
            outputs.append(total)
        return outputs

    def pulled(self, columns: Columns) -> Matrix:
        """Return XᵀW times K columns of n numbers: (p + 1) × K."""
        weighted = [tuple(map(mul, self.weights, c)) for c in columns]
        return Matrix.of([Vector.of([dot(x, z) for z in weighted]) for x in self.columns])

    def square(self, columns: Columns) -> Number:
        """Return Σ wᵢ ‖·ᵢ‖² of K columns of n numbers."""
        return sum((dot(self.weights, tuple(map(mul, c, c))) for c in columns), self.weights.kind(0))

    def scatter(self) -> Matrix:
        """Return Σ wᵢ(xᵢ − x̄)(xᵢ − x̄)ᵀ of the points in their units."""
        columns = self.columns[:-1]
        return products([tuple(map(mul, self.weights, c)) for c in columns], columns)

    def linear(self, B: Matrix) -> Linear:
        """Return the function of x itself that coefficients B stand for."""
        slopes = Matrix.of([row / u for row, u in zip(B, self.units)])
        intercepts = B[-1] - slopes.T @ self.origin.centre - slopes.T @ self.origin.rest
        return Measured(intercepts, slopes, B[-1], self.origin)


@dataclass(frozen=True)
class State:
    """Where the iteration stands.

    step        the number of steps
    x           the coefficients, (p + 1) × K, those of the constant last
    left        yᵢ less the outputs, K columns of n numbers
    gradient    −XᵀW times that
    value       E
    previous    E before the step, None at the start
    """

    problem: Problem
    step: int
    x: Matrix
    left: Columns
    gradient: Matrix
    value: Number
    previous: Optional[Number]

    @property
    def objective(self) -> Number:
        """E, which falls."""
        return self.value

    def check(self, F: Field) -> None:
        """Assert that gradient and value are those of the coefficients, and that the value has not risen."""
        p, n = self.problem, len(self.problem.weights)
        left = [tuple([y - v for y, v in zip(a, b)]) for a, b in zip(p.responses, p.products(self.x))]
        scale = p.square(p.responses) + p.square(p.products(self.x))
        unit = THRESHOLD * F.eps * n * (self.step + 1) * scale
        assert abs(self.value - p.square(left) / 2 * p.heavy) <= unit * p.heavy
        assert (self.gradient + p.pulled(left)).largest() <= unit * max(map(max, (map(abs, c) for c in p.columns)))
        assert self.previous is None or self.value <= self.previous + unit * p.heavy


def problem(sample: Sample) -> Problem:
    """Return the problem of the sample.

    Exact     yes
    Raises    InvalidInput, naming the column, where differences leave the range of the numbers
    """
    centre = mean(sample.whole)
    away = centred(sample.whole, centre)
    within_range(away)
    rest = Vector.of([sample.whole.less(j, c)[0] - column[0] for (j, c), column in zip(enumerate(centre), away)])
    # Method: the units are powers of two in every arithmetic: where columns depend on each other, or the iteration ends
    # early, the answer depends on them.
    units = Vector.of([_unit(max(map(abs, column))) for column in away])
    columns = [tuple([v / u for v in column]) for column, u in zip(away, units)]
    ones = tuple([sample.kind(1)] * sample.n)
    (heavy,) = within_range([sample.weights])
    known = of_block(sample.whole, centre)
    origin = Origin(centre, rest, known is not None and known.far)
    return Problem(origin, units, [*columns, ones], list(zip(*indicator(sample))), sample.weights / heavy, heavy)


def _unit(size: Number) -> Number:
    """Return the largest power of two that is no larger than a number; 1 for zero."""
    if not size or type(size) is float:
        return magnitude(size)
    above, below = rational(size).as_integer_ratio()
    e = above.bit_length() - below.bit_length()
    exact = Fraction(2) ** e
    exact = exact if exact * below <= above else exact / 2
    return type(size)(exact.numerator) / exact.denominator


def steps(F: Field, asked: Problem) -> Iterator[State]:
    """Yield the states of the iteration from zero, along conjugate gradients, each as far as the error falls.

        D ← −G + (‖G‖²/‖G_before‖²) D        B ← B + t D,  t = −⟨G, D⟩/Σᵢ wᵢ ‖Dᵀxᵢ‖²

    It ends where the gradient is zero up to roundoff; on fractions after p + 1 steps or fewer, at zero.

    Exact     yes
    Cost      2n·p·K multiplications for each step
    """
    B = Matrix.zeros(len(asked.columns), len(asked.responses), asked.weights.kind)
    left, previous, step = asked.responses, None, 0
    first = squared = asked.weights.kind(0)
    D = B
    while True:
        G = -asked.pulled(left)
        before, squared = squared, _inner(G, G)
        first = squared if step == 0 else first
        value = asked.square(left) / 2 * asked.heavy
        yield State(asked, step, B, left, G, value, previous)
        unit = THRESHOLD * F.eps * len(asked.weights)
        if squared <= unit * unit * first:
            return
        D = -G if step == 0 else squared / before * D - G
        turned = asked.products(D)
        t = -_inner(G, D) / asked.square(turned)
        B = B + t * D
        left = [tuple([r - t * v for r, v in zip(a, b)]) for a, b in zip(left, turned)]
        previous, step = value, step + 1


def _inner(A: Matrix, B: Matrix) -> Number:
    return sum((dot(a, b) for a, b in zip(A, B)), A.kind(0))


def fit_steps(F: Field, sample: Sample, *, tol: Any = None, max_iter: int = 1000) -> Generator[State, None, Indicated]:
    """Yield the states of the training, and return the rule  [CMP-SLP].

    tol    the iteration ends once the gradient is this share of what it was at the start; None for roundoff

    Exact     yes
    Raises    NotConverged with the last coefficients after max_iter steps
    """
    asked = problem(sample)
    first = None
    for state in steps(F, asked):
        yield state
        squared = _inner(state.gradient, state.gradient)
        first = squared if first is None else first
        if tol is not None and squared <= tol * tol * first:
            break
        if state.step >= max_iter and squared != 0:
            need, got = f"a gradient of zero within {max_iter} steps", f"one of length² {squared}"
            raise NotConverged("perceptron", need=need, got=got, state=state.x)
    return Indicated(asked.linear(state.x))


def fit(F: Field, sample: Sample, *, tol: Any = None, max_iter: int = 1000) -> Indicated:
    """Return the rule at the end of the training  [CMP-SLP].

    Exact     yes
    Laws      trained to its end it is regression on the indicator matrix: outputs sum to one
    """
    return ending(fit_steps(F, sample, tol=tol, max_iter=max_iter))
