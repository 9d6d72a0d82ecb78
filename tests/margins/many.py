"""Small machines for many classes on rational points, for tests."""

from fractions import Fraction as Q

from hypothesis import strategies as st

from refclass.kernels.linear import Linear
from refclass.kernels.matrices.gram import Rows
from refclass.kernels.polynomial import Polynomial
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.margins.crammer_singer import problem
from refclass.margins.crammer_singer.problem import Machine
from refclass.number.rational import RATIONAL
from tests.strategies import positive, samples

THREE = [[0, 0], [2, 1], [1, 3], [4, 1], [3, 4], [5, 2], [2, 5], [1, 1], [4, 3], [0, 4], [3, 1], [5, 5]]
LABELS = [0, 0, 1, 1, 2, 2, 0, 1, 2, 0, 1, 2]
APART = [[3, 0], [4, 1], [0, 3], [1, 4], [-3, -3], [-4, -2]]  # every score can lead by a margin
OWN = [0, 0, 1, 1, 2, 2]


def machine(X, labels, C=1, classes=None, kernel=None):
    """A machine in fractions; C is one cost, a list of costs, or None for ∞."""
    points = Matrix([[Q(v) for v in x] for x in X])
    costs = C if isinstance(C, (list, tuple)) else [C] * len(labels)
    rows = Rows(RATIONAL, kernel or Linear(), points)
    return Machine(rows, tuple(labels), classes or max(labels) + 1, tuple(None if c is None else Q(c) for c in costs))


def polynomial(degree=2, c=1):
    """The kernel (⟨x, z⟩ + c)^degree in fractions."""
    return Polynomial(degree=degree, c=Q(c), scale=Q(1))


costs = st.sampled_from([Q(1), Q(1), Q(1, 3), Q(5), Q(0)])


@st.composite
def machines(draw, classes=None, hard=False):
    """Machines with duplicates, collinear points, classes of one point, points of cost zero, all multipliers at C."""
    classes = classes or draw(st.integers(2, 4))
    X, labels = draw(samples(classes=classes, p=draw(st.integers(1, 2)), per_class=(1, 3), entries=st.integers(-2, 2)))
    C = None if hard else draw(st.one_of(positive, st.lists(costs, min_size=len(X), max_size=len(X))))
    return machine(X, labels, C, classes, draw(st.sampled_from([None, polynomial()])))


@st.composite
def feasible(draw, m):
    """Multipliers within the constraints of a machine of finite costs."""
    rows = []
    for g, c in zip(m.labels, m.costs):
        parts = [draw(st.integers(0, 3)) for _ in range(m.classes)]
        total = sum(parts) or 1
        eta = [c * Q(v, total) if sum(parts) else c * (k == g) for k, v in enumerate(parts)]
        rows.append(Vector([c * (k == g) - e for k, e in enumerate(eta)]))
    return Matrix(rows)


@st.composite
def weights(draw, m):
    """Weights of the classes of a machine with a linear kernel, a row for each."""
    p = len(m.K.X[0])
    entry = st.builds(Q, st.integers(-4, 4), st.integers(1, 3))
    return Matrix([[draw(entry) for _ in range(p)] for _ in range(m.classes)])


def scores(m, W):
    """The scores that weights give the points, and Σ‖w_k‖²."""
    return Matrix([[w @ x for w in W] for x in m.K.X]), sum(w @ w for w in W)


def value(m, W):
    """The primal objective at weights."""
    f, total = scores(m, W)
    return problem.primal_objective(total, f, m.labels, m.costs)
