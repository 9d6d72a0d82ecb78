"""The machine of Lee, Lin and Wahba in doubles, to nine digits or more, or refused with the bounds."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from math import inf
from typing import Any, Optional

from refclass.certificate import ASKED, lost, relative_gap
from refclass.errors import NotConverged, Refusal
from refclass.kernels.matrices import gram
from refclass.kernels.matrices.product import linear_points
from refclass.linear.common_denominator import Scaled
from refclass.linear.factorisations import low_rank
from refclass.linear.vector import Vector
from refclass.margins.lee_lin_wahba import certificate, decimal_fit
from refclass.margins.lee_lin_wahba.interior_fit import interior
from refclass.margins.lee_lin_wahba.problem import Machine, coefficients, over, slacks
from refclass.margins.lee_lin_wahba.simplex import Columns
from refclass.margins.lee_lin_wahba.trained_machine import Trained, gap, products, rounded, taken, trained
from refclass.margins.svm import fit as svm_fit
from refclass.margins.svm import soft
from refclass.number.binary64 import BINARY64
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import roundoff
from refclass.optimise.active_set import crossover
from refclass.optimise.multiclass import class_envelopes, coupled, equal_sums
from refclass.regress.kernel import premises

NARROW = 3  # points for each column of Z, from which on the interior point method comes first
SMALL = 400  # multipliers, up to which decomposition comes first, and the exact optimum is computed
FEW = 60  # multipliers, up to which the exact optimum is computed from zero, too, where it rounds badly
MANY = 2000  # multipliers of more than two classes, from which on they are solved apart
LIFTED, DIGIT = 2 * 10**7, 30  # multiplications of the free multipliers' equations, some seconds; bits of a digit
LONG = 1000  # bits of kernel values whose exponents are far apart; shorter ones of low rank take less than LIFTED says
STEPS = 20  # steps in fractions, of an active set of more than FEW multipliers, from where no digit is proven
SETS = 50  # working sets of decomposition before or after the interior point method
SCALINGS = 4  # times an optimum is scaled up, once by nothing: other numbers are rounded otherwise
UNSURE = 0.1  # relative gap above which free multipliers are not likely those of the optimum
CORRECTIONS, GAIN = 12, 2  # of these, at most; by which their residual falls, at least
CLOSE = 1e-14  # part of the costs, of a residual that is small enough
SETTLED = 12  # digits of an optimum that is to be rounded
NEAR = 1e-10  # relative gap in doubles that a proof in fractions confirms to nine digits: nothing is to be made better
SURE = 1e-11  # roundoff of a score, and relative gap in doubles, below which no proof is needed


def assured(machine: Machine, found: Trained) -> Trained:
    """Return what doubles ended at, or the exact optimum rounded, to nine digits, proven unless they are beyond doubt.

    Raises    NotConverged with the bounds and the answer where they cannot be reached
    """
    found = once_rounded(machine, found)
    if gap(found) <= SURE and sure(machine, found):
        return found
    # Method: rounded values of a kernel need not become fractions for a proof.
    given = replace(machine, K=gram.given(machine.K))
    proof = proof_of(given, found)
    if (proof.digits or 0) >= ASKED:
        return reported(found, proof)
    exact = over(RATIONAL, machine)
    again = anew(exact, found)
    other = proof_of(exact, again)
    if (other.digits or 0) > (proof.digits or 0):
        found, proof = again, other
    if (proof.digits or 0) >= ASKED:
        return reported(found, proof)
    try:
        return finished(exact, found, proof)
    except NotConverged as refusal:
        if not _left_out(machine) or relative_gap(refusal.witness["primal"], refusal.witness["dual"]) <= NEAR:
            raise
        return _decomposed_after(machine, exact, (found, proof))


def sure(machine: Machine, found: Trained) -> bool:
    """Return whether the objective, as doubles add it up, has eleven digits whatever the roundoff of functions is."""
    # Premise: slacks are differences of numbers of the size of the terms of f and of y, which is at most 1.
    size = 1 + max(max(premises.terms(machine.K, own, machine.positive)) for own in found.beta)
    at_stake = max(1.0, sum(map(sum, machine.costs)) / machine.divisor)
    return bool(roundoff(float) * size * at_stake <= SURE * abs(found.objective))


def as_delivered(machine: Machine, found: Trained) -> Trained:
    """Return the end of a solver that was asked for, with the objectives of the functions that are delivered."""
    found = once_rounded(machine, found)
    return found if sure(machine, found) else reported(found, proof_of(over(RATIONAL, machine), found))


def corrected(machine: Machine, found: Trained) -> Optional[tuple[Vector, ...]]:
    """Return nearly optimal multipliers in fractions; None where the free multipliers' equations do not lead there.

    These are solved again in doubles for what exactly they lack (iterative refinement: Wilkinson 1963), as long as the
    free multipliers are those of the optimum. Where rows of K are nearly dependent a correction leaves a part.
    """
    if machine.classes == 2 or not machine.positive or machine.n > class_envelopes.MOST_POINTS or gap(found) > UNSURE:
        return None
    problem, exact = machine.problem(), over(RATIONAL, machine)
    free, slopes = class_envelopes.Free(problem), exact.problem().slopes
    least, close = inf, CLOSE * max([c.largest() for c in map(Vector.of, problem.c)])
    alpha = [list(map(Fraction, own)) for own in found.alpha]
    try:
        for _ in range(CORRECTIONS):
            near = free.balanced(alpha)
            alpha, residual = free.corrected(near, slopes(products(exact, tuple(map(Vector.of, near)))))
            if not GAIN * residual < least or residual < close:
                break
            least = residual
        alpha = free.balanced(alpha)
    except ArithmeticError:
        return None
    optimum = trained(exact, tuple(map(Vector.of, alpha)))
    proof = certificate.certify(exact, optimum.alpha, optimum.beta0)
    return optimum.alpha if (proof.digits or 0) >= SETTLED else None


def proof_of(exact: Machine, found: Trained) -> Any:
    """Return the proof of an answer in doubles: its functions are delivered by planes, or by coefficients."""
    return certificate.certify(exact, found.alpha, found.beta0, planes=delivered(exact, found), beta=found.beta)


def delivered(exact: Machine, found: Trained) -> Optional[tuple[Vector, ...]]:
    """Return the coefficients of linear functions; None where the kernel is another."""
    return certificate.slopes(exact, found.alpha) if found.planes is None else found.planes


def _left_out(machine: Machine) -> bool:
    """Return whether decomposition, which takes long, comes after `decimal_fit` only."""
    return machine.n * machine.classes > SMALL and decimal_fit.continued(machine)


def _decomposed_after(machine: Machine, exact: Machine, before: tuple[Trained, Any]) -> Trained:
    """Return the end of decomposition, which was left out, where it has nine digits.

    Raises    NotConverged with the bounds that are nearer to each other, those or these
    """
    other = _decomposed(machine, None, None)
    again = proof_of(exact, other)
    if (again.digits or 0) >= ASKED:
        return reported(other, again)
    raise unproven(*min((before, (other, again)), key=lambda pair: pair[1].gap))


def reported(found: Trained, proof: Any) -> Trained:
    """Return the machine with the objectives that are proven of it."""
    return replace(found, objective=float(proof.primal), dual_objective=float(proof.dual))


def once_rounded(machine: Machine, found: Trained) -> Trained:
    """Return a machine in doubles with the coefficients of its multipliers, each rounded once.

    Those are the functions of a kernel that is not linear; computed in doubles a small one beside large multipliers
    would have fewer digits.
    """
    every = coefficients(certificate.rationally(machine), tuple([Vector.of(map(Fraction, own)) for own in found.alpha]))
    return replace(found, beta=tuple([Vector.of(map(float, own)) for own in every]))


def anew(exact: Machine, found: Trained, lift: Any = float) -> Trained:
    """Return the machine of the same multipliers, everything else computed from them exactly and rounded."""
    alpha = tuple([Vector.of(map(Fraction, own)) for own in found.alpha])
    return rounded(exact, trained(exact, alpha, found.steps), lift)


def roundings(exact: Machine, optimum: Trained, lift: Any = float) -> Iterator[Trained]:
    """Yield an optimum rounded by `lift`, to doubles or decimals, in several ways."""
    nearest = rounded(exact, optimum, lift, certificate.slopes(exact, optimum.alpha, Fraction))
    every = [nearest]
    if nearest.planes is None:
        every.append(replace(nearest, beta=tuple([Vector.of(map(lift, own)) for own in optimum.beta])))
    for one in every:
        yield levelled(exact, optimum, one, lift)
        yield one
    yield anew(exact, nearest, lift)
    larger = scaled_up(exact, optimum, lift)
    if larger is not None:
        yield larger


def levelled(exact: Machine, optimum: Trained, found: Trained, lift: Any = float) -> Trained:
    """Return a rounded optimum with the intercepts that its rounded functions ask for.

    They make up for what rounding does to the functions of points far from zero, which is much the same for all.
    """
    problem, scale = exact.problem(), exact.scale
    h = certificate.values(exact, delivered(exact, found), found.beta)
    slopes = [[c - scale * v for c, v in zip(costs, own)] for costs, own in zip(problem.c, h)]
    levels = coupled.choose(problem, optimum.alpha, slopes)
    return replace(found, beta0=Vector.of([lift(-v / scale) for v in levels]))


def finished(exact: Machine, found: Trained, proof: Any) -> Trained:
    """Return the exact optimum, found from a point near it, rounded to doubles.

    Raises    NotConverged where it is too large a problem for that, or where less than a digit outlasts the rounding,
              with the bounds of the optimum itself
    """
    pairs, optimum = [(found, proof)], None
    for alpha in optima(exact, found, proof.digits or 0):
        optimum = trained(exact, alpha, found.steps)
        for machine in roundings(exact, optimum):
            pairs.append((machine, proof_of(exact, machine)))
            if pairs[-1][1].digits >= ASKED:
                break
        if max(one.digits for _, one in pairs) >= ASKED:
            break
    best, proof = max(pairs, key=lambda pair: (pair[1].digits, -pair[1].gap))
    if optimum is None:
        raise unproven(best, proof)
    if proof.digits < 1:
        known = certificate.certify(exact, optimum.alpha, optimum.beta0)
        raise unproven(best, proof, known)
    return replace(reported(best, proof), ceiling=max(one.digits for _, one in pairs[1:]))


def scaled_up(machine: Machine, optimum: Trained, lift: Any = float) -> Optional[Trained]:
    """Return an optimum in fractions scaled up until its margins outlast the rounding, rounded; None at bounds.

    Where no function exceeds −1/(m − 1), 1 + 4(m − 1)δ times as large they are as far below it as four times the
    largest slack δ of the rounded ones; the objective loses some 8(m − 1)δ of itself, the slack would cost L δ a point.
    """
    scale, m = Fraction(1), machine.classes
    for _ in range(SCALINGS):
        alpha = tuple([own * scale for own in optimum.alpha])
        if any(v >= top for own, tops in zip(alpha, zip(*machine.costs)) for v, top in zip(own, tops) if v):
            return None
        larger = taken(machine, alpha, optimum.beta0 * scale)
        found = rounded(machine, larger, lift, certificate.slopes(machine, alpha, Fraction))
        h, b = certificate.values(machine, found.planes, found.beta), list(map(Fraction, found.beta0))
        f = tuple([Vector.of([v + t - sum(b) / m for v in own]) for own, t in zip(h, b)])
        held = zip(slacks(machine, f), zip(*machine.costs))
        worst = max([v for own, tops in held for v, top in zip(own, tops) if top])
        if worst == 0:
            break
        scale += 4 * (m - 1) * worst
    return found


def optima(exact: Machine, found: Trained, digits: float) -> Iterator[tuple[Vector, ...]]:
    """Yield optimal multipliers in fractions, those of large problems to some twenty digits; none where that is work.

    Where multipliers can be exchanged, some optima round worse than others: those at bounds round best.

    digits    those that are proven of what was found: from none the active-set method takes too many steps
    """
    if exact.classes == 2:
        with suppress(Refusal):
            yield of_two_classes(exact)
            return
    problem = exact.problem()
    x = [found.alpha[k][i] for i, k in problem.places]
    far, long = digits == 0 and len(x) > FEW, len(x) <= SMALL and _long(exact, found)
    if FEW < len(x) <= SMALL and not (far or long):
        guessed = crossover.guessed(problem.plain(), x)
        if guessed is not None:
            yield problem.spread(guessed.x)
            return
    if len(x) > FEW or long:
        near = corrected(over(BINARY64, exact), found) if len(x) > SMALL else None
        if near is not None:
            yield near
        near = decimal_fit.multipliers(exact)
        if near is not None:
            yield near
        if near is not None or len(x) > SMALL:
            return
    for start in (x, None)[: 2 if len(x) <= FEW else 1]:
        with suppress(NotConverged):
            most = STEPS if far else None
            yield problem.spread(crossover.solve(problem.plain(), start, convex=True, max_steps=most).x)


def _long(exact: Machine, found: Trained) -> bool:
    """Return whether the equations of the free multipliers take too long in fractions (see `dixon.solve`)."""
    pairs = [enumerate(zip(own, tops)) for own, tops in zip(found.alpha, zip(*exact.costs))]
    free = [i for own in pairs for i, (a, top) in own if 0 < a < top]
    rows = [Scaled.of(exact.K.row(i)).integers for i in set(free)]
    longest: int = max([abs(v).bit_length() for row in rows for v in row], default=0)
    return longest > LONG and len(free) ** 3 * longest > LIFTED * DIGIT


def of_two_classes(machine: Machine) -> tuple[Vector, ...]:
    """Return optimal multipliers of a machine of two classes: those of the support vector machine, 2nλ times as large.

    With f₂ = −f₁ the objective is 2λ times that of the soft margin, Cᵢ = L(yᵢ)/(2nλ) (Lee, Lin and Wahba 2004, 2.3).
    """
    twice = 2 * machine.scale
    y = Vector.of([Fraction(1 - 2 * label) for label in machine.labels])
    costs = tuple([row[1 - label] / twice for row, label in zip(machine.costs, machine.labels)])
    found = svm_fit.train(RATIONAL, soft.Machine(machine.K, y, costs, positive=machine.positive))
    zero = Fraction(0)
    return tuple(
        [Vector.of([zero if own == k else twice * a for own, a in zip(machine.labels, found.alpha)]) for k in (0, 1)]
    )


def unproven(found: Trained, proof: Any, optimum: Any = None) -> NotConverged:
    """Return the refusal of an answer of which too few digits are proven, with its bounds, or those of the optimum."""
    numbers = "" if optimum is None else "doubles"
    return lost("lee_lin_wahba", proof.digits, optimum or proof, numbers, alpha=found.alpha, beta0=found.beta0)


def approximate(machine: Machine, start: Optional[Columns] = None) -> Trained:
    """Return the machine trained as far as doubles lead, by its gap the best of what the methods end at."""
    first, narrow = None, linear_points(machine.K) is not None
    if not narrow and machine.positive:
        narrow = low_rank.factored(machine.K, machine.n // NARROW) is not None
    if not narrow and machine.n * machine.classes > SMALL and decimal_fit.hidden(machine):
        return _decomposed(machine, start, 1)  # Method: what takes long comes next, `decimal_fit.from_doubles`.
    if start is not None or not narrow or machine.n * machine.classes <= SMALL:
        first = _decomposed(machine, start, SETS if narrow else None)
        if gap(first) <= NEAR:
            return first
    second = interior(machine)
    if second is None:
        return first or _decomposed(machine, start, None)
    if linear_points(machine.K) is None and gap(second) > NEAR and not _left_out(machine):
        second = min(second, _decomposed(machine, second.alpha, SETS), key=gap)
    return second if first is None else min(first, second, key=gap)


def _of_fractions(machine: Machine, alpha: tuple[Vector, ...], steps: int) -> Trained:
    exact = over(RATIONAL, machine)
    return rounded(exact, trained(exact, alpha, steps), float)


def _decomposed(machine: Machine, start: Optional[Columns], most: Optional[int]) -> Trained:
    """Return the end of decomposition, also where it has not converged."""
    try:
        many = machine.classes > 2 and machine.n * machine.classes >= MANY
        if start is None and most is None and many and machine.positive:
            reached = class_envelopes.found(machine.problem())
            if reached is not None:
                found = trained(machine, tuple(map(Vector.of, reached[0])), reached[1])
                if gap(found) <= NEAR:
                    return found
                # Method: one factor of the multipliers of all classes takes longer than all that led here.
                near = corrected(machine, found)
                if near is not None:
                    return _of_fractions(machine, near, found.steps)
                start = found.alpha
        answer = equal_sums.solve(machine.problem(), start=start, max_steps=most)
        return trained(machine, answer.alpha, answer.steps)
    except NotConverged as refusal:
        return trained(machine, refusal.witness["alpha"], most or 0)
    except (ZeroDivisionError, OverflowError):
        return trained(machine, tuple([Vector.of([0.0] * machine.n)] * machine.classes))
