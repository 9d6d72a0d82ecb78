"""Generalised approximate cross-validation: the penalty of the Lee–Lin–Wahba machine chosen on a grid.

    criterion(λ) = (1/n) Σᵢ g(yᵢ, f_λ(xᵢ)) + D(λ)        D = (1/n) Σᵢ [g(yᵢ, f⁽⁻ⁱ⁾(xᵢ)) − g(yᵢ, f_λ(xᵢ))]

f⁽⁻ⁱ⁾ minimises the objective with point i out of its first term, n as before. D can be had exactly, by as many
trainings as there are support vectors, or by the approximation of Lee, Lin and Wahba (2004), without any (RC-30).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import Any, Optional

from refclass.errors import InvalidInput, quoted
from refclass.linear.vector import Vector
from refclass.margins.lee_lin_wahba import simplex
from refclass.margins.lee_lin_wahba.fit import train
from refclass.margins.lee_lin_wahba.problem import Machine, losses, mean_loss
from refclass.margins.lee_lin_wahba.simplex import Columns
from refclass.margins.lee_lin_wahba.trained_machine import Trained
from refclass.number import arithmetic
from refclass.number.field import Field, Number
from refclass.selection import executor as jobs

DEFAULTS: Mapping[str, Any] = {}


@dataclass(frozen=True)
class Score:
    """The criterion of one machine.

    penalty     λ
    loss        (1/n) Σ g(yᵢ, f_λ(xᵢ))
    correction  D(λ), exact or approximate
    """

    penalty: Number
    loss: Number
    correction: Number

    @property
    def total(self) -> Number:
        """The criterion: loss + correction  [MMST-11.111]."""
        return self.loss + self.correction


def exact_correction(
    F: Field,
    machine: Machine,
    found: Trained,
    executor: Optional[Executor] = None,
    settings: Mapping[str, Any] = DEFAULTS,
) -> Number:
    """Return D(λ) by leaving out every point that has a multiplier  [MMST-11.110] [MMST-11.111].

        D = (1/n) Σᵢ [g(yᵢ, f⁽⁻ⁱ⁾(xᵢ)) − g(yᵢ, f(xᵢ))]

    A point without multipliers can go and nothing changes. Loss and D together are the leave-one-out risk.

    executor  who does the trainings, as for `executor.steps`; none: one after the other
    settings  of `train`: its solver, tol and max_iter

    Exact     yes, in an exact field
    Cost      one training, from the multipliers found, for each support vector
    """
    field: Any = F if executor is None else F.name  # Premise: a name travels to other processes, a field may not.
    support = [i for i, row in enumerate(zip(*found.alpha)) if any(row)]
    tasks = {i: (field, machine, found.alpha, i, settings) for i in support}
    done: dict[int, Number] = {}
    for _ in jobs.steps(left_out_loss, tasks, done, executor):
        pass
    own = losses(machine, found.values)
    return sum([done[i] - own[i] for i in support], F.kind(0)) / machine.divisor


def left_out_loss(task: tuple[Any, Machine, Columns, int, Mapping[str, Any]]) -> Number:
    """Return g(yᵢ, f⁽⁻ⁱ⁾(xᵢ)), the loss of a point under the machine trained without it  [MMST-11.111].

    task      the field, or its name; the machine; multipliers to start from; the number of the point; settings
    """
    given, machine, start, i, settings = task
    F = given if isinstance(given, Field) else arithmetic.field(given)
    without = train(F, machine.without(i), start=start, **settings)
    return simplex.loss([own[i] for own in without.values], machine.code(i), machine.costs[i])


def approximate_correction(machine: Machine, found: Trained) -> Number:
    """Return Lee, Lin and Wahba's approximation of D(λ), without leaving any point out  [MMST-11.111].

        D ≈ (1/n) Σᵢ (m − 1) K(xᵢ, xᵢ) Σ_k L_ik 1{α_ik > 0} β_ik (y_ik − μ_ik)        m the number of classes

    μ_i is v_j if all functions but that of one wrong class j lie at −1/(m − 1) or below, else zero. It comes from the
    leaving-out-one lemma, g(f⁽⁻ⁱ⁾) − g(f) to first order, and f_k(xᵢ) − f⁽⁻ⁱ⁾_k(xᵢ) as the diagonal of the derivative
    of f in the labels times the change y − μ of the label, the weights of the labels held (RC-30). For two classes it
    is the criterion of the two-class machine. Where 0 < α_ik < L_ik, f_k(xᵢ) lies on the kink of the loss, and the
    whole L_ik counts.

    Exact     yes
    Cost      2nm multiplications
    """
    diagonal, m = machine.K.diagonal(), machine.classes
    total = machine.kind(0)
    columns = zip(zip(*found.alpha), zip(*found.beta), zip(*found.values))
    for i, (alpha, beta, f) in enumerate(columns):
        if any(alpha):
            mu = nearest_label(machine, i, alpha, f)
            terms = zip(machine.costs[i], alpha, beta, machine.code(i), mu)
            felt = sum([L * b * (y - u) for L, a, b, y, u in terms if a > 0], machine.kind(0))
            total = total + (m - 1) * diagonal[i] * felt
    return total / machine.divisor


def nearest_label(machine: Machine, i: int, alpha: Sequence[Number], f: Sequence[Number]) -> Vector:
    """Return μ of a point with multipliers: v_j if it lies beyond the margin of a wrong class j, else zero (RC-30)."""
    # Premise: a multiplier below its bound says that f_k does not exceed −1/(m − 1) by more than roundoff.
    y, own = machine.code(i), machine.labels[i]
    low = [v <= t or a < L for v, t, a, L in zip(f, y, alpha, machine.costs[i])]
    low[own] = f[own] <= machine.kind(-1) / (machine.classes - 1)
    above = [k for k, below in enumerate(low) if not below]
    if len(above) == 1 and above[0] != own:
        return simplex.code(above[0], machine.classes, machine.kind)
    return y - y


METHODS = ("exact", "approximate")


def steps(
    F: Field,
    machine: Machine,
    penalties: Sequence[Any],
    *,
    method: str = "exact",
    executor: Optional[Executor] = None,
    settings: Mapping[str, Any] = DEFAULTS,
) -> Iterator[Score]:
    """Yield the score of each λ, in their order; each machine starts from the multipliers of the one before.

    method      "exact" or "approximate"
    executor, settings    as for `exact_correction`

    Raises    InvalidInput for an unknown method or a λ that is not above zero
    """
    if method not in METHODS:
        raise InvalidInput("gacv", need=f"a method among {', '.join(METHODS)}", got=quoted(method))
    start = None
    for place, lam in enumerate(map(F.lift, penalties)):
        if not lam > 0:
            raise InvalidInput("gacv", need="penalties above zero", got=lam, place=place)
        own = replace(machine, penalty=lam, given=None)
        found = train(F, own, start=start, **settings)
        start, loss = found.alpha, mean_loss(own, found.values)
        if method == "exact":
            yield Score(lam, loss, exact_correction(F, own, found, executor, settings))
        else:
            yield Score(lam, loss, approximate_correction(own, found))


def choose(scores: Sequence[Score]) -> Score:
    """Return the score of the least criterion; of equal ones that of the largest λ, the simplest machine."""
    return min(scores, key=lambda score: (score.total, -score.penalty))
