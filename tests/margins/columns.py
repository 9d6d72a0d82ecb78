"""Small multiclass machines on rational points, for tests."""

from fractions import Fraction as Q

from hypothesis import strategies as st

from refclass.kernels.linear import Linear
from refclass.kernels.matrices.gram import Rows
from refclass.kernels.polynomial import Polynomial
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.margins.lee_lin_wahba import fit, simplex
from refclass.margins.lee_lin_wahba.problem import Machine
from refclass.number.rational import RATIONAL
from tests.strategies import positive, samples

QUADRATIC = Polynomial(2, Q(1))


def machine(X, labels, lam=Q(1, 10), costs=None, kernel=None, classes=None, F=RATIONAL):
    """A machine; costs is a row for each class, or None for ones."""
    m = classes or max(labels) + 1
    rows = [simplex.equal_costs(k, m, F.kind) for k in range(m)] if costs is None else simplex.cost_rows(costs, "test")
    K = Rows(F, kernel or Linear(), Matrix([[F.lift(v) for v in x] for x in X]))
    return Machine(K, tuple(labels), tuple(rows[k] for k in labels), F.lift(lam))


def solved(m, F=RATIONAL, **options):
    """A machine with what it is when trained."""
    return m, fit.train(F, m, **options)


@st.composite
def cost_rows(draw, m):
    """Rows of costs, zeros among them, but some cost for each class."""
    rows = []
    for k in range(m):
        row = [draw(st.sampled_from([Q(1), Q(1), Q(2), Q(1, 3), Q(0)])) if j != k else Q(0) for j in range(m)]
        row[(k + 1) % m] = row[(k + 1) % m] or Q(1)
        rows.append(Vector(row))
    return rows


@st.composite
def machines(draw, classes=None, unequal=True, per_class=(1, 3)):
    """Machines of two to four classes with duplicates, collinear points, classes of one point; any costs."""
    m = classes or draw(st.integers(2, 4))
    X, labels = draw(samples(classes=m, per_class=per_class, p=draw(st.integers(1, 2)), entries=st.integers(-3, 3)))
    costs = draw(cost_rows(m)) if unequal and draw(st.booleans()) else None
    kernel = draw(st.sampled_from([Linear(), QUADRATIC]))
    return machine(X, labels, draw(positive) / 10, costs, kernel)


@st.composite
def feasible(draw, m):
    """Multipliers in the box with equal sums: shares of the box, classes of larger sums scaled down."""
    shares = st.sampled_from([Q(0), Q(1, 3), Q(1)])
    columns = [[draw(shares) * v for v in column] for column in zip(*m.costs)]
    least = min(map(sum, columns))
    return tuple(Vector([v * least / sum(c) if sum(c) else v for v in c]) for c in columns)


def free_costs(m, i):
    """The costs of a point, all zero."""
    return Vector([Q(0)] * m.classes)


TOY = (
    [[0, 0], [2, 0], [1, 1], [0, 3], [-1, 2], [4, 4], [3, 2], [1, 2]],
    [0, 0, 0, 1, 1, 2, 2, 2],
)
