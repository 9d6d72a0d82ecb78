"""The Gaussian node network."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from refclass.certificate import ASKED, Certificate
from refclass.discriminants.comparators import rbf_network, rule_certificate
from refclass.discriminants.decision.exact import concluded, numbers, same
from refclass.estimators.protocol.discriminant import Discriminant, table
from refclass.estimators.protocol.more_digits import MOST, at_ceiling, in_more_digits, proof
from refclass.linear.vector import Rounded
from refclass.sample.observations import representable

NEAR = 10**12  # units of roundoff that the least pivot is at least where outputs keep the digits that are promised
MOVED = 10**10  # one over the amount by which rounding of the points may move a bump


class GaussianNodeNetwork(Discriminant):
    """A Gaussian bump on every training point, outputs linear in the bumps  [CMP-GNN] [YANG-T12.3].

        fₖ(x) = Σⱼ c_jk exp(−γ‖x − xⱼ‖²)        minimise Σᵢ wᵢ ‖yᵢ − f(xᵢ)‖² + λ Σₖ cₖᵀGcₖ

    Parameters
    ----------
    gamma : number > 0, or "scale", default "scale"
        γ, in inverse units of X squared; "scale" for 1/(p · mean variance of the variables).
    penalty : number ≥ 0, default 0
        λ; at 0 the outputs at the training points are the indicators of their classes.
    arithmetic : "float" or "decimal:n", default "float"
        The numbers that are computed with: binary64, or decimals of n digits.

    Attributes
    ----------
    classes_ : list of K labels
        The classes, sorted where they can be compared, else in order of appearance.
    gamma_ : number > 0
        γ, as it was used.
    output_coef_ : K × n numbers
        The coefficients c of each output, one for each point of positive weight.
    certificate_ : Certificate
        The proof, computed in exact arithmetic from the data as given when it is first asked for.

    Raises
    ------
    InvalidInput
        For bad data or parameters.
    NoAnswer
        Where points coincide and λ = 0.
    NotConverged
        Where the numbers cannot separate the bumps.
    NotExact
        In exact arithmetic; for the label of a point so far from all others that the functions are zero in rounded
        numbers.

    See Also
    --------
    KernelRidge : the same functions for numbers

    References
    ----------
    - Y. Yang (2022). Support Vector Machine and Discriminant Analysis, slides, table 12.3.

    Examples
    --------
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

    def doubtful(self) -> bool:
        """Return whether numbers leave the outputs few digits: bumps that nearly coincide, points that were rounded."""
        F, X, known = self.field(), self._sample.X, self._model
        # Proof: a distance that rounding moves by δ moves exp(−γd²) by no more than δ√γ.
        moved = F.sqrt(known.gamma) * X.largest() * F.eps if isinstance(X[0], Rounded) else F.eps
        # Proof: responses of one have outputs of at most 1/λ_min, the least eigenvalue, which pivots may far exceed.
        least = min(known.pivot, 1 / max(known.outputs.largest(), F.kind(1)))
        if least < NEAR * F.eps or moved * MOVED > 1:
            return True
        return self.work() <= MOST and (proof(self).digits or 0) < ASKED

    def work(self) -> int:
        """Return how many multiplications a fit is."""
        return self._sample.n**3 // 6

    @in_more_digits
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
        known = getattr(self, "_twin", self)  # Premise: bumps that nearly coincide are told apart in decimals alone
        F, gamma, scaled = known.field(), known.gamma_, self.gamma == "scale"
        lam = self.number(F, "penalty")
        failures = rule_certificate.bumps(F, known._sample, gamma, lam, known.output_coef_, scaled)
        if not scaled:
            failures.append(numbers("gamma", [gamma], [known.number(F, "gamma")]))
        if known is not self:
            failures.append(numbers("gamma", [self.gamma_], [gamma]))
            for got, want in zip(self.output_coef_, known.output_coef_):
                failures.append(numbers("the outputs", got, want))
            failures.append(same("their number", len(self.output_coef_), len(known.output_coef_)))
        failures, premise = [*self.delivered(), *failures], "the kernel values as they are held"
        return at_ceiling(self, concluded(failures, self.field().eps, premise=premise))
