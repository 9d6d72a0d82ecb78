"""Logistic regression: posteriors whose log-odds are linear, by Newton's method.

Pr(k | x) = exp fₖ(x) / Σₗ exp fₗ(x),    fₖ(x) = β₀ₖ + βₖᵀx

maximise Σᵢ wᵢ log Pr(g(i) | xᵢ) − ½λ Σₖ ‖βₖ‖²
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Optional

from refclass.discriminants.decision.decide import Deciding
from refclass.discriminants.decision.exact import exact_vector
from refclass.discriminants.decision.log_posteriors import softmax
from refclass.discriminants.logistic import balanced_weights, continuation, diverging, row_space, separation
from refclass.discriminants.logistic.ascent import (
    LEFT,
    Ascent,
    Problem,
    State,
    Thetas,
    apart,
    constants_alone,
    farthest,
    information,
    is_far,
    problem,
    residual,
    stacked,
    state,
)
from refclass.errors import NoAnswer, NotConverged
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector, dot
from refclass.number.decimals import decimal
from refclass.number.field import Field, Number, rational
from refclass.optimise.smooth import newton
from refclass.sample import metric
from refclass.sample.mean import Origin, distant
from refclass.sample.metric import Metric
from refclass.sample.observations import Sample

DIGITS = 60  # of the decimals that finish what doubles refuse
ULPS = 8  # units in the last place that a coefficient may move so that its constant is nearly a double
FEW = 8  # powers of ten by which a penalty may differ from one for decimals to begin without continuation


@dataclass(frozen=True)
class Model(Deciding):
    """Linear log-odds  [YANG-logistic-regression].

    constants         K numbers β₀ₖ, which sum to zero
    coefficients      K × p, rows βₖ, which sum to zero
    log_likelihood    Σ wᵢ log Pr(g(i) | xᵢ), without the penalty
    penalty           λ
    steps             how many Newton steps were taken
    origin            a point near the data, where these lie so far from zero that points are measured from it
    middles           K numbers fₖ there
    settled           whether it was computed in decimals that hold beside one a penalty that others do not
    """

    F: Field
    constants: Vector
    coefficients: Matrix
    log_likelihood: Number
    penalty: Number
    steps: int
    origin: Optional[Origin] = None
    middles: Optional[Vector] = None
    settled: bool = False

    def scores(self, x: Vector) -> Vector:
        """Return f₁(x) … f_K(x)."""
        if self.origin is not None and self.middles is not None:
            return self.coefficients @ self.origin.away(x) + self.middles
        return self.coefficients @ x + self.constants

    def posterior(self, x: Vector) -> Vector:
        """Return Pr(k | x)."""
        return softmax(self.F, self.scores(x))

    def log_odds(self) -> tuple[Vector, Number]:
        """Return β and β₀ of the second of two classes against the first: f = f₂ − f₁  [YANG-logistic-regression]."""
        return self.coefficients[1] - self.coefficients[0], self.constants[1] - self.constants[0]


def steps(asked: Problem, start: Optional[Thetas] = None, **options: Any) -> Iterator[State]:
    """Yield the states of Newton's method with step halving, from zero or a start.

    Options are those of `optimise.smooth.newton`.

    Raises    NoAnswer with a null vector where the information is singular; NotConverged
    """
    F = asked.F
    zero = [F.kind(0)] * (len(asked.columns) * (asked.sample.K - 1))
    ascent = Ascent(asked)
    for now in newton.steps(F, ascent.optimise(), stacked(start) if start else Vector.of(zero), **options):
        yield ascent.at(now.x)


def fit(F: Field, sample: Sample, *, penalty: Number, max_iter: int = 100) -> Model:
    """Return the logistic regression.

    Without a penalty separable classes are refused, with directions that separate them; that they overlap, or do not,
    is proven in exact arithmetic from the numbers given.

    Exact     refused with NotExact: a likelihood is never rational
    Raises    NoAnswer with the separating direction, or with a null vector if columns are linearly dependent;
              NotConverged, with the gradient, after max_iter steps, or where roundoff makes the information singular
    """
    kept = counted(sample)
    asked = _problem(F, kept, penalty)
    if penalty != 0:
        return _penalised(asked, max_iter)
    proof = separation.problem(kept.X, kept.labels, kept.K)
    far = is_far(kept)
    if F.exact or (far and F.kind is not float):
        _refuse_separated(proof)
        if far:
            return _in_decimals(asked, max_iter)
    last, before, count = None, None, -1
    try:
        for now in steps(asked, max_steps=max_iter + 1):
            last, before, count = now, last, count + 1
            if _parted(asked, last):
                found = separation.complete(proof, uncentred(asked, last.thetas))
                if found is not None:
                    raise found.refusal()
            if count >= max_iter:
                break
    except NoAnswer as refusal:
        if refusal.module == "metric":
            _refuse_separated(proof, _tends(proof, asked, before, last))
        if refusal.module == "logistic":
            raise
        # Proof: columns are independent, classes not separated: there is a maximum, and what is refused is roundoff.
        need, at = "an information that is positive definite beyond roundoff", {} if last is None else _known(last)
        raise NotConverged(refusal.module, need=need, got=refusal.got, **at) from None
    assert last is not None
    if not F.exact and balanced_weights.balanced(proof, list(map(asked.ordered, last.P))) is None:
        _refuse_separated(proof, _tends(proof, asked, before, last))
    # Method: the likelihood of doubles ends to rise where a value far away has its class surely, long before the others
    # have what they pull it by. Premise: overlap is proven above.
    if far and (count >= max_iter or LEFT * residual(asked, last) > 1):
        return _in_decimals(asked, max_iter)
    if count >= max_iter:
        raise _unfinished(last, max_iter)
    return _model(asked, last, count)


def _problem(F: Field, sample: Sample, penalty: Number) -> Problem:
    return replace(problem(F, sample, penalty), first=farthest(sample))


def _penalised(asked: Problem, max_iter: int) -> Model:
    """Return the regression with a penalty: by Newton's method, and in decimals where that leaves it few digits.

    Premise: with a penalty there is a maximum, so that what is refused, as singular or not convex, is roundoff. So it
    is where the decrement, about g²/λ of the coefficients, is below that of the constants' roundoff.
    """
    F, held, far = asked.F, getattr(asked.F.kind, "precision", 0), is_far(asked.sample)
    # Method: decimals that hold the penalty beside one, or values far from others, begin by continuation.
    if not (held and far) and (_decades(F, asked.penalty) < FEW or held < DIGITS + _decades(F, asked.penalty)):
        turned, found = row_space.turned(asked), None
        if turned is not None and (near := _ascended(turned.problem, max_iter)) is not None:
            found = turned.back(near[0]), near[1]
        if found is None or LEFT * residual(asked, found[0]) > 1:
            found = _ascended(asked, max_iter, *(found or ()))
        if found is not None and LEFT * residual(asked, found[0]) <= 1:
            return _model(asked, *found)
    return _in_decimals(asked, max_iter)


def _ascended(
    asked: Problem, max_iter: int, start: Optional[State] = None, count: int = 0
) -> Optional[tuple[State, int]]:
    """Return where Newton's method ends, and after how many steps, begun earlier if so; None where doubles lose it."""
    last = None
    try:
        for now in steps(asked, constants_alone(asked) if start is None else start.thetas, max_steps=max_iter + 1):
            last, count = now, count + (last is not None)
            if count >= max_iter:
                return None
    except NoAnswer:
        return None
    assert last is not None
    return last, count


def _unfinished(last: State, max_iter: int) -> NotConverged:
    return NotConverged("logistic", need=f"convergence within {max_iter} steps", got="none", **_known(last))


def _known(at: State) -> dict[str, Number]:
    """Return what is known of the maximum at a state: the largest entry of the gradient there, and the value."""
    return {"gradient": max(block.largest() for block in at.gradient), "value": at.value}


def _in_decimals(asked: Problem, max_iter: int) -> Model:
    """Return the regression computed in decimals that hold the penalty beside one, and rounded."""
    F, sample, penalty = asked.F, asked.sample, asked.penalty
    D = _decimals(F, sample, penalty)
    exact, last, count = _problem(D, _lifted(D, sample), D.lift(penalty)), None, -1
    turned = row_space.turned(exact)
    way = exact if turned is None else turned.problem
    if is_far(sample):
        states = steps(way, constants_alone(way), max_steps=max_iter + 1, lengthened=True)
    else:
        states = continuation.steps(way, digits=getattr(F.kind, "precision", 17), max_steps=max_iter)
    try:
        for now in states:
            last, count = now, count + 1
    except NoAnswer as refusal:
        at = {} if last is None else _known(last)
        if refusal.module == "newton" and is_far(sample):  # more digits do not change that
            raise NotConverged("logistic", need=refusal.need, got=refusal.got, **at) from None
        need = "an information that is positive definite beyond roundoff"
        raise NotConverged(refusal.module, need=need, got=refusal.got, **at) from None
    assert last is not None
    if count >= max_iter:  # in fewer decimals than are asked for, perhaps
        raise _unfinished(last, max_iter)
    last = last if turned is None else turned.back(last)
    if LEFT * residual(exact, last) > 1:
        need = "a gradient that is roundoff of its terms"
        raise NotConverged("ascent", need=need, got="a larger one", **_known(last))
    found = _model(exact, last, count)
    coefficients = Matrix.of([Vector.of(map(F.lift, row)) for row in found.coefficients])
    middles = [c + beta @ Vector.of(map(D.lift, asked.centre)) for c, beta in zip(found.constants, found.coefficients)]
    value = F.lift(found.log_likelihood)
    model = _about(F, sample, asked.centre, middles, coefficients, (value, penalty, count))
    return replace(model, settled=_decades(F, penalty) >= FEW)


def _decimals(F: Field, sample: Sample, penalty: Number) -> Field:
    return decimal(max(DIGITS + _decades(F, penalty) + 2 * apart(sample), getattr(F.kind, "precision", 0)))


def _decades(F: Field, penalty: Number) -> int:
    """Return by how many powers of ten a penalty differs from one, about."""
    return abs(round(F.log(penalty) / F.log(F.kind(10)))) if penalty else 0


def _lifted(D: Field, sample: Sample) -> Sample:
    X = Matrix.of([Vector.of(map(D.lift, x)) for x in sample.X])
    return Sample(X, sample.labels, sample.classes, Vector.of(map(D.lift, sample.weights)))


def counted(sample: Sample) -> Sample:
    """Return the sample without the observations of weight zero, which do not count."""
    keep = [i for i, w in enumerate(sample.weights) if w]
    if len(keep) == sample.n:
        return sample
    X, labels = Matrix.of([sample.X[i] for i in keep]), tuple(sample.labels[i] for i in keep)
    return Sample(X, labels, sample.classes, sample.weights.pick(keep))


def _parted(asked: Problem, at: State) -> bool:
    """Return whether every observation's own class has the largest posterior."""
    return all(p[g] == max(p) for p, g in zip(at.P, asked.labels))


def _tends(
    proof: balanced_weights.Problem, asked: Problem, before: Optional[State], last: Optional[State]
) -> Optional[separation.Separation]:
    """Return the separation that the iteration's last step leads to, if it proves one."""
    if before is None or last is None:
        return None
    step = [new - old for new, old in zip(last.thetas, before.thetas)]
    return diverging.separated(proof, list(map(asked.ordered, last.P)), uncentred(asked, step))


def _refuse_separated(proof: balanced_weights.Problem, found: Optional[separation.Separation] = None) -> None:
    answer = found or separation.decide(proof)
    if isinstance(answer, separation.Separation):
        raise answer.refusal()


def uncentred(asked: Problem, thetas: Thetas) -> list[list[Number]]:
    """Return (β₀, β) of every class for points as they are given, those of the problem's first class zero."""
    zero = [asked.F.kind(0)] * len(asked.columns)
    return asked.ordered([zero, *[[t[0] - dot(t[1:], asked.centre), *t[1:]] for t in thetas]])


def _model(asked: Problem, at: State, count: int) -> Model:
    thetas = asked.ordered([[asked.F.kind(0)] * len(asked.columns), *at.thetas])
    total = [sum(column) / asked.sample.K for column in zip(*thetas)]
    even = [Vector.of([v - m for v, m in zip(theta, total)]) for theta in thetas]
    coefficients = Matrix.of([Vector.of(theta[1:]) for theta in even])
    middles = Vector.of([theta[0] for theta in even])
    return _about(asked.F, asked.sample, asked.centre, middles, coefficients, (at.likelihood, asked.penalty, count))


def _about(
    F: Field, sample: Sample, centre: Vector, middles: Sequence[Number], coefficients: Matrix, said: tuple[Any, ...]
) -> Model:
    """Return the model with the values fₖ at a centre: its constants are computed exactly, and rounded once.

    Far from zero a constant has few digits behind the point. Of doubles the constant is taken that is nearest to the
    exact one, where one coefficient may be some units in the last place away.
    """
    origin, rows, constants = distant(sample.X[0], centre), list[Vector](), list[Number]()
    for k, (middle, beta) in enumerate(zip(middles, coefficients)):
        if k == 1 and sample.K == 2:  # Premise: of two classes one function is the other's negative, to the last digit.
            beta, constant = -rows[0], -constants[0]
        else:
            beta, constant = _nearest(F, middle, beta, centre, ULPS if origin is not None and F.kind is float else 0)
        rows.append(beta)
        constants.append(constant)
    value, penalty, count = said
    at = None if origin is None else Vector.of(map(F.lift, middles))
    return Model(F, Vector.of(constants), Matrix.of(rows), value, penalty, count, origin, at)


def _nearest(F: Field, middle: Number, beta: Vector, centre: Vector, units: int) -> tuple[Vector, Number]:
    """Return coefficients, one of them at most so many units in the last place from β, and the constant they leave."""
    exact = rational(middle) - exact_vector(beta) @ exact_vector(centre)
    tried = [(exact, 0, beta[0])]
    for j, (v, c) in enumerate(zip(beta, centre)):
        for way in (-math.inf, math.inf):
            w = v
            for _ in range(units if v else 0):  # Premise: of a constant column a coefficient is zero, exactly.
                w = math.nextafter(w, way)
                tried.append((exact - (rational(w) - rational(v)) * rational(c), j, w))
    lost = [abs(rational(F.delivered("logistic", value)) - value) for value, _, _ in tried]
    value, j, w = tried[lost.index(min(lost))]
    return Vector.of([*beta[:j], w, *beta[j + 1 :]]), F.delivered("logistic", value)


def standard_errors(F: Field, sample: Sample, model: Model) -> list[list[Number]]:
    """Return the standard errors of the constants and coefficients, class by class, from the information at the fit.

    Two classes: one row, for the log-odds of the second against the first.
    """
    asked, D = _problem(F, counted(sample), model.penalty), _decimals(F, sample, model.penalty)
    try:
        if model.settled and D is not F:
            raise NoAnswer("logistic", need="an information that holds the penalty", got=F.name)
        known = metric.factor(F, information(asked, state(asked, parameters(asked, model))))
    except NoAnswer:
        if D is F or not model.penalty:  # Premise: with a penalty the information is definite; this is roundoff.
            raise
        rows = standard_errors(D, _lifted(D, sample), replace(model, penalty=D.lift(model.penalty)))
        return [list(map(F.lift, row)) for row in rows]
    return errors(asked, known)


def condition(F: Field, sample: Sample, model: Model) -> Optional[Number]:
    """Return the largest variance inflation of a parameter by the information at the fit; None where it is singular."""
    asked = _problem(F, counted(sample), model.penalty)
    try:
        return metric.factor(F, information(asked, state(asked, parameters(asked, model)))).condition
    except NoAnswer:
        return None


def errors(asked: Problem, known: Metric) -> list[list[Number]]:
    """Return the standard errors for the metric of an information."""
    one, K = asked.F.kind(1), asked.sample.K
    if K == 2:
        return [_errors(asked, known, [one])]
    return asked.ordered([_errors(asked, known, [int(k == j) - one / K for j in range(1, K)]) for k in range(K)])


def parameters(asked: Problem, model: Model) -> Thetas:
    """Return (β₀, β) of the classes but the problem's first, relative to it and for centred points: the model's."""
    lift, thetas, rows = asked.F.lift, list[Vector](), asked.ordered(model.coefficients)
    if model.origin is not None and model.middles is not None:
        # Premise: the sample is that of the fit, whose mean the origin is, in every arithmetic to its own digits.
        apart = asked.centre - Vector.of(map(lift, model.origin.centre))
        values = [lift(m) + Vector.of(map(lift, row)) @ apart for m, row in zip(asked.ordered(model.middles), rows)]
        betas = [Vector.of(map(lift, row)) for row in rows]
        return [Vector.of([v - values[0], *(beta - betas[0])]) for v, beta in zip(values[1:], betas[1:])]
    first, (bottom, *constants) = Vector.of(map(lift, rows[0])), asked.ordered(model.constants)
    for row, constant in zip(rows[1:], constants):
        beta = Vector.of(map(lift, row)) - first
        thetas.append(Vector.of([lift(constant) - lift(bottom) + beta @ asked.centre, *beta]))
    return thetas


def _errors(asked: Problem, known: Metric, shares: list[Number]) -> list[Number]:
    """Return √(cᵀH⁻¹c) for the constant and each coefficient of the combination Σ sharesₖ θₖ."""
    p, zero, one = len(asked.centre), asked.F.kind(0), asked.F.kind(1)
    units = [[one, *[-c for c in asked.centre]]]
    units += [[zero, *[one if i == j else zero for i in range(p)]] for j in range(p)]
    return [asked.F.sqrt(known.squared(Vector.of([s * v for s in shares for v in unit]))) for unit in units]
