"""Symmetric eigenvalues against another program: mpmath's eigsy with 60 digits, as eigen.json says case by case."""

import json
import pathlib
from fractions import Fraction

import pytest

from refclass.linear.eigen import one_sided_jacobi
from refclass.linear.matrix import Matrix
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal

CASES = json.loads(pathlib.Path(__file__).with_name("eigen.json").read_text(encoding="utf-8"))["cases"]


def differences(F, case):
    """Return the largest difference, relative to the largest eigenvalue in modulus, exactly."""
    A = Matrix([[F.lift(Fraction(v)) for v in row] for row in case["matrix"]])
    want = [Fraction(v) for v in case["expected"]["eigenvalues_30_digits_descending"]]
    got = list(map(Fraction, one_sided_jacobi.factor(F, A).eigenvalues))
    assert len(got) == len(want)
    return max(abs(g - w) for g, w in zip(got, want)) / max(map(abs, want))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_doubles_agree_with_thirty_digits(case):
    """In doubles the eigenvalues, descending, agree to the case's tolerance  [OPT-EIG.P1]."""
    assert differences(BINARY64, case) <= Fraction(str(case["check_tolerance"]["relative_to_largest_eigenvalue"]))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_decimals_agree_with_thirty_digits(case):
    """In decimals of 40 digits the eigenvalues, descending, agree to the 30 digits printed  [OPT-EIG.P1]."""
    assert differences(decimal(40), case) <= Fraction(1, 10**29)
