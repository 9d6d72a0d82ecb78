"""The decision function of a Lee–Lin–Wahba machine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import add
from typing import Any, Optional

from refclass.kernels.kernel import Kernel
from refclass.kernels.linear import Linear
from refclass.kernels.matrices import expansions
from refclass.linear.vector import Rounded, Vector
from refclass.margins.lee_lin_wahba import simplex
from refclass.margins.lee_lin_wahba.certificate import slopes
from refclass.margins.lee_lin_wahba.problem import Machine, support
from refclass.margins.lee_lin_wahba.trained_machine import Trained
from refclass.number.field import Field, rational


@dataclass(frozen=True)
class Model:
    """Decision functions f_k(x) = Σ β_ik K(xᵢ, x) + β_0k; where the kernel is linear, xᵀw_k + β_0k  [MMST-11.109].

    F, G     the field of their values, and the field in which the kernel is computed
    points   the support vectors, or the first point if there are none
    beta     for each class the coefficients of the points
    weights  for each class w_k = Σ β_ik xᵢ where the kernel is linear, else None
    """

    F: Field
    G: Field
    kernel: Kernel
    points: tuple[Any, ...]
    beta: tuple[Vector, ...]
    beta0: Vector
    weights: Optional[tuple[Vector, ...]]

    def scores(self, Z: Any) -> list[Vector]:
        """Return (f_1(z) … f_m(z)) for every point z.

        Cost      p multiplications for each class for a linear kernel, else a kernel value for each support vector
        """
        if self.weights is not None:
            return expansions.linear(self._functions, Z)
        return expansions.expanded(self.F, self.G, self.kernel, self.points, self._functions, Z)

    @cached_property
    def _functions(self) -> list[expansions.Function]:
        """Return the coefficients and the constant of each class, exactly those less their mean  [MMST-11.89].

        Rounded coefficients do not sum to zero: times values of 10²⁷ what they sum to was of the size of 10¹⁰ in every
        f_k, beside which a double does not hold by what these differ.
        """
        rows: Sequence[Vector] = self.beta if self.weights is None else self.weights
        exact = tuple(rows if self.F.exact else [Vector.of(map(rational, own)) for own in rows])
        if any(reduce(add, exact)):
            less, _ = simplex.centred(exact, self.beta0)
            rows = less if self.F.exact else [Rounded.from_given(own, given) for own, given in zip(rows, less)]
        return list(zip(rows, self.beta0))

    def predict(self, Z: Any) -> list[int]:
        """Return the class number of every point: argmax_k f_k, the first of equal ones  [MMST-11.108]."""
        return list(map(simplex.decoded, self.scores(Z)))


def model(F: Field, G: Field, kernel: Kernel, points: Sequence[Any], machine: Machine, found: Trained) -> Model:
    """Return the decision functions of a trained machine, with its support vectors only  [MMST-11.4.2-support].

    The coefficients as they are delivered say what is predicted, and no longer numbers that they were rounded from.
    """
    keep = support(found.beta) or [0]
    beta = tuple([Vector.of([own[i] for i in keep]) for own in found.beta])
    kept = tuple([points[i] for i in keep])
    weights = found.planes
    if isinstance(kernel, Linear) and weights is None:
        weights = slopes(machine, found.alpha, float if F.kind is float else F.lift)
    return Model(F, G, kernel, kept, beta, found.beta0, weights)
