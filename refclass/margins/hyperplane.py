"""A hyperplane, its two sides, and the distances of points from it.

f(x) = xᵀβ + β₀ = 0
"""

from __future__ import annotations

from refclass.errors import InvalidInput
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Field, Number


def decision(x: Vector, beta: Vector, beta0: Number) -> Number:
    """Return the decision value of a point  [ESL-12.1] [ISML-27.1] [MMST-11.2].

        f(x) = xᵀβ + β₀

    Exact     yes
    Cost      p multiplications
    """
    return x @ beta + beta0


def side(f: Number) -> int:
    """Return the class that a decision value speaks for, 0 for a tie  [ESL-12.2] [ESL-12.18] [MMST-11.28].

        G(x) = sign f(x)        [KIM-3.31] [KIM-3.50] [KIM-3.75]

    Exact     yes
    Example
        >>> side(-2.5), side(0.0)
        (-1, 0)
    """
    return int(f > 0) - int(f < 0)


def distance(F: Field, x: Vector, beta: Vector, beta0: Number) -> Number:
    """Return the signed distance of a point from the hyperplane  [MMST-11.7] [KIM-3.10] [MMST-Ex11.1b].

        f(x) / ‖β‖        positive on the side that β points to

    Raises    InvalidInput if β = 0: there is no hyperplane
    """
    return decision(x, beta, beta0) / norm(F, beta)


def foot(x: Vector, beta: Vector, beta0: Number) -> Vector:
    """Return the point of the hyperplane nearest to x  [KIM-3.13].

        x − f(x) β / ‖β‖²

    Exact     yes
    Raises    InvalidInput if β = 0
    """
    square = beta @ beta
    if square == 0:
        raise InvalidInput("hyperplane", need="a normal vector other than zero", got=beta)
    step: Vector = beta * (decision(x, beta, beta0) / square)
    return x - step


def norm(F: Field, beta: Vector) -> Number:
    """Return ‖β‖.  Raises InvalidInput if β = 0."""
    square = beta @ beta
    if square == 0:
        raise InvalidInput("hyperplane", need="a normal vector other than zero", got=beta)
    return F.sqrt(square)


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


def half_width(F: Field, beta: Vector) -> Number:
    """Return the distance between the hyperplane and the band's edge, M = 1/‖β‖  [ESL-12.4] [ISML-27.1.1-margin].

    Units     those of x; the whole band is twice as wide
    """
    return 1 / norm(F, beta)


def canonical(X: Matrix, y: Vector, beta: Vector, beta0: Number) -> tuple[Vector, Number]:
    """Return the hyperplane rescaled so that the least functional margin is one  [ESL-12.4] [KIM-3.8] [KIM-3.18].

        minᵢ yᵢ f(xᵢ) = 1        (a plane separates if all are positive  [KIM-3.7] [ISML-27.1.1-positive])

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
    """Return the intercept that puts the hyperplane midway between two points  [MMST-11.6] [MMST-11.26] [KIM-3.30].

        β₀ = −½ (x₊ᵀβ + x₋ᵀβ)

    Exact     yes
    """
    return -((x_positive + x_negative) @ beta) / 2
