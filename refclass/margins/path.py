"""The soft-margin machines of every λ at once: model of the path  [ESL-12.33] [ESL-12.34] [ESL-12.3.5-path].

    minimise Σ [1 − yᵢf(xᵢ)]₊ + (λ/2) ‖f‖²,   f = (1/λ) (Σ αᵢyᵢK(·, xᵢ) + α₀),   0 ≤ αᵢ ≤ 1

At λ that is the machine of cost C = 1/λ, whose multipliers are αᵢ/λ. The printed [ESL-12.34] omits α₀ [ERR-ESL-05].
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from refclass.errors import InvalidInput
from refclass.linear.vector import Vector
from refclass.margins import proof, train
from refclass.margins.soft import Machine
from refclass.margins.train import Trained
from refclass.number.field import Number
from refclass.optimise import path
from refclass.optimise.certificate import Certificate


@dataclass(frozen=True)
class Model:
    """Every solution for one set of points.

    lambdas       the break points, falling
    alphas        the multipliers αᵢ in [0, 1] there, n for each
    intercepts    β₀ = α₀/λ there
    events        the points that join or leave the edge there: pairs (kind, row), kind one of from_left, from_right,
                  to_left, to_right
    """

    K: Any
    y: Vector
    path: path.Path

    @property
    def lambdas(self) -> list[Number]:
        """The break points."""
        return [s.lam for s in self.path.states]

    @property
    def alphas(self) -> list[list[Number]]:
        """The multipliers at each break point  [ESL-12.33]."""
        return [list(s.alpha) for s in self.path.states]

    @property
    def intercepts(self) -> list[Number]:
        """β₀ at each break point."""
        return [s.alpha0 / s.lam for s in self.path.states]

    @property
    def events(self) -> list[list[tuple[str, int]]]:
        """What happens at each break point."""
        return [[(e.kind, e.row) for e in s.events] for s in self.path.states]

    def machine(self, lam: Number) -> Machine:
        """Return the machine of cost 1/λ  [ESL-12.25].  Raises InvalidInput for λ ≤ 0."""
        if not lam > 0:
            raise InvalidInput("path", need="λ > 0", got=lam)
        return Machine(self.K, self.y, (1 / lam,) * len(self.y))

    def at(self, lam: Number) -> Trained:
        """Return the machine of cost 1/λ trained: multipliers αᵢ/λ, read off the path.

        Exact     yes
        Cost      n, and n multiplications for each support vector
        Raises    InvalidInput for λ ≤ 0; NotConverged for one so small that roundoff hides its machine
        """
        alpha = self.path.at(lam).alpha / lam
        return train.trained(self.machine(lam), alpha.times(self.y), 0)


def fit(K: Any, y: Vector) -> Model:
    """Return the whole path for a Gram matrix and labels ±1.

    K         anything with row(i), diagonal() and len()
    Exact     yes
    Cost      n m + m² multiplications a break point, m points on the edge
    Raises    InvalidInput unless both classes are there
    """
    return Model(K, y, path.solve(path.Problem(K, y)))


def certify(model: Model, lam: Number) -> Certificate:
    """Return the proof of the path's machine at λ, exact  [ESL-12.14] [ESL-12.15] [ESL-12.16]."""
    found = model.at(lam)
    return proof.certify(model.machine(lam), found.alpha, found.beta0)
