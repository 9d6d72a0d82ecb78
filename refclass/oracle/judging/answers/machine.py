"""A two-class support vector machine's answer: multipliers or a hyperplane, proven in fractions; nothing is refitted.

A hyperplane alone is measured against the exact optimum, which is solved for and proven.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple, Optional

from refclass.certificate import Certificate, digits, relative_digits, status
from refclass.errors import InvalidInput, NoAnswer, NotExact, Refusal, quoted
from refclass.estimators.margins import svc
from refclass.estimators.protocol.estimator import clone
from refclass.estimators.protocol.given.kernel_input import Given
from refclass.estimators.protocol.two_class_tasks import Task
from refclass.kernels.matrices import gram
from refclass.kernels.matrices.product import exact_product, linear_points
from refclass.kernels.precomputed import Precomputed
from refclass.linear.common_denominator import Scaled
from refclass.linear.vector import Vector
from refclass.margins.svm import certificate as proof
from refclass.margins.svm.soft import Machine, intercept_interval, primal_objective
from refclass.number.field import rational
from refclass.number.text import approximate
from refclass.oracle import alignment
from refclass.oracle.judging import consistency
from refclass.oracle.judging.answers import intercepts
from refclass.oracle.judging.comparison import scales
from refclass.oracle.judging.comparison.attributes import Reference
from refclass.oracle.judging.verdict import Violation
from refclass.oracle.leaves import finite
from refclass.oracle.problem import Problem
from refclass.regress.kernel import fitted_machine
from refclass.sample import data

STORED = 15 * 10**5  # numbers of the Gram matrix that are kept
MEASURED = "measured against the exact optimum, solved for and proved by this package; the rest follows from the answer"
PROVEN = ("alpha", "dual_coef", "support", "intercept")


class Judged(NamedTuple):
    """The proof of one machine, what its multipliers violate, and these with the intercept where they are reported.

    best    of a hyperplane the multipliers and the intercept of the optimum that it was measured against
    beta    the coefficients that are reported beside multipliers, and hold as many of its digits but one, if any
    """

    certificate: Certificate
    violation: Optional[Violation] = None
    alpha: Optional[Vector] = None
    beta0: Any = None
    best: Optional[Mapping[str, Any]] = None
    beta: Optional[Vector] = None


def number_of_multipliers(problem: Problem) -> int:
    """Return how many multipliers the dual of a machine has: one for each point, and class of a joint machine."""
    joint = problem.method in alignment.JOINT
    return len(problem.x) * (len(data.labels(problem.y)[0]) if joint else 1)


def arithmetic(problem: Problem) -> str:
    """Return the arithmetic that a problem is judged in: fractions, or decimals where the problem requires them."""
    return problem.arithmetic if problem.arithmetic.startswith("decimal") else "exact"


def judge(estimator: svc.SVC, given: Given, y: Any, weights: Any, fitted: Mapping[str, Any], asked: float) -> Judged:
    """Return the proof of a machine that is reported.

    fitted    alpha, or dual_coef with support, and intercept; or coef and intercept of a linear kernel

    Raises    InvalidInput if these are missing or of another form
    """
    machine, _ = estimator.machine(given, y, weights)
    reported = any(name in fitted for name in ("alpha", "dual_coef", "coef"))
    if not reported:
        need = "alpha and intercept, dual_coef with support and intercept, or coef and intercept"
        raise InvalidInput("verify", need=need, got=", ".join(fitted) or "none of them")
    beta0 = number("intercept", fitted.get("intercept", [0] if not machine.intercept else None))
    if "alpha" in fitted or "dual_coef" in fitted:
        alpha = multipliers(machine, fitted)
        return Judged(proof.certify(machine, alpha, beta0, asked=asked), violation(machine, alpha), alpha, beta0)
    w = Vector(numbers("coef", fitted["coef"]))
    found, best = hyperplane(estimator, given, y, weights, machine, w, beta0, asked)
    return Judged(found, best=best)


def wrong_end(
    estimator: svc.SVC, problem: Problem, fitted: Mapping[str, Any], asked: float, judged: Judged
) -> Optional[str]:
    """Return which end of the intercepts that are reported is no optimal intercept, in words  [KIM-3.49].

    Every intercept between the ends must be as good as the one that was proven: to the digits asked, or one fewer than
    that one has. Ends that are equal to it are proven with it.
    """
    ends, held = fitted.get("intercept_interval"), judged.certificate.digits or 0
    for i, end in enumerate(ends if isinstance(ends, list) else ()):
        if finite(end) and rational(end) != rational(judged.beta0):
            reported = {**fitted, "intercept": end}
            given = given_exactly(estimator, problem.x)
            proven = judge(estimator, given, problem.y, problem.weights, reported, asked).certificate.digits or 0
            if proven < min(asked, held - 1):
                words = approximate(rational(end))
                return f"intercept_interval[{i}]: with the intercept {words:.10g} f is optimal to {proven:.1f} digits"
    return None


def ends(
    found: dict[str, Any],
    estimator: svc.SVC,
    problem: Problem,
    reported: Mapping[str, Any],
    asked: float,
    judged: Judged,
) -> tuple[dict[str, Any], list[str]]:
    """Return the verdict with that on the ends of the intercepts, too far out or too far in, and what is settled by it.

    Numbers that claim to be exact are compared with the exact ends elsewhere.
    """
    fitted, proven = reported["fitted"], judged.certificate
    if "intercept_interval" not in fitted or judged.alpha is None:
        return found, []
    words = wrong_end(estimator, problem, fitted, asked, judged)
    if words or proven.gap is None or consistency.own(reported) == "exact":
        return intercepts.told(found, intercepts.Ends(words) if words else None)
    own, _ = estimator.machine(given_exactly(estimator, problem.x), problem.y, problem.weights)
    whole = proof.lifted(own).dual()
    signed = Vector.of([rational(v) * rational(t) for v, t in zip(judged.alpha, own.y)])
    solved = fitted_machine.Solved(whole, signed, rational(judged.beta0), [])
    return intercepts.told(found, intercepts.judged(solved, proven.gap, fitted["intercept_interval"], asked))


def claimed_ends(
    found: dict[str, Any],
    problem: Problem,
    reference: Reference,
    certificate: Certificate,
    reported: dict[str, Any],
    asked: float,
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the same verdict of an estimator that has taken what is reported, and what is left of that to judge."""
    fitted, name = reported["fitted"], "intercept_interval"
    if not found["accepted"] or name not in fitted or consistency.own(reported) == "exact":
        return found, reported
    size = scales.data(problem, type(problem.estimator()).takes_labels).size
    try:
        # Premise: the values of an irrational kernel in doubles stand for it in fractions.
        open_ends, _ = reference.read(lambda e: intercepts.of_estimator(e, certificate.gap, fitted[name], asked, size))
    except NotExact:
        return found, reported
    found, settled = intercepts.told(found, open_ends)
    return found, {**reported, "fitted": {n: v for n, v in fitted.items() if n not in settled}}


def take(estimator: svc.SVC, name: str, problem: Problem, reported: Judged) -> Any:
    """Return what follows from the multipliers and the intercept in an arithmetic."""
    if name == "exact":
        given = given_exactly(clone(estimator).set_params(arithmetic=name), problem.x)
        machine, classes = clone(estimator).set_params(arithmetic=name).machine(given, problem.y, problem.weights)
        return Taken(given, machine, classes, reported)
    assert reported.alpha is not None
    taker: svc.SVC = clone(estimator).set_params(arithmetic=name)
    return taker.take(taker.given(problem.x), problem.y, reported.alpha, reported.beta0, problem.weights)


def given_exactly(estimator: svc.SVC, X: Any) -> Given:
    """Return the points in fractions; of a kernel that is not rational the rows of doubles, a number of them stored."""
    given = estimator.given(X)
    if not given.F.exact or given.kernel.exact:
        return given
    return replace(given, known=gram.Rows(given.G, given.kernel, given.points, limit=STORED))


class Taken:
    """What follows from multipliers and an intercept, in fractions, with the attributes of `SVC`  [ESL-12.20].

    The values of a kernel that is not rational are those of its doubles, with the training points and the queries.
    """

    def __init__(self, given: Given, machine: Machine, classes: list[Any], reported: Judged) -> None:
        assert reported.alpha is not None
        self._given, self._machine, self.classes_ = given, machine, classes
        y, a = list(map(rational, machine.y)), list(map(rational, reported.alpha))
        self._signed = [v * t for v, t in zip(a, y)]
        self._values = exact_product(machine.K, self._signed)
        square = Scaled.of(self._signed) @ Scaled.of(self._values)
        self._lifted = proof.lifted(machine)
        self.alpha_, self.intercept_ = a, [reported.beta0]
        self.support_ = [i for i, v in enumerate(a) if v > 0]
        self.dual_coef_ = [[self._signed[i] for i in self.support_]]
        parts, ends = tuple([(v,) for v in self._signed]), (reported.beta0, reported.beta0)
        self._trained = fitted_machine.Fitted(
            Vector.of(self._signed), parts, self._values, reported.beta0, ends, square, 0
        )
        self._trained = fitted_machine.valued(self._lifted.dual(), self._trained)
        self.objective_, self.dual_objective_ = self._trained.objective, self._trained.dual_objective
        proven = reported.certificate
        self.kept_ = proven and proven.primal  # of the multiple of f that keeps hard margins
        self.bound_ = proven and proven.dual  # of the nearest multipliers that are feasible

    def solved(self) -> list[fitted_machine.Solved]:
        """Return the machine with its multipliers, in fractions."""
        signed, places = Vector.of(self._signed), list(range(len(self.alpha_)))
        return [fitted_machine.Solved(self._lifted.dual(), signed, rational(self.intercept_[0]), places)]

    @property
    def intercept_interval_(self) -> Any:
        """All optimal intercepts."""
        if not self._machine.intercept:
            return Fraction(0), Fraction(0)
        return intercept_interval(self._lifted, Vector.of(self.alpha_), self._values)

    @property
    def coef_(self) -> Any:
        """β, of a linear kernel."""
        points = linear_points(self._machine.K)
        if points is None:
            raise AttributeError("coef_")
        columns = zip(*[points[i] for i in self.support_])
        signed = self.dual_coef_[0]
        if not signed:
            return [[Fraction(0)] * len(points[0])]
        return [[sum((c * rational(v) for c, v in zip(signed, column)), Fraction(0)) for column in columns]]

    def decision_function(self, X: Any) -> list[Fraction]:
        """Return f(x) + b for each row of X."""
        kernel, G, points = self._given.kernel, self._given.G, self._given.points
        support = tuple([points[i] for i in self.support_])
        weights, out = Scaled.of(self.dual_coef_[0]), []
        for z in kernel.points(G, X, data.matrix, training=points):
            row = Scaled.of([rational(v) for v in kernel.row(G, z, support)]) if support else None
            out.append(self.intercept_[0] + (row @ weights if row is not None else 0))
        return out

    def predict(self, X: Any) -> list[Any]:
        """Return a label for each row of X; a value of zero is given to the second class."""
        return [self.classes_[1 if f >= 0 else 0] for f in self.decision_function(X)]

    def ties(self, X: Any) -> list[list[Any]]:
        """Return for each row of X the labels that the rule cannot distinguish."""
        return [[self.classes_[f > 0]] if f else list(self.classes_) for f in self.decision_function(X)]


class Plane:
    """What follows from a hyperplane that was proven: its decision values, its objective and margin  [ESL-12.2]."""

    def __init__(self, classes: list[Any], fitted: Mapping[str, Any], proven: Certificate) -> None:
        self.classes_, self._w = classes, numbers("coef", fitted["coef"])
        self._b = number("intercept", fitted.get("intercept", [0]))
        self.objective_, self.dual_objective_ = proven.primal, proven.dual
        self._trained = Valued(sum((v * v for v in self._w), Fraction(0)), proven.primal)

    def decision_function(self, X: Any) -> list[Fraction]:
        """Return w·x + b for each row of X."""
        return [sum((w * rational(v) for w, v in zip(self._w, x)), self._b) for x in X]

    def predict(self, X: Any) -> list[Any]:
        """Return a label for each row of X; a value of zero is given to the second class."""
        return [self.classes_[1 if f >= 0 else 0] for f in self.decision_function(X)]

    def ties(self, X: Any) -> list[list[Any]]:
        """Return for each row of X the labels that the rule cannot distinguish."""
        return [[self.classes_[f > 0]] if f else list(self.classes_) for f in self.decision_function(X)]


class Valued(NamedTuple):
    """‖w‖² and the objective: what the margin is judged by."""

    square: Fraction
    objective: Any


def violation(machine: Machine, alpha: Vector) -> Optional[Violation]:
    """Return what the multipliers violate most, on the scale of the constraint: the box, and Σ αᵢyᵢ = 0."""
    a, y = list(map(rational, alpha)), list(map(rational, machine.y))
    largest = max(map(abs, a))
    found: list[Violation] = []
    for i, (v, c) in enumerate(zip(a, machine.costs)):
        end = None if c is None or (machine.squared and c) else rational(c)
        beyond = max(-v, v - end if end is not None else Fraction(0))
        if beyond > 0:
            most = "inf" if end is None else f"{approximate(end):.6g}"
            where = f"point {i}: alpha {approximate(v):.17g} is outside [0, {most}]"
            found.append(Violation(where, beyond, digits(beyond, max(largest, end or Fraction(0)))))
    balance = sum((v * t for v, t in zip(a, y)), Fraction(0))
    if machine.intercept and balance:
        where = f"sum of alpha·y is {approximate(balance):.6g}, not 0"
        found.append(Violation(where, abs(balance), digits(balance, sum(map(abs, a), Fraction(0)))))
    return min(found, key=lambda v: v.digits, default=None)


def hyperplane(
    estimator: svc.SVC,
    given: Given,
    y: Any,
    weights: Any,
    machine: Machine,
    w: Vector,
    beta0: Fraction,
    asked: float,
) -> tuple[Certificate, Optional[Mapping[str, Any]]]:
    """Return the proof of (w, b), its primal beside the exact optimum's dual, and that optimum  [ESL-12.10].

    Raises    InvalidInput if the kernel is not linear or w has another length
    """
    points = linear_points(machine.K)
    if points is None:
        raise InvalidInput("proof", need="a linear kernel to judge a hyperplane", got="another")
    X = [Vector(map(rational, x)) for x in machine.K.X]
    if len(w) != len(X[0]):
        raise InvalidInput("proof", need=f"{len(X[0])} coefficients, one for each variable", got=len(w))
    try:
        best = clone(estimator).set_params(arithmetic="exact", solver="auto", tol=None, max_iter=None)
        best.fit_given(best.given(given.points), y, weights)
    except NoAnswer:
        raise
    except Refusal:
        return proof.certify_hyperplane(machine, w, beta0, asked=asked), None
    dual = proof.certify(machine, Vector.of(best.alpha_), best.intercept_[0]).dual
    margins = [rational(t) * (x @ w + beta0) for t, x in zip(machine.y, X)]
    hard = [m for m, c in zip(margins, machine.costs) if c is None]
    if hard and min(hard) < 1:
        least = min(hard)
        if least <= 0 or digits(1 - least, 1) < asked:
            i = next(i for i, (m, c) in enumerate(zip(margins, machine.costs)) if c is None and m == least)
            where = f"point {i}: y·f is {approximate(least):.6g}, and no slack is allowed"
            return Certificate("infeasible", None, dual, None, 1 - least, where, {"beta": True}), None
        # Premise: scaled up until no margin is less than one, the hyperplane is feasible.
        w, beta0 = w / least, beta0 / least
    f = Vector([x @ w + beta0 for x in X])
    costs = tuple([None if c is None else rational(c) for c in machine.costs])
    lifted = Vector(map(rational, machine.y))
    primal = primal_objective(w @ w, f, lifted, costs, machine.squared)
    gap = primal - dual
    found = relative_digits(primal, dual)
    where = f"the primal is {approximate(primal):.10g}, the proven optimum {approximate(dual):.10g}" if gap else ""
    reported = {"alpha": list(best.alpha_), "intercept": list(best.intercept_)}
    return Certificate(status(found, asked), primal, dual, gap, gap, where, {"beta": True}, digits=found), reported


def multipliers(machine: Machine, fitted: Mapping[str, Any]) -> Vector:
    """Return the multipliers of all rows.  Raises InvalidInput for another number of them, or for bad rows."""
    n = len(machine.y)
    if "alpha" in fitted:
        alpha = numbers("alpha", fitted["alpha"])
        if len(alpha) != n:
            raise InvalidInput("verify", need=f"{n} multipliers in alpha, one for each row of x", got=len(alpha))
        return Vector(alpha)
    support: Any = fitted.get("support")
    given = fitted["dual_coef"]
    signed = [] if given in ([], [[]]) else numbers("dual_coef", given)
    if not isinstance(support, list) or len(support) != len(signed) or len(set(map(str, support))) < len(support):
        raise InvalidInput("verify", need=f"support, {len(signed)} different row numbers", got=support)
    full = [Fraction(0)] * n
    for i, v in zip(support, signed):
        if type(i) is not int or not 0 <= i < n:
            raise InvalidInput("verify", need=f"row numbers from 0 to {n - 1} in support", got=i)
        full[i] = v * rational(machine.y[i])
    return Vector(full)


def numbers(name: str, values: Any) -> list[Fraction]:
    """Return a list of numbers, which may stand alone in another list.  Raises InvalidInput for anything else."""
    if isinstance(values, list) and len(values) == 1 and isinstance(values[0], list):
        values = values[0]
    if not isinstance(values, list) or not values:
        raise InvalidInput("verify", need=f"{name} as a list of numbers", got=values)
    return [_one(f"{name}[{i}]", v) for i, v in enumerate(values)]


def number(name: str, value: Any) -> Fraction:
    """Return a number, which may stand alone in a list.  Raises InvalidInput for anything else."""
    return _one(name, value[0] if isinstance(value, list) and len(value) == 1 else value)


def _one(name: str, value: Any) -> Fraction:
    if isinstance(value, list) or not finite(value):
        raise InvalidInput("verify", need=f"{name} as a finite number", got=quoted(value))
    return rational(value)


def alone(problem: Problem, **changes: Any) -> Problem:
    """Return the problem in fractions."""
    return replace(problem, arithmetic=arithmetic(problem), **changes)


def of_task(task: Task, name: str) -> Problem:
    """Return the question of one machine of several as a problem of its own, in fractions."""
    parameters = task.estimator.get_params(deep=False)
    del parameters["arithmetic"]
    rows = task.given.points
    if isinstance(task.given, Given) and isinstance(task.given.kernel, Precomputed):
        rows = [task.given.rows.row(i) for i in range(len(task.given))]
    rows = [list(row) if not isinstance(row, str) else row for row in rows]
    weights = None if task.weights is None else list(task.weights)
    return alone(Problem(task.estimator.method, rows, task.labels, parameters, name, weights))
