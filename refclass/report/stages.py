"""What exported files compute with: functions of a row of numbers, in the Python that C and JavaScript share.

A stage takes x, n numbers, and puts m numbers into y; what it has learnt is in lists without inner lists, a table by
rows. Sums run from the first term to the last, so that every language computes the same doubles. A rule takes the last
numbers and returns the number of a class. `translation` writes both in other languages: numbers, loops over ranges,
conditions and exp, log, pow, sqrt, tanh are all there is.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log, pow, sqrt, tanh

Row = Sequence[float]
Places = Sequence[int]
Found = list[float]  # what a stage writes to


def scale(x: Row, n: int, center: Row, width: Row, y: Found) -> None:
    """Take off the centre of each column, and divide by its width."""
    for j in range(n):
        y[j] = (x[j] - center[j]) / width[j]


def linear(x: Row, n: int, weights: Row, intercepts: Row, shifts: Row, m: int, y: Found) -> None:
    """Compute (Σⱼ w_kj xⱼ + b_k) + s_k."""
    for k in range(m):
        total = 0.0
        for j in range(n):
            total += weights[k * n + j] * x[j]
        y[k] = (total + intercepts[k]) + shifts[k]


def quadratic(x: Row, n: int, rotations: Row, centres: Row, rows: int, shifts: Row, m: int, y: Found) -> None:
    """Compute −½ Σ_r (R_kr·x − d_kr)² + s_k."""
    for k in range(m):
        total = 0.0
        for r in range(k * rows, (k + 1) * rows):
            t = 0.0
            for j in range(n):
                t += rotations[r * n + j] * x[j]
            total += (t - centres[r]) * (t - centres[r])
        y[k] = total / -2 + shifts[k]


def products(x: Row, n: int, points: Row, m: int, y: Found) -> None:
    """Compute ⟨x, zᵢ⟩."""
    for i in range(m):
        y[i] = 0.0
        for j in range(n):
            y[i] += x[j] * points[i * n + j]


def polynomials(x: Row, n: int, parameters: Row, points: Row, m: int, y: Found) -> None:
    """Compute (a ⟨x, zᵢ⟩ + c)^d for a, c, d."""
    for i in range(m):
        t = 0.0
        for j in range(n):
            t += x[j] * points[i * n + j]
        y[i] = pow(parameters[0] * t + parameters[1], parameters[2])


def sigmoids(x: Row, n: int, parameters: Row, points: Row, m: int, y: Found) -> None:
    """Compute tanh(a ⟨x, zᵢ⟩ + b) for a, b."""
    for i in range(m):
        t = 0.0
        for j in range(n):
            t += x[j] * points[i * n + j]
        y[i] = tanh(parameters[0] * t + parameters[1])


def gaussians(x: Row, n: int, parameters: Row, points: Row, m: int, y: Found) -> None:
    """Compute exp(−γ ‖x − zᵢ‖²)."""
    for i in range(m):
        u = 0.0
        for j in range(n):
            u += (x[j] - points[i * n + j]) * (x[j] - points[i * n + j])
        y[i] = exp(-parameters[0] * u)


def laplacians(x: Row, n: int, parameters: Row, points: Row, m: int, y: Found) -> None:
    """Compute exp(−‖x − zᵢ‖/σ)."""
    for i in range(m):
        u = 0.0
        for j in range(n):
            u += (x[j] - points[i * n + j]) * (x[j] - points[i * n + j])
        y[i] = exp(-sqrt(u) / parameters[0])


def monomials(x: Row, parents: Places, factors: Places, m: int, y: Found) -> None:
    """Compute products of the numbers, each but the first, 1, an earlier one times one more."""
    y[0] = 1.0
    for k in range(1, m):
        y[k] = y[parents[k]] * x[factors[k]]


def hinges(x: Row, variables: Places, signs: Places, knots: Row, most: int, m: int, y: Found) -> None:
    """Compute products of at most so many hinges (±(x_j − t))₊; a variable −1 stands for none."""
    for k in range(m):
        y[k] = 1.0
        for h in range(k * most, (k + 1) * most):
            if variables[h] >= 0:
                u = x[variables[h]] - knots[h]
                if signs[h] < 0:
                    u = -u
                y[k] *= u if u > 0 else 0.0


def curves(
    x: Row,
    n: int,
    starts: Places,
    knots: Row,
    values: Row,
    seconds: Row,
    slopes: Row,
    intercepts: Row,
    m: int,
    y: Found,
) -> None:
    """Add up a natural cubic spline of each variable, its slopes those beyond its knots, which begin at its start."""
    for k in range(m):
        y[k] = intercepts[k]
    for j in range(n):
        first: int = starts[j]
        last: int = starts[j + 1] - 1
        if last == first:
            for k in range(m):
                y[k] += values[first * m + k]
        if last > first:
            i: int = first
            while i < last - 1 and knots[i + 1] <= x[j]:
                i += 1
            h = knots[i + 1] - knots[i]
            a = (knots[i + 1] - x[j]) / h
            b = (x[j] - knots[i]) / h
            p = (a * a * a - a) * h * h / 6
            q = (b * b * b - b) * h * h / 6
            for k in range(m):
                if a > 1:
                    y[k] += values[i * m + k] + (x[j] - knots[i]) * slopes[2 * j * m + k]
                if b > 1:
                    y[k] += values[(i + 1) * m + k] + (x[j] - knots[i + 1]) * slopes[(2 * j + 1) * m + k]
                if a <= 1 and b <= 1:
                    line = a * values[i * m + k] + b * values[(i + 1) * m + k]
                    y[k] += line + p * seconds[i * m + k] + q * seconds[(i + 1) * m + k]


def hyperbolic(x: Row, n: int, y: Found) -> None:
    """Compute tanh of each number."""
    for j in range(n):
        y[j] = tanh(x[j])


def mixtures(x: Row, n: int, owners: Places, m: int, y: Found) -> None:
    """Compute the logarithm of the sum of the exponentials of the numbers that each class owns."""
    for k in range(m):
        top = 0.0
        seen: int = 0
        for j in range(n):
            if owners[j] == k:
                if seen == 0 or x[j] > top:
                    top = x[j]
                seen += 1
        total = 0.0
        for j in range(n):
            if owners[j] == k:
                total += exp(x[j] - top)
        y[k] = top if seen == 1 else top + log(total)


def shares(x: Row, m: int, y: Found) -> None:
    """Compute exp xₖ / Σ exp xₗ."""
    top = x[0]
    for k in range(1, m):
        top = x[k] if x[k] > top else top
    total = 0.0
    for k in range(m):
        y[k] = exp(x[k] - top)
        total += y[k]
    for k in range(m):
        y[k] = y[k] / total


def neighbours(
    x: Row, n: int, points: Row, labels: Places, weights: Row, size: int, reach: float, m: int, y: Found
) -> None:
    """Compute the votes of each class among the nearest points: so many, and all as near as these."""
    for k in range(m):
        y[k] = 0.0
    last = -1.0
    seen = 0.0
    while seen < reach:
        best = -1.0
        for i in range(size):
            u = 0.0
            for j in range(n):
                u += (x[j] - points[i * n + j]) * (x[j] - points[i * n + j])
            if u > last and (best < 0 or u < best):
                best = u
        if best < 0:
            seen = reach
        for i in range(size):
            u = 0.0
            for j in range(n):
                u += (x[j] - points[i * n + j]) * (x[j] - points[i * n + j])
            if u == best:
                seen += weights[i]
                y[labels[i]] += weights[i]
        last = best


def tree(
    x: Row, variables: Places, thresholds: Row, lefts: Places, rights: Places, shares: Row, m: int, y: Found
) -> None:
    """Compute the shares of the classes in a leaf, which has the variable −1: to the left up to the threshold."""
    i: int = 0
    while variables[i] >= 0:
        i = lefts[i] if x[variables[i]] <= thresholds[i] else rights[i]
    for k in range(m):
        y[k] = shares[i * m + k]


def largest(f: Row, m: int) -> int:
    """Return the first class of the largest number."""
    best: int = 0
    for k in range(1, m):
        if f[k] > f[best]:
            best = k
    return best


def sign(f: Row) -> int:
    """Return the second class from zero on."""
    return 1 if f[0] >= 0 else 0


def votes(f: Row, m: int) -> int:
    """Return the first class that wins the most pairs; the later of two wins from zero on."""
    best: int = 0
    most: int = -1
    for c in range(m):
        count: int = 0
        pair: int = 0
        for i in range(m):
            for j in range(i + 1, m):
                if c == (j if f[pair] >= 0 else i):
                    count += 1
                pair += 1
        if count > most:
            most = count
            best = c
    return best
