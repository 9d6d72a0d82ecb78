"""The ball around the user's points, and the bound on the error that it gives a fitted machine."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Optional

from refclass.certificate import Certificate
from refclass.errors import InvalidInput
from refclass.estimators.margins.svc import SVC
from refclass.estimators.protocol.given.kernel_input import Given, given
from refclass.kernels.linear import Linear
from refclass.linear.matrix import Matrix
from refclass.margins import enclosing_ball as ball
from refclass.number.arithmetic import field
from refclass.number.binary64 import BINARY64
from refclass.number.field import Number
from refclass.selection import bounds, leave_one_out


@dataclass(frozen=True)
class EnclosingBall:
    """The smallest ball that encloses points, in the space of their kernel.

    square         R²
    weights        n numbers ≥ 0 of sum 1: the centre is Σ weightᵢ φ(xᵢ)
    support        the rows that have a weight, on the sphere
    centre         the centre, for the linear kernel; None for others, whose space is another
    certificate    the proof, exact, from the data as given
    """

    square: Number
    weights: list[Number]
    support: list[int]
    centre: Optional[list[Number]]
    certificate: Certificate


def enclosing_ball(X: Any, *, kernel: Any = "linear", arithmetic: Any = "float") -> EnclosingBall:
    """Return the smallest ball that encloses the rows of X in the space of a kernel  [ESL-12.50].

        minimise R²  subject to  ‖φ(xᵢ) − c‖² ≤ R²

    Its centre is unique, its weights need not be.

    Parameters
    ----------
    X : n rows of p numbers
        The points.
    kernel : str, dict or Kernel, default "linear"
        The kernel: "linear", {"name": "gaussian", "gamma": 1}, … or a kernel object. gamma may be "scale", which is
        1/(p · var X).
    arithmetic : "float", "exact" or "decimal:n", default "float"
        The numbers that are computed with: binary64, fractions, or decimals of n digits. A kernel that is not
        rational is taken, in exact arithmetic, at the binary64 value of each entry of its Gram matrix.

    Returns
    -------
    EnclosingBall
        The squared radius, the weights of the centre, the points on the sphere and the certificate, whose gap says
        how much smaller the smallest ball could be.

    Exact
    -----
    In exact arithmetic; a kernel that is not rational is taken at the binary64 values of its Gram matrix.

    Raises
    ------
    InvalidInput
        For bad points or parameters.
    NoAnswer
        If the kernel has no distances on them.

    See Also
    --------
    risk_bound : the bound that needs the ball

    References
    ----------
    - T. Hastie, R. Tibshirani and J. Friedman (2009). The Elements of Statistical Learning, second edition, section
      12.2.

    Examples
    --------
    >>> found = enclosing_ball([[0, 0], [4, 0], [1, 1]], arithmetic="exact")
    >>> [str(v) for v in (found.square, *found.centre)], found.support, found.certificate.status
    (['4', '2', '0'], [0, 1], 'optimal')
    """
    return _around(given(field(arithmetic), kernel, X))


def _around(given: Given) -> EnclosingBall:
    kernel, points, inner, centre = given.kernel, given.points, given.rows, None
    moved = Matrix.of([x - points[0] for x in points]) if isinstance(kernel, Linear) else None
    if moved is not None:  # Method: distances do not change, and digits are kept, when all points are moved.
        inner = replace(given, points=moved).rows
    held = given.exactly()
    found = ball.solve(given.F, inner, held, positive=kernel.positive)
    if moved is not None:
        centre = list(points[0] + ball.centre(found.weights, moved))
    proof = ball.certify(held, found)
    return EnclosingBall(found.square, list(found.weights), found.support, centre, proof)


@dataclass(frozen=True)
class RiskBound:
    """A bound on the test error of a machine without training errors, and what it is made of.

    value          4 (h [log(2n/h) + 1] − log(η/4))/n; None if the machine has training errors
    vacuous        whether it says nothing: it is one or more, or there is none
    dimension      h = min(⌈R²A²⌉, p) + 1, p counted for the linear kernel only
    printed        R²A², as the book has it [ERR-ESL-12]
    square         R², of the smallest ball around the training points
    norm           A² = ‖β̂‖² of f divided by the least |f(xᵢ)|, as the dimension is one of canonical rules; of a
                   machine that errs, of f as it is
    errors         training observations on the wrong side, or on the plane
    support_share  the share of support vectors: a bound on the leave-one-out error [ESL-12.2.2-loo]
    """

    value: Optional[float]
    vacuous: bool
    dimension: int
    printed: Number
    square: Number
    norm: Number
    errors: int
    support_share: float


def risk_bound(machine: SVC, eta: float = 0.05) -> RiskBound:
    """Return the bound on the test error of a fitted SVC from its margin and its points  [ESL-12.50] [ESL-12.51].

    Everything but the logarithms is computed in the machine's arithmetic.

    Parameters
    ----------
    machine : SVC
        A fitted classifier of two classes.
    eta : number, default 0.05
        The bound holds with probability at least 1 − eta, if the ball and the norm had been there before the points.

    Returns
    -------
    RiskBound
        The bound, or None where a training point is misclassified, and what it is computed from.

    Raises
    ------
    InvalidInput
        Unless the machine is a fitted SVC of two classes and 0 < eta ≤ 1.

    See Also
    --------
    enclosing_ball : the ball of the points

    References
    ----------
    - T. Hastie, R. Tibshirani and J. Friedman (2009). The Elements of Statistical Learning, second edition, section
      12.2.
    - V. Vapnik (1995). The Nature of Statistical Learning Theory. Springer.

    Examples
    --------
    >>> machine = SVC(C=10, arithmetic="exact").fit([[-2], [-1], [1], [2]], [0, 0, 1, 1])
    >>> bound = risk_bound(machine)
    >>> str(bound.printed), bound.dimension, bound.vacuous, bound.support_share
    ('4', 2, True, 0.5)
    """
    if not isinstance(machine, SVC):
        raise InvalidInput("risk_bound", need="a fitted SVC", got=type(machine).__name__)
    machine.is_fitted()
    if len(machine.classes_) != 2:
        raise InvalidInput("risk_bound", need="an SVC of two classes", got=f"{len(machine.classes_)} classes")
    model: Any = machine._model
    held: Any = machine._held
    points, trained = held.given.points, held.trained
    around = _around(held.given)
    p = len(points[0]) if isinstance(model.kernel, Linear) else None
    n, y = len(points), held.machine.y
    values = model.scores(points)
    errors = sum(t * f <= 0 for t, f in zip(y, values))
    norm = trained.square if errors else bounds.canonical_norm(trained.square, values)
    h = bounds.dimension(around.square, norm, p)
    known = bounds.error_bound(BINARY64, n, h, eta)
    return RiskBound(
        value=None if errors else known.value,
        vacuous=bool(errors) or known.vacuous,
        dimension=h,
        printed=bounds.printed_dimension(around.square, norm),
        square=around.square,
        norm=norm,
        errors=errors,
        support_share=float(leave_one_out.support_share(trained.alpha)),
    )
