"""A kernel machine with functions beside the kernel that cost nothing: a semiparametric machine.

    minimise ½‖g‖² + Σ Vᵢ(rᵢ),   rᵢ = yᵢ − g(xᵢ) − Σ dₖtₖ(xᵢ),   g = Σ aᵢ K(xᵢ, ·),   Tᵀa = 0

    minimise ½aᵀKa − yᵀa + Σ Vᵢ*(aᵢ)   subject to Tᵀa = 0

The tₖ span the null space of the penalty (Kimeldorf and Wahba 1971; Smola, Friess and Schölkopf 1999). Multipliers
are contrasts, so that for all polynomials of degree below q it is enough that K is conditionally positive definite of
order q. The intercept is the case of the constant alone. d are the multipliers of the equalities.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, Optional

from refclass.bases.polynomial import Monomials
from refclass.errors import NoAnswer
from refclass.kernels.kernel import Kernel
from refclass.kernels.matrices import expansions
from refclass.kernels.matrices.product import exact_product
from refclass.linear.common_denominator import Scaled, combination
from refclass.linear.factorisations import elimination
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Field
from refclass.number.rational import RATIONAL
from refclass.optimise.active_set import crossover
from refclass.optimise.programme import solver as programme
from refclass.optimise.programme.problem import Programme
from refclass.optimise.quadratic.definiteness import definite
from refclass.optimise.quadratic.problem import Problem
from refclass.regress.kernel.machine import Machine

MODULE = "null_space"
FEW = 40  # variables up to which the dense active-set method and one exact system are faster than sparse p-adic ones


@dataclass(frozen=True)
class Semiparametric:
    """A machine, without an intercept of its own, and the values of m functions at its n points, all in fractions.

    T    n × m, its columns independent

    Raises    NoAnswer where the columns are not: another function has the same values at the points
    """

    machine: Machine
    T: Matrix

    def __post_init__(self) -> None:
        vanishing = elimination.null_space(RATIONAL, self.T)
        if vanishing:
            raise NoAnswer(
                MODULE,
                need="points at which no function of the null space vanishes everywhere",
                got="one that does",
                coefficients=vanishing[0],
            )

    @cached_property
    def places(self) -> list[int]:
        """m points at which the functions are independent, far from one another."""
        return apart(self.T, [Fraction(1)] * len(self.T))

    @cached_property
    def reduced(self) -> Matrix:
        """The kernel's matrix less its interpolants at m points, by functions of the null space, in both arguments.

            K̃(x, z) = K(x, z) − Σ pₖ(x) K(sₖ, z) − Σ pₗ(z) K(x, sₗ) + Σ pₖ(x) pₗ(z) K(sₖ, sₗ)        pₖ(sₗ) = δₖₗ

        It is positive semidefinite where K is so on the contrasts, and aᵀK̃a = aᵀKa for these (Wahba 1990, section 2.4).
        """
        K, n = self.machine.K, len(self.T)
        own = list(map(Scaled.of, self._interpolating))  # Method: row by row over one denominator.
        across = list(map(Scaled.of, zip(*self._interpolating)))
        rows = [Scaled.of(K.row(i)) for i in range(n)]
        near = [rows[i] for i in self.places]
        half = [row - combination(near, p, n) for row, p in zip(rows, own)]
        columns = [Scaled(tuple([row.integers[j] for j in self.places]), row.denominator) for row in half]
        return Matrix.of([Vector.of((r - combination(across, c, n)).fractions()) for r, c in zip(half, columns)])

    @cached_property
    def direction(self) -> Optional[Vector]:
        """A contrast with aᵀKa < 0; None where K is positive semidefinite on the contrasts, so that the dual is convex.

        Premise: the Gram matrix of a positive kernel is semidefinite, and so is what is left of it; rounded values of
        such a kernel may have a direction of roundoff.
        """
        if self.machine.positive:
            return None
        found = definite(self.reduced, intercept=False)[1]
        if found is None:
            return None
        # Proof: aᵀK̃a is the value of K at the contrast a − Σ pₖ(a) eₛ.
        contrast, moved = list(found), [found @ Vector.of(column) for column in zip(*self._interpolating)]
        for place, v in zip(self.places, moved):
            contrast[place] -= v
        return Vector.of(contrast)

    @cached_property
    def _interpolating(self) -> Matrix:
        """The values at all points of the functions pₖ with pₖ(sₗ) = δₖₗ."""
        return elimination.solve(Matrix.of([self.T[i] for i in self.places]).T, self.T.T).T

    def problem(self) -> Problem:
        """Return the dual as a quadratic problem in the parts; its equalities are Tᵀa = 0  [ESL-12.30]."""
        machine = replace(self.machine, K=self.reduced)
        E = Matrix.of([Vector.of([column[i] for i in machine.places]) for column in zip(*self.T)])
        return replace(machine.problem(), E=E, d=Vector.of([Fraction(0)] * len(E)))

    def functions(self, a: Sequence[Fraction], d: Sequence[Fraction]) -> tuple[Vector, Vector]:
        """Return K a, and K a + T d."""
        products = exact_product(self.machine.K, a)
        return products, Vector.of([v + row @ Vector.of(d) for v, row in zip(products, self.T)])

    def moments(self, a: Sequence[Fraction]) -> list[Fraction]:
        """Return Tᵀa."""
        return [sum([t * v for t, v in zip(column, a) if v], Fraction(0)) for column in zip(*self.T)]


@dataclass(frozen=True)
class Model:
    """A function f(x) = Σ aᵢ K(xᵢ, x) + Σ dₖ tₖ(x), the tₖ all monomials up to a degree.

    F, G     the field of its values, and the field in which the kernel is computed
    """

    F: Field
    G: Field
    kernel: Kernel
    points: Any
    coefficients: Vector
    polynomial: Vector
    degree: int

    def scores(self, Z: Any) -> Vector:
        """Return f(z) for every point z.

        Cost      a kernel value for each support point, and the monomials
        """
        kept = [i for i, v in enumerate(self.coefficients) if v]
        numbers = Vector.of([*self.coefficients.pick(kept), *self.polynomial] if kept else self.polynomial)
        points = tuple([self.points[i] for i in kept])
        basis = Monomials(len(self.points[0]), self.degree)

        def row(F: Field, G: Field, kernel: Kernel, z: Any, held: Any) -> Vector:
            own = map(F.lift, kernel.row(G, z, held)) if held else ()
            return Vector.of([*own, *basis(F, Vector.of(map(F.lift, z)))])

        whole = expansions.Terms(self.F, self.G, self.kernel, points, row)
        return Vector.of([f for (f,) in whole.values([(numbers, self.F.kind(0))], Z)])


def solve(given: Semiparametric, *, doubles: bool = False) -> tuple[Vector, Vector]:
    """Return the exact optimum (a, d); or, in fractions, a point in doubles near it.

    Exact     yes, unless doubles are asked for
    Raises    NoAnswer with a direction of negative curvature, unless K is positive semidefinite where Tᵀa = 0;
              NotConverged for doubles that are not proven to nine digits
    """
    if given.direction is not None:
        need = "K positive semidefinite on the contrasts, where Tᵀa = 0"
        raise NoAnswer(MODULE, need=need, got="a direction of negative curvature", direction=given.direction)
    places, K = given.places, given.reduced
    x, nu = _in_doubles(given.problem()) if doubles else _exactly(given.problem())
    values = iter(x)
    a = Vector.of([sum([next(values) for _ in own], Fraction(0)) for own in given.machine.pieces])
    f = [K.row(i) @ a + given.T[i] @ nu for i in places]
    products = exact_product(given.machine.K, a)
    d = elimination.solve(
        Matrix.of([given.T[i] for i in places]), Vector.of([v - products[i] for i, v in zip(places, f)])
    )
    return a, d


def _exactly(problem: Problem) -> tuple[Sequence[Fraction], Vector]:
    """Return the optimum of the dual and the multipliers of its equalities."""
    if problem.n <= FEW:
        best = crossover.solve(problem, convex=True)
        assert best.nu is not None
        return best.x, best.nu
    assert problem.E is not None
    found = programme.exact(_programme(problem), convex=True)
    return found.x, Vector.of(found.y[: len(problem.E)])


def _in_doubles(problem: Problem) -> tuple[Sequence[Fraction], Vector]:
    """Return a point in doubles, and its multipliers.  Raises NotConverged where nine digits are not proven of it."""
    assert problem.E is not None
    found = programme.rounded(_programme(problem), convex=True, fractions=problem.n > FEW)
    return found.x, Vector.of(found.y[: len(problem.E)])


def levelled(given: Semiparametric, a: Vector, d: Vector, rounded: Vector) -> Vector:
    """Return the polynomial for rounded multipliers: d, and the one nearest to what rounding takes from K a.

    Far from the origin rounding moves K a by far more than it moves f, and by almost a polynomial.

    Shapes    a, rounded: n; d: m, all in fractions
    Exact     yes: least squares over the points
    Cost      nm² multiplications of fractions, and a product with K
    """
    moved = exact_product(given.machine.K, a - rounded)
    T = given.T
    return d + elimination.solve(T.T @ T, T.T @ moved)


def apart(T: Matrix, weights: Sequence[Fraction]) -> list[int]:
    """Return m independent rows of T: the pivots of Gaussian elimination with complete pivoting, each row weighed.

    Of nearly equal points one is taken, so that the equations of these rows are no worse than they must be.
    """
    units = [max(map(abs, column)) for column in zip(*T)]
    rows = {i: [v / u for v, u in zip(row, units)] for i, row in enumerate(T)}
    columns, chosen = list(range(len(units))), list[int]()
    while columns:
        i, j = max(
            ((i, j) for i in rows for j in columns), key=lambda at: (weights[at[0]] * (v := abs(rows[at[0]][at[1]])), v)
        )
        pivot = rows.pop(i)
        rows = {k: [v - row[j] / pivot[j] * p for v, p in zip(row, pivot)] for k, row in rows.items()}
        columns.remove(j)
        chosen.append(i)
    return chosen


def _programme(problem: Problem) -> Programme:
    """Return the quadratic problem with its bounds as rows."""
    n, E = problem.n, problem.E
    assert E is not None and problem.d is not None
    rows = [*map(_sparse, E), *[{i: Fraction(1)} for i in range(n)]]
    none = [None] * n
    return Programme(
        [_sparse(problem.Q.row(i)) for i in range(n)],
        list(problem.c),
        rows,
        [*problem.d, *problem.lower],
        [*problem.d, *problem.upper],
        none,
        none,
    )


def _sparse(row: Iterable[Fraction]) -> dict[int, Fraction]:
    return {j: v for j, v in enumerate(row) if v}
