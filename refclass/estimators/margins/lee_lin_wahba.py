"""The multicategory support vector machine of Lee, Lin and Wahba."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from functools import cached_property
from math import isfinite
from typing import Any, Optional

from refclass.certificate import Certificate, refused
from refclass.errors import InvalidInput, NotExact, quoted
from refclass.estimators.protocol.all_classes import AllClasses
from refclass.estimators.protocol.certificates import stated
from refclass.estimators.protocol.certificates.claimed import Reported
from refclass.estimators.protocol.given.kernel_input import Given, given
from refclass.linear.vector import Vector
from refclass.margins.lee_lin_wahba import certificate, decision, problem, simplex, trained_machine
from refclass.margins.lee_lin_wahba import fit as lee_lin_wahba_train
from refclass.margins.lee_lin_wahba.coupled_optimality import Optimality, optimality
from refclass.margins.lee_lin_wahba.problem import Machine
from refclass.number import text
from refclass.number.binary64 import BINARY64
from refclass.number.field import Field, Number, rational
from refclass.number.rational import RATIONAL
from refclass.sample import data
from refclass.selection import gacv


class LeeLinWahbaSVC(AllClasses):
    """The support vector machine for all classes at once, of Lee, Lin and Wahba  [MMST-11.77].

        minimise (1/n) Σᵢ Σ_k L_k(yᵢ) [f_k(xᵢ) + 1/(K−1)]₊ + (λ/2) Σ_k ‖h_k‖²        over the classes k other than yᵢ
        subject to Σ_k f_k = 0,   f_k = h_k + b_k,   h_k(x) = Σᵢ β_ik K(xᵢ, x)

    The class of the largest f_k is predicted. For K = 2 it is the two-class machine with C = 1/(2nλ).

    Where intercepts are not unique, each stands the same share of the way from its least to its largest value; where
    some of these do not exist, they are those nearest to zero.

    Polynomial kernels of columns that are not scaled may need decimals: of degree 2 on the glass data (214 rows, nine
    columns, six classes) a fit takes 50 to 90 seconds, of degree 3 it is refused with its bounds.

    Parameters
    ----------
    penalty : number > 0, default 1
        λ.
    kernel : str, dict or Kernel, default "linear"
        The kernel: "linear", {"name": "gaussian", "gamma": 1}, … or a kernel object. gamma may be "scale", which is
        1/(p · var X).
    costs : None, K rows of K numbers, or dict, default None
        L, None for 1 for each error: a row for each class in the order of classes_, or a mapping from labels to
        such rows; costs[j][k] ≥ 0 is what an observation of classes_[j] pays for f_k, 0 for k = j.
    solver : "auto", "decomposition" or "active_set", default "auto"
        The solver of the dual.
    tol : number > 0, or None, default None
        The violation of optimality at which the decomposition stops, in units of nλf; None for 10⁻¹² of the
        largest.
    max_iter : int ≥ 1, or None, default None
        The most steps a solver may take.
    arithmetic : "float", "exact" or "decimal:n", default "float"
        The numbers that are computed with: binary64, fractions, or decimals of n digits. A kernel that is not
        rational is taken, in exact arithmetic, at the binary64 value of each entry of its Gram matrix.

    Attributes
    ----------
    classes_ : list of K labels
        The classes, sorted where they can be compared, else in order of appearance.
    alpha_ : n × K numbers
        The multipliers, from 0 to L, 0 for the own class.
    coefficients_ : n × K numbers
        β, each row summing to 0.
    intercept_ : list of K numbers
        b, summing to 0.
    intercept_interval_ : K pairs
        The least and the largest optimal intercept of each class, None for no end.
    support_ : list of int
        The rows of X whose multiplier is not zero.
    coef_ : K × p numbers
        The coefficients of the h_k, for a linear kernel.
    objective_ : number
        The objective of the functions that are delivered, less their mean: by coef_ for a linear kernel, else by
        coefficients_.
    dual_objective_ : number
        −F_D/(n²λ), equal to objective_ at the optimum.
    n_iter_ : int
        How many iterations were made.
    certificate_ : Certificate
        The proof, computed in exact arithmetic from the data as given when it is first asked for.

    Raises
    ------
    InvalidInput
        For bad data or parameters.
    NotConverged
        With the best state, after max_iter steps.

    See Also
    --------
    CrammerSingerSVC, OneVersusRest

    References
    ----------
    - Y. Lee, Y. Lin and G. Wahba (2004). Multicategory support vector machines. Journal of the American Statistical
      Association 99, 67-81.
    - A. J. Izenman (2008). Modern Multivariate Statistical Techniques, section 11.4.2.

    Examples
    --------
    >>> X, y = [[0, 0], [2, 0], [0, 3], [4, 4]], ["a", "a", "b", "c"]
    >>> m = LeeLinWahbaSVC(penalty="1/10", arithmetic="exact").fit(X, y)
    >>> m.predict([[1, 0], [0, 4], [5, 4]]), str(m.objective_), m.certificate_.gap
    (['a', 'b', 'c'], '467/7840', Fraction(0, 1))
    """

    method = "lee_lin_wahba"
    equations = ("MMST-11.77", "MMST-11.92", "MMST-11.104", "MMST-11.107", "MMST-11.108", "MMST-11.109")
    fitted = (
        "classes_",
        "alpha_",
        "coefficients_",
        "intercept_",
        "intercept_interval_",
        "support_",
        "coef_",
        "objective_",
        "dual_objective_",
    )
    objective_: Any
    _model: decision.Model

    def __init__(
        self,
        *,
        penalty: Any = 1,
        kernel: Any = "linear",
        costs: Any = None,
        solver: str = "auto",
        tol: Any = None,
        max_iter: Optional[int] = None,
        arithmetic: str = "float",
    ) -> None:
        self.penalty = penalty
        self.kernel = kernel
        self.costs = costs
        self.solver = solver
        self.tol = tol
        self.max_iter = max_iter
        self.arithmetic = arithmetic

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> LeeLinWahbaSVC:
        """Train on rows X with labels y of two classes or more; weights ≥ 0 multiply losses, their sum stands for n."""
        F = self.field()
        settings = self._settings(F)
        own = given(F, self.kernel, X)
        self._named, machine = self._asked(own, y, sample_weight)
        self.classes_ = self._named
        found = lee_lin_wahba_train.train(F, machine, **settings)
        self._keep(own, machine, found)
        return self

    def gacv(self, X: Any, y: Any, *, approximate: bool = False, executor: Optional[Executor] = None) -> Number:
        """Return generalised approximate cross-validation of this machine on rows X  [MC-GACV] [MMST-11.111].

        The mean loss and its correction: exact, by leaving each support vector out, or Lee, Lin and Wahba's
        approximation, by one training (RC-30). The machine itself is not fitted.
        """
        F = self.field()
        settings = self._settings(F)
        _, machine = self._asked(given(F, self.kernel, X), y, None)
        method = "approximate" if approximate else "exact"
        scores = gacv.steps(F, machine, [machine.penalty], method=method, executor=executor, settings=settings)
        return next(scores).total

    def _settings(self, F: Field) -> dict[str, Any]:
        """Return how the machine is to be trained.  Raises InvalidInput."""
        self.one_of("solver", *lee_lin_wahba_train.SOLVERS)
        self.integer("max_iter", 1, or_none=True)
        tol = None if self.tol is None else float(self.number(F, "tol", above=0))
        return {"solver": self.solver, "tol": tol, "max_iter": self.max_iter}

    def claim(self, X: Any, y: Any, reported: Reported, sample_weight: Any = None) -> bool:
        """Take the multipliers and intercepts that somebody reports for one's own; nothing is solved.

        Return False, and take nothing, where no multipliers are reported, or for classes in another order.
        Raises    InvalidInput where their form does not fit the data
        """
        F = self.field()
        own = given(F, self.kernel, X)
        self._named, machine = self._asked(own, y, sample_weight)
        self.classes_ = self._named
        K = len(self.classes_)
        if "alpha" not in reported or reported.values.get("classes", self.classes_) != self.classes_:
            return False
        alpha = tuple([Vector.of(map(F.lift, column)) for column in zip(*reported.rows("alpha", len(own), K))])
        beta0 = Vector.of(map(F.lift, reported.numbers("intercept", K))) if "intercept" in reported else None
        self._keep(own, machine, trained_machine.taken(machine, alpha, beta0))
        self._deliver(reported, machine.n, K)
        return True

    def _deliver(self, reported: Reported, n: int, K: int) -> None:
        """Take the coefficients that somebody reports for those of the functions, with what follows from these."""
        F, own, model, found = self.field(), self._given, self._model, self._trained
        exact, planes, beta = certificate.rationally(replace(self._machine, K=own.exactly())), None, None
        alpha = tuple([Vector.of(map(rational, row)) for row in found.alpha])
        if model.weights is not None and "coef" in reported:
            planes = [Vector.of(map(F.lift, row)) for row in reported.rows("coef", K, len(model.weights[0]))]
            self._model = replace(model, weights=tuple(planes))
        elif model.weights is None and "coefficients" in reported:
            beta = [Vector.of(map(F.lift, column)) for column in zip(*reported.rows("coefficients", n, K))]
            self._model = replace(model, points=own.points, beta=tuple(beta))
            if not certificate.misstated(exact, alpha, beta, BINARY64.eps):  # both are the same numbers, rounded
                self.coefficients_ = [list(row) for row in zip(*beta)]
        if planes or beta:
            proof = certificate.certify(exact, alpha, found.beta0, planes=planes, beta=beta)
            self.objective_ = F.lift(proof.primal)
            same = stated.combinations(BINARY64, proof, "coef_", planes or (), model.points, model.beta) is proof
            if planes and same:
                self.coef_ = [list(row) for row in planes]
            ends = problem.intercept_ends(exact, alpha, certificate.values(exact, planes, beta or ()))
            known = [trained_machine.interval(rational(b), *pair) for b, *pair in zip(found.beta0, *ends)]
            self.intercept_interval_ = [[None if v is None else F.lift(v) for v in pair] for pair in known]

    def _keep(self, given: Given, machine: Machine, found: Any) -> None:
        self._machine, self._trained, self._given = machine, found, given
        self._model = decision.model(given.F, given.G, given.kernel, given.points, machine, found)
        self._describe()

    def _asked(self, given: Given, y: Any, sample_weight: Any) -> tuple[list[Any], Machine]:
        F, kernel = given.F, given.kernel
        names, numbers = data.labels(y, len(given))
        if len(names) < 2:
            raise InvalidInput("data", need="at least 2 classes", got=f"{len(names)}: {quoted(list(names))}")
        own = self._weighed(F, names, numbers, sample_weight)
        exact = None if F.exact else self._weighed(RATIONAL, names, numbers, sample_weight)
        rounded = not kernel.exact
        return list(names), replace(own, K=given.rows, given=exact, positive=kernel.positive, rounded=rounded)

    def _weighed(self, F: Field, names: Sequence[Any], numbers: tuple[int, ...], sample_weight: Any) -> Machine:
        """Return the machine with its costs and its penalty, but without a kernel."""
        rows, lam = self._cost_rows(F, list(names)), self.number(F, "penalty", above=0)
        costs, total = tuple([rows[k] for k in numbers]), None
        if sample_weight is not None:
            weights = data.weight_vector(F, sample_weight, len(numbers))
            missing = [c for k, c in enumerate(names) if not any(w for w, g in zip(weights, numbers) if g == k)]
            if missing:
                raise InvalidInput("data", need="a positive weight in every class", got="none", label=missing[0])
            costs, total = tuple([w * row for w, row in zip(weights, costs)]), weights.sum()
            if F.kind is float and not (total * total * lam and isfinite(sum(map(sum, costs)))):
                need = "weights whose total, and its square times the penalty, doubles hold"
                raise NotExact(self.method, need=need, got=f"a total of {total:.3g}")
        over = [c / ((total or len(numbers)) * lam) for row in costs for c in row if c]
        if F.kind is float and not all(v * v > 0 and isfinite(v * v) for v in over):
            got = f"{min(over):.3g} to {max(over):.3g}"
            raise NotExact(self.method, need="costs over n and the penalty, whose squares doubles hold", got=got)
        return Machine(None, numbers, costs, lam, total)

    def _cost_rows(self, F: Field, names: list[Any]) -> tuple[Vector, ...]:
        m = len(names)
        if self.costs is None:
            return tuple([simplex.equal_costs(k, m, F.kind) for k in range(m)])
        given = self.costs
        if isinstance(given, Mapping):
            if set(given) != set(names):
                raise InvalidInput(self.method, need=f"a row of costs for each of {names}", got=list(given))
            given = [given[name] for name in names]
        if isinstance(given, (str, bytes)) or not isinstance(given, Iterable) or len(rows := list(given)) != m:
            raise InvalidInput(self.method, need=f"{m} rows of costs, one for each class", got=quoted(given))
        return simplex.cost_rows(
            [data.vector(F, text.read_within(row), m, name=f"costs[{k}]") for k, row in enumerate(rows)], self.method
        )

    def _describe(self) -> None:
        for name in ("certificate_", "coef_"):
            self.__dict__.pop(name, None)
        found, self.classes_ = self._trained, self._named
        self.alpha_ = [list(row) for row in zip(*found.alpha)]
        self.coefficients_ = [list(row) for row in zip(*found.beta)]
        self.intercept_ = list(found.beta0)
        self.intercept_interval_ = [list(pair) for pair in found.intervals]
        self.support_ = problem.support(found.beta)
        self.objective_, self.dual_objective_ = found.objective, found.dual_objective
        self.n_iter_ = found.steps
        if self._model.weights is not None:
            self.coef_ = [list(w) for w in self._model.weights]

    @cached_property
    def certificate_(self) -> Certificate:
        """The proof, exact, from the data as given: primal, dual, gap, worst violation and where."""
        return self.proven(self.field().eps)

    def proven(self, eps: Any) -> Certificate:
        """Return the proof; eps is the spacing of the numbers that the answer was computed in."""
        self.is_fitted()
        machine, found = replace(self._machine, K=self._given.exactly()), self._trained
        proof = certificate.certify(machine, found.alpha, found.beta0, planes=self._model.weights, beta=found.beta)
        return self.covering(self._stated(replace(proof, ceiling=found.ceiling)))

    def conditions(self) -> Optimality:
        """Return what the optimality conditions say of the fit, in fractions from the data as given  [MMST-11.96]."""
        self.is_fitted()
        found, machine = self._trained, certificate.rationally(replace(self._machine, K=self._given.exactly()))
        alpha = tuple([Vector.of(map(rational, own)) for own in found.alpha])
        return optimality(machine, alpha, Vector.of(map(rational, found.beta0)))

    def _stated(self, found: Certificate) -> Certificate:
        """Return the certificate, with fewer digits where what was computed from the multipliers has fewer."""
        model, trained = self._model, self._trained
        found = stated.objectives(model.F, found, trained.objective, trained.dual_objective)
        failure = certificate.misstated(self._machine, trained.alpha, trained.beta, model.F.eps)
        if failure:
            return refused(found, failure)
        if model.weights is None:
            return found
        return stated.combinations(model.F, found, "coef_", model.weights, model.points, model.beta)

    def decision_function(self, X: Any) -> list[list[Number]]:
        """Return f_k(x) for each row of X, a number for each class; they sum to zero."""
        self.is_fitted()
        model = self._model
        Z = model.kernel.points(model.G, X, data.matrix, training=model.points)
        return [list(row) for row in model.scores(Z)]

    def predict(self, X: Any) -> list[Any]:
        """Return a label for each row of X, that of the largest f_k; a tie is given to the first  [MMST-11.108]."""
        return [self.classes_[simplex.decoded(f)] for f in self.decision_function(X)]
