import random
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given

from refclass.errors import InvalidInput, NotConverged
from refclass.estimators.margins.svm_path import SVMPath
from refclass.linear.vector import Vector
from refclass.margins.svm.path import fit
from refclass.number.decimals import decimal
from refclass.number.field import rational
from tests.hunt.test_paths import path
from tests.optimise.paths import problem, problems, violation


@given(problems(most=4))
def test_the_machine_of_every_break_point_is_proven_optimal(case):
    """Primal and dual meet exactly at every break point [ESL-12.14] [ESL-12.15] [ESL-12.16] [OPT-PATH.P2]."""
    model = fit.fit(case.K, case.y)
    for lam in model.lambdas[:4]:
        proof = fit.certify(model, lam)
        assert proof.gap == 0 and proof.worst_violation == 0


@given(problems(most=4))
def test_the_multipliers_are_those_of_the_cost_form_times_lambda(case):
    """α of the path is λ times α of the machine of cost 1/λ, β₀ the same [ESL-12.33] [OPT-PATH.P2]."""
    model = fit.fit(case.K, case.y)
    for lam, alpha, beta0 in zip(model.lambdas, model.alphas, model.intercepts):
        trained = model.at(lam)
        assert [lam * a for a in trained.alpha] == alpha
        assert trained.interval[0] <= beta0 <= trained.interval[1]


def test_where_no_point_is_on_the_edge_the_middle_of_the_interval_is_the_intercept():
    """x = ±1 at λ = 5: β₀ within 3/5 of zero, and zero is taken [M-X1] [SVC-L1-BIAS.P2]."""
    case = problem([[1], [-1]], [1, 0])
    trained = fit.fit(case.K, case.y).at(Fraction(5))
    assert trained.interval == (Fraction(-3, 5), Fraction(3, 5)) and trained.beta0 == 0


def test_the_lists_of_a_model_have_an_entry_for_each_break_point():
    """λ falls, events name kinds and rows [ESL-12.3.5-path]."""
    case = problem([[1, 0], [2, 1], [0, 0], [0, 2], [1, 1]], [1, 1, 0, 0, 0])
    model = fit.fit(case.K, case.y)
    assert len(model.lambdas) == len(model.alphas) == len(model.intercepts) == len(model.events)
    assert model.lambdas == sorted(model.lambdas, reverse=True)
    assert {kind for events in model.events for kind, _ in events} <= {"from_left", "from_right", "to_left", "to_right"}


def test_lambda_zero_has_no_machine():
    """λ > 0 [ESL-12.25]."""
    case = problem([[1], [-1]], [1, 0])
    with pytest.raises(InvalidInput, match="λ > 0"):
        fit.fit(case.K, case.y).at(Fraction(0))


def test_decimals_that_lose_the_path_of_a_cubic_kernel_far_from_the_origin_follow_it_with_more():
    """With 30 digits it is lost after twelve of sixteen break points; they are those of fractions, rounded."""
    points = [(1200, -8), (1500, -6), (600, 8), (600, 10), (500, 10), (700, 6), (800, 8)]
    x, y = [[u, Fraction(v, 2000)] for u, v in points], list("abababa")
    cubic = {"name": "polynomial", "degree": 3, "c": 1}
    exact, found = (SVMPath(kernel=cubic, arithmetic=name).fit(x, y).lambdas_ for name in ("exact", "decimal:30"))
    assert len(found) == len(exact)
    assert all(abs(Fraction(u) / v - 1) < Fraction(1, 10**28) for u, v in zip(found, exact))
    assert {len(v.as_tuple().digits) for v in found} <= set(range(31))


def test_points_whose_equations_follow_from_others_are_found_whatever_their_order():
    """In 200 decimals a pivot of zero was 10⁻¹⁶⁶ of points taken in before, and the path ended at its second point."""
    x = [[v] for v in (500, 1100, 600, 700, 1500, 500, 1500, 900, 1400, 1300, 500, 1500)]
    cubic = {"name": "polynomial", "degree": 3, "c": 1}
    found = SVMPath(kernel=cubic, arithmetic="decimal:30").fit(x, list("ab" * 6))
    assert len(found.lambdas_) == 13 and round(found.lambdas_[-1], 2) == Decimal("1504.48")


def test_events_that_differ_by_roundoff_are_one_break_point():
    """Two points leave the elbow together; the page let one leave, and the other 4·10⁻³⁰ later [ESL-12.3.5-path]."""
    x = [[v] for v in (725, 1340, 1139, 1098, 1189, 1366, 1116, 1128, 1260, 1209, 804, 1617)]
    found = SVMPath(solver="hastie", arithmetic="decimal:30").fit(x, list("ab" * 6))
    assert list(map(round, found.lambdas_)) == [680150, 282318, 177873, 19951, 7952]


def test_a_path_that_doubles_lose_is_refused_with_bounds_at_the_last_machine_known():
    """The page in doubles loses the second break point; there, λ = 1.24·10¹², the objective is known to nine digits."""
    x = [[v] for v in (500, 1100, 600, 700, 1500, 500, 1500, 900, 1400, 1300, 500, 1500)]
    cubic = {"name": "polynomial", "degree": 3, "c": 1}
    with pytest.raises(NotConverged) as refusal:
        SVMPath(kernel=cubic, solver="hastie").fit(x, list("ab" * 6))
    known = refusal.value.witness
    assert known["lam"] > 10**12 and 0 < known["dual"] <= known["primal"] < known["dual"] * (1 + Fraction(1, 10**6))


@pytest.mark.parametrize("n, seed", [(16, 1), (16, 5), (24, 3), (24, 4)])
def test_decimals_lose_no_tie_far_from_the_origin(n, seed):
    """Points of a grid at 10⁹: the machines at break points, and halfway between, are optimal but for 10⁻¹⁵⁰."""
    r = random.Random(seed)
    X = [[10**9 + r.randint(0, 3), 10**9 + r.randint(0, 3)] for _ in range(n)]
    case = problem(X, [i < n * 2 // 5 + (n == 16) for i in range(n)])
    found = fit.fit(case.K, Vector.of(map(decimal(30).lift, case.y)), case.K).path
    lams = [s.lam for s in found.states]
    assert lams == sorted({*lams}, reverse=True) and found.least == 0
    for lam in [*lams, *((a + b) / 2 for a, b in zip(lams, lams[1:]))]:
        at = found.at(lam)
        off = violation(case, rational(lam), Vector.of(map(rational, at.alpha)), rational(at.alpha0))
        assert off <= Fraction(1, 10**150)


@pytest.mark.parametrize(
    "seed, count",
    [(42, 5), pytest.param(76, 0, marks=pytest.mark.slow), pytest.param(220, 6, marks=pytest.mark.thorough)],
)
def test_a_path_in_decimals_ends_where_that_in_fractions_does(seed, count):
    """All points come to the elbow at once, at rates of 10⁻²³ of K (76); then no break point near 10⁻¹⁹⁸ follows."""
    kernel, X, y = path(seed, (30, 60, 100, 160))
    found = SVMPath(kernel=kernel).fit(X, y)
    assert (len(found.lambdas_), found.least_lambda_) == (count, 0)
