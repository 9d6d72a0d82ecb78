"""Multinomial fits brought to nine digits: the Gram matrix centred in fractions keeps what its rounding hides."""

from random import Random

import pytest

from refclass import KernelClassifier


@pytest.mark.parametrize("offset", [1e5, 1e6])
def test_an_offset_hides_no_digit_of_a_polynomial_kernel(offset):
    """(xz + 1)² at points near 10⁶ has entries of 10²⁴; centred before they are rounded, they fit to nine digits
    [ESL-12.3.8-multinomial]."""
    r = Random(5)
    X = [[offset + r.gauss(0, 1)] for _ in range(9)]
    kernel = {"name": "polynomial", "degree": 2, "c": 1, "scale": 1 / offset**2}
    m = KernelClassifier(loss="deviance", kernel=kernel, penalty=1e-6).fit(X, [0, 1, 2] * 3)
    assert m.certificate_.digits >= 9


def test_ordinary_data_need_no_second_fit():
    """What is beyond doubt is returned as it was found  [ESL-12.3.8-multinomial]."""
    X = [[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]]
    m = KernelClassifier(loss="deviance").fit(X, [0, 1, 2, 0, 1, 2])
    assert m.certificate_.digits >= 14 and m.objective_ == m.objectives_[-1]
