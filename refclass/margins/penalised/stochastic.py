"""Loss plus penalty by stochastic gradients: the plain route that ISML names, with a bound on what it leaves.

minimise Σ L(yᵢ θᵀφ(xᵢ)) + ½λ‖θ‖²        which is n times (1/n) Σ L + ½(λ/n)‖θ‖²
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

from refclass.certificate import Certificate, relative_digits, status
from refclass.errors import InvalidInput
from refclass.linear.vector import Vector
from refclass.losses.hinge import Hinge
from refclass.losses.squared_hinge import SquaredHinge
from refclass.margins.penalised.penalised import Problem
from refclass.number.field import Field
from refclass.optimise.smooth import sgd


def averaged(F: Field, problem: Problem) -> sgd.Problem:
    """Return the averaged problem in the coefficients of features.

    Raises    InvalidInput unless the loss is the hinge or its square, the Gram matrix that of rows of features, without
              an intercept, and all weights are one
    """
    features = getattr(problem.K, "X", None)
    if not isinstance(problem.loss, (Hinge, SquaredHinge)):
        raise InvalidInput("descent", need="the hinge or the squared hinge", got=type(problem.loss).__name__)
    if features is None or problem.intercept or set(problem.weights) != {1}:
        raise InvalidInput("descent", need="features, no intercept, and no weights", got="another problem")
    loss = problem.loss
    return sgd.Problem(
        features,
        problem.y,
        problem.penalty / len(problem.y),
        lambda m: loss(F, m),
        lambda m: loss.slopes(F, m)[0],
    )


def fit(F: Field, problem: Problem, rng: Random, count: int) -> Vector:
    """Return the average of the second half of `count` iterates  [ISML-27.6.2-sgd].

    The count of the steps begins where no step is longer than the squared hinge allows: at t = 1 + 2 max‖φ‖²n/λ.

    Raises    InvalidInput for a problem that is none of `averaged`, or a count below 1
    """
    given = averaged(F, problem)
    first = 1
    if isinstance(problem.loss, SquaredHinge):
        first += int(2 * max(x @ x for x in given.X) / given.lam)
    return sgd.solve(given, rng, count=count, first=first, skip=count // 2)


def certify(F: Field, problem: Problem, theta: Vector) -> Certificate:
    """Return how far the objective at θ lies above the minimum, from strong convexity  [ISML-27.6.2-objective].

    Exact     yes: the problem in F, an exact field; θ is taken as the rationals that it is
    """
    found = sgd.certify(averaged(F, problem), Vector.of(map(F.lift, theta)))
    whole = found.times(len(problem.y))
    proven = relative_digits(whole.primal, whole.dual)
    return replace(whole, status=status(proven), digits=proven)
