"""What doubles hold of the break points of a path: the nearest multipliers, others, or none."""

import random
from fractions import Fraction

import pytest

from refclass import SVMPath
from refclass.errors import NotConverged
from refclass.linear.vector import Vector
from refclass.margins.svm.path import certificate, fit, rounding
from refclass.number.tolerance import roundoff

FAR = [(1, 10), (5, 8), (-2, -2), (27, 1), (0, 6), (21, 0), (5, -8), (9, -4), (-11, -12)]
ROWS = [[1e12 + 125e6 * u, v / 8e6] for u, v in FAR]
LABELS = [0, 1, 0, 1, 0, 1, 0, 1, 0]


def test_break_points_without_a_digit_are_not_reported_and_the_path_says_so():
    """Columns of 10¹² ± 10⁹ and 10⁻⁶: of λ = 2·10⁻¹² doubles hold no digit; `at` refuses it, and answers above."""
    found = SVMPath().fit(ROWS, LABELS)
    exact = SVMPath(arithmetic="exact").fit(ROWS, LABELS)
    assert (len(found.lambdas_), len(exact.lambdas_), exact.least_lambda_) == (6, 8, 0)
    assert found.least_lambda_ == found.lambdas_[-1] > 2.7e-12
    assert found.certificate_.status == "optimal"
    assert "no break points are reported below lambda 2.75e-12" in found.certificate_.premise
    assert found.at(3e-12).certificate_.digits >= 9
    with pytest.raises(NotConverged) as refusal:
        found.at(2e-12)
    assert {"primal", "dual"} <= set(refusal.value.witness)


def test_where_the_first_break_point_has_no_digit_the_path_is_refused_with_the_bounds_of_its_machine():
    """A quadratic kernel at 10⁶: λ of the first break point is 10⁻³⁹ of its entries."""
    rows = [[1e6 + v] for v in (-0.2483802547, 0.1931050448, 0.1925406058, -0.4008081211, -0.2483802547)]
    kernel = {"name": "polynomial", "degree": 2, "c": 1}
    with pytest.raises(NotConverged, match="a digit of the machine at the first break point") as refusal:
        SVMPath(kernel=kernel).fit(rows, [0, 1, 0, 1, 0])
    known = refusal.value.witness
    exact = SVMPath(kernel=kernel, arithmetic="exact").fit(rows, [0, 1, 0, 1, 0])
    assert known["dual"] <= exact.at(known["lam"]).objective_ <= known["primal"]


def points(seed):
    """Points of three decimals and a kernel, and the model of their path in decimals, not rounded."""
    chance = random.Random(seed)
    rows = [[round(chance.gauss(0, 1), 3) for _ in range(2)] for _ in range(10)]
    kernel = ["linear", {"name": "polynomial", "degree": 3}, {"name": "gaussian", "gamma": 0.01}][seed % 3]
    model = SVMPath(kernel=kernel).fit(rows, [i % 2 for i in range(9)] + [0])._model
    return fit._in_decimals(model.K, model.y, model.held)


@pytest.mark.thorough
@pytest.mark.parametrize("seed", range(6))
def test_the_bound_on_what_rounding_costs_holds(seed):
    """The gap of the nearest multipliers is within 20nu max Kᵢᵢ/λ; that of balanced ones within their own bound."""
    found = points(seed)
    largest = max(map(Fraction, found.held.diagonal()))
    for state in found.path.states:
        lam, cost = float(state.lam), 1 / Fraction(float(state.lam))
        signed = Vector.of([Fraction(a) * int(t) for a, t in zip(state.alpha, found.y)])
        near = list(map(float, signed))
        proof = certificate._judged(found, lam, map(abs, near), found.levelled(lam, list(map(abs, near)), 0.0))
        assert proof.gap * lam <= rounding.UNITS * 10 * Fraction(roundoff(float)) * largest * proof.primal
        for values in rounding._roundings(signed):
            bound = rounding._bound(found, state, signed, values)
            alpha = list(map(abs, values))
            proof = certificate._judged(found, lam, alpha, found.levelled(lam, alpha, 0.0))
            assert cost > 0 and (bound == float("inf") or proof.gap * lam <= Fraction(bound) * proof.primal)


def test_other_roundings_keep_digits_that_the_nearest_numbers_lose():
    """An entry of 10⁶ in a quadratic kernel: the nearest multipliers have five digits of the fourth break point."""
    rows = [[0.1, -1.2], [0.1, -1.1], [-0.2, 1e6], [-0.4, 1.6], [-1.7, 1.3]]
    found = SVMPath(kernel={"name": "polynomial", "degree": 2}).fit(rows, [0, 1, 0, 1, 0])._model
    lam, alpha = found.lambdas[3], list(map(float, found.path.states[3].alpha))
    nearest = certificate._judged(found, lam, alpha, found.levelled(lam, alpha, 0.0))
    best = certificate._judged(found, lam, found.alphas[3], found.intercepts[3])
    assert nearest.digits < 6 and best.digits > 14 and certificate.certify(found).ceiling > 5


@pytest.mark.slow
def test_the_machine_at_a_break_point_has_digits_where_the_break_point_has():
    """Columns of 10⁹ and 10⁻⁶: a multiplier of 10⁻²³ of the others, put at zero, leaves the classes on one side."""
    rows = [[1e9 + 125e3 * u, v / 8e6] for u, v in FAR]
    found, exact = SVMPath().fit(rows, LABELS), SVMPath(arithmetic="exact").fit(rows, LABELS)
    assert len(found.lambdas_) == len(exact.lambdas_)
    for lam in (2e-12, 2.4e-12, 3e-12):
        here, right = found.at(lam), exact.at(lam).objective_
        assert here.certificate_.digits >= 8
        assert abs(Fraction(here.objective_) - right) * 10**8 <= right


def test_at_a_break_point_its_own_multipliers_are_tried():
    """A multiplier changes fast beside a break point, and λ as reported is a little off: at it `at` had 0.58 digits."""
    chance = random.Random("at 7")
    sizes = [chance.choice(v) for v in ([5, 6, 8, 9], range(5), range(4), range(3))]
    n, offset, spread, small = sizes[0], 1e9, 1e6, 1e-3
    rows = [[offset + spread * chance.randint(-12, 12), small * chance.randint(-9, 9)] for _ in range(n)]
    found = SVMPath().fit(rows, [i % 2 for i in range(n)])
    assert all(found.at(lam).certificate_.digits >= 9 for lam in found.lambdas_)
