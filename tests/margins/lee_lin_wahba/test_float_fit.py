"""The machine of Lee, Lin and Wahba in doubles on hard data: proven digits, or refused with bounds."""

from dataclasses import replace
from fractions import Fraction as Q
from random import Random

import pytest

from refclass import LeeLinWahbaSVC
from refclass.errors import NotConverged
from refclass.kernels.gaussian import Gaussian
from refclass.linear.vector import Vector
from refclass.margins.lee_lin_wahba import certificate, float_fit, interior_fit
from refclass.margins.lee_lin_wahba.trained_machine import Trained
from refclass.number.binary64 import BINARY64
from refclass.number.rational import RATIONAL
from tests.benchmarks import several
from tests.hunt.examine import limited
from tests.margins import columns
from tests.margins.hard import KINDS, hard
from tests.profiles import examples


def primal(X, y, lam, m):
    """The objective in fractions, at the intercepts and the coefficients that are delivered, less their means."""
    X, K = [[Q(v) for v in x] for x in X], len(m.classes_)
    b = list(map(Q, m.intercept_))
    b = [v - sum(b) / K for v in b]
    coef = [list(map(Q, own)) for own in m.coef_]
    even = [[v - sum(column) / K for v, column in zip(own, zip(*coef))] for own in coef]
    return _objective(X, y, lam, even, b)


def _objective(X, y, lam, w, b):
    K, total = len(w), Q(0)
    for x, g in zip(X, y):
        for k in range(K):
            if k != g:
                total += max(sum(u * v for u, v in zip(w[k], x)) + b[k] + Q(1, K - 1), Q(0))
    return total / len(X) + Q(lam) * sum(v * v for own in w for v in own) / 2


@pytest.mark.parametrize("kind", KINDS)
def test_hard_data_give_proven_digits_or_a_refusal_with_bounds(kind):
    """The certificate's primal is that of an independent computation; a status of optimal means nine digits, fewer are
    reported by their number  [MMST-11.77] [MMST-11.104]."""
    X, y, C = hard(kind, 1)
    lam = 1 / (len(X) * C)
    try:
        m = LeeLinWahbaSVC(penalty=lam).fit(X, y)
    except NotConverged as refusal:
        assert refusal.witness["dual"] <= refusal.witness["primal"]
        return
    c = m.certificate_
    assert c.primal == primal(X, y, lam, m) and c.dual <= c.primal
    assert m.objective_ == pytest.approx(float(c.primal), rel=1e-9)
    assert (c.status == "optimal") is (c.digits >= 9) and c.digits >= 1
    assert c.digits >= 9 or c.digits > c.ceiling - 1


@pytest.mark.slow
@pytest.mark.parametrize("offset", [1e6, 1e9])
def test_an_offset_costs_no_digits(offset):
    """Points moved by an offset have the optimum of the points at zero, to the digits that the data have
    [MMST-11.77]."""
    X, y, _ = hard("plain", 3)
    far = LeeLinWahbaSVC(penalty=0.1).fit([[offset + v for v in x] for x in X], y)
    near = LeeLinWahbaSVC(penalty=0.1).fit(X, y)
    assert far.objective_ == pytest.approx(near.objective_, rel=1e-15 * offset)
    assert far.certificate_.digits >= 8


def test_intercepts_are_shifted_by_exact_sums():
    """Where shifts of 10^9 leave intercepts near 1 they are the exact ones, rounded once, whatever order sums take."""
    points = [(1e9, 3.0), (1e9 + 1, 1.0), (1e9 + 2, 2.0)]
    beta = ((0.1, 0.3, -0.4), (-0.1, -0.3, 0.4))
    centre = [sum(column) / 3 for column in zip(*points)]
    found = Trained(
        beta, tuple(map(Vector, beta)), Vector([1.0, -1.0]), ((None, 2.0), (-2.0, None)), (), 0.0, 0.0, 0.0, 1
    )
    own = interior_fit._unshifted(found, centre, points)
    w = [sum(Q(b) * Q(v) for b, v in zip(beta[0], column)) for column in zip(*points)]
    shift = sum(v * Q(c) for v, c in zip(w, centre))
    assert own.beta0 == (float(1 - shift), float(shift - 1))
    assert own.intervals == ((None, float(2 - shift)), (float(shift - 2), None))


def test_an_optimum_without_slack_outlasts_its_rounding():
    """A cubic kernel 30 away from zero: margins that the rounded optimum misses would cost all but 1.7 digits; it is
    scaled up, and has eight or more  [MMST-11.93]."""
    rng = Random(4)
    X = [[30 + rng.randint(-4, 4), 30 + rng.randint(-4, 4)] for _ in range(9)]
    kernel = {"name": "polynomial", "degree": 3, "c": 1}
    found = LeeLinWahbaSVC(penalty=1e-7, kernel=kernel).fit(X, [i % 3 for i in range(9)]).certificate_
    assert found.digits >= 8 and found.digits > found.ceiling - 1


def test_an_optimum_with_multipliers_at_bounds_is_not_scaled_up():
    """There slack is part of the optimum  [MMST-11.103]."""
    made = columns.machine([[0], [1], [2], [0]], [0, 1, 2, 1])
    made, found = columns.solved(made)
    assert any(v == top for own, tops in zip(found.alpha, zip(*made.costs)) for v, top in zip(own, tops) if top)
    assert float_fit.scaled_up(made, found) is None


@pytest.mark.parametrize("weights", [(1, 1), (1, 3)])
def test_two_classes_have_the_multipliers_of_the_support_vector_machine(weights):
    """Times 2nλ they are an optimum, with gap 0  [MMST-11.104] [MMST-11.67]."""
    made = columns.machine([[0, 1], [1, 0], [2, 2], [3, 1], [1, 1]], [0, 0, 1, 1, 0])
    made = replace(made, costs=tuple([row * Q(weights[g]) for row, g in zip(made.costs, made.labels)]))
    assert certificate.certify(made, float_fit.of_two_classes(made)).gap == 0


def test_an_indefinite_kernel_is_refused_with_a_direction():
    """A direction whose entries sum to zero along which the dual falls for ever  [MMST-11.104]."""
    from refclass.errors import NoAnswer

    K = [[0.0, 5.0, 1.0], [5.0, 0.0, 2.0], [1.0, 2.0, -9.0]]
    with pytest.raises(NoAnswer) as refusal:
        LeeLinWahbaSVC(kernel={"name": "precomputed"}).fit(K, [0, 1, 2])
    d = refusal.value.witness["direction"]
    assert sum(d) == 0 and sum(a * b * Q(v) for a, row in zip(d, K) for b, v in zip(d, row)) < 0


@pytest.mark.thorough
def test_an_optimum_that_doubles_do_not_hold_is_refused_with_its_own_bounds():
    """Multipliers up to 1 on a kernel of 10^12, times 10^5: rounded they cost 10 and more. The bounds are those of the
    optimum before it is rounded, and agree with that of exact arithmetic  [MMST-11.104]."""
    rng = Random(0)
    X = [[rng.gauss(0, 1), 1000 * rng.gauss(0, 1)] for _ in range(10)]
    of = {"penalty": 1e-6, "kernel": {"name": "polynomial", "degree": 2}}
    y = [i % 3 for i in range(10)]
    with pytest.raises(NotConverged) as refusal:
        LeeLinWahbaSVC(**of).fit(X, y)
    found, exact = refusal.value.witness, LeeLinWahbaSVC(**of, arithmetic="exact").fit(X, y)
    assert found["primal"] == found["dual"] == exact.objective_


@pytest.mark.thorough
def test_kernel_values_with_exponents_far_apart_are_taken_in_decimals():
    """Values of a Gaussian from 1 to 10^-300 make fractions of 10^5 bits of 137 multipliers: no end in 60 s. Decimals
    take a tenth of that, and the rounded optimum has more digits than are asked for  [MMST-11.104]."""
    rng = Random(0)
    X = [[rng.gauss(0, 1), rng.gauss(0, 100)] for _ in range(45)]
    costs = [[0, 0, 1, 1, 1e-3], [2.5, 0, 1, 1, 1], [1e-3, 0, 0, 2.5, 1e3], [1e-3, 1, 2.5, 0, 1], [1e3, 1e3, 0, 2.5, 0]]
    of = {"penalty": 2e-10, "costs": costs, "kernel": {"name": "gaussian", "gamma": 10}}
    with limited(30):
        m = LeeLinWahbaSVC(**of).fit(X, [i % 5 for i in range(45)])
    assert m.certificate_.digits >= 9


@pytest.mark.thorough
def test_a_cubic_kernel_on_unscaled_data_ends_at_its_ceiling():
    """Glass, degree 3, C = 1: doubles of K lose all digits of the functions; the optimum has 5.8 digits as doubles."""
    found = several.given("glass")
    if found is None:
        pytest.skip("the data are not here")
    X, y = found
    m = LeeLinWahbaSVC(penalty=1 / len(X), kernel={"name": "polynomial", "degree": 3}).fit(X, y)
    assert m.certificate_.digits >= m.certificate_.ceiling - 1 and m.certificate_.digits > 5


@pytest.mark.thorough
def test_a_kernel_of_degree_four_on_unscaled_data_is_refused_with_its_optimum():
    """Glass, degree 4, C = 100: doubles hold less than a digit of an optimum of 0.000128, which is known to ten."""
    found = several.given("glass")
    if found is None:
        pytest.skip("the data are not here")
    X, y = found
    with pytest.raises(NotConverged) as refusal:
        LeeLinWahbaSVC(penalty=1 / (100 * len(X)), kernel={"name": "polynomial", "degree": 4}).fit(X, y)
    dual, primal = refusal.value.witness["dual"], refusal.value.witness["primal"]
    assert 0 <= primal - dual <= primal / 10**10 and abs(primal - Q("0.000127777994746")) < Q(1, 10**15)


def test_free_multipliers_are_corrected_for_what_they_lack():
    """Multipliers six digits from the optimum lead to twelve and more; some that are not free at it lead nowhere."""
    r = Random(3)
    y = [i % 3 for i in range(48)]
    X = [[r.gauss(v, 1), r.gauss(v * v, 1)] for v in y]
    made, best = columns.solved(columns.machine(X, y, lam=0.01, kernel=Gaussian(0.5), F=BINARY64), BINARY64)
    moved = [Vector([v * (1 + r.gauss(0, 1e-6)) if 0 < v < 1 else v for v in own]) for own in best.alpha]
    exact = float_fit.over(RATIONAL, made)
    spoilt = float_fit.anew(exact, replace(best, alpha=tuple(moved)))
    assert 3 < certificate.certify(exact, spoilt.alpha, spoilt.beta0).digits < 9
    alpha = float_fit.corrected(made, spoilt)
    optimum = float_fit.trained(exact, alpha)
    assert certificate.certify(exact, alpha, optimum.beta0).digits > 12
    assert max(abs(a - b) for own, other in zip(alpha, best.alpha) for a, b in zip(own, other)) < 1e-12
    free = replace(best, alpha=tuple([Vector([0.999 if v == 1 else v for v in own]) for own in best.alpha]))
    assert float_fit.corrected(made, free) is None
    far = replace(best, objective=2 * best.objective)
    assert float_fit.corrected(made, far) is None


@pytest.mark.parametrize("seed", range(examples(10)))
def test_coefficients_that_are_delivered_are_proven(seed):
    """Separable points of columns of 10⁵ to 2·10⁶: an optimum of 10⁻¹¹ to 10⁻²⁰, beside which slack of 10⁻¹⁵ counts."""
    r = Random(seed)
    p, lam = r.choice([2, 3]), r.choice([1.0, 1e-3, 1e-9])
    X, y = [[r.uniform(1e5, 2e6) for _ in range(p)] for _ in range(4)], [0, 1, 2, r.randrange(3)]
    try:
        m = LeeLinWahbaSVC(penalty=lam).fit(X, y)
    except NotConverged as refusal:
        assert refusal.witness["dual"] <= refusal.witness["primal"]
        return
    c, delivered = m.certificate_, primal(X, y, lam, m)
    assert delivered == c.primal and delivered - c.dual <= delivered * Q(10 ** -min(c.digits, 14))
    assert c.digits >= 9 or c.digits > c.ceiling - 1
