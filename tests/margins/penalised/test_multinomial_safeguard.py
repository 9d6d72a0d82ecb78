"""Multinomial fits brought to nine digits: the Gram matrix centred in fractions keeps what its rounding hides."""

from random import Random

import pytest

from refclass import KernelClassifier
from refclass.errors import NotConverged
from refclass.margins.penalised import multinomial_certificate, multinomial_newton, multinomial_optimum
from tests.profiles import examples


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


def test_decimals_start_at_the_better_answer_of_doubles_and_keep_the_sums_of_the_multipliers(monkeypatch):
    """Points about 10⁹, a kernel of degree 2: centred some digits are found, in decimals the others; multipliers each
    rounded to its own nearest double, whose sum is not zero, hold nine at most.
    """
    starts, own = [], multinomial_optimum.in_decimals

    def watched(problem, exact, start, most):
        starts.append(multinomial_certificate.certify(exact, exact.K, start.alpha, start.beta0).digits)
        return own(problem, exact, start, most)

    monkeypatch.setattr(multinomial_optimum, "in_decimals", watched)
    r = Random(13)
    X = [[1e9 + r.gauss(0, 1), 1e9 + r.gauss(0, 1)] for _ in range(8)]
    kernel = {"name": "polynomial", "degree": 2, "c": 0}
    m = KernelClassifier(loss="deviance", kernel=kernel, penalty=0.1).fit(X, [1, 2, 0, 2, 2, 2, 1, 2])
    assert 1 < starts[0] < 9 and m.certificate_.digits > 11


@pytest.mark.slow
def test_a_start_that_leads_nowhere_is_left_and_the_bounds_are_those_of_the_least_gap():
    """Doubles hold not one digit; what rounding leaves of the optimum in decimals says between what it lies."""
    r = Random(5)
    X = [[1e9 + r.gauss(0, 1), 1e9 + r.gauss(0, 1)] for _ in range(5)]
    kernel = {"name": "polynomial", "degree": 2, "c": 0}
    with pytest.raises(NotConverged) as refusal:
        KernelClassifier(loss="deviance", kernel=kernel, penalty=1000).fit(X, [1, 2, 0, 2, 0])
    found = refusal.value.witness
    assert 1 < found["dual"] < found["primal"] < 10


@pytest.mark.parametrize("seed", range(examples(6)))
def test_an_answer_of_conjugate_gradients_that_did_not_end_is_not_delivered(monkeypatch, seed):
    """Columns of size 1000 and a penalty of 10⁻¹²: all digits, or a refusal, however small roundoff is."""
    r = Random(seed)
    X, y = [[1e3 * r.gauss(0, 1) for _ in range(8)] for _ in range(9)], [i % 3 for i in range(9)]
    monkeypatch.setattr(multinomial_newton, "WIDTH", 1)
    try:
        found = KernelClassifier(loss="deviance", penalty=1e-12).fit(X, y).certificate_
    except NotConverged as refusal:
        assert refusal.witness["primal"] >= refusal.witness["dual"]
        return
    assert found.digits >= 9 or found.ceiling - found.digits < 1
