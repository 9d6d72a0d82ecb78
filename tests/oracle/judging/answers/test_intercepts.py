"""Ends of intervals of intercepts: how far in or out they lie, to which digits, and what the gap leaves open.

Of rows 0, 1, 3, 4 in two classes with C = 1/32 every multiplier is C, h(x) = 3x/16, and every intercept from −1 to 1/4
is optimal; of rows 100 larger, those from −79/4 to −37/2.
"""

from dataclasses import replace
from fractions import Fraction as Q

import pytest

from refclass import SVC, KernelClassifier
from refclass.kernels.matrices.product import exact_product
from refclass.linear.vector import Vector
from refclass.oracle.judging.answers import intercepts
from refclass.oracle.judging.answers.intercepts import Ends
from refclass.oracle.judging.comparison.attributes import LEAST
from refclass.regress.kernel.intercept import best

LOW, HIGH = Q(-1), Q(1, 4)


def solved(far=0, y=(0, 0, 1, 1), x=(0, 1, 3, 4), **parameters):
    """The machine of these rows, solved in fractions."""
    model = SVC(**{"C": "1/32", "arithmetic": "exact", **parameters}).fit([[v + far] for v in x], list(y))
    return model.solved()[0]


def judged(low, high, gap=Q(0), asked=6, own=None, **response):
    """What is found of two ends."""
    return intercepts.judged(own or solved(), gap, [low, high], asked, **response)


def test_right_ends_have_all_digits():
    """Of both, whatever the digits that are asked for."""
    assert judged(LOW, HIGH) == judged(LOW, HIGH, asked=300) == Ends(digits=float("inf"))


@pytest.mark.parametrize(
    ("low", "high", "digits"),
    [(0, Q(1, 10**9), 9), (Q(1, 10**7), 0, 7), (Q(1, 10**7), Q(-1, 10**9), 7), (Q(-1, 10**7), Q(1, 10**7), 7)],
)
def test_the_digits_are_those_of_the_worse_end(low, high, digits):
    """On the scale of the larger end, which is one, or of the responses."""
    assert judged(LOW - low, HIGH + high).digits == pytest.approx(digits, abs=0.01)
    assert judged(LOW - low, HIGH + high, response=Q(100)).digits == pytest.approx(digits + 2, abs=0.01)


def test_ends_far_from_zero_count_their_digits_on_their_own_scale():
    """−79/4 and −37/2, the first moved by a millionth of itself."""
    low, high = Q(-79, 4), Q(-37, 2)
    assert judged(low, high, own=solved(100)).digits == float("inf")
    assert judged(low * (1 + Q(1, 10**6)), high, own=solved(100)).digits == pytest.approx(6, abs=0.01)
    assert judged(low * (1 + Q(2, 10**6)), high, own=solved(100)).wrong


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        (LOW + Q(1, 100), HIGH, "[0]: -0.99 is too far in: f is as good with every intercept to -1"),
        (LOW - Q(1, 100), HIGH, "[0]: -1.01 is too far out: f is best with intercepts to -1"),
        (LOW, HIGH - Q(1, 100), "[1]: 0.24 is too far in: f is as good with every intercept to 0.25"),
        (LOW, HIGH + Q(1, 100), "[1]: 0.26 is too far out: f is best with intercepts to 0.25"),
    ],
)
def test_an_end_too_far_in_or_out_is_named_with_the_right_one(low, high, words):
    """Either end, to either side."""
    assert judged(low, high) == Ends(wrong=f"intercept_interval{words}")


@pytest.mark.parametrize(("asked", "digits"), [(6, 6), (8, 8), (12, 8), (300, 8)])
def test_an_end_may_miss_by_the_last_digit_asked_for_and_the_least_double(asked, digits):
    """To eight digits at most: what the interval is said to is an intercept."""
    most = Q(1, 10**digits) + LEAST
    assert judged(LOW + most, HIGH, asked=asked).wrong is None
    assert judged(LOW + most + LEAST, HIGH, asked=asked).wrong


def test_what_is_no_interval_or_has_no_bound_is_not_judged():
    """Ends that are no numbers, a kernel not known to be positive, no intercept, a negative gap."""
    own = solved()
    for ends in ([LOW], [LOW, HIGH, HIGH], [LOW, "inf"], 3):
        assert intercepts.judged(own, Q(0), ends, 6) is None
    for changes in ({"positive": False}, {"intercept": False}):
        assert judged(LOW, HIGH, own=replace(own, machine=replace(own.machine, **changes))) is None
    assert judged(LOW, HIGH, gap=Q(-1, 10**30)) is None


def test_the_gap_leaves_the_ends_open_by_the_root_of_twice_itself_times_the_largest_value():
    """max K = 16: ε² = 32 (P − D); an end beyond ε is wrong, and one within is not judged."""
    gap = Q(1, 50) ** 2 / 32
    assert judged(LOW, HIGH, gap=gap) == Ends(left="the gap of the answer leaves the ends open by 0.02")
    assert judged(LOW + Q(1, 60), HIGH, gap=gap).left and judged(LOW + Q(1, 40), HIGH, gap=gap).wrong
    tiny = Q(1, 10**7) ** 2 / 32
    assert judged(LOW, HIGH, gap=tiny).digits == float("inf")


@pytest.mark.parametrize("square", [Q(9, 4), Q(2), Q(1, 7), Q(10**40 + 1), Q(1, 10**60)])
def test_a_root_from_above_is_within_a_unit_of_twenty_places(square):
    """Above the root, and no longer so one unit below."""
    root = intercepts._root_above(square)
    assert root**2 > square >= (root - Q(1, square.denominator * 10**20)) ** 2


def test_a_function_that_misses_hard_margins_is_scaled_up():
    """f = x − 1 on rows 0 and 2, times 9/10: of its margins 9/10 is the least; its largest value, 9/5, grows by 1/5."""
    own = solved(x=(-1, 0, 2), y=(0, 0, 1), C="inf")
    values = Vector.of([Q(-1), Q(0), Q(2)])
    assert own.beta0 == -1 and intercepts.uncertain(own.machine, values, own.beta0, Q(0)) == 0
    short = Vector.of([Q(9, 10) * v for v in values])
    assert intercepts.uncertain(own.machine, short, Q(-9, 10), Q(0)) == Q(1, 5)
    assert intercepts.uncertain(own.machine, short, Q(-9, 10), Q(1, 8)) > Q(1, 5) + 1  # max K = 4
    for factor in (Q(3, 2), Q(0), Q(-1)):  # kept, or no multiple keeps them
        scaled = Vector.of([factor * v for v in values])
        assert intercepts.uncertain(own.machine, scaled, -factor, Q(0)) == 0


@pytest.mark.parametrize("parameters", [{"C": 1}, {"loss": "squared_hinge", "C": 1}])
def test_soft_margins_scale_nothing(parameters):
    """Of costs that end, and of squared ones, which do not, but have curvature."""
    own = solved(x=(-1, 0, 2), y=(0, 0, 1), **parameters)
    values = Vector.of([Q(-1, 2), Q(0), Q(1)])
    assert intercepts.uncertain(own.machine, values, Q(-1, 2), Q(0)) == 0


@pytest.mark.parametrize(
    ("value", "held"),
    [(0, True), (Q(3, 8), True), (Q(-3, 8), True), (Q(7, 6), False), (Q(1, 10), False), (2**53 - 1, True)]
    + [(2**53 + 1, False), (-(2**53) - 1, False), (2**54 - 2, True), (2**60, True), (Q(2**53 + 1, 2**10), False)],
)
def test_doubles_hold_a_fraction_of_a_power_of_two_with_53_bits(value, held):
    """Their range aside."""
    assert intercepts._double(Q(value)) is held


def test_the_gap_of_an_estimator_is_taken_on_the_scale_of_its_machine():
    """The objective of a penalty λ is λ times that of the machine of cost 1/λ; what has no machine is not judged."""
    model = KernelClassifier(loss="hinge", penalty=32, arithmetic="exact").fit([[0], [1], [3], [4]], [0, 0, 1, 1])
    (own,) = model.solved()
    assert own.scale == 32
    gap = Q(1, 50) ** 2 / 32
    assert intercepts.of_estimator(model, 32 * gap, [LOW, HIGH], 6, Q(1)) == judged(LOW, HIGH, gap=gap)
    assert intercepts.of_estimator(model, None, [LOW, HIGH], 6, Q(1)) is None
    assert intercepts.of_estimator(object(), gap, [LOW, HIGH], 6, Q(1)) is None


def test_a_verdict_takes_what_is_found_of_the_ends():
    """Nothing, what is wrong, what keeps them from being judged, digits, all digits."""
    found = {"accepted": True, "digits": {"objective": 9.5}}
    assert intercepts.told(found, None) == (found, [])
    wrong, names = intercepts.told(found, Ends(wrong="too far"))
    assert not names and not wrong["accepted"] and wrong["verdict"] == "wrong: too far"
    left, names = intercepts.told(found, Ends(left="open"))
    assert names == ["intercept_interval"] and left["not_judged"] == {"intercept_interval": "open"}
    for digits, said in ((float("inf"), "all"), (7.5, 7.5)):
        right, names = intercepts.told(found, Ends(digits=digits))
        assert names == ["intercept_interval"] and right["digits"] == {"objective": 9.5, "intercept_interval": said}


@pytest.mark.parametrize("C", ["1/32", "1/30"])
def test_one_end_for_both_is_refuted_where_equal_costs_balance_however_they_are_rounded(C):
    """Doubles hold 1/32 and not 1/30: two points of each class cost the same all the same."""
    own = solved(C=C)
    low, high = best(own.machine, exact_product(own.machine.K, own.a))
    assert low < high and judged(low, high, own=own).digits == float("inf")
    assert "too far in" in judged(low, low, own=own).wrong and "too far in" in judged(high, high, own=own).wrong


def test_one_end_for_both_is_right_where_rounded_costs_do_not_balance():
    """3·2/45 = 4·1/30, of which doubles hold neither."""
    own = solved(y=(0, 0, 1, 1, 0, 1, 1), x=(0, 1, 3, 4, 0, 3, 4), C="1/30", class_weight={0: "4/3", 1: 1})
    low, high = best(own.machine, exact_product(own.machine.K, own.a))
    assert low < high
    for ends in ((low, high), (low, low), (high, high)):
        assert judged(*ends, own=own).digits == float("inf")
