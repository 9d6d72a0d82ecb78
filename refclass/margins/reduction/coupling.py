"""Coupling of pairwise probabilities into those of many classes (Hastie and Tibshirani 1998)  [MC-COUPLE].

    r_ij = Pr(class i | class i or j), estimated pair by pair;   wanted p with μ_ij = p_i/(p_i + p_j) near them:
    minimise Σ_{i<j} n_ij [r_ij log(r_ij/μ_ij) + (1 − r_ij) log((1 − r_ij)/(1 − μ_ij))]
    stationary:   Σ_{j≠i} n_ij μ_ij = Σ_{j≠i} n_ij r_ij      for every class i

Cyclically p_i is multiplied by the ratio of the right side to the left, and p normalised: each such step lowers the
divergence, which in log p is convex. That is slow where pairs are nearly certain, and `solve` takes Newton's method in
log p, damped so that the divergence falls at every step (Bach 2010), with continuation: from equal probabilities and
pairs with log-odds of a small part of those given, which is doubled until it is 1. Where the pairs agree with one
another, p is also 1/p_i = 1 + Σ_j r_ji/r_ij (Price, Knerr, Personnaz and Dreyfus 1995), in any field.

With r_ij = 0 for some pairs the least divergence is attained if and only if every class is reached from every other by
steps from i to j with r_ij > 0 (Ford 1957). Else one set of classes wins every pair against the others with certainty
and is the smallest such set; p is the limit of every sequence along which the divergence falls to its infimum: the
coupled probabilities of that set, and 0 for the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations

from refclass.errors import InvalidInput, NotConverged, NotExact
from refclass.linear.vector import Vector
from refclass.number.decimals import GUARD_DIGITS, decimal
from refclass.number.field import MAX_DECIMAL_EXPONENT, Field, Number, rational

MOST = 200  # steps of Newton's method for one part of the log-odds
LARGE = 16  # log-odds from which on continuation serves


@dataclass(frozen=True)
class Problem:
    """Pairwise probabilities of K classes.

    r    K × K, r[i][j] + r[j][i] = 1 up to roundoff, between 0 and 1 off the diagonal, which is not read
    n    K × K, the symmetric weights of the pairs: how many rows each was fitted to
    """

    r: tuple[Vector, ...]
    n: tuple[Vector, ...]

    def sides(self, p: Sequence[Number], i: int) -> tuple[Number, Number]:
        """Return Σ n_ij μ_ij and Σ n_ij r_ij over j ≠ i."""
        others = [j for j in range(len(p)) if j != i]
        left = sum([self.n[i][j] * p[i] / (p[i] + p[j]) for j in others], p[0] * 0)
        return left, sum([self.n[i][j] * self.r[i][j] for j in others], p[0] * 0)

    def violation(self, p: Sequence[Number]) -> Number:
        """Return the largest |Σ n_ij μ_ij − Σ n_ij r_ij| over the classes."""
        return max(abs(a - b) for a, b in (self.sides(p, i) for i in range(len(p))))


def steps(problem: Problem, start: Vector) -> Iterator[Vector]:
    """Yield the probabilities after each sweep over the classes.

    Exact     each sweep, in an exact field; the limit is irrational for more than two classes in general
    Cost      K(K + 1) divisions and 2K multiplications a sweep, besides the sums of the two sides
    """
    p = list(start)
    while True:
        for i in range(len(p)):
            left, right = problem.sides(p, i)
            p[i] = p[i] * right / left
            total = sum(p, p[0] * 0)
            p = [v / total for v in p]
        yield Vector.of(p)


def solve(F: Field, problem: Problem) -> Vector:
    """Return the coupled probabilities  [MC-COUPLE].

    For two classes they are the pair's own, exactly, and pairs of fractions that agree with one another give back
    theirs. In floats the smaller of the two probabilities of a pair is taken as given, and decimals keep every p_i to
    the last digits of the floats.

    Raises    InvalidInput for pairs that are no probabilities; NotConverged, with the last step; NotExact for fractions
              that do not agree with one another
    """
    K, r = len(problem.r), problem.r
    for i, j in combinations(range(K), 2):
        if not (r[i][j] >= 0 and r[j][i] >= 0 and abs(r[i][j] + r[j][i] - 1) <= 64 * F.eps):
            raise InvalidInput(
                "coupling", need="two probabilities for each pair, of sum 1", got=(r[i][j], r[j][i]), classes=(i, j)
            )
    winners = sorted(_winners(problem))
    found = [F.kind(0)] * K
    for i, value in zip(winners, _coupled(F, _among(problem, winners))):
        found[i] = value
    return Vector.of(found)


def _winners(problem: Problem) -> set[int]:
    """Return the smallest set of classes that wins every pair against the others with certainty.

    Such sets are nested, because one of the two classes of a pair has a positive probability: from the class with the
    fewest others that it reaches by steps to a class with r > 0 against it, the set is what it reaches.
    """
    K = len(problem.r)
    reached = []
    for start in range(K):
        found, new = {start}, [start]
        while new:
            i = new.pop()
            beaten_by = [j for j in range(K) if j not in found and problem.r[j][i] > 0]
            found.update(beaten_by)
            new.extend(beaten_by)
        reached.append(found)
    return min(reached, key=len)


def _among(problem: Problem, classes: Sequence[int]) -> Problem:
    """Return the problem of these classes alone."""
    rows = [[Vector.of([M[i][j] for j in classes]) for i in classes] for M in (problem.r, problem.n)]
    return Problem(tuple(rows[0]), tuple(rows[1]))


def _coupled(F: Field, problem: Problem) -> Vector:
    """Return the coupled probabilities where the least divergence is attained."""
    K = len(problem.r)
    if K == 1:
        return Vector.of([F.kind(1)])
    if K == 2:
        return Vector.of([problem.r[0][1], problem.r[1][0]])
    if F.exact:
        p = consistent(problem)
        if problem.violation(p):
            raise NotExact("coupling", need="pairs that agree with one another", got="others, whose p is irrational")
        return p
    pairs = list(combinations(range(K), 2))
    wanted = len(str(int(1 / rational(F.eps)))) + GUARD_DIGITS
    G = decimal(wanted + 2 * len(str(K)))
    r = [[G.kind(0)] * K for _ in range(K)]
    for i, j in pairs:
        small, large = (i, j) if problem.r[i][j] <= problem.r[j][i] else (j, i)
        r[small][large] = G.lift(problem.r[small][large])
        r[large][small] = 1 - r[small][large]
    least = min(v for row in r for v in row if v)
    n = tuple(Vector.of(map(G.lift, row)) for row in problem.n)
    p, part = Vector.of([1 / G.kind(K)] * K), G.kind(1)
    while part * -G.log(least) > LARGE:
        part /= 2
    while part < 1:
        p = newton(G, Problem(_part(G, r, part), n), p, 1 / G.kind(2))
        p, part = Vector.of([v * v for v in p]), 2 * part
    p = newton(G, Problem(tuple(map(Vector.of, r)), n), p, G.kind(10) ** -(wanted // 2 + 1))
    return Vector.of([F.lift(v if v.adjusted() >= -MAX_DECIMAL_EXPONENT else 0) for v in p])


def consistent(problem: Problem) -> Vector:
    """Return 1/p_i = 1 + Σ r_ji/r_ij over j ≠ i: the coupled probabilities where the pairs agree with one another.

    A class with a pair of probability 0 gets 0.
    """
    K, r = len(problem.r), problem.r
    zero = r[0][1] * 0
    found = []
    for i in range(K):
        others = [j for j in range(K) if j != i]
        certain = all(r[i][j] for j in others)
        found.append(1 / (1 + sum([r[j][i] / r[i][j] for j in others], zero)) if certain else zero)
    return Vector.of(found)


def _part(F: Field, r: Sequence[Sequence[Number]], part: Number) -> tuple[Vector, ...]:
    """Return the pairwise probabilities with this part of the log-odds."""
    power = [[F.exp(part * F.log(v)) if v else v for v in row] for row in r]
    K = len(r)
    return tuple(
        Vector.of([power[i][j] / (power[i][j] + power[j][i]) if i != j else r[i][i] for j in range(K)])
        for i in range(K)
    )


def newton(F: Field, problem: Problem, p: Vector, enough: Number) -> Vector:
    """Return the probabilities at which the equations hold, from p by damped Newton's method in log p.

    The Jacobian has −n_ij μ_ij μ_ji off its diagonal, and rows that sum to zero. A step whose entries differ by at most
    L is taken log(1 + L)/L of its length: along it the third derivative of the divergence is at most L times the
    second, and the divergence falls (Bach 2010; Sun and Tran-Dinh 2019). It ends with a step of L ≤ enough, whose error
    in log p is about L².

    Raises    NotConverged, with the last L
    """
    for _ in range(MOST):
        step = _step(problem, p)
        length = max(step) - min(step)
        part = F.log(1 + length) / length if length else length
        moved = Vector.of([v * F.exp(part * d) for v, d in zip(p, step)])
        p = moved / moved.sum()
        if length <= enough:
            return p
    raise NotConverged("coupling", need=f"a step in log p of at most {enough:.3g}", got=length)


def _step(problem: Problem, p: Vector) -> list[Number]:
    """Return the x with Σⱼ wᵢⱼ(xᵢ − xⱼ) = Σⱼ dᵢⱼ for every class i, and x₀ = 0.

    wᵢⱼ = n_ij μ_ij μ_ji    dᵢⱼ = n_ij (r_ij − μ_ij), of the smaller of r_ij and r_ji; dⱼᵢ = −dᵢⱼ

    Method: classes are eliminated as states of a Markov chain are (Grassmann, Taksar and Heyman 1985): weights are
    only added up. That of class v leaves wᵢⱼ + wᵢᵥwᵥⱼ/Wᵥ and dᵢⱼ + (wⱼᵥdᵢᵥ − wᵢᵥdⱼᵥ)/Wᵥ, with Wᵥ = Σⱼ wᵥⱼ, and changes
    no sum over a set of classes that v belongs to or not: what two sets differ by is computed from their pairs alone,
    and keeps its digits however rarely one of them wins against the other.
    """
    K, zero = len(p), p[0] * 0
    w, d = ([[zero] * K for _ in range(K)] for _ in range(2))
    for i, j in permutations(range(K), 2):
        w[i][j] = problem.n[i][j] * p[i] * p[j] / (p[i] + p[j]) ** 2
        if (problem.r[i][j], i) < (problem.r[j][i], j):
            d[i][j] = problem.n[i][j] * (problem.r[i][j] - p[i] / (p[i] + p[j]))
            d[j][i] = -d[i][j]
    totals = [zero] * K
    for v in range(K - 1, 0, -1):
        totals[v] = sum(w[v][:v], zero)
        for i, j in permutations(range(v), 2):
            w[i][j] += w[i][v] * w[v][j] / totals[v]
            d[i][j] += (w[v][j] * d[i][v] - w[v][i] * d[j][v]) / totals[v]
    x = [zero]
    for v in range(1, K):
        x.append(sum([w[v][j] * x[j] + d[v][j] for j in range(v)], zero) / totals[v])
    return x
