"""Small problems of loss plus penalty on rational points, for tests."""

from fractions import Fraction as Q

from hypothesis import strategies as st

from refclass.kernels.linear import Linear
from refclass.kernels.matrices.gram import Rows, gram
from refclass.kernels.polynomial import Polynomial
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.losses.hinge import Hinge
from refclass.losses.huberised import Huberised
from refclass.losses.huberised_hinge import HuberisedHinge
from refclass.losses.squared import Squared
from refclass.losses.squared_hinge import SquaredHinge
from refclass.margins.penalised.penalised import Problem
from refclass.number.rational import RATIONAL
from tests.strategies import positive, samples

QUADRATIC = Polynomial(degree=2, c=Q(1), scale=Q(1))
CONVEX = [Hinge(), SquaredHinge(), Huberised(), HuberisedHinge(), Squared()]


def problem(X, y, loss, penalty=1, *, intercept=True, kernel=None, coefficients=False, weights=None):
    """A problem with a linear kernel, or another; with the norm of coefficients its table is squared."""
    points = Matrix([[Q(v) for v in x] for x in X])
    K = Rows(RATIONAL, kernel or Linear(), points)
    if coefficients:
        K = Rows(RATIONAL, Linear(), gram(RATIONAL, kernel or Linear(), points))
    w = Vector([Q(v) for v in weights or [1] * len(y)])
    return Problem(K, Vector([Q(t) for t in y]), w, loss, Q(penalty), intercept)


@st.composite
def problems(draw, losses=CONVEX, kernel=None, per_class=(1, 3), intercept=None, coefficients=None):
    """Problems with duplicates, collinear points, classes of one point, both norms, with an intercept and without."""
    X, labels = draw(samples(per_class=per_class))
    return problem(
        X,
        [2 * k - 1 for k in labels],
        draw(st.sampled_from(losses)),
        draw(positive),
        intercept=draw(st.booleans()) if intercept is None else intercept,
        kernel=kernel,
        coefficients=draw(st.booleans()) if coefficients is None else coefficients,
    )


def over(F, p):
    """The problem in another arithmetic."""
    return p.over(F)


def margins(p, fit):
    """The margins of a fit."""
    return p.y.times(fit.f)


# Two classes on a line with an outlier of class +1 far on the other side: points, labels.
OUTLIER = ([[-4], [-3], [-2], [2], [3], [4], [-20]], [-1, -1, -1, 1, 1, 1, 1])
