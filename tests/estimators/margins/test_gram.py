"""The Gram matrix of the user's points."""

from fractions import Fraction

import pytest

import refclass
from refclass import gram
from refclass.errors import InvalidInput, NotExact
from refclass.kernels.combine import Sum
from refclass.kernels.gaussian import Gaussian
from refclass.kernels.linear import Linear


def test_it_is_part_of_the_public_face():
    """refclass.gram is this function, found by name."""
    assert "gram" in dir(refclass) and refclass.gram is gram


def test_rows_and_columns_are_the_points():
    """gram(X, Z) has a row for each x and a column for each z; gram(X) is gram(X, X)."""
    X, Z = [[1, 2], [3, 4], [5, 6]], [[1, 0], [0, 1]]
    assert gram(X, Z) == [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]
    assert gram(X) == gram(X, X) == [[5.0, 11.0, 17.0], [11.0, 25.0, 39.0], [17.0, 39.0, 61.0]]


def test_results_are_plain_lists_and_numbers():
    """What comes out needs no class of this package."""
    K = gram([[1, 2]], kernel={"name": "gaussian", "gamma": 1})
    assert type(K) is list and type(K[0]) is list and type(K[0][0]) is float


@pytest.mark.parametrize("arithmetic, kind", [("float", float), ("exact", Fraction)])
def test_the_arithmetic_decides_the_numbers(arithmetic, kind):
    """Floats, or fractions with floats taken at their exact value  [K-POLY]."""
    (row,) = gram([[0.5]], kernel={"name": "polynomial", "degree": 2, "c": 1}, arithmetic=arithmetic)
    assert type(row[0]) is kind and row[0] == Fraction(25, 16)


def test_decimals_have_the_digits_asked_for():
    """e^(−1) to thirty digits."""
    K = gram([[0], [1]], kernel={"name": "gaussian", "gamma": 1}, arithmetic="decimal:30")
    assert str(K[0][1]) == "0.367879441171442321595523770161"


def test_strings_are_points_of_a_string_kernel():
    """cat and car share λ⁴  [STR-KERNEL.P1] [MMST-11.3.4-cat]."""
    assert gram(["cat", "car"], kernel={"name": "string", "length": 2, "decay": 0.5})[0][1] == 0.0625


def test_a_precomputed_table_comes_back():
    """With the precomputed kernel X is the table; with Z, rows of values with the table's points  [K-NONVEC.P1]."""
    K = [[2.0, 1.0], [1.0, 3.0]]
    assert gram(K, kernel="precomputed") == K and gram([[7, 8]], K, kernel="precomputed") == [[7.0, 8.0]]


def test_kernel_objects_are_taken():
    """A kernel built of others is as good as a name."""
    assert gram([[1, 0], [0, 1]], kernel=Sum(Linear(), Gaussian(1)))[0][0] == 2.0


@pytest.mark.parametrize(
    "X, options, line",
    [
        ([[1, 2], [3]], {}, "data: need 2 numbers in each row of X; got 1 (row=1)"),
        ([], {}, "data: need at least one row in X; got none"),
        ([["a"]], {"kernel": "linear"}, "data: need a number in X; got 'a' (row=0, column=0)"),
        ("abc", {}, "data: need X as a sequence of rows of numbers; got str"),
        ([[1.0], [float("nan")]], {}, "data: need a finite number in X; got nan (row=1, column=0)"),
        (
            [[1]],
            {"arithmetic": "double"},
            'arithmetic: need "float", "exact" or "decimal:n" with n ≥ 2; got \'double\'',
        ),
        ([[1]], {"kernel": {"name": "gaussian"}}, "kernel: need the parameter gamma of gaussian; got none"),
    ],
)
def test_bad_points_and_parameters_are_refused_in_one_line(X, options, line):
    """What was needed, what came, where."""
    with pytest.raises(InvalidInput) as refusal:
        gram(X, **options)
    assert str(refusal.value) == line


def test_rows_of_another_length_than_the_training_points_are_refused():
    """X and Z must have the same variables."""
    with pytest.raises(InvalidInput, match="2 numbers in each row"):
        gram([[1, 2, 3]], [[1, 2]])


def test_exact_arithmetic_refuses_the_exponential():
    """e^(−1) is no fraction."""
    with pytest.raises(NotExact):
        gram([[0], [1]], kernel={"name": "gaussian", "gamma": 1}, arithmetic="exact")
