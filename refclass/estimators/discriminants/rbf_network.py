"""The Gaussian node network."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from refclass.certificate import Certificate
from refclass.discriminants.comparators import rbf_network, rule_certificate
from refclass.discriminants.decision.exact import concluded
from refclass.estimators.protocol.discriminant import Discriminant, table
from refclass.sample.units import representable


class GaussianNodeNetwork(Discriminant):
    """A Gaussian bump on every training point, outputs linear in the bumps  [CMP-GNN] [YANG-T12.3].

        fₖ(x) = Σⱼ c_jk exp(−γ‖x − xⱼ‖²)        minimise Σᵢ wᵢ ‖yᵢ − f(xᵢ)‖² + λ Σₖ cₖᵀGcₖ

    gamma         γ > 0, or "scale": 1/(p · mean variance of the variables)
    penalty       λ ≥ 0; at 0 the outputs at the training points are the indicators of their classes
    arithmetic    "float", "decimal:n"

    Attributes
        classes_, gamma_, output_coef_ (K rows, one coefficient for each point of positive weight)

    Raises    InvalidInput for bad data or parameters; NoAnswer where bumps cannot be told apart and λ = 0; NotExact in
              exact arithmetic

    Example
        >>> model = GaussianNodeNetwork(gamma=1).fit([[0], [1], [4], [5]], list("aabb"))
        >>> model.predict([[0.5], [4.2]])
        ['a', 'b']
    """

    method = "gaussian_nodes"
    equations = ("YANG-T12.3",)
    fitted = ("classes_", "gamma_", "output_coef_")
    arithmetics = ("float", "decimal:n")

    def __init__(self, *, gamma: Any = "scale", penalty: Any = 0, arithmetic: Any = "float") -> None:
        self.gamma = gamma
        self.penalty = penalty
        self.arithmetic = arithmetic

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> GaussianNodeNetwork:
        """Fit to the rows of X with labels y; a weight counts its row's square so many times."""
        F, sample = self.field(), self.read(X, y, sample_weight)
        representable(sample, self.method)
        given = rbf_network.scale(sample) if self.gamma == "scale" else self.number(F, "gamma", above=0)
        model = rbf_network.fit(F, sample, gamma=given, penalty=self.number(F, "penalty", least=0))
        self.keep(model, sample)
        self.gamma_, self.output_coef_ = given, table(model.outputs)
        return self

    @cached_property
    def certificate_(self) -> Certificate:
        """The proof, exact, of the linear system of the outputs, for the kernel values as they are held."""
        self.is_fitted()
        F, lam = self.field(), self.number(self.field(), "penalty")
        scaled = self.gamma == "scale"
        failures = rule_certificate.bumps(F, self._sample, F.lift(self.gamma_), lam, self.output_coef_, scaled)
        return concluded([*self.delivered(), *failures], F.eps, premise="the kernel values as they are held")
