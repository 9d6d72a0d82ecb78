"""Intercepts of multinomial functions that are smaller than their roundoff.

Of tiny columns, or a large penalty, functions h_k vanish beside one, and the intercepts are the logarithms of the
classes' shares but for as much. They are the β with which every class keeps its weight, Σᵢ wᵢ p_k(xᵢ) = Σ wᵢ 1{gᵢ = k},
the score equations of the intercepts  [ESL-12.3.8-multinomial]; of given h they are solved by Newton's method in as
many decimals as h needs beside one.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

from refclass.kernels.matrices.product import exact_product
from refclass.linear.factorisations import elimination
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.decimals import decimal
from refclass.number.field import Field, Number, rational
from refclass.number.vanishing import refuse_ties, vanish

PLACES = 40  # decimals of the functions themselves
STEPS = 20  # of Newton's method, whose digits double from those of the smallest share on


def resolved(problem: Any, as_given: Callable[[], Any], fit: Any) -> Any:
    """Return a fit whose intercepts have all digits of functions that vanish beside one, or as it is if they do not.

    problem     the `multinomial.Problem` in its field
    as_given    returns it with its numbers as given

    Raises    NotExact where intercepts of equal shares are rounded by more than the functions differ
    """
    eps, one = problem.F.eps, problem.F.kind(1)
    if not problem.intercept or not vanish(max((problem.K @ own).largest() for own in fit.alpha), eps * one):
        return fit
    exact = as_given()
    h = [exact_product(exact.K, [rational(v) for v in own]) for own in fit.alpha]
    spread = max(max(own) - min(own) for own in h)
    if not spread:  # the functions are constant, and decide nothing
        return fit
    D = decimal(places(spread, problem.F))
    found = balanced(D, exact, [Vector.of(map(D.lift, own)) for own in h])
    b = list(map(rational, found))
    means = [v + sum(own, Fraction(0)) / len(own) for v, own in zip(b, h)]
    refuse_ties("multinomial", eps, b, means, spread)
    return replace(fit, beta0=Vector.of(map(problem.F.lift, found)))


def places(spread: Fraction, F: Field) -> int:
    """Return in how many decimals functions that vary by so much are told from one, and the digits of a field."""
    return PLACES + getattr(F.kind(1), "precision", 0) + _decades(spread)


def of_margins(problem: Any, a: Vector, beta0: Number) -> Fraction:
    """Return the intercept of two classes and a smooth convex loss, Σ wᵢyᵢL′(yᵢ(hᵢ + β₀)) = 0, for h = Ka given.

    problem    in fractions, as given; its h is not constant
    beta0      the intercept that is known but for roundoff of one
    """
    h = exact_product(problem.K, [rational(v) for v in a])
    D = decimal(PLACES + _decades(max(h) - min(h)))
    values, y, w = (Vector.of(map(D.lift, own)) for own in (h, problem.y, problem.weights))
    b = D.lift(rational(beta0))
    for _ in range(STEPS):
        margins = [t * (v + b) for t, v in zip(y, values)]
        slope = sum([c * t * problem.loss.slopes(D, m)[0] for c, t, m in zip(w, y, margins)], D.kind(0))
        bend = sum([c * problem.loss.curvature(D, m) for c, m in zip(w, margins)], D.kind(0))
        if not bend:  # an intercept between margins at which nothing is paid
            break
        b -= slope / bend
        if abs(slope / bend) <= len(h) * D.eps:
            break
    return rational(b)


def balanced(D: Field, problem: Any, h: list[Vector]) -> list[Number]:
    """Return the intercepts of sum zero with which every class keeps its weight.

    Shapes    h: a vector of n values for each class, in the field D
    """
    classes, zero = range(len(h)), D.kind(0)
    weights, labels = [D.lift(w) for w in problem.weights], problem.labels
    counts = [sum([w for w, g in zip(weights, labels) if g == k], zero) for k in classes]
    b = [D.log(v / counts[0]) for v in counts]
    for _ in range(STEPS):
        p = [_probabilities(D, [v + c for v, c in zip(row, b)]) for row in zip(*h)]
        left = [c - sum([w * row[k] for w, row in zip(weights, p)], zero) for k, c in enumerate(counts)]
        # Method: only differences matter; that of the first class stays.
        curved = [
            Vector.of([sum([w * q[k] * (int(k == m) - q[m]) for w, q in zip(weights, p)], zero) for m in classes[1:]])
            for k in classes[1:]
        ]
        step = [zero, *elimination.solve(Matrix.of(curved), Vector.of(left[1:]))]
        b = [v + s for v, s in zip(b, step)]
        if max(map(abs, step)) <= len(h) * len(weights) * D.eps:
            break
    middle = sum(b, zero) / len(b)
    return [v - middle for v in b]


def _probabilities(D: Field, f: list[Number]) -> list[Number]:
    powers = [D.exp(v - max(f)) for v in f]
    total = sum(powers, D.kind(0))
    return [v / total for v in powers]


def _decades(size: Fraction) -> int:
    """Return by how many decades a number is below one, about."""
    bits = size.denominator.bit_length() - size.numerator.bit_length()
    return max(0, bits * 3 // 10 + 1) if size else 0
