"""The support vector classifier."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from copy import copy
from dataclasses import replace
from functools import cached_property
from typing import Any, Optional, Union

from refclass.certificate import Certificate
from refclass.estimators.margins.strategies.binary_machine import BinaryMachine, Held, costs_of_points
from refclass.estimators.margins.strategies.machine_methods import MachineMethods
from refclass.estimators.margins.strategies.several_machines import RULES, SeveralMachines, rule, shaped
from refclass.estimators.protocol.estimator import Classifier, Estimator, Steps, clone
from refclass.estimators.protocol.given import kernel_input as points
from refclass.estimators.protocol.given.kernel_input import Given, is_infinite, signs
from refclass.estimators.protocol.multiclass import Several
from refclass.estimators.protocol.two_class_tasks import Task
from refclass.iteration import ending
from refclass.linear.vector import Vector
from refclass.margins.svm import certificate
from refclass.margins.svm import fit as train
from refclass.margins.svm.soft import Machine
from refclass.number.field import Field, rational
from refclass.number.rational import RATIONAL
from refclass.regress.kernel import fitted_machine
from refclass.sample import data

Labels = tuple[tuple[Any, ...], tuple[int, ...]]  # the classes, and the number of each row's


class SVC(MachineMethods, Classifier, Estimator):
    """The support vector machine  [ESL-12.8] [ISML-27.2] [MMST-11.34] [KIM-3.33].

        minimise ½‖f‖² + Σ Cᵢ ξᵢ                  loss="hinge"
        minimise ½‖f‖² + Σ Cᵢ ξᵢ²                 loss="squared_hinge"
        subject to yᵢ (f(xᵢ) + b) ≥ 1 − ξᵢ, ξᵢ ≥ 0,    f(x) = Σ αᵢ yᵢ K(xᵢ, x)

    y is +1 for classes_[1] and −1 for classes_[0]; Cᵢ = C · class weight · sample weight.

    More than two classes are separated by several such machines, each with the costs Cᵢ of its rows:

        multiclass="ovo"    one for each pair of classes, which vote  [MMST-11.4.1-one] [KIM-5-pairs]
        multiclass="ovr"    one for each class against the rest, the largest value wins  [MMST-11.4.1-rest]

    The pairs stand in the order (0, 1), (0, 2), …, (1, 2), … of classes_, positive values meaning the later class;
    the others in the order of classes_, positive values meaning the class.

    Parameters
    ----------
    C : number > 0, or inf, default 1
        The cost of slack, in units of the objective; inf for no slack, the hard margin.
    kernel : str, dict or Kernel, default "linear"
        The kernel: "linear", {"name": "gaussian", "gamma": 1}, … or a kernel object. gamma may be "scale", which is
        1/(p · var X).
    loss : "hinge" or "squared_hinge", default "hinge"
        How slack is charged.
    intercept : bool, default True
        Whether there is a b.
    class_weight : None, "balanced" or dict, default None
        What multiplies C: nothing; n/(K nₖ); or a weight ≥ 0 for each label.
    solver : str, default "auto"
        "auto", "active_set", "long_step" (linear kernel, hinge), "working_set", "smo", "chunking", "decomposition",
        "gradient_ascent" or "primal_active_set". "auto" is long_step, Newton's method for squared slack with a
        linear kernel and C < inf, or working_set.
    tol : number > 0, or None, default None
        The largest violation of an optimality condition, in units of margin, at which a solver stops that ends near
        the optimum.
    max_iter : int ≥ 1, or None, default None
        The most steps that the solver may take; in exact arithmetic and in decimals of the float iteration that the
        exact optimum is then computed from, or of the two active-set methods.
    multiclass : "ovo" or "ovr", default "ovo"
        For more than two classes: pairs, or each class against the rest.
    decision_function_shape : "ovr" or "ovo", default "ovr"
        For multiclass="ovo": "ovr", decision values of classes, votes and a part below one half that orders equal
        votes, so that the first of the largest is what `predict` says; "ovo", of the pairs.
    arithmetic : "float", "exact" or "decimal:n", default "float"
        The numbers that are computed with: binary64, fractions, or decimals of n digits. A kernel that is not
        rational is taken, in exact arithmetic, at the binary64 value of each entry of its Gram matrix.

    Attributes
    ----------
    classes_ : list of K labels
        The classes, sorted where they can be compared, else in order of appearance.
    alpha_ : n numbers ≥ 0, or a list for each machine
        The multipliers, unsigned, 0 for a row without part in a machine.
    support_ : list of int
        The rows of X that support a machine.
    dual_coef_ : machines × supports numbers
        yᵢαᵢ on support_.
    intercept_ : list of numbers
        b, one for each machine.
    intercept_interval_ : pair of numbers, or a list of pairs
        The least and the largest optimal intercept.
    coef_ : machines × p numbers
        The normal of the hyperplane, for a linear kernel.
    objective_ : number, or a list
        The primal objective.
    dual_objective_ : number, or a list
        The dual objective; equal to objective_ at the optimum.
    margin_ : number > 0, or a list
        1/‖f‖, the half-width of the margin in the units of the feature space.
    n_iter_ : int, or a list
        How many iterations were made.
    estimators_ : list of SVC
        For more than two classes, the fitted two-class machines.
    rows_ : lists of int
        For more than two classes, the rows of X that each machine was fitted to.
    certificate_ : Certificate
        The proof, computed in exact arithmetic from the data as given when it is first asked for; of several
        machines that of the sum of their problems.

    Raises
    ------
    InvalidInput
        For bad data or parameters.
    NoAnswer
        If C = inf and the classes cannot be separated, with a point shared by their convex hulls as witness.
    NotConverged
        With the best state, after max_iter steps, and where roundoff hides the optimum: by default, where fewer than
        nine digits are proven and the optimum, rounded, has a digit more; of a solver, tolerance or limit that is asked
        for, whose end is the answer, where it is less than one.
    NotExact
        Where it is beyond the range of doubles.

    See Also
    --------
    SVMPath : the machines of all C
    KernelClassifier : other losses
    CrammerSingerSVC, LeeLinWahbaSVC : all classes in one problem

    References
    ----------
    - C. Cortes and V. Vapnik (1995). Support-vector networks. Machine Learning 20, 273-297.
    - T. Hastie, R. Tibshirani and J. Friedman (2009). The Elements of Statistical Learning, second edition, sections
      12.2 and 12.3.
    - A. J. Izenman (2008). Modern Multivariate Statistical Techniques, chapter 11.
    - M. Sugiyama (2016). Introduction to Statistical Machine Learning, chapter 27.
    - M. Kim (2010). Statistical Classification, chapter 3.

    Examples
    --------
    >>> machine = SVC(C=1, arithmetic="exact").fit([[0], [1], [3], [4]], list("aabb"))
    >>> [str(v) for v in (*machine.coef_[0], *machine.intercept_)], machine.certificate_.gap, machine.predict([[1.9]])
    (['1', '-2'], Fraction(0, 1), ['a'])
    """

    method = "svc"
    equations = (
        "ESL-12.8",
        "ESL-12.10",
        "ESL-12.13",
        "ESL-12.18",
        "ISML-27.3",
        "MMST-11.48",
        "KIM-3.46",
        "MMST-11.4.1-one",
        "MMST-11.4.1-rest",
        "KIM-5-pairs",
        "KIM-5-rest",
    )
    fitted = (
        "classes_",
        "alpha_",
        "intercept_",
        "intercept_interval_",
        "support_",
        "dual_coef_",
        "coef_",
        "objective_",
        "dual_objective_",
        "margin_",
    )
    alpha_: list[Any]
    intercept_: list[Any]
    intercept_interval_: Any
    support_: list[int]
    dual_coef_: list[list[Any]]
    coef_: list[list[Any]]
    objective_: Any
    dual_objective_: Any
    n_iter_: Any
    rows_: list[list[int]]
    _model: Union[train.Model, Several]
    _held: Optional[Held]

    def __init__(
        self,
        *,
        C: Any = 1,
        kernel: Any = "linear",
        loss: str = "hinge",
        intercept: bool = True,
        class_weight: Any = None,
        solver: str = "auto",
        tol: Any = None,
        max_iter: Optional[int] = None,
        multiclass: str = "ovo",
        decision_function_shape: str = "ovr",
        arithmetic: str = "float",
    ) -> None:
        self.C = C
        self.kernel = kernel
        self.loss = loss
        self.intercept = intercept
        self.class_weight = class_weight
        self.solver = solver
        self.tol = tol
        self.max_iter = max_iter
        self.multiclass = multiclass
        self.decision_function_shape = decision_function_shape
        self.arithmetic = arithmetic

    def fit(self, X: Any, y: Any, sample_weight: Any = None, *, executor: Optional[Executor] = None) -> SVC:
        """Train on rows X with labels y, and optional weights ≥ 0 that multiply C.

        executor    for more than two classes: any `concurrent.futures.Executor`, to which the machines are given
        """
        y = data.sequence(y)
        given, labels = self._read(X, y)
        if len(labels[0]) <= 2:
            return self._fit_two(given, labels, sample_weight)
        return ending(self._several_steps(given, y, labels, sample_weight, executor))

    def fit_steps(
        self, X: Any, y: Any, sample_weight: Any = None, *, executor: Optional[Executor] = None
    ) -> Steps[SVC]:
        """Train as `fit` does, and yield on the way how many machines are trained, of how many, and the last one."""
        y = data.sequence(y)
        given, labels = self._read(X, y)
        if len(labels[0]) <= 2:
            return self._fit_two(given, labels, sample_weight)
        return (yield from self._several_steps(given, y, labels, sample_weight, executor))

    def _read(self, X: Any, y: Any) -> tuple[Given, Labels]:
        """Return what X stands for, and the classes with the class number of each row."""
        given = self.given(X)
        self.one_of("multiclass", *RULES)
        return given, data.labels(y, len(given))

    def _several_steps(
        self, given: Given, y: Any, labels: Labels, sample_weight: Any, executor: Optional[Executor]
    ) -> Steps[SVC]:
        weights = self._weights(given.F, *labels, sample_weight)
        return self._keep((yield from self._rule_of(given).fit_given_steps(given, y, weights, executor=executor)))

    def assemble(self, tasks: Sequence[Task], trained: Sequence[Any], y: Any) -> SVC:
        """Take trained machines, one for each task of more than two classes, for one's own; return the estimator."""
        return self._keep(self._rule(self).assemble(tasks, trained, y))

    def _keep(self, fitted: Several) -> SVC:
        self._model, self._held, self._named = fitted, None, list(fitted.classes_)
        return self._describe()

    def _rule_of(self, given: Given) -> Any:
        """Return the way to separate many classes by machines of this kind, whose costs are weights of rows."""
        machine = clone(self).set_params(class_weight=None)
        if isinstance(self.kernel, Mapping) and self.kernel.get("gamma") == "scale":
            machine.kernel = given.kernel  # that of all rows, not of those of two classes
        return self._rule(machine)

    def _rule(self, machine: SVC) -> Any:
        return rule(machine, self.one_of("multiclass", *RULES), self.one_of("decision_function_shape", "ovr", "ovo"))

    def given(self, X: Any) -> Given:
        """Return the points that X stands for, with their kernel and its Gram matrix."""
        return points.given(self.field(), self.kernel, X)

    def fit_given(self, given: Given, y: Any, sample_weight: Any = None) -> SVC:
        """Train on points with labels y of two classes."""
        return self._fit_two(given, data.labels(y, len(given)), sample_weight)

    def _fit_two(self, given: Given, labels: Labels, sample_weight: Any) -> SVC:
        tol = None if self.tol is None else self.number(given.F, "tol", above=0)
        most = self.integer("max_iter", 1, or_none=True)
        machine = self._asked(given, labels, sample_weight)
        trained = train.train(given.F, machine, solver=self.solver, tol=tol, max_iter=most)
        return self.hold(given, labels[0], machine, trained)

    def take(self, given: Given, y: Any, alpha: Vector, beta0: Any, sample_weight: Any = None, beta: Any = None) -> SVC:
        """Take the multipliers and the intercept of somebody's machine for one's own; nothing is solved.

        alpha    n multipliers ≥ 0, as exact numbers
        beta     the coefficients that a linear function is delivered by, where they are not those of the multipliers
        """
        F, labels = given.F, data.labels(y, len(given))
        machine = self._asked(given, labels, sample_weight)
        signed, normal = Vector.of(map(F.lift, alpha)).times(machine.y), beta and Vector.of(map(F.lift, beta))
        trained = fitted_machine.of_multipliers(machine.dual(), signed, F.lift(beta0), beta=normal)
        return self.hold(given, labels[0], machine, trained)

    def hold(self, given: Given, classes: Sequence[Any], machine: Machine, trained: fitted_machine.Fitted) -> SVC:
        """Take a trained machine of two classes for one's own; return the estimator."""
        primal, dual = (given.F.delivered("train", v) for v in (trained.objective, trained.dual_objective))
        trained = replace(trained, objectives=(primal, dual))
        self._held, self._named = Held(trained, machine, given), list(classes)
        self._model = self._held.proven(self.method)
        return self._describe()

    def solved(self) -> list[fitted_machine.Solved]:
        """Return the machine that was solved, or those of several, with their multipliers, in fractions."""
        self.is_fitted()
        if isinstance(self._model, Several):
            return self._model.solved()
        assert self._held is not None
        trained, exact = self._held.trained, certificate.lifted(self._held.exactly()).dual()
        a, beta0 = Vector.of(map(rational, trained.a)), rational(trained.beta0)
        return [fitted_machine.Solved(exact, a, beta0, list(range(len(a))))]

    def machine(self, given: Given, y: Any, sample_weight: Any = None) -> tuple[Machine, list[Any]]:
        """Return the machine to be trained, its data exact, and the two labels in class order: nothing is solved."""
        labels = data.labels(y, len(given))
        machine = self._asked(given, labels, sample_weight)
        return replace(machine, K=given.exactly()), list(labels[0])

    def tasks(self, given: Given, y: Any, sample_weight: Any = None) -> list[Task]:
        """Return the two-class machines that more than two classes require, in order: nothing is solved."""
        names, numbers = data.labels(y, len(given))
        weights = self._weights(given.F, names, numbers, sample_weight)
        found: list[Task] = self._rule_of(given).tasks(given, y, weights)
        return found

    def _asked(self, given: Given, labels: Labels, sample_weight: Any) -> Machine:
        F, kernel = given.F, given.kernel
        y = signs(F, *labels)
        C = None if is_infinite(self.C) else self.number(F, "C", above=0)
        costs = costs_of_points(self.method, C, self._weights(F, *labels, sample_weight), y, labels[0])
        squared = self.one_of("loss", "hinge", "squared_hinge") == "squared_hinge"
        intercept = bool(self.one_of("intercept", True, False))
        own = Machine(given.rows, y, costs, squared, intercept, kernel.positive, not kernel.exact)
        return own if F.exact else replace(own, given=self._given_costs(labels, y, C, sample_weight))

    def _given_costs(self, labels: Labels, y: Vector, C: Any, sample_weight: Any) -> Any:
        """Return the costs in fractions where the arithmetic has to round them, else None."""
        exact = None if C is None else self.number(RATIONAL, "C", above=0)
        if sample_weight is None and self.class_weight is None and (exact is None or exact == rational(C)):
            return None
        classes, numbers = labels
        weights = data.weight_vector(self.field(), sample_weight, len(y)).exactly()
        by_class = points.class_weights(RATIONAL, self.method, self.class_weight, classes, numbers)
        total = Vector.of([w * by_class[g] for w, g in zip(weights, numbers)])
        return costs_of_points(self.method, exact, total, y, classes)

    def _weights(self, F: Field, classes: Sequence[Any], numbers: Sequence[int], sample_weight: Any) -> Vector:
        """Return what multiplies C at each row: its weight times that of its class."""
        weights = data.weight_vector(F, sample_weight, len(numbers))
        by_class = points.class_weights(F, self.method, self.class_weight, classes, numbers)
        if self.class_weight is None:
            return Vector.of(weights)
        return Vector.of([w * by_class[g] for w, g in zip(weights, numbers)])

    def _describe(self) -> SVC:
        """Set the fitted attributes anew; return the estimator."""
        for name in ("certificate_", "margin_", "coef_", "rows_"):
            self.__dict__.pop(name, None)
        self.classes_ = self._named
        self.__dict__.update(self._machines.attributes())
        return self

    @property
    def _machines(self) -> Union[BinaryMachine, SeveralMachines]:
        """The one machine of two classes, or the several of more."""
        self.is_fitted()
        if isinstance(self._model, Several):
            shape = self.one_of("decision_function_shape", "ovr", "ovo")
            return SeveralMachines(self.method, shaped(self._model, shape))
        return BinaryMachine(self.method, self.classes_, self._model, vars(self).get("_held"))

    @property
    def _trained(self) -> fitted_machine.Fitted:
        """The multipliers of the machine of two classes, and what follows from them."""
        assert self._held is not None
        return self._held.trained

    @cached_property
    def margin_(self) -> Any:
        """The half-width of the band in feature space, 1/‖f‖  [ESL-12.4], or those of several machines.

        Raises    NotExact where one is irrational, or imaginary: ‖f‖² < 0 happens to what is no kernel; NoMargin where
                  f is constant, the margin without end
        """
        return self._machines.margin(self.field())

    @cached_property
    def certificate_(self) -> Certificate:
        """The proof, exact, from the data as given: primal, dual, gap, worst violation and where.

        Several machines are proven as one problem, the sum of theirs; each has its own proof, too.
        """
        return self.covering(self._machines.certificate(vars(self).get("margin_")))

    def restated(self) -> SVC:
        """Return a copy whose fitted attributes are set anew from the machine, or the machines, that were proven."""
        again = copy(self)
        again._describe()
        if "margin_" in vars(self):
            again.__dict__["margin_"] = again.margin_
        return again
