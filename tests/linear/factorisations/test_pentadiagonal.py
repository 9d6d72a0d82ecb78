"""Banded positive definite systems: the factor multiplies back, solves, and has traces over the inverse."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refclass.errors import InvalidInput, NoAnswer
from refclass.linear.factorisations import pentadiagonal
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from tests.numbers import Counted, Strict, counting
from tests.profiles import examples
from tests.strategies import SIZES, fractions, positive


def dense(bands):
    """Return the full matrix of the bands."""
    n = len(bands[0])
    zero = bands[0][0] * 0
    return Matrix([[bands[abs(i - j)][min(i, j)] if abs(i - j) <= 2 else zero for j in range(n)] for i in range(n)])


@st.composite
def definite(draw, n):
    """Bands of L D Lᵀ, hence of a positive definite matrix."""
    D = [draw(positive) for _ in range(n)]
    one, two = [draw(fractions) for _ in range(n)], [draw(fractions) for _ in range(n)]
    L = [[one[i] if i - j == 1 else two[i] if i - j == 2 else Fraction(i == j) for j in range(n)] for i in range(n)]
    A = [[sum(L[i][k] * D[k] * L[j][k] for k in range(n)) for j in range(n)] for i in range(n)]
    return tuple([A[i][i + w] for i in range(n - w)] for w in (0, 1, 2))


@pytest.mark.parametrize("n", SIZES)
@settings(max_examples=examples(20))
@given(data=st.data())
def test_the_factor_multiplies_back(n, data):
    """A = L D Lᵀ, exactly."""
    bands = data.draw(definite(n))
    assert pentadiagonal.certify(bands, pentadiagonal.factor(*bands)) == 0


def test_a_wrong_factor_does_not_multiply_back():
    """The certificate of a factor with one changed entry is not zero, whichever entry it is."""
    bands = ([Fraction(4)] * 4, [Fraction(1)] * 3, [Fraction(1, 2)] * 2)
    f = pentadiagonal.factor(*bands)
    for name, place in (("pivots", 1), ("first", 2), ("second", 3)):
        values = list(getattr(f, name))
        values[place] += 1
        wrong = pentadiagonal.Factor(**{**vars(f), name: tuple(values)})
        assert pentadiagonal.certify(bands, wrong) > 0


@pytest.mark.parametrize("n", SIZES)
@settings(max_examples=examples(20))
@given(data=st.data())
def test_solving_undoes_the_product(n, data):
    """A x = b gives x back, for a vector and for the columns of a matrix."""
    bands, x = data.draw(definite(n)), Vector(data.draw(st.lists(fractions, min_size=n, max_size=n)))
    f = pentadiagonal.factor(*bands)
    assert pentadiagonal.product(bands, x) == dense(bands) @ x
    assert f.solve(pentadiagonal.product(bands, x)) == x
    assert f.solve(dense(bands)) == Matrix.identity(n, Fraction)


@pytest.mark.parametrize("n", SIZES)
@settings(max_examples=examples(20))
@given(data=st.data())
def test_the_trace_over_a_tridiagonal_matrix_is_that_of_the_full_quotient(n, data):
    """tr A⁻¹M, with A⁻¹M computed column by column."""
    f = pentadiagonal.factor(*data.draw(definite(n)))
    M = [Fraction(6)] * n, [data.draw(fractions) / 12 for _ in range(n - 1)], [Fraction(0)] * max(0, n - 2)
    assert f.trace_over(pentadiagonal.factor(*M)) == f.solve(dense(M)).trace()


@pytest.mark.parametrize("n", SIZES)
@settings(max_examples=examples(20))
@given(data=st.data())
def test_gathered_rows_are_the_factor_of_their_sum(n, data):
    """From the rows themselves comes the factor of A + Σ uᵢaᵢaᵢᵀ, as if the sum had been formed; uᵢ may be zero."""
    weights = st.builds(Fraction, st.integers(0, 3), st.integers(1, 3))
    bands = ([Fraction(5)] * n, [data.draw(fractions) / 12 for _ in range(n - 1)], [Fraction(0)] * max(0, n - 2))
    rows, dense_rows = [], []
    for i in range(n + 2):
        row = [data.draw(fractions) if 0 <= j < n else Fraction(0) for j in (i - 2, i - 1, i)]
        u = data.draw(weights)
        rows.append((u, *row))
        dense_rows.append((u, [row[j - i + 2] if 0 <= j - i + 2 <= 2 else Fraction(0) for j in range(n)]))
    total = dense(bands)
    for u, a in dense_rows:
        total = total + u * Matrix.outer(Vector(a), Vector(a))
    f = pentadiagonal.gathered(pentadiagonal.factor(*bands), rows)
    summed = tuple([total[i][i + w] for i in range(n - w)] for w in (0, 1, 2))
    assert f == pentadiagonal.factor(*summed)
    with pytest.raises(InvalidInput):
        pentadiagonal.gathered(f, rows[:-1])


def test_costs_are_linear_in_the_order():
    """Factor: 4n multiplications and 2n divisions; solve: 4n and n; trace: 13n and 3n, as the docstrings say."""
    n = 7
    bands = [Counted(6)] * n, [Counted(1)] * (n - 1), [Counted(1)] * (n - 2)
    with counting() as c:
        f = pentadiagonal.factor(*bands)
    assert (c.divide, c.multiply) == (2 * n, 4 * n)
    with counting() as c:
        f.solve(Vector([Counted(i) for i in range(n)]))
    assert (c.divide, c.multiply) == (n, 4 * n)
    with counting() as c:
        f.trace_over(f)
    assert (c.divide, c.multiply) == (3 * n, 13 * n)


def test_no_float_slips_in():
    """On strict fractions every operation stays exact."""
    f = pentadiagonal.factor([Strict(3)] * 3, [Strict(1)] * 2, [Strict(1)])
    f.solve(Vector([Strict(1)] * 3))
    f.trace_over(f)


def test_an_indefinite_matrix_is_refused_at_its_pivot():
    """A pivot that is not positive is named."""
    with pytest.raises(NoAnswer) as refusal:
        pentadiagonal.factor([Fraction(1), Fraction(1)], [Fraction(1)], [])
    assert refusal.value.witness == {"pivot": 1} and refusal.value.got == 0


def test_bands_that_do_not_fit_are_refused():
    """n, n − 1 and n − 2 entries, at least one; a right side of n rows."""
    one = Fraction(1)
    for bands in (([], [], []), ([one], [one], []), ([one] * 3, [one] * 2, [])):
        with pytest.raises(InvalidInput):
            pentadiagonal.factor(*bands)
    with pytest.raises(InvalidInput):
        pentadiagonal.factor([one], [], []).solve(Vector([one, one]))
