"""Dixon's p-adic lifting."""

import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass.errors import NoAnswer
from refclass.linear.exact import dixon, fraction_free
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.rational import RATIONAL
from tests.linear.matrices import SIZES, any_square, lifted, vector

wide = st.one_of(st.integers(-9, 9), st.integers(-(2**200), 2**200))
systems = st.sampled_from((1, 2, 3, 5)).flatmap(
    lambda n: st.tuples(
        st.lists(st.lists(wide, min_size=n, max_size=n), min_size=n, max_size=n), st.lists(wide, min_size=n, max_size=n)
    )
)


def fractions(rows):
    """Return a matrix of integers as fractions."""
    return Matrix([[Fraction(v) for v in row] for row in rows])


def whole(n, bits, seed=0):
    """Return an n × n matrix of random integers."""
    rng = random.Random(n + bits + seed)
    return [[rng.randint(-(2**bits), 2**bits) for _ in range(n)] for _ in range(n)]


def prime(p):
    """Return whether p < 10²⁴ is prime: Miller and Rabin's test with the first thirteen primes is a proof there."""
    d, s = p - 1, 0
    while d % 2 == 0:
        d, s = d // 2, s + 1
    for a in (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41):
        x = pow(a, d, p)
        if x not in (1, p - 1) and all((x := x * x % p) != p - 1 for _ in range(s - 1)):
            return False
    return True


def test_a_small_system_agrees_with_paper():
    """2x + y = 1, x + 3y = 0 has the solution (3, −1)/5."""
    assert dixon.solve([[2, 1], [1, 3]], [[1, 0]]) == [([3, -1], 5)]


def test_the_moduli_are_the_largest_primes_of_sixty_bits():
    """Modulo a prime every number but 0 has an inverse; no prime of 60 bits between the moduli is left out."""
    assert [p for p in range(2**60 - 1, dixon.PRIMES[-1] - 1, -1) if prime(p)] == list(dixon.PRIMES)


@given(any_square)
def test_it_agrees_with_elimination(A):
    """The solution is that of elimination, or there is none."""
    rows, b = [[int(6 * v) for v in row] for row in A], list(range(1, len(A) + 1))
    found = dixon.solve(rows, [b])
    f = fraction_free.factor(Matrix([[Fraction(v) for v in row] for row in rows]))
    assert (found is None) == (f.rank < len(A))
    if found is not None:
        (x, d), *_ = found
        assert [Fraction(v, d) for v in x] == list(f.solve(Vector(list(map(Fraction, b)))))


@given(systems)
def test_short_and_long_integers_have_the_solution_of_elimination(system):
    """For entries up to 200 bits the solution is that of fraction-free elimination; singular systems have none."""
    A, b = system
    found, factor = dixon.solution(A, b), fraction_free.factor(fractions(A))
    if factor.rank < len(A):
        assert found is None
    else:
        assert found == list(factor.solve(Vector(map(Fraction, b))))


@given(systems)
def test_a_prime_of_seven_bits_finds_the_same_solution_or_none(system):
    """Modulo 101 more matrices are singular; where not, the solution is the same."""
    A, b = system
    found = dixon.solve(A, [b], (101,))
    assert found is None or found == dixon.solve(A, [b])


@pytest.mark.parametrize("n", SIZES)
def test_the_hilbert_system_of_every_size_is_solved(n):
    """H x = e₁ for the Hilbert matrix times a common multiple of its denominators."""
    scale = 232792560
    A = [[scale // (i + j + 1) for j in range(n)] for i in range(n)]
    x = dixon.solution(A, [int(i == 0) for i in range(n)])
    assert [sum(v * w for v, w in zip(row, x)) for row in A] == [int(i == 0) for i in range(n)]


def test_no_equations_have_the_empty_solution():
    """A system of no unknowns has the empty solution."""
    assert dixon.solution([], []) == []


@given(st.lists(st.lists(st.integers(-2, 2), min_size=3, max_size=3), min_size=1, max_size=4))
def test_the_rank_modulo_a_large_prime_is_the_rank(A):
    """No minor of such small numbers is divisible by a prime of 60 bits."""
    assert dixon.rank(A) == fraction_free.rank(fractions(A))


def test_the_rank_modulo_a_prime_is_never_larger_than_the_rank():
    """A multiple of the prime is zero modulo the prime."""
    assert dixon.rank([[7, 0], [0, 1]], 7) == 1


@pytest.mark.parametrize(("n", "bits"), [(1, 60), (2, 200), (5, 53), (10, 53), (20, 8)])
def test_long_entries_are_solved_too(n, bits):
    """A x = d b holds for entries longer than the prime."""
    A, b = whole(n, bits), whole(n, bits, 1)[0]
    ((x, d),) = dixon.solve(A, [b])
    assert d > 0 and [sum(u * v for u, v in zip(row, x)) for row in A] == [d * c for c in b]


def test_a_right_side_of_zeros_has_the_solution_zero():
    """A x = 0 has the solution 0 / 1."""
    assert dixon.solve(whole(3, 10), [[0, 0, 0]]) == [([0, 0, 0], 1)]


def test_a_prime_that_divides_the_determinant_is_passed_over():
    """Where A is singular modulo one prime the next is tried; modulo all of them there is no answer."""
    A = [[7, 0], [0, 1]]
    assert dixon.solve(A, [[1, 1]], (7, 11)) == [([1, 7], 7)]
    assert dixon.solve(A, [[1, 1]], (7,)) is None


def test_a_small_prime_lifts_as_far():
    """The digits may be as small as those of the prime 3: the answer is the same."""
    A, b = whole(5, 20), whole(5, 20, 1)[0]
    assert dixon.solve(A, [b], (3, 5, 7)) == dixon.solve(A, [b])


def test_many_unknowns_are_solved_by_lifting():
    """From 40 unknowns on the exact solution comes from lifting, and is that of elimination, number by number."""
    n = fraction_free.LIFTING_ORDER
    A = Matrix([[Fraction(v, 2 + i % 3) for v in row] for i, row in enumerate(whole(n, 4))])
    B = Matrix([vector(n), vector(n, 1)]).T
    want = fraction_free.factor(A).solve(B)
    assert fraction_free.solve(A, B) == want and fraction_free.solve(A, B.column(1)) == want.column(1)


def test_doubles_are_solved_exactly_by_lifting():
    """A system of 40 doubles is solved as the rational system that it is."""
    rng = random.Random(5)
    A = Matrix([[rng.gauss(0, 1) for _ in range(40)] for _ in range(40)])
    x = fraction_free.solve(A, A[0])
    assert x.kind is Fraction and lifted(RATIONAL, A) @ x == lifted(RATIONAL, A[0])


def test_a_singular_system_of_many_unknowns_is_refused_with_a_null_vector():
    """Lifting finds no prime, elimination the null vector."""
    n = fraction_free.LIFTING_ORDER
    A = whole(n, 1)
    S = Matrix([list(map(Fraction, row)) for row in [*A[1:], A[1]]])
    with pytest.raises(NoAnswer, match="fraction_free: need a matrix of rank 40") as refusal:
        fraction_free.solve(S, vector(n))
    v = refusal.value.witness["null_vector"]
    assert any(v) and not any(S @ v)
