"""What every loss provides: the laws that its docstring claims, each tested for every loss that claims it."""

import dataclasses
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import refclass.losses
from refclass.errors import InvalidInput, NoAnswer
from refclass.losses.deviance import Deviance
from refclass.losses.hinge import Hinge
from refclass.losses.huber import Huber
from refclass.losses.huberised import Huberised
from refclass.losses.huberised_hinge import HuberisedHinge
from refclass.losses.insensitive import Insensitive, QuadraticInsensitive, SquaredInsensitive
from refclass.losses.loss import Loss, MarginLoss, losses
from refclass.losses.power_hinge import PowerHinge
from refclass.losses.ramp import Ramp, SquaredRamp
from refclass.losses.squared import Squared
from refclass.losses.squared_hinge import SquaredHinge
from refclass.losses.zero_one import ZeroOne
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import THRESHOLD, near
from tests.laws.claims import claims, members, tried
from tests.numbers import STRICT, Strict
from tests.profiles import examples

D = decimal(40)
LISTED_MARGIN = [
    ZeroOne(),
    Hinge(),
    SquaredHinge(),
    Ramp(),
    SquaredRamp(),
    Deviance(),
    Squared(),
    Huberised(),
    HuberisedHinge(),
    PowerHinge(D.lift(3)),
    PowerHinge(D.lift(Fraction(5, 2))),
]
QUARTER = Fraction(1, 4)
LISTED_RESIDUAL = [
    *(kind(e) for kind in (Insensitive, SquaredInsensitive, QuadraticInsensitive) for e in (Fraction(0), QUARTER)),
    Huber(Fraction(3, 2)),
]
KINDS = members(refclass.losses, Loss)  # a loss that is written is tried without being listed
MARGIN = tried(LISTED_MARGIN, [kind for kind in KINDS if issubclass(kind, MarginLoss)])
RESIDUAL = tried(LISTED_RESIDUAL, [kind for kind in KINDS if not issubclass(kind, MarginLoss)])
LOSSES = MARGIN + RESIDUAL
KNOWN = {"convex", "above zero-one", "decreasing", "smooth", "bounded", "even"}

twelfths = st.one_of(st.integers(-48, 48).map(lambda i: Fraction(i, 12)), st.sampled_from([Fraction(-1), Fraction(1)]))
few = settings(max_examples=examples(20))
probabilities = st.integers(1, 39).map(lambda i: Fraction(i, 40))
BREAKS = [Fraction(i, 4) for i in (-6, -4, -2, -1, 0, 1, 2, 4, 6)]


def name_of(loss):
    return type(loss).__name__ + "".join(f"-{getattr(loss, f.name)}" for f in dataclasses.fields(loss))


def field(loss):
    return RATIONAL if loss.exact else D


def these(losses):
    return pytest.mark.parametrize("loss", losses, ids=name_of)


def claiming(law):
    return these([loss for loss in LOSSES if law in claims(type(loss))])


def test_every_loss_with_laws_is_tried_and_every_law_is_known():
    """A loss's docstring claims only laws that this suite tests, on a loss that this suite has."""
    assert set(KINDS) == set(map(type, LOSSES)) and {law for kind in KINDS for law in claims(kind)} == KNOWN


def test_every_loss_that_is_written_is_reached_by_its_name():
    """What the registry finds is what the modules define."""
    assert set(losses().values()) == set(KINDS)


@claiming("convex")
@few
@given(a=twelfths, b=twelfths, w=st.sampled_from([QUARTER, Fraction(1, 2), Fraction(5, 6)]))
def test_the_graph_lies_below_its_chords(loss, a, b, w):
    """L(wa + (1 − w)b) ≤ wL(a) + (1 − w)L(b)  [LOSS-HINGE.P1] [LOSS-DEV.P1] [LOSS-SQH.P1] [LOSS-EPS1.P3] [HHINGE.P1]
    [ISML-27.6.1-hinge] [MMST-11.3.9-hinge]."""
    F = field(loss)
    a, b, w = map(F.lift, (a, b, w))
    chord = w * loss(F, a) + (1 - w) * loss(F, b)
    assert loss(F, w * a + (1 - w) * b) <= chord + THRESHOLD * F.eps * chord


@these([loss for loss in LOSSES if "convex" not in claims(type(loss))])
def test_a_loss_that_does_not_claim_it_is_not_convex(loss):
    """ZeroOne, Ramp and SquaredRamp each have a chord below the graph  [LOSS-RAMP.P2] [ISML-27.6.3-objective]."""
    a, b = Fraction(-4), Fraction(1)
    assert any(
        loss(RATIONAL, (t * a + (8 - t) * b) / 8) > (t * loss(RATIONAL, a) + (8 - t) * loss(RATIONAL, b)) / 8
        for t in range(1, 8)
    )


@claiming("above zero-one")
@few
@given(m=twelfths)
def test_an_error_costs_at_least_one(loss, m):
    """L(m) ≥ 1 for m ≤ 0, and L ≥ 0: a small loss bounds the errors  [LOSS-01.P1] [LOSS-RAMP.P2]."""
    F = field(loss)
    assert loss(F, F.lift(m)) >= ZeroOne()(F, F.lift(m))


@these([loss for loss in MARGIN if "above zero-one" not in claims(type(loss))])
def test_a_loss_that_does_not_claim_it_is_below_zero_one(loss):
    """Deviance and Huberised hinge cost less than one at m = 0: log 2, and ½  [LOSS-01.P1]."""
    F = field(loss)
    assert loss(F, F.kind(0)) < 1


@claiming("decreasing")
@few
@given(a=twelfths, b=twelfths)
def test_a_larger_margin_never_costs_more(loss, a, b):
    """L(a) ≥ L(b) for a ≤ b  [LOSS-DEV.P1] [ESL-T12.1]."""
    F = field(loss)
    low, high = sorted(map(F.lift, (a, b)))
    assert loss(F, low) >= loss(F, high)


@these([loss for loss in MARGIN if "decreasing" not in claims(type(loss))])
def test_a_margin_loss_that_does_not_claim_it_increases(loss):
    """Somewhere a larger margin costs more: the squared error grows again beyond m = 1  [LOSS-SQ.P2]."""
    F = field(loss)
    values = [loss(F, F.lift(m)) for m in range(-4, 9)]
    assert any(a < b for a, b in zip(values, values[1:]))
    assert not isinstance(loss, Squared) or values[5] == 0 < values[6] < values[7]


@claiming("smooth")
@few
@given(t=st.one_of(twelfths, st.sampled_from(BREAKS)))
def test_the_slope_has_no_jump(loss, t):
    """The left slope is the right one, everywhere: C¹  [LOSS-SQH.P1] [LOSS-HSQH.P1] [LOSS-EPS2-SQ.P1] [LOSS-HUBER.P1]
    [HHINGE.P1]."""
    F = field(loss)
    t = F.lift(t)
    left, right = loss.slopes(F, t)
    assert left == right == loss.slope(F, t)


@these([loss for loss in LOSSES if "smooth" not in claims(type(loss)) and name_of(loss) != "QuadraticInsensitive-0"])
def test_a_loss_that_does_not_claim_it_has_a_kink(loss):
    """Somewhere the two slopes differ (or, for misclassification, there is a jump), and `slope` refuses with both."""
    kinks = []
    for t in BREAKS:
        try:
            left, right = loss.slopes(RATIONAL, t)
        except NoAnswer:
            kinks.append(t)
            continue
        if left != right:
            kinks.append(t)
            with pytest.raises(NoAnswer, match="without a kink") as refusal:
                loss.slope(RATIONAL, t)
            assert refusal.value.witness == {"left": left, "right": right}
    assert kinks


@claiming("bounded")
@few
@given(m=twelfths)
def test_no_error_costs_more_than_one(loss, m):
    """0 ≤ L ≤ 1, however far the point lies on the wrong side  [LOSS-RAMP.P2] [ISML-27.6.3-ramp]."""
    assert 0 <= loss(RATIONAL, m) <= 1 and loss(RATIONAL, 1000 * m - 4000) == 1


@claiming("even")
@few
@given(r=twelfths)
def test_the_sign_of_a_residual_does_not_matter(loss, r):
    """V(−r) = V(r), and the slopes change sign and side."""
    left, right = loss.slopes(RATIONAL, r)
    assert loss(RATIONAL, -r) == loss(RATIONAL, r) and loss.slopes(RATIONAL, -r) == (-right, -left)


@these([loss for loss in LOSSES if loss.exact])
@few
@given(t=st.one_of(twelfths, st.sampled_from(BREAKS)))
def test_slopes_are_limits_of_difference_quotients(loss, t):
    """On each side the loss is a parabola near t, whose slope two difference quotients give exactly
    [LOSS-HINGE.P1] [LOSS-EPS1.P3] [LOSS-EPS2-MMST.P2] [LOSS-RAMP2.P2]."""
    if isinstance(loss, ZeroOne) and t == 0:
        return
    h = Fraction(1, 10**6)

    def quotient(step):
        return (loss(RATIONAL, t + step) - loss(RATIONAL, t)) / step

    left, right = loss.slopes(RATIONAL, t)
    assert right == 2 * quotient(h / 2) - quotient(h) and left == 2 * quotient(-h / 2) - quotient(-h)


@these([loss for loss in LOSSES if type(loss).curvature is not Loss.curvature])
@few
@given(t=st.one_of(twelfths, st.sampled_from(BREAKS)))
def test_the_curvature_is_that_of_the_slope(loss, t):
    """L″ is the difference quotient of L′ on one side or the other, the larger one where they differ."""
    F = field(loss)
    t = F.lift(t)
    if isinstance(loss, Deviance):
        s = loss.slope(F, t)
        assert near(F, loss.curvature(F, t), -s * (1 + s), scale=-s, steps=2)
    if isinstance(loss, PowerHinge) and t == 1:  # continuous there, without a derivative of its own
        assert loss.curvature(F, t) == 0
        return
    if not loss.exact:  # of 40 digits the difference loses 12, and differs from the limit by some h²
        h = F.lift(Fraction(1, 10**12))
        quotient = (loss.slope(F, t + h) - loss.slope(F, t - h)) / (2 * h)
        assert abs(quotient - loss.curvature(F, t)) < F.lift(Fraction(1, 10**20))
        return
    h = Fraction(1, 10**6)
    left, right = loss.slopes(F, t)
    if left != right:
        with pytest.raises(NoAnswer):
            loss.curvature(F, t)
        return
    sides = [(loss.slope(F, t + step) - right) / step for step in (h, -h)]
    assert loss.curvature(F, t) == max(sides)


@these([loss for loss in LOSSES if type(loss).curvature is Loss.curvature])
def test_a_loss_with_kinks_has_no_curvature(loss):
    """Where L′ jumps there is no L″ to speak of."""
    with pytest.raises(NoAnswer, match="continuous slope"):
        loss.curvature(RATIONAL, Fraction(0))


@claiming("convex")
@few
@given(t=twelfths, other=twelfths, w=st.sampled_from([Fraction(0), QUARTER, Fraction(1)]))
def test_slopes_are_the_slopes_of_supporting_lines(loss, t, other, w):
    """For every s between the slopes at t, L(u) ≥ L(t) + s(u − t), and L(t) + L*(s) = st: Fenchel and Young."""
    F = field(loss)
    t, other, w = map(F.lift, (t, other, w))
    left, right = loss.slopes(F, t)
    s = w * left + (1 - w) * right
    value, conjugate = loss(F, t), loss.conjugate(F, s)
    scale = 1 + abs(value) + abs(s * other)
    assert near(F, value + conjugate, s * t, scale=scale)
    assert loss(F, other) + conjugate >= s * other - THRESHOLD * F.eps * scale


STEEPEST = {Hinge: (-1, 0), SquaredHinge: (None, 0), Deviance: (-1, 0), Huberised: (-4, 0), HuberisedHinge: (-1, 0)}
STEEPEST.update({Insensitive: (-1, 1), Huber: (Fraction(-3, 2), Fraction(3, 2))})


@these([loss for loss in LOSSES if type(loss) in STEEPEST])
def test_the_conjugate_is_refused_where_it_is_infinite(loss):
    """Beyond the steepest slopes of L a line exceeds it without bound, and is refused; up to them it is not."""
    F = field(loss)
    for end, step in zip(STEEPEST[type(loss)], (-1, 1)):
        if end is not None:
            assert type(loss.conjugate(F, F.lift(end))) is F.kind
            with pytest.raises(NoAnswer, match="need a slope in"):
                loss.conjugate(F, F.lift(end) + F.lift(step) / 1000)


@these([loss for loss in LOSSES if "convex" not in claims(type(loss))])
def test_a_loss_that_is_not_convex_has_no_conjugate_here(loss):
    """The conjugate of a loss that is not convex is that of another, and is refused."""
    with pytest.raises(NoAnswer, match="a convex loss"):
        loss.conjugate(RATIONAL, Fraction(0))


END = Fraction(8)
CUTS = [-END, Fraction(-1), Fraction(0), Fraction(1), END]


def parabola(f, a, b):
    """(c₀, c₁, c₂) of the parabola that f is between a and b, from three points; a fourth must agree."""
    x = [a + (b - a) * Fraction(i, 5) for i in (1, 2, 3, 4)]
    y = [f(v) for v in x]
    d1 = (y[1] - y[0]) / (x[1] - x[0])
    c2 = ((y[2] - y[1]) / (x[2] - x[1]) - d1) / (x[2] - x[0])
    c1 = d1 - c2 * (x[0] + x[1])
    c0 = y[0] - c1 * x[0] - c2 * x[0] ** 2
    assert c0 + c1 * x[3] + c2 * x[3] ** 2 == y[3]
    return c0, c1, c2


def exact_minimisers(loss, p):
    """The f in [−8, 8] of least p L(f) + (1 − p) L(−f), by calculus on each piece: closed intervals, merged."""

    def risk(f):
        return p * loss(RATIONAL, f) + (1 - p) * loss(RATIONAL, -f)

    found = []
    for a, b in zip(CUTS, CUTS[1:]):
        c0, c1, c2 = parabola(risk, a, b)
        places = [(a, a), (b, b)]
        if c2 > 0 and a < -c1 / (2 * c2) < b:
            places.append((-c1 / (2 * c2),) * 2)
        if c1 == c2 == 0:
            places = [(a, b)]
        found += [(c0 + c1 * f + c2 * f * f, (f, g)) for f, g in places]
    least = min(value for value, _ in found)
    merged = []
    for low, high in sorted(place for value, place in found if value == least):
        if merged and low <= merged[-1][1] and risk(low) == least:
            merged[-1] = (merged[-1][0], max(high, merged[-1][1]))
        else:
            merged.append((low, high))
    return merged


@these([loss for loss in MARGIN if loss.exact])
@few
@given(p=probabilities)
def test_population_minimisers_are_the_exact_ones(loss, p):
    """What is said to minimise p L(f) + (1 − p) L(−f) does, and nothing else does: by exact minimisation piece by piece
    [POPMIN.P1] [POPMIN.P2] [LOSS-01.P2] [LOSS-SQ.P1] [LOSS-SQH.P2] [LOSS-HSQH.P2] [LOSS-RAMP.P3] [ESL-T12.1]
    [YANG-common-loss-functions] [M-ESL-T12.1]."""
    said = loss.population_minimisers(RATIONAL, p)
    clipped = [(-END if low is None else low, END if high is None else high) for low, high in said]
    assert clipped == exact_minimisers(loss, p)


@few
@given(p=probabilities)
def test_the_deviance_estimates_the_log_odds(p):
    """At f = log p/(1 − p) the expected slope vanishes, and the expected loss is convex  [POPMIN.P1] [LOSS-DEV.P2]
    [ESL-T12.1] [ERR-YANG-05]."""
    q, loss = D.lift(p), Deviance()
    ((low, high),) = loss.population_minimisers(D, q)
    assert low == high == D.log(q / (1 - q))
    assert near(D, q * loss.slope(D, low), (1 - q) * loss.slope(D, -low), steps=4 + int(abs(low)))


@few
@given(p=probabilities)
def test_the_least_expected_hinge_is_twice_the_bayes_error(p):
    """min over f of the expected hinge is 2 min(p, 1 − p)  [POPMIN.P3] [M-X10]."""
    for low, _ in Hinge().population_minimisers(RATIONAL, p):
        value = p * Hinge()(RATIONAL, low) + (1 - p) * Hinge()(RATIONAL, -low)
        assert value == 2 * min(p, 1 - p)


@these(MARGIN)
@few
@given(p=probabilities)
def test_every_margin_loss_finds_the_bayes_rule(loss, p):
    """Where p ≠ ½ every minimiser has the sign of 2p − 1: Fisher consistent  [POPMIN] [MMST-11.3.9-hinge]."""
    if 2 * p != 1:
        F = field(loss)
        ((low, high),) = loss.population_minimisers(F, F.lift(p))
        near_end = low if 2 * p > 1 else high
        assert near_end == 0 if isinstance(loss, ZeroOne) else (near_end > 0) == (2 * p > 1)


@these(MARGIN)
@pytest.mark.parametrize("p", [0, 1, -1, 2])
def test_a_probability_of_zero_or_one_has_no_minimiser(loss, p):
    """p must be inside (0, 1)."""
    F = field(loss)
    with pytest.raises(InvalidInput, match="0 < p < 1"):
        loss.population_minimisers(F, F.lift(p))


@these(MARGIN)
def test_the_margin_maximising_losses_satisfy_rossets_condition(loss):
    """Such a loss never rises, and at some T, finite or not, L(T(1 − ε))/L(T) → ∞: all but the squared error and the
    misclassification loss  [MARGIN-MAX] [ESL-12.3.2-margin]."""
    F = field(loss)
    grid = [F.lift(Fraction(i, 4)) for i in range(-20, 21)]
    falls = all(loss(F, a) >= loss(F, b) for a, b in zip(grid, grid[1:]))
    vanishes = loss(F, F.kind(1)) == 0 < loss(F, F.lift(Fraction(99, 100)))
    ratios = [loss(F, F.lift(9 * t)) / loss(F, F.lift(10 * t)) for t in (1, 2, 4, 8)] if loss(F, F.lift(10)) else [0, 0]
    explodes = all(b > a * a / 4 > 0 for a, b in zip(ratios, ratios[1:]))
    assert loss.margin_maximising == (falls and (vanishes or explodes))


def silent(function):
    def refuse(*arguments):
        raise AssertionError(f"an exact loss asked the field for {function}")

    return refuse


SILENT = dataclasses.replace(
    STRICT, **{name: silent(name) for name in ("sqrt", "exp", "log", "tanh", "sin", "cos", "erf", "pi")}
)


@these([loss for loss in LOSSES if loss.exact])
@pytest.mark.parametrize("t", [Fraction(i, 3) for i in (-7, -3, -1, 0, 1, 2, 3, 8)])
def test_an_exact_loss_needs_arithmetic_only(loss, t):
    """Value and slopes of a loss that claims to be exact ask the field for no function."""
    lifted = type(loss)(*(SILENT.lift(getattr(loss, f.name)) for f in dataclasses.fields(loss)))
    assert type(lifted(SILENT, Strict(t))) is Strict
    if not (isinstance(loss, ZeroOne) and t == 0):
        assert set(map(type, lifted.slopes(SILENT, Strict(t)))) == {Strict}
