"""A hyperplane, its two sides, and the distances of points from it.

f(x) = xᵀβ + β₀ = 0
"""

from __future__ import annotations

from fractions import Fraction

from refclass.errors import InvalidInput
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Field, Number


def decision(x: Vector, beta: Vector, beta0: Number) -> Number:
    """Return the decision value of a point  [ESL-12.1] [ISML-27.1] [MMST-11.3].

        f(x) = xᵀβ + β₀

    Exact     yes
    Cost      p multiplications
    """
    return x @ beta + beta0


def side(f: Number) -> int:
    """Return the class that a decision value means, 0 for a tie  [ESL-12.2] [ESL-12.18] [MMST-11.28].

        G(x) = sign f(x)        [KIM-3.31] [KIM-3.50] [KIM-3.75]

    Exact     yes
    Example
        >>> side(-2.5), side(0.0)
        (-1, 0)
    """
    return int(f > 0) - int(f < 0)


def distance(F: Field, x: Vector, beta: Vector, beta0: Number) -> Number:
    """Return the signed distance of a point from the hyperplane  [MMST-11.7] [KIM-Thm3.2.1].

        f(x) / ‖β‖        positive on the side that β points to  [MMST-Ex11.1a] [MMST-Ex11.1b]

    Raises    InvalidInput if β = 0: there is no hyperplane
    """
    return decision(x, beta, beta0) / norm(F, beta)


def foot(x: Vector, beta: Vector, beta0: Number) -> Vector:
    """Return the point of the hyperplane nearest to x  [KIM-3.13].

        x − f(x) β / ‖β‖²

    Exact     yes
    Raises    InvalidInput if β = 0
    """
    step: Vector = beta * (decision(x, beta, beta0) / _square(beta))
    return x - step


def along(F: Field, x: Vector, a: Number, beta: Vector) -> Vector:
    """Return the point that is a units away from x in the direction of the normal  [KIM-3.10] [KIM-3.12].

        x + a β / ‖β‖

    Raises    InvalidInput if β = 0
    """
    step: Vector = beta * (a / norm(F, beta))
    return x + step


def steps_to_plane(F: Field, x: Vector, beta: Vector, beta0: Number) -> Number:
    """Return the a for which x + a β/‖β‖ lies on the hyperplane, for any x  [KIM-3.16]; with β₀ = 0  [KIM-3.11].

        a ‖β‖ + f(x) = 0        [KIM-3.15]

    Raises    InvalidInput if β = 0
    """
    return -distance(F, x, beta, beta0)


def shifted(x: Vector, beta: Vector, beta0: Number) -> Vector:
    """Return the point of f = 0 that a point of xᵀβ = 0 is moved to  [KIM-3.2-shift].

        x − β₀ β / ‖β‖²        the plane with an intercept is the plane without, shifted along its normal

    Exact     yes
    Raises    InvalidInput if β = 0
    """
    step: Vector = beta * (beta0 / _square(beta))
    return x - step


def norm(F: Field, beta: Vector) -> Number:
    """Return ‖β‖.  Raises InvalidInput if β = 0."""
    return F.sqrt(_square(beta))


def _square(beta: Vector) -> Number:
    square = beta @ beta
    if square == 0:
        raise InvalidInput("hyperplane", need="a normal vector other than zero", got=beta)
    return square


def functional_margins(X: Matrix, y: Vector, beta: Vector, beta0: Number) -> Vector:
    """Return yᵢ f(xᵢ) for every point, ≥ 1 where a canonical plane separates  [MMST-11.8] [MMST-11.9] [KIM-3.20].

    Shapes    X: n × p; y: n
    Exact     yes
    """
    return Vector([t * decision(x, beta, beta0) for x, t in zip(X, y)])


def geometric_margins(F: Field, X: Matrix, y: Vector, beta: Vector, beta0: Number) -> Vector:
    """Return yᵢ f(xᵢ) / ‖β‖ for every point: its distance, negative on the wrong side  [KIM-3.17]."""
    margins: Vector = functional_margins(X, y, beta, beta0) / norm(F, beta)
    return margins


def margin(F: Field, X: Matrix, y: Vector, beta: Vector, beta0: Number) -> Number:
    """Return the margin of a hyperplane, the least geometric margin of the points  [ESL-12.3] [ISML-27.1.1-margin].

        minᵢ yᵢ f(xᵢ) / ‖β‖        for ‖β‖ = 1 the largest M with yᵢ f(xᵢ) ≥ M for every i  [YANG-separable-case]

    The hyperplane that maximises it is the hard margin's, with the maximum 1/‖β‖ in canonical scale.
    """
    return min(geometric_margins(F, X, y, beta, beta0))


def distances_of_classes(F: Field, X: Matrix, y: Vector, beta: Vector, beta0: Number) -> tuple[Number, Number]:
    """Return the distances of the nearest negative and the nearest positive point  [MMST-11.2.1-margin].

        d₋ = min over yᵢ = −1 of −f(xᵢ)/‖β‖,   d₊ = min over yᵢ = +1 of f(xᵢ)/‖β‖        the whole margin is d = d₋ + d₊

    Units     those of x; negative for a class with a point on the wrong side
    """
    margins = geometric_margins(F, X, y, beta, beta0)
    negative, positive = ([m for m, t in zip(margins, y) if t * side > 0] for side in (-1, 1))
    return min(negative), min(positive)


def distribution(margins: Vector) -> list[tuple[Number, Fraction]]:
    """Return the distribution of the margins: each, rising, with the share of points that have it or less.

    [MMST-11.2.1-distribution]

    Shapes    margins: n functional margins yᵢ f(xᵢ)
    Example
        >>> distribution(Vector([3.0, 1.0, 1.0, 2.0]))
        [(1.0, Fraction(1, 2)), (2.0, Fraction(3, 4)), (3.0, Fraction(1, 1))]
    """
    n = len(margins)
    return [(m, Fraction(sum(v <= m for v in margins), n)) for m in sorted(set(margins))]


def half_width(F: Field, beta: Vector) -> Number:
    """Return the distance between the hyperplane and the band's edge, M = 1/‖β‖  [ESL-12.4] [ISML-27.1.1-margin].

    Units     those of x; the whole band is twice as wide
    """
    return 1 / norm(F, beta)


def canonical(X: Matrix, y: Vector, beta: Vector, beta0: Number) -> tuple[Vector, Number]:
    """Return the hyperplane rescaled so that the least functional margin is one  [ESL-12.4] [KIM-3.8] [KIM-3.18].

        minᵢ yᵢ f(xᵢ) = 1        (a plane separates if all are positive  [KIM-3.7] [ISML-27.1.1-positive])

    Then the planes f = c with −1 < c < 1 separate them too  [KIM-3.9], and the margin times ‖β‖ is one.

    Exact     yes
    Raises    InvalidInput unless it separates the points, naming the one that it does not
    """
    margins = functional_margins(X, y, beta, beta0)
    least = min(margins)
    if not least > 0:
        i = margins.index(least)
        raise InvalidInput("hyperplane", need="a hyperplane that separates the points", got=f"margin {least}", row=i)
    return beta / least, beta0 / least


def intercept_between(x_positive: Vector, x_negative: Vector, beta: Vector) -> Number:
    """Return the intercept that puts the hyperplane midway between two points  [MMST-11.6] [MMST-11.26].

        β₀ = −½ (x₊ᵀβ + x₋ᵀβ)

    Exact     yes
    """
    return -((x_positive + x_negative) @ beta) / 2
