"""The proof of a path: the machines of its break points, and that the events agree with their multipliers.

Where the machines of two break points are optimal for the same sets of points, those between are: α and λβ₀ are linear
there, and so are the conditions [ESL-12.3.5-path].
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from refclass.certificate import Certificate
from refclass.kernels.matrices.product import linear_points
from refclass.linear.vector import Vector
from refclass.margins.reduction import certificate as joint
from refclass.margins.svm import certificate
from refclass.margins.svm.path.model import Model
from refclass.margins.svm.soft import Machine
from refclass.number.field import Number, rational
from refclass.number.text import approximate

WORK = 10**6  # multiplications of integers that the proofs of a path may take, about
OTHER = 200  # multiplications that take as long as everything else at a point, about
LARGEST = 1000  # exponent of a λ that doubles hold, and its inverse
LEAST = 8  # break points that are judged however large the problem is


def certify(model: Model) -> Certificate:
    """Return the proof of the machines at the break points, as one problem: the sum of theirs  [RC-23].

    The machine at λ has cost 1/λ and the multipliers αᵢ/λ. Of more break points than about 10⁶ multiplications of
    integers allow, so many are judged, evenly spaced, the first and the last among them. Without break points f is
    constant and α the same at every λ; it is judged at one that is larger than n times each Kᵢᵢ.

    Exact     yes: floats and decimals are taken as the rationals they are
    Cost      that of `certificate.certify` for each break point that is judged
    """
    lambdas = model.lambdas
    wrong = next(_disagreements(model, lambdas), "")
    if wrong.startswith("lambdas_"):
        return Certificate("not converged", None, None, None, Fraction(1), wrong, digits=float(0))
    if lambdas:
        proof = _along(model, lambdas)
    else:
        lam = _large(model)
        found = model.at(lam)
        proof = _judged(model, lam, [lam * a for a in found.alpha], found.beta0)
    if model.least:
        part = f"no break points are reported below lambda {approximate(model.least):.6g}"
        proof = replace(proof, premise="; ".join(filter(None, (proof.premise, part))))
    if wrong:
        return replace(proof, status="not converged", worst_violation=Fraction(1), where=wrong, digits=float(0))
    return proof


def _large(model: Model) -> Number:
    """Return a power of two above 1 and above n times each Kᵢᵢ, in the arithmetic of the answers."""
    size = len(model.y) * max(map(rational, model.held.diagonal()))
    return model.reported(Fraction(2) ** min(max(0, size.__ceil__().bit_length()), LARGEST))


def _along(model: Model, lambdas: Sequence[Number]) -> Certificate:
    """Return the proof of the machines at the break points that are judged, the premise says how many these are."""
    alphas, intercepts, chosen = model.alphas, model.intercepts, _chosen(model)
    names = [f"lambda {approximate(lambdas[k]):.6g}" for k in chosen]
    proofs = [_judged(model, lambdas[k], alphas[k], intercepts[k]) for k in chosen]
    best = model.roundings or (None,) * len(lambdas)
    ceilings = [own.ceiling if own else None for own in map(best.__getitem__, chosen)]
    proof = joint.certify([(name, replace(c, ceiling=v)) for name, c, v in zip(names, proofs, ceilings)])
    if len(chosen) == len(lambdas):
        return proof
    part = f"{len(chosen)} of {len(lambdas)} break points are judged"
    return replace(proof, premise="; ".join(filter(None, (proof.premise, part))))


def _judged(model: Model, lam: Number, alpha: Iterable[Number], beta0: Number) -> Certificate:
    """Return the proof of the machine of cost 1/λ, a number of the answers, with its numbers exact."""
    cost = 1 / rational(lam)
    machine = Machine(model.held, model.y, (cost,) * len(model.y), positive=model.positive)
    return certificate.certify(machine, Vector.of([rational(a) * cost for a in alpha]), beta0)


def _chosen(model: Model) -> list[int]:
    """Return the numbers of the break points that are judged, from first to last."""
    n, count = len(model.y), len(model.states)
    points = linear_points(model.held)
    width = OTHER + (n if points is None else min(n, 2 * len(points[0])))
    most = max(LEAST, WORK // (n * width))
    if count <= most:
        return list(range(count))
    return sorted({k * (count - 1) // (most - 1) for k in range(most)})


def _disagreements(model: Model, lambdas: Sequence[Number]) -> Iterator[str]:
    """Yield where break points do not fall, or are beyond the doubles, and where an event is not one of its point.

    A point that joins or leaves the edge on the left has α = 1, on the right α = 0; it joins if it was off the edge.
    """
    exact = model.y.kind is Fraction
    for k, lam in enumerate(lambdas):
        rises = k and (lam >= lambdas[k - 1] if exact else lam > lambdas[k - 1])
        if not lam > 0 or 1 / lam - 1 / lam != 0 or rises:
            yield f"lambdas_[{k}] is {approximate(lam):.6g}, not a positive number below the one before"
    on_edge: dict[int, bool] = {}
    for k, (alpha, events) in enumerate(zip(model.alphas, model.events)):
        for kind, row in events:
            verb, side = kind.split("_")
            joins = verb == "from"
            if alpha[row] != (1 if side == "left" else 0) or on_edge.get(row) is joins:
                yield f"events_[{k}]: {kind} of row {row}, where alpha is {approximate(alpha[row]):.6g}"
            on_edge[row] = joins
