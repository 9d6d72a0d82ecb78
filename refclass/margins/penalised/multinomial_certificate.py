"""The proof beside the multinomial machine: by duality, in sixty digits or more.

    −Σ wᵢ log p_{gᵢ} + ½λ Σ_k ‖h_k‖²  ≥  −Σᵢ wᵢ Σ_k q_ik log q_ik − ½λ Σ_k ‖Σᵢ (uᵢₖ/λ) K(xᵢ, ·)‖²

for every q of probabilities with Σᵢ uᵢₖ = 0 for each class, uᵢₖ = wᵢ(1{gᵢ = k} − q_ik). At the optimum q = p.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Optional

from refclass.certificate import ASKED, Certificate, relative_digits, status
from refclass.errors import InvalidInput
from refclass.kernels.matrices.product import exact_product
from refclass.linear.vector import Vector
from refclass.margins.penalised.multinomial import Problem, log_loss, probabilities
from refclass.number.decimals import decimal
from refclass.number.field import Field, Number, rational
from refclass.regress.kernel.certificate import linear
from refclass.regress.kernel.smooth_certificate import DIGITS, places

Rows = list[list[Fraction]]  # for each class a number for each point

GRID = 160  # bits that probabilities are rounded to, or three for each digit, so that no denominator grows


def certify(
    problem: Problem,
    K: Any,
    alpha: Sequence[Sequence[Number]],
    beta0: Sequence[Number],
    *,
    beta: Optional[Sequence[Vector]] = None,
    asked: float = ASKED,
) -> Certificate:
    """Return the proof of f_k = Σᵢ α_ik K(xᵢ, ·) + β_k, whoever found it  [ESL-12.3.8-multinomial].

    primal is the objective, of linear functions that are delivered by β as well the larger one, dual the bound above at
    probabilities near 1{gᵢ = k} − λα_ik/wᵢ that meet its conditions; where it proves too little, the better one of that
    and the bound at the probabilities of f.
    The worst violation is the largest of |λα_ik + wᵢ(p_k − 1{gᵢ = k})| and |λ Σᵢ α_ik|.

    Shapes    K: rows of the Gram matrix as the user gave it; alpha: a vector of n numbers for each class;
              beta: one of p, for a linear kernel
    Units     asked: the digits of the objective for which the status is "optimal"
    Exact     data and answer are taken as the rationals that they are; exponentials and logarithms are computed from
              them in 60 digits or more
    Raises    InvalidInput if the lengths differ
    """
    n, lam = len(problem.labels), rational(problem.penalty)
    if len(alpha) != problem.classes or any(len(own) != n for own in alpha):
        raise InvalidInput("multinomial", need=f"{n} multipliers for each of {problem.classes} classes", got=len(alpha))
    a = [[rational(v) for v in own] for own in alpha]
    b, weights = [rational(v) for v in beta0], [rational(w) for w in problem.weights]
    longer = places(lam * max([abs(v) / w for own in a for v, w in zip(own, weights)]))
    D = decimal(max(DIGITS, 2 * getattr(alpha[0][0], "precision", 0)) + longer)
    products = [exact_product(K, own) for own in a]
    f = [[D.lift(v + beta) for v, beta in zip(row, b)] for row in zip(*products)]
    violations = _violations(D, problem, a, f, weights, lam)
    worst = max(violations)
    squares = sum((Vector.of(own) @ p for own, p in zip(a, products)), Fraction(0))
    primal = _lost(D, problem, f, weights) + lam * squares / 2
    if beta is not None:
        planes = [linear(K, own) for own in beta]
        g = [[D.lift(v + c) for v, c in zip(row, b)] for row in zip(*[values for values, _ in planes])]
        sizes = sum((size for _, size in planes), Fraction(0))
        primal = max(primal, _lost(D, problem, g, weights) + lam * sizes / 2)
    dual = _dual(D, problem, K, feasible(problem, a, weights, lam), weights, lam)
    found = relative_digits(primal, dual)
    if found is not None and found < asked:
        dual = max(
            dual,
            _dual(D, problem, K, feasible(problem, _implied(D, problem, f, weights, lam), weights, lam), weights, lam),
        )
        found = relative_digits(primal, dual)
    return Certificate(
        status=status(found, asked),
        primal=primal,
        dual=dual,
        gap=primal - dual,
        worst_violation=worst,
        where="multipliers and slopes differ" if worst else "",
        unique={"differences of f": True},
        premise=f"exponentials and logarithms as {D.name} computes them",
        digits=found,
    )


def _lost(D: Field, problem: Problem, f: Sequence[Sequence[Number]], weights: Sequence[Fraction]) -> Fraction:
    return sum((w * above(log_loss(D, row, g)) for w, row, g in zip(weights, f, problem.labels)), Fraction(0))


def _implied(
    D: Field, problem: Problem, f: Sequence[Sequence[Number]], weights: Sequence[Fraction], lam: Fraction
) -> Rows:
    """Return the multipliers w(1{gᵢ = k} − p_k)/λ that the probabilities of f imply, class by class."""
    rows, grid = [], 1 << max(GRID, 3 * D.kind.precision)  # type: ignore[attr-defined]
    for row, g, w in zip(f, problem.labels, weights):
        p = [Fraction(round(above(v) * grid), grid) for v in probabilities(D, row)]
        rows.append([w * ((g == k) - v) / lam for k, v in enumerate(p)])
    return [list(own) for own in zip(*rows)]


def above(v: Number) -> Fraction:
    """Return a number ≥ 0 as a fraction, one below 10⁻¹⁰⁰⁰ as that; exponentials can be too small to write."""
    least = Fraction(1, 10**1000)
    return rational(v) if v * 10**1000 > 1 else least


def _violations(
    D: Field, problem: Problem, a: Rows, f: Sequence[Sequence[Number]], weights: Sequence[Fraction], lam: Fraction
) -> list[Fraction]:
    found = [abs(lam * sum(own, Fraction(0))) for own in a] if problem.intercept else []
    for i, (row, g, w) in enumerate(zip(f, problem.labels, weights)):
        for k, p in enumerate(probabilities(D, row)):
            found.append(abs(lam * a[k][i] + w * (above(p) - (g == k))))
    return found


def feasible(problem: Problem, a: Rows, weights: Sequence[Fraction], lam: Fraction) -> Rows:
    """Return multipliers near a whose q are probabilities with the classes' weighted sums, exactly.

    q_ik = 1{gᵢ = k} − λa_ik/wᵢ        q ≥ 0,  Σ_k a_ik = 0,  and with intercepts Σᵢ a_ik = 0
    """
    # Method: the means of rows and columns are taken off; if that leads below zero, a moves towards the multipliers of
    # the classes' shares, by a multiple of a power of two, so that no denominator grows.
    classes, total = range(problem.classes), sum(weights, Fraction(0))
    shares = [sum((w for w, g in zip(weights, problem.labels) if g == k), Fraction(0)) / total for k in classes]
    means = [sum(row, Fraction(0)) / problem.classes for row in zip(*a)]
    a = [[v - m for v, m in zip(own, means)] for own in a]
    if problem.intercept:
        a = [[v - sum(own, Fraction(0)) / len(own) for v in own] for own in a]
    part = Fraction(0)
    for k in classes:
        for v, w, g in zip(a[k], weights, problem.labels):
            q = (g == k) - lam * v / w
            if q < 0:
                part = max(part, -q / (shares[k] - q))
    if not part:
        return a
    bits = max(60, 60 + part.denominator.bit_length() - part.numerator.bit_length())
    part = min(Fraction(1), Fraction(-((-part.numerator << bits) // part.denominator), 1 << bits))
    return [
        [(1 - part) * v + part * w * ((g == k) - shares[k]) / lam for v, w, g in zip(a[k], weights, problem.labels)]
        for k in classes
    ]


def _dual(D: Field, problem: Problem, K: Any, a: Rows, weights: Sequence[Fraction], lam: Fraction) -> Fraction:
    entropy, square = D.kind(0), Fraction(0)
    for k, own in enumerate(a):
        for v, w, g in zip(own, weights, problem.labels):
            q = (g == k) - lam * v / w
            if q > 0:
                p = D.lift(q)
                entropy = entropy - D.lift(w) * p * D.log(p)
        square += Vector.of(own) @ exact_product(K, own)
    return rational(entropy) - lam * square / 2
