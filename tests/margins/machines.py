"""Small machines on rational points, for tests."""

from fractions import Fraction as Q

from hypothesis import strategies as st

from refclass.kernels.linear import Linear
from refclass.kernels.matrices.gram import Rows
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.margins.svm import conditions, fit, hard, soft
from refclass.margins.svm.soft import Machine
from refclass.number.rational import RATIONAL
from refclass.oracle import table
from tests.strategies import positive, samples


def machine(X, y, C=1, squared=False, intercept=True):
    """A machine with a linear kernel; C is one cost, a list of costs, or None for ∞."""
    X = Matrix([[Q(v) for v in x] for x in X])
    costs = C if isinstance(C, (list, tuple)) else [C] * len(y)
    costs = tuple(None if c is None else Q(c) for c in costs)
    return Machine(Rows(RATIONAL, Linear(), X), Vector([Q(t) for t in y]), costs, squared, intercept)


def mixture():
    """The rows and labels of the embedded mixture data."""
    t = table.embedded("mixture")
    return t.numbers(["x1", "x2"], float), t.column("y")


@st.composite
def machines(draw, **options):
    """Soft-margin machines with duplicates, collinear points, classes of one point."""
    X, labels = draw(samples(**options))
    return machine(X, [2 * k - 1 for k in labels], C=draw(positive))


@st.composite
def balanced(draw, m):
    """Multipliers in the box with Σ αᵢyᵢ = 0: pairs of points of opposite classes get equal shares."""
    alpha = [Q(0)] * len(m.y)
    for i in (i for i, t in enumerate(m.y) if t > 0):
        for j in (j for j, t in enumerate(m.y) if t < 0):
            slack = min(m.costs[i] - alpha[i], m.costs[j] - alpha[j])
            step = slack * draw(st.sampled_from([Q(0), Q(1, 3), Q(1)]))
            alpha[i], alpha[j] = alpha[i] + step, alpha[j] + step
    return Vector(alpha)


def signed(labels):
    """Labels ±1 of labels 0 and 1."""
    return [2 * k - 1 for k in labels]


@st.composite
def problems(draw, **options):
    """Rows and labels ±1 of two classes; duplicates and collinear points happen."""
    X, labels = draw(samples(**options))
    return X, signed(labels)


@st.composite
def separable(draw):
    """Rows and labels with the sign of the first variable, which is never zero."""
    X, y = draw(problems(p=2))
    return [[t * (1 + abs(x[0])), x[1]] for x, t in zip(X, y)], y


def solved(X, y, C=1, **options):
    """A machine, and what it is when trained exactly."""
    m = machine(X, y, C, **options)
    return m, fit.train(RATIONAL, m)


def plane(m, t):
    """The hyperplane of a trained machine."""
    return conditions.weights(t.alpha, m.y, m.K.X), t.beta0


def hard_residuals(m, alpha, beta0):
    """The residuals of the hard margin's conditions at multipliers and an intercept."""
    return hard.residuals(alpha, m.y, soft.decision_values(m, alpha, beta0))


def hard_lagrangian(m, alpha, beta, beta0):
    """The Lagrange function of the hard margin at multipliers and a hyperplane."""
    return hard.lagrangian(alpha, m.y, beta @ beta, Vector([x @ beta + beta0 for x in m.K.X]))
