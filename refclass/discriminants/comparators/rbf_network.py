"""The Gaussian node network: a bump on every training point, outputs linear in the bumps.

fₖ(x) = Σⱼ c_jk exp(−γ‖x − xⱼ‖²)        minimise Σᵢ wᵢ ‖yᵢ − f(xᵢ)‖² + λ Σₖ cₖᵀGcₖ        class of x = argmaxₖ fₖ(x)
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import Any

from refclass.discriminants.decision.decide import Deciding, Decision, largest
from refclass.errors import InvalidInput, NoAnswer, NotConverged, NotExact
from refclass.kernels.gaussian import Gaussian
from refclass.kernels.matrices.gram import gram
from refclass.linear import bordered
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot
from refclass.number.field import Field, Number
from refclass.sample.indicator import indicator
from refclass.sample.mean import centred, mean
from refclass.sample.observations import Block, Sample


@dataclass(frozen=True)
class Model(Deciding):
    """Nodes with their outputs  [CMP-GNN].

    nodes       m × p, the training points of positive weight
    outputs     K × m, row k the coefficients cₖ
    pivot       the least pivot of their system, as a share of its diagonal: small where bumps nearly coincide
    """

    F: Field
    gamma: Number
    nodes: Matrix
    outputs: Matrix
    pivot: Number

    def scores(self, x: Vector) -> Vector:
        """Return f₁(x) … f_K(x).

        Cost      m·(p + K + 1) multiplications and m exponentials
        """
        bumps = Gaussian(self.gamma).row(self.F, x, self.nodes)
        return Vector.of([dot(c, bumps) for c in self.outputs])

    def decide(self, x: Vector) -> Decision:
        """Return the decision at x.  Raises NotExact where all scores are zero: numbers do not hold the larger."""
        scores = self.scores(x)
        if not any(scores):
            numbers = "doubles" if self.F.kind is float else self.F.name
            need = f"a point at which a bump is within the range of {numbers}"
            raise NotExact("nodes", need=need, got="one beyond it")
        return largest(scores)


def scale(sample: Sample) -> Number:
    """Return the γ for which the exponent is about one between points of the sample: 1/(p · mean variance).

    Exact     yes
    Raises    InvalidInput if the points do not vary
    """
    n, total = sample.kind(sample.n), sample.kind(0)
    plain = Block.of(sample.X, Vector.of([n / n] * sample.n))
    for away in centred(plain, mean(plain)):
        total = total + sum(v * v for v in away) / n
    if total == 0:
        raise InvalidInput("nodes", need="points that vary, or gamma as a number", got="equal ones")
    return 1 / total


def fit(F: Field, sample: Sample, *, gamma: Number, penalty: Number) -> Model:
    """Return the network: ridge regression of the indicators on the bumps  [CMP-GNN].

        (G + λ diag(1/w)) cₖ = yₖ,    G_ij = exp(−γ‖xᵢ − xⱼ‖²)

    Cost      m³/6 multiplications
    Raises    InvalidInput unless γ > 0 and λ ≥ 0; NoAnswer if two points coincide and λ = 0; NotConverged where the
              system has an answer, but is singular up to roundoff
    Laws      λ = 0: the outputs at the nodes are the indicators
    """
    if penalty < 0:
        raise InvalidInput("nodes", need="a penalty ≥ 0", got=penalty)
    keep = [i for i, w in enumerate(sample.weights) if w > 0]
    nodes = Matrix.of([sample.X[i] for i in keep])
    G = gram(F, Gaussian(gamma), nodes)
    ridge: Any = Vector.of([penalty / sample.weights[i] for i in keep])
    if F.kind is float and not isfinite(min(ridge) * min(ridge)):
        raise NotExact("nodes", need="a penalty over the weights, whose square doubles hold", got=min(ridge))
    try:
        system = bordered.factor(F, G, ridge, border=False)
    except NoAnswer as refusal:
        if penalty > 0 or len(set(map(tuple, nodes))) == len(nodes):
            need = f"bumps that {F.name} numbers separate: more digits, or a larger penalty"
            raise NotConverged("nodes", need=need, got=refusal.got) from None
        need = "nodes that the bumps separate, or a penalty > 0"
        raise NoAnswer("nodes", need=need, got=refusal.got, **refusal.witness) from None
    Y = indicator(sample)
    responses = zip(*(Y[i] for i in keep))
    outputs = Matrix.of([system.refined(Vector.of(y))[0] for y in responses])
    return Model(F, gamma, nodes, outputs, F.kind(1) if F.exact else _least_pivot(system))


def _least_pivot(system: bordered.Factor) -> Number:
    pivots = zip(system.known.diagonal, system.matrix.diagonal())
    least: Number = min(l * l / a for l, a in pivots)  # noqa: E741
    return least
