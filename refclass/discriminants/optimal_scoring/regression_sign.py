"""Two classes by the sign of a regression on −1 and +1, whatever the regression: BRUTO, MARS, polynomials, splines.

minimise Σ wᵢ (yᵢ − f(xᵢ))² as the regression does        class of x: the second where f(x) > 0, the first where < 0
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from refclass.discriminants.decision.decide import Deciding, Decision
from refclass.discriminants.optimal_scoring.fda import Regression
from refclass.errors import InvalidInput
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Field, Number
from refclass.sample.indicator import codes
from refclass.sample.observations import Sample


@dataclass(frozen=True)
class Model(Deciding):
    """The sign of a regression  [CMP-BRUTO] [CMP-MARS].

    regression    f, with one response
    """

    regression: Any

    def values(self, rows: Sequence[Vector]) -> Vector:
        """Return f at each row.  Raises InvalidInput where it is beyond the range of numbers."""
        found = Vector.of([f for (f,) in self.regression.predict(Matrix.of(rows))])
        if any(f - f != 0 for f in found):
            raise InvalidInput(
                "regression_sign", need="points whose scores are within the range of numbers", got="one beyond it"
            )
        return found

    def value(self, x: Vector) -> Number:
        """Return f(x)."""
        return self.values([x])[0]

    def scores(self, x: Vector) -> Vector:
        """Return −f(x)/2 and f(x)/2: their difference is f(x)."""
        f = self.value(x)
        return Vector.of([-f / 2, f / 2])

    def decide(self, x: Vector) -> Decision:
        """Return the decision at x: the side of zero; at zero both classes tie."""
        return _side(self.value(x))

    def classify(self, rows: Sequence[Vector]) -> list[int]:
        """Return the class number of each row, ties to the first class."""
        return [_side(f).classes[0] for f in self.values(rows)]


def _side(f: Number) -> Decision:
    if f == 0:
        return Decision((0, 1))
    return Decision((1,) if f > 0 else (0,))


def responses(sample: Sample) -> Matrix:
    """Return −1 for each point of the first class, +1 for each of the second: n × 1.

    Exact     yes
    Raises    InvalidInput unless there are two classes
    """
    if sample.K != 2:
        raise InvalidInput("regression_sign", need="two classes", got=f"{sample.K} classes")
    one = sample.kind(1)
    return Matrix.of([Vector.of([t]) for t in codes(sample, Vector.of([-one, one]))])


def fit(F: Field, sample: Sample, regress: Regression) -> Model:
    """Return the rule on a regression.

    Exact     yes, where the regression is
    Raises    InvalidInput unless there are two classes, and what the regression raises
    """
    return Model(regress(F, sample.X, responses(sample), sample.weights))
