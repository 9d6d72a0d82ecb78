"""A neural network with one hidden layer."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

from refclass.certificate import Certificate
from refclass.discriminants.comparators import network
from refclass.discriminants.decision.exact import length, same, shaped
from refclass.errors import InvalidInput, quoted
from refclass.estimators.protocol.certificates.claimed import Reported
from refclass.estimators.protocol.discriminant import Discriminant, Probabilistic, table
from refclass.estimators.protocol.estimator import Steps
from refclass.iteration import ending, mapped
from refclass.linear.vector import Vector
from refclass.number.binary64 import held
from refclass.number.field import Number
from refclass.optimise.smooth import lbfgs


class NeuralNetwork(Probabilistic, Discriminant):
    """One hidden layer of hyperbolic tangents and softmax outputs, trained on the likelihood  [CMP-MLP] [YANG-T12.3].

        minimise −Σᵢ wᵢ log Pr(g(i) | xᵢ) + ½λ(Σ‖α_m‖² + Σ‖β_k‖²)

    Every step lowers the criterion, which has many stationary points: another seed leads to another one.

    Parameters
    ----------
    hidden : int ≥ 1, default 10
        M, the number of hidden units.
    penalty : number ≥ 0, default 0
        λ; constants are not penalised. Variables are brought to mean zero and variance one first.
    tol : number > 0, default 1e-06
        The training ends once no entry of the gradient is larger. A heaviest weight below 1/32 or above 32 multiplies
        it, so that weights of 10¹⁰⁰ train as those of one do; others count as copies.
    max_iter : int ≥ 1, default 500
        The most steps: to stop early is a way to train.
    seed : int, default 0
        The seed of the coefficients to start from.
    arithmetic : "float" or "decimal:n", default "float"
        The numbers that are computed with: binary64, or decimals of n digits.

    Attributes
    ----------
    classes_ : list of K labels
        The classes, sorted where they can be compared, else in order of appearance.
    hidden_coef_ : M × (p + 1) numbers
        The coefficients of the hidden units, constants first.
    output_coef_ : K × (M + 1) numbers
        The coefficients of the outputs, constants first.
    objective_ : number
        The criterion at the end.
    objectives_ : list of numbers
        The criterion after every step.
    n_iter_ : int
        How many iterations were made.
    certificate_ : Certificate
        The largest entry of the gradient; never more than a stationary point.

    Raises
    ------
    InvalidInput
        For bad data or parameters.
    NotExact
        In exact arithmetic.

    See Also
    --------
    LogisticRegression : no hidden layer

    References
    ----------
    - D. C. Liu and J. Nocedal (1989). On the limited memory BFGS method for large scale optimization. Mathematical
      Programming 45, 503-528.
    - T. Hastie, R. Tibshirani and J. Friedman (2009). The Elements of Statistical Learning, second edition, chapter 11.

    Examples
    --------
    >>> model = NeuralNetwork(hidden=2, penalty=0.1).fit([[0], [1], [4], [5]], list("aabb"))
    >>> model.predict([[0.5], [4.5]]), model.certificate_.status
    (['a', 'b'], 'stationary')
    """

    method = "network"
    equations = ("YANG-T12.3",)
    fitted = ("classes_", "hidden_coef_", "output_coef_", "objective_", "objectives_", "n_iter_")
    arithmetics = ("float", "decimal:n")

    def __init__(
        self,
        *,
        hidden: Any = 10,
        penalty: Any = 0,
        tol: Any = 1e-6,
        max_iter: Any = 500,
        seed: Any = 0,
        arithmetic: Any = "float",
    ) -> None:
        self.hidden = hidden
        self.penalty = penalty
        self.tol = tol
        self.max_iter = max_iter
        self.seed = seed
        self.arithmetic = arithmetic

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> NeuralNetwork:
        """Fit to the rows of X with labels y; an integer weight stands for copies of its row."""
        return ending(self.fit_steps(X, y, sample_weight))

    def fit_steps(self, X: Any, y: Any, sample_weight: Any = None) -> Steps[NeuralNetwork]:
        """Fit as `fit` does, and yield on the way how much is done, of how much, in words; return the estimator."""
        F, sample = self.field(), self.read(X, y, sample_weight)
        hidden, _ = self.integer("hidden", 1), self.integer("max_iter", 0)
        if type(self.seed) is not int:
            raise InvalidInput(self.method, need="seed an integer", got=quoted(self.seed))
        problem = network.problem(F, sample, hidden=hidden, penalty=self.number(F, "penalty", least=0))
        start = network.start(problem, random.Random(self.seed))
        self.objectives_: list[Number] = []
        states = network.fit_steps(problem, start, tol=self.number(F, "tol", least=0), max_iter=self.max_iter)
        model, last = yield from mapped(states, partial(self._progress, problem.unit))
        self.keep(model, sample)
        self.objective_, self.n_iter_ = held(self.method, last.value * problem.unit), last.step
        self._end = f" (stopped after {last.step} steps"
        self._end += ")" if last.step >= self.max_iter else ": none further lowers the criterion beyond roundoff)"
        self.hidden_coef_, self.output_coef_ = table(model.alpha), table(model.beta)
        return self

    def claim(self, X: Any, y: Any, reported: Reported, sample_weight: Any = None) -> bool:
        """Take the coefficients that somebody reports for those of the fit; nothing is solved.

        Return False, and take nothing, where they are not reported.
        Raises    InvalidInput where their form does not fit the data
        """
        if "hidden_coef" not in reported or "output_coef" not in reported:
            return False
        F, sample = self.field(), self.read(X, y, sample_weight)
        problem = network.problem(F, sample, hidden=self.hidden, penalty=self.number(F, "penalty", least=0))
        rows = reported.rows("hidden_coef", self.hidden, sample.p + 1)
        rows += reported.rows("output_coef", sample.K, self.hidden + 1)
        x = Vector.of([F.lift(v) for row in rows for v in row])
        self.keep(problem.model(x), sample)
        self.objective_, self._end = problem.evaluate(x)[0] * problem.unit, ""
        self.objectives_ = [self.objective_]
        self.hidden_coef_, self.output_coef_ = table(self._model.alpha), table(self._model.beta)
        return True

    def proven(self, eps: Any) -> Certificate:
        """Return the largest entry of the gradient at the coefficients; "stationary" if no more than `tol` allows.

        A training that ran out of steps, or stalled in roundoff before, is "not converged", and says where it stopped.
        """
        self.is_fitted()
        s, F = self._sample, self.field()
        shapes = shaped(self.hidden_coef_, self.hidden, s.p + 1) and shaped(self.output_coef_, s.K, self.hidden + 1)
        value = self.objective_
        if shapes:
            asked = network.problem(F, s, hidden=self.hidden, penalty=self.number(F, "penalty"))
            x = Vector.of([F.lift(v) for row in [*self.hidden_coef_, *self.output_coef_] for v in row])
            found = lbfgs.certify(lbfgs.Problem(asked.evaluate), x)
            value = found.primal * asked.unit
        failures = [*self.delivered(), same("the shape of the coefficients", shapes, True)]
        failures.append(same("objective_", value, self.objective_))
        count = length(self.objectives_)
        failures.append(same("the last of objectives_", count > 0 and self.objectives_[-1] == self.objective_, True))
        if "n_iter_" in vars(self):
            failures.append(same("n_iter_", self.n_iter_, count - 1))
        worst, where = max(failures, key=lambda failure: failure[0])
        if worst:
            return Certificate("not converged", value, None, None, worst, where)
        enough = found.worst_violation <= self.number(F, "tol", least=0) * asked.tol_scale
        status, where = ("stationary", found.where) if enough else ("not converged", found.where + self._end)
        return replace(
            found, status=status, primal=value, worst_violation=found.worst_violation * asked.unit, where=where
        )

    def _progress(self, unit: Number, state: lbfgs.State) -> tuple[int, int, str]:
        self.objectives_.append(state.value * unit)
        return state.step, self.max_iter, f"network: {float(self.objectives_[-1]):.6g}"

    @cached_property
    def certificate_(self) -> Certificate:
        """How far the end is from a stationary point: the largest entry of the gradient, as computed."""
        return self.proven(self.field().eps)
