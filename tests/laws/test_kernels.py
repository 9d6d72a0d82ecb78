"""Laws of every kernel: those that its docstring claims, each tested for every kernel that claims it."""

import dataclasses
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import refclass.kernels
from refclass.kernels import combine
from refclass.kernels.dirichlet import Dirichlet
from refclass.kernels.gaussian import Gaussian
from refclass.kernels.kernel import Kernel, kernels
from refclass.kernels.laplacian import Laplacian
from refclass.kernels.linear import Linear
from refclass.kernels.matrices.gram import Rows, gram
from refclass.kernels.matrices.mercer import judge, judge_on_contrasts
from refclass.kernels.polynomial import Polynomial
from refclass.kernels.precomputed import Precomputed, Similarities
from refclass.kernels.sigmoid import Sigmoid
from refclass.kernels.spaces.features import lifted
from refclass.kernels.spline import Spline
from refclass.kernels.string import String
from refclass.kernels.thin_plate import ThinPlate
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import THRESHOLD, near
from tests.laws.claims import claims, members, tried
from tests.numbers import STRICT, Strict
from tests.profiles import examples

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)


def shifted_first(F, x):
    return x[0] - 1


def circles(F, x):
    return lifted(x)


LISTED = [
    Linear(),
    Polynomial(degree=2),
    Polynomial(degree=3, c=0, scale=HALF),
    Gaussian(HALF),
    Laplacian(Fraction(3)),
    ThinPlate(Fraction(2)),
    Sigmoid(THIRD, Fraction(-1)),
    Dirichlet(2),
    Spline(Fraction(-2)),
    String(2, HALF),
    String(1, HALF, normalised=True),
    Precomputed(),
    combine.Scaled(THIRD, Gaussian(HALF)),
    combine.Sum(Linear(), Polynomial(degree=2, c=0)),
    combine.Product(Linear(), Gaussian(THIRD)),
    combine.Weighted(shifted_first, Polynomial(degree=2)),
    combine.Normalised(Polynomial(degree=2)),
    combine.Series((HALF, Fraction(0), Fraction(2)), Linear()),
    combine.Exponential(combine.Scaled(THIRD, Linear())),
    combine.Mapped(circles, Linear()),
    combine.Form(Matrix([[Fraction(2), Fraction(1)], [Fraction(1), HALF]])),
]

KINDS = members(refclass.kernels, Kernel)
KERNELS = tried(LISTED, KINDS)  # a kernel that is written is tried without being listed

PLACES = st.integers(-5, 5)
TABLE = Matrix([[Fraction(i * j + abs(i - j)) for j in range(6)] for i in range(6)])


def lift(F, kernel, drawn):
    """Points of the kernel's own kind over F, from what was drawn: pairs of integers."""
    if isinstance(kernel, String):
        return tuple("abcab"[i % 5] + "cabba"[j % 5 :] for i, j in drawn)
    if isinstance(kernel, Precomputed):
        rows = [Similarities.numbered(Vector(map(F.lift, row)), i) for i, row in enumerate(TABLE)]
        return tuple(rows[(i + j) % 6] for i, j in drawn)
    if isinstance(kernel, Dirichlet):
        return tuple(Vector([F.lift(i)]) for i, _ in drawn)
    return tuple(Vector(map(F.lift, pair)) for pair in drawn)


def fields(kernel):
    """The arithmetics in which a law is tried: exact where the kernel is, and always two that round."""
    exact = kernel.exact and not getattr(kernel, "normalised", False) and not isinstance(kernel, combine.Normalised)
    return [RATIONAL, BINARY64] if exact else [BINARY64, decimal(40)]


def claiming(law):
    """Every kernel that claims the law, in every arithmetic in which it is tried."""
    cases = [(k, F) for k in KERNELS if law in claims(type(k)) for F in fields(k)]
    names = [f"{type(k).__name__}-{F.name}" for k, F in cases]
    return pytest.mark.parametrize("kernel, F", [(k.over(F), F) for k, F in cases], ids=names)


def clouds(least=1, most=5):
    return st.lists(st.tuples(PLACES, PLACES), min_size=least, max_size=most)


def with_slack(F, K):
    """K, its diagonal raised by what roundoff may have taken: nothing in an exact field."""
    slack = THRESHOLD * len(K) * F.eps * K.largest()
    return K + slack * Matrix.identity(len(K), K.kind)


few = settings(max_examples=examples(15))

KNOWN = {
    "symmetric",
    "positive semidefinite",
    "Cauchy–Schwarz",
    "unit diagonal",
    "stationary",
    "isotropic",
    "rotations",
    "conditionally positive in the plane",
}


def test_every_kernel_with_laws_is_tried_and_every_law_is_known():
    """A kernel's docstring claims only laws that this suite tests, on a kernel that this suite has."""
    assert set(KINDS) == set(map(type, KERNELS))
    assert {law for kind in KINDS for law in claims(kind)} == KNOWN


def test_every_kernel_that_is_written_is_reached_by_its_name_and_claims_laws():
    """What the registry finds is what the modules define, and every kernel in it has laws."""
    assert set(kernels().values()) <= set(KINDS)
    unnamed = {kind.__name__ for kind in KINDS} - {kind.__name__ for kind in kernels().values()}
    assert unnamed == {"Weighted", "Mapped", "Form"}  # made of a function or of a matrix


@few
@claiming("symmetric")
@given(drawn=clouds(2, 2))
def test_the_kernel_is_symmetric_to_the_last_bit(kernel, F, drawn):
    """K(x, z) = K(z, x), in every arithmetic the very same number  [K-SYM-CS.P1] [MMST-11.3.3-symmetric]."""
    x, z = lift(F, kernel, drawn)
    assert kernel(F, x, z) == kernel(F, z, x)


@few
@claiming("positive semidefinite")
@given(drawn=clouds())
def test_gram_matrices_are_positive_semidefinite(kernel, F, drawn):
    """No Gram matrix has a negative eigenvalue, duplicated points included  [K-GRAM-PSD] [K-POLY.P1] [K-POLYH.P1]
    [K-RBF.P2] [K-LAPLACE.P1] [K-DIRICHLET.P2] [STR-KERNEL.P2] [MMST-Ex11.8] [ERR-MMST-14] [KIM-Def3.4.2]
    [EX-MMST-11.8]."""
    assert judge(with_slack(F, gram(F, kernel, lift(F, kernel, drawn)))).semidefinite


@few
@claiming("Cauchy–Schwarz")
@given(drawn=clouds(2, 2))
def test_the_square_is_at_most_the_product_of_the_diagonal(kernel, F, drawn):
    """K(x, z)² ≤ K(x, x) K(z, z)  [K-SYM-CS.P1] [MMST-11.3.3-symmetric]."""
    x, z = lift(F, kernel, drawn)
    bound = kernel(F, x, x) * kernel(F, z, z)
    assert kernel(F, x, z) ** 2 <= bound + THRESHOLD * F.eps * bound


@few
@claiming("unit diagonal")
@given(drawn=clouds(1, 1))
def test_the_diagonal_is_one(kernel, F, drawn):
    """K(x, x) = 1  [K-NORM1] [K-RBF.P2] [K-LAPLACE.P1] [MMST-11.3.3-unit]."""
    (x,) = lift(F, kernel, drawn)
    assert near(F, kernel(F, x, x), F.kind(1))


@few
@claiming("stationary")
@given(drawn=clouds(3, 3))
def test_shifting_both_points_changes_nothing(kernel, F, drawn):
    """K(x + t, z + t) = K(x, z)  [K-STATIONARY.P1] [K-RBF.P5] [MMST-11.3.4-stationary]."""
    x, z, t = lift(F, kernel, drawn)
    assert kernel(F, x + t, z + t) == kernel(F, x, z)


@claiming("isotropic")
def test_equal_distances_give_equal_values(kernel, F):
    """‖x − z‖ = 5 four times over, and one value of K  [K-STATIONARY.P1] [K-RBF-RADIAL.P1] [MMST-11.3.4-stationary]."""
    x, *others = lift(F, kernel, [(1, 1), (6, 1), (4, 5), (-2, -3), (1, -4)])
    assert len(set(kernel.row(F, x, others))) == 1


@few
@claiming("rotations")
@given(drawn=clouds(2, 2))
def test_rotating_both_points_changes_nothing(kernel, F, drawn):
    """K(Qx, Qz) = K(x, z) for the rotation by the triangle 3, 4, 5  [K-RBF.P5] [K-PARTIAL-ADAPT.P2]."""
    x, z = lift(F, kernel, drawn)
    c, s = F.lift(Fraction(3, 5)), F.lift(Fraction(4, 5))
    Q = Matrix([[c, -s], [s, c]])
    same, scale = kernel(F, x, z), 1000 + kernel(F, x, x) + kernel(F, z, z)
    assert near(F, kernel(F, Q @ x, Q @ z), same, scale=abs(scale), steps=10)


@few
@claiming("conditionally positive in the plane")
@given(drawn=st.lists(st.tuples(PLACES, PLACES), min_size=4, max_size=7, unique=True))
def test_contrasts_make_it_positive(kernel, F, drawn):
    """uᵀKu ≥ 0 for the u with Σuᵢ = 0 and Σuᵢxᵢ = 0  [K-TPS.P2] [ERR-MMST-13]."""
    X = lift(F, kernel, drawn)
    T = Matrix([[F.kind(1), *x] for x in X])
    assert judge_on_contrasts(with_slack(F, gram(F, kernel, X)), T).semidefinite


def silent(function):
    def refuse(*arguments):
        raise AssertionError(f"an exact kernel asked the field for {function}")

    return refuse


SILENT = dataclasses.replace(
    STRICT, **{name: silent(name) for name in ("sqrt", "exp", "log", "tanh", "sin", "cos", "erf", "pi")}
)


@pytest.mark.parametrize("kernel", [k for k in KERNELS if k.exact], ids=lambda k: type(k).__name__)
def test_an_exact_kernel_needs_arithmetic_only(kernel):
    """A kernel that claims to be exact uses no function of the field, and no float."""
    F = STRICT if getattr(kernel, "normalised", False) or isinstance(kernel, combine.Normalised) else SILENT
    kernel = kernel.over(F)
    x, z = lift(F, kernel, [(1, 2), (1, 2)] if F is STRICT else [(1, 2), (3, -4)])
    assert type(kernel(F, x, z)) is Strict


@few
@pytest.mark.parametrize("kernel", KERNELS, ids=lambda k: type(k).__name__)
@given(drawn=clouds())
def test_row_call_gram_and_rows_agree(kernel, drawn):
    """A kernel's value is the same alone, in a row, in the Gram matrix, and in rows on demand."""
    for F in fields(kernel):
        k = kernel.over(F)
        X = lift(F, k, drawn)
        K = gram(F, k, X)
        rows = Rows(F, k, X)
        assert Matrix([[k(F, x, z) for z in X] for x in X]) == K == gram(F, k, X, X)
        assert [rows.row(i) for i in range(len(rows))] == list(K) and rows.diagonal() == K.diagonal()
