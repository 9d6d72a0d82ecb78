"""Small regressions on rational points, for tests: a Gram matrix, responses, and a fit in exact arithmetic."""

from fractions import Fraction as Q

from hypothesis import settings
from hypothesis import strategies as st

from refclass.kernels.linear import Linear
from refclass.kernels.matrices.gram import Rows, gram
from refclass.kernels.polynomial import Polynomial
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.losses.huber import Huber
from refclass.losses.insensitive import Insensitive, QuadraticInsensitive, SquaredInsensitive
from refclass.number.rational import RATIONAL
from refclass.regress.kernel import fit as training
from refclass.regress.kernel import fitted_machine
from refclass.regress.kernel.tube import insensitive
from tests.profiles import examples
from tests.strategies import fractions, integers, positive

LINEAR, QUADRATIC = Linear(), Polynomial(degree=2, c=Q(1), scale=Q(1))


def table(X, kernel=LINEAR):
    """The Gram matrix of integer points."""
    return gram(RATIONAL, kernel, Matrix([[Q(v) for v in x] for x in X]))


def ones(n, value=1):
    """n times the same number."""
    return Vector([Q(value)] * n)


@st.composite
def problems(draw, n=(1, 6), p=(1, 2)):
    """Points, duplicates among them, and responses: X as a matrix, y as a vector."""
    n, p = draw(st.integers(*n)), draw(st.integers(*p))
    X = [[Q(draw(integers)) for _ in range(p)] for _ in range(n)]
    return Matrix(X), Vector([draw(fractions) for _ in range(n)])


def svr(X, y, C, epsilon, loss=Insensitive, kernel=LINEAR, **known):
    """The machine of support vector regression, and its fit."""
    m = insensitive.machine(RATIONAL, gram(RATIONAL, kernel, X), y, ones(len(y), C), loss(Q(epsilon)), **known)
    return m, training.fit(RATIONAL, m)


def decision(fitted):
    """The fitted values, intercept included."""
    return Vector.of([v + fitted.beta0 for v in fitted.values])


def value(machine, fitted):
    """The primal objective of a fit."""
    return fitted_machine.primal_objective(machine, fitted.square, decision(fitted))


costs = positive
widths = st.one_of(st.just(Q(0)), positive)


few = settings(max_examples=examples(15))
losses = st.sampled_from(
    [Insensitive(Q(1, 4)), Insensitive(Q(0)), SquaredInsensitive(Q(1, 2)), QuadraticInsensitive(Q(1)), Huber(Q(1))]
)


def machine(X, y, loss, C, kernel=LINEAR, intercept=True):
    """A machine with one cost."""
    K = Rows(RATIONAL, kernel, X)
    return insensitive.machine(RATIONAL, K, y, ones(len(y), C), loss, intercept=intercept)
