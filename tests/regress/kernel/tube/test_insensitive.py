"""Support vector regression: the texts' primal, Lagrangian, dual and conditions, as identities on fractions."""

from fractions import Fraction as Q

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refclass.kernels.matrices.gram import gram
from refclass.kernels.spaces import features
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.losses.insensitive import Insensitive, QuadraticInsensitive, SquaredInsensitive
from refclass.number.rational import RATIONAL
from refclass.optimise.active_set import solver as active_set
from refclass.regress.kernel import fit as training
from refclass.regress.kernel.tube import insensitive
from refclass.regress.kernel.tube.insensitive import multipliers
from tests.numbers import Counted, counting
from tests.profiles import examples
from tests.regress.tables import LINEAR, QUADRATIC, costs, decision, ones, problems, svr, value, widths
from tests.strategies import fractions, positive, vectors

few = settings(max_examples=examples(15))


@st.composite
def stationary(draw):
    """A regression with multipliers a, b in the box that balance, any plane's intercept and any slacks."""
    X, y = draw(problems(n=(2, 5)))
    n, C = len(y), draw(costs)
    a = [C * draw(st.sampled_from([Q(0), Q(1, 3), Q(1)])) for _ in range(n)]
    b = draw(st.permutations(a))
    return X, y, C, draw(widths), Vector(a), Vector(b), draw(fractions), (draw(vectors(n)), draw(vectors(n)))


@few
@given(stationary())
def test_at_a_stationary_point_the_lagrangian_is_the_dual(case):
    """With β = Σ(b − a)x, c = C − a, d = C − b, Σ(b − a) = 0 the corrected Lagrangian is F_D, whatever the slacks and
    the intercept  [SVR-LAG.P1] [MMST-11.115] [MMST-11.122] [MMST-11.124] [ERR-MMST-01]."""
    X, y, C, epsilon, a, b, beta0, slack = case
    beta = insensitive.weights(a, b, X)
    full = ones(len(y), C)
    r = Vector([t - x @ beta - beta0 for x, t in zip(X, y)])
    value_there = insensitive.lagrangian(beta @ beta, r, slack, (a, b), (full - a, full - b), C, epsilon)
    assert insensitive.dual_objective(a, b, y, gram(RATIONAL, LINEAR, X), epsilon) == value_there


@few
@given(stationary())
def test_the_four_derivatives_of_the_lagrangian_vanish_there(case):
    """∂β₀ = Σa − Σb, ∂β = β + Σax − Σbx, ∂ξ = C − a − c, ∂ξ′ = C − b − d
    [SVR-LAG.P1] [MMST-11.116] [MMST-11.117] [MMST-11.118] [MMST-11.119] [MMST-11.120] [MMST-11.121] [MMST-11.122]."""
    X, y, C, _, a, b, _, _ = case
    full = ones(len(y), C)
    in_beta0, *others = insensitive.stationarity(insensitive.weights(a, b, X), X, (a, b), (full - a, full - b), C)
    assert in_beta0 == 0 and all(v == 0 for derivative in others for v in derivative)


@few
@given(stationary())
def test_the_signs_as_printed_leave_no_upper_bound(case):
    """Printed: C + b − d = 0. With d ≥ 0 that allows every b ≥ 0, and d = C + b ≥ C; the box needs d = C − b
    [ERR-MMST-01] [MMST-11.118] [MMST-11.119] [MMST-11.125]."""
    X, _, C, _, a, b, _, _ = case
    beyond = Vector([v + 2 * C for v in b])
    printed = Vector([C + v for v in beyond])
    assert min(printed) >= C and max(beyond) > C
    zero = ones(len(a), 0)
    *_, in_above = insensitive.stationarity(insensitive.weights(a, beyond, X), X, (a, beyond), (zero, printed), C)
    assert any(v != 0 for v in in_above)


@few
@given(stationary(), st.data())
def test_every_dual_value_is_below_every_primal_value(case, draw):
    """F_D(a, b) ≤ ½‖β‖² + C Σ(ξ + ξ′) for all feasible multipliers and all planes  [SVR-DUAL.P1] [MMST-11.113]."""
    X, y, C, epsilon, a, b, beta0, _ = case
    beta = draw.draw(vectors(len(X[0])))
    r = Vector([t - x @ beta - beta0 for x, t in zip(X, y)])
    primal = insensitive.objective(RATIONAL, beta @ beta, r, C, Insensitive(epsilon))
    assert insensitive.dual_objective(a, b, y, gram(RATIONAL, LINEAR, X), epsilon) <= primal


@few
@given(vectors(4), widths)
def test_the_slacks_pay_for_the_loss_and_never_both(r, epsilon):
    """ξ + ξ′ = max(0, |r| − ε) and ξξ′ = 0  [SVR-L1.P1] [MMST-11.114] [MMST-11.128]."""
    below, above = insensitive.slacks(r, epsilon)
    assert below + above == Vector([Insensitive(epsilon)(RATIONAL, v) for v in r])
    assert below.times(above).largest() == 0


@few
@given(problems(n=(2, 4)), costs, widths, st.booleans())
def test_the_primal_programme_has_the_optimum_of_the_dual(problem, C, epsilon, squared):
    """The quadratic programme in (β, β₀, ξ, ξ′) and the dual end at the same plane and value
    [SVR-L1.P1] [SVR-L2.P1] [MMST-11.112] [MMST-11.113] [MMST-11.114] [MMST-Ex11.2] [EX-MMST-11.2] [SVR-PEN.P1]."""
    X, y = problem
    m, fitted = svr(X, y, C, epsilon, SquaredInsensitive if squared else Insensitive)
    answer = active_set.solve(insensitive.primal(X, y, C, epsilon, squared=squared))
    beta = Vector(answer.x[: len(X[0])])
    assert beta == X.T @ fitted.a
    low, high = fitted.interval
    assert low <= answer.x[len(X[0])] <= high
    r = Vector([t - x @ beta - answer.x[len(X[0])] for x, t in zip(X, y)])
    loss = (SquaredInsensitive if squared else Insensitive)(epsilon)
    assert insensitive.objective(RATIONAL, beta @ beta, r, C, loss) == value(m, fitted)


@few
@given(problems(), costs, positive)
def test_the_optimality_conditions_hold_at_the_optimum(problem, C, epsilon):
    """All complementarity products are zero; ab = 0 needs no constraint of its own when ε > 0
    [SVR-DUAL.P2] [SVR-KKT.P2] [MMST-11.126] [MMST-11.127] [MMST-11.128] [MMST-11.129] [ERR-ESL-14]."""
    X, y = problem
    _, fitted = svr(X, y, C, epsilon)
    a, b = multipliers(fitted)
    assert set(insensitive.residuals(a, b, y - decision(fitted), C, epsilon).values()) == {0}


@few
@given(problems(n=(2, 6)), costs, positive, st.integers(0, 5), positive)
def test_the_conditions_fail_at_another_point(problem, C, epsilon, i, step):
    """Moving one multiplier breaks the balance; pushing it beyond C, the box  [SVR-KKT.P2] [MMST-11.121]."""
    X, y = problem
    _, fitted = svr(X, y, C, epsilon)
    a, b = multipliers(fitted)
    i %= len(a)
    moved = Vector([v + (C + step if j == i else 0) for j, v in enumerate(b)])
    failing = insensitive.residuals(a, moved, y - decision(fitted), C, epsilon)
    assert failing["balance"] == C + step and failing["box"] >= step


@few
@given(problems(n=(2, 6)), costs, positive)
def test_lowering_both_multipliers_of_a_point_raises_the_dual(problem, C, epsilon):
    """F_D rises by 2ε times what is taken off both: ab = 0 at every optimum when ε > 0  [SVR-DUAL.P2] [ERR-ESL-14]."""
    X, y = problem
    K = gram(RATIONAL, LINEAR, X)
    _, fitted = svr(X, y, C, epsilon)
    a, b = multipliers(fitted)
    both = ones(len(y), 1)
    lower = insensitive.dual_objective(a + both, b + both, y, K, epsilon)
    assert insensitive.dual_objective(a, b, y, K, epsilon) - lower == 2 * epsilon * len(y)


def test_without_a_tube_the_product_of_the_multipliers_is_a_choice():
    """ε = 0: (a, b) and (a + 1, b + 1) have the same dual value, so that ab = 0 only picks one  [SVR-EPS0.P1]
    [ERR-ESL-14]."""
    X, y = Matrix([[Q(0)], [Q(1)], [Q(2)]]), Vector([Q(0), Q(3), Q(1)])
    K = gram(RATIONAL, LINEAR, X)
    _, fitted = svr(X, y, Q(1, 2), Q(0))
    a, b = multipliers(fitted)
    more = ones(3, Q(1, 8))
    assert a.times(b).largest() == 0
    assert insensitive.dual_objective(a, b, y, K, Q(0)) == insensitive.dual_objective(a + more, b + more, y, K, Q(0))


@few
@given(problems(), costs)
def test_without_a_tube_it_is_penalised_least_absolute_deviations(problem, C):
    """ε = 0: no plane has a smaller ½‖β‖² + C Σ|r|, and multipliers are C times signs of residuals
    [SVR-EPS0.P1] [ESL-12.37]."""
    X, y = problem
    m, fitted = svr(X, y, C, Q(0))
    r = y - decision(fitted)
    assert value(m, fitted) == fitted.square / 2 + C * sum(map(abs, r))
    assert all(v == (C if t > 0 else -C) for v, t in zip(fitted.a, r) if t)


@few
@given(problems(n=(2, 6)), costs, positive)
def test_the_size_of_a_residual_decides_the_multipliers(problem, C, epsilon):
    """|r| < ε ⇒ a = b = 0;  r > ε ⇒ b = C;  r < −ε ⇒ a = C: multipliers are not positive, but ≥ 0
    [SVR-KKT.P2] [ESL-12.39] [ERR-ESL-19]."""
    X, y = problem
    _, fitted = svr(X, y, C, epsilon)
    for a, b, r in zip(*multipliers(fitted), y - decision(fitted)):
        if abs(r) < epsilon:
            assert a == b == 0
        if abs(r) > epsilon:
            assert (b if r > 0 else a) == C


@few
@given(problems(n=(2, 6)), costs, positive)
def test_every_free_point_gives_the_same_intercept(problem, C, epsilon):
    """β₀ = y − xᵀβ − ε where 0 < b < C, y − xᵀβ + ε where 0 < a < C  [SVR-KKT.P1] [MMST-11.126] [MMST-11.127]."""
    X, y = problem
    _, fitted = svr(X, y, C, epsilon)
    a, b = multipliers(fitted)
    found = insensitive.intercepts(a, b, y, fitted.values, C, epsilon)
    assert set(found) <= {fitted.beta0}
    assert not found or fitted.interval[0] == fitted.interval[1]


@few
@given(problems(n=(2, 6)), costs, positive)
def test_points_inside_the_tube_may_be_left_out(problem, C, epsilon):
    """The fit of the support vectors alone is that of all points  [SVR-SV.P1] [ESL-12.41]."""
    X, y = problem
    _, fitted = svr(X, y, C, epsilon)
    support = [i for i, v in enumerate(fitted.a) if v]
    if support:
        _, again = svr(Matrix([X[i] for i in support]), y.pick(support), C, epsilon)
        assert X.T @ fitted.a == Matrix([X[i] for i in support]).T @ again.a


@few
@given(problems(), costs, widths, fractions)
def test_shifting_the_response_shifts_the_intercept_alone(problem, C, epsilon, shift):
    """y + s has the same β, and the interval of intercepts moves by s  [SVR-PEN.P2] [ESL-12.36]."""
    X, y = problem
    _, one = svr(X, y, C, epsilon)
    _, two = svr(X, Vector([t + shift for t in y]), C, epsilon)
    assert one.values == two.values
    assert two.interval == tuple(end + shift for end in one.interval)


@few
@given(problems(), costs, widths, positive)
def test_scaling_the_response_and_the_tube_scales_the_function(problem, C, epsilon, s):
    """sy, sε and sC, which is λ/s, give s f: presets for ε need a scaled response  [SVR-SCALE.P1]
    [ESL-12.3.6-scale]."""
    X, y = problem
    _, one = svr(X, y, C, epsilon)
    _, two = svr(X, s * y, s * C, s * epsilon)
    assert two.values == s * one.values and two.beta0 == s * one.beta0


@few
@given(problems(), costs, positive)
def test_a_tube_wider_than_the_response_holds_a_constant(problem, C, more):
    """ε ≥ (max y − min y)/2 ⇒ β = 0, all intercepts between max y − ε and min y + ε  [SVR-L1.P2]."""
    X, y = problem
    epsilon = (max(y) - min(y)) / 2 + more
    _, fitted = svr(X, y, C, epsilon)
    assert set(fitted.a) == {0} and fitted.interval == (max(y) - epsilon, min(y) + epsilon)


@few
@given(problems(p=(2, 2)), costs, widths, st.sampled_from([Insensitive, SquaredInsensitive]))
def test_a_kernel_is_an_explicit_map(problem, C, epsilon, loss):
    """With K = (1 + ⟨x, z⟩)² and with its six features written out the fits agree
    [SVR-KERNEL.P1] [SVR-DUAL.P3] [MMST-11.130] [MMST-11.131] [MMST-11.132] [MMST-Ex11.4a] [MMST-Ex11.4b]
    [EX-MMST-11.4a] [EX-MMST-11.4b]."""
    X, y = problem
    _, kernel = svr(X, y, C, epsilon, loss, QUADRATIC)
    terms = features.terms(QUADRATIC, 2)
    weights = features.weights(RATIONAL, QUADRATIC, 2)
    H = Matrix([[x[0] ** e[0] * x[1] ** e[1] for e in terms] for x in X])
    weighted = Matrix([[w * v for w, v in zip(weights, h)] for h in H])
    K = H @ weighted.T
    m = insensitive.machine(RATIONAL, K, y, ones(len(y), C), loss(Q(epsilon)))
    explicit = training.fit(RATIONAL, m)
    assert explicit.values == kernel.values and explicit.interval == kernel.interval
    a, b = multipliers(kernel)
    assert insensitive.values(a, b, kernel.beta0, K) == decision(explicit)


@few
@given(problems(), costs)
def test_the_squared_loss_without_a_tube_is_kernel_ridge(problem, C):
    """ε = 0: residuals are c/(2C): the bordered system with λ = 1/(2C)  [SVR-L2.P2] [RC-17] [ESL-Ex12.3]."""
    X, y = problem
    _, fitted = svr(X, y, C, Q(0), SquaredInsensitive)
    assert y - decision(fitted) == fitted.a / (2 * C) and fitted.a.sum() == 0


@few
@given(problems(), costs, positive)
def test_the_squared_dual_pays_a_quarter_of_the_squares_over_the_cost(problem, C, epsilon):
    """At the optimum F_D − Σ(a² + b²)/(4C) is the primal value, and ξ = a/(2C), ξ′ = b/(2C)
    [SVR-L2.P1] [MMST-Ex11.2] [EX-MMST-11.2]."""
    X, y = problem
    m, fitted = svr(X, y, C, epsilon, SquaredInsensitive)
    a, b = multipliers(fitted)
    K = gram(RATIONAL, LINEAR, X)
    assert insensitive.squared_dual_objective(a, b, y, K, epsilon, C) == value(m, fitted)
    assert insensitive.slacks(y - decision(fitted), epsilon) == (a / (2 * C), b / (2 * C))


@few
@given(problems(n=(2, 5)), costs, positive)
def test_the_quadratic_loss_as_printed_has_its_own_conditions(problem, C, root):
    """max(0, r² − ε): β = 2 Σ ηᵢrᵢxᵢ with η = 0 inside √ε, C outside, between at the edge
    [SVR-L2.P3] [MMST-11.5.1-quadratic] [ERR-MMST-06]."""
    X, y = problem
    _, fitted = svr(X, y, C, root * root, QuadraticInsensitive)
    for c, r in zip(fitted.a, y - decision(fitted)):
        if abs(r) < root:
            assert c == 0
        elif abs(r) > root:
            assert c == 2 * C * r
        else:
            assert 0 <= c / (2 * r) <= C


def test_the_two_quadratic_losses_differ():
    """One point at r = 3, ε = 4: the printed loss is 5, the slack problem's is 0 (|r| < ε); fits differ, too
    [ERR-MMST-06] [EX-MMST-11.2] [MMST-11.5.1-squared]."""
    assert QuadraticInsensitive(Q(4))(RATIONAL, Q(3)) == 5 and SquaredInsensitive(Q(4))(RATIONAL, Q(3)) == 0
    X, y = Matrix([[Q(0)], [Q(1)]]), Vector([Q(0), Q(6)])
    printed, squared = (svr(X, y, Q(1), Q(4), loss)[1] for loss in (QuadraticInsensitive, SquaredInsensitive))
    assert printed.a != squared.a and squared.square == 0


@pytest.mark.parametrize("n", [1, 2, 5])
def test_the_dual_costs_what_it_says(n):
    """(b − a)ᵀy, ε times a sum, and a quadratic form: n² + 2n + 1 multiplications  [MMST-11.124]."""
    v, w = Vector(map(Counted, range(1, n + 1))), Vector(map(Counted, range(2, n + 2)))
    K = Matrix([[Counted(1)] * n] * n)
    with counting() as c:
        insensitive.dual_objective(v, w, v, K, Counted(1))
    assert c.multiply == n * n + 2 * n + 1


def test_the_worst_point_above_or_below_the_tube_is_reported():
    """Of two points one meets its condition and the other fails it by 1/2: the residual is the larger of the two
    [MMST-11.126] [MMST-11.127]."""
    none, both, C, epsilon = Vector([Q(0), Q(0)]), Vector([Q(1), Q(1)]), Q(2), Q(1)
    for r in (Vector([Q(1), Q(1, 2)]), Vector([Q(1, 2), Q(1)])):
        assert insensitive.residuals(none, both, r, C, epsilon)["above"] == Q(1, 2)
        assert insensitive.residuals(both, none, -r, C, epsilon)["below"] == Q(1, 2)


def test_a_free_multiplier_gives_the_intercept_whatever_its_size():
    """C = 1/2 and a multiplier of 1/4 on either side: β₀ = y − Ka ∓ ε; at 0 and at C there is none  [MMST-11.126]
    [MMST-11.127]."""
    zero, quarter, half = Q(0), Q(1, 4), Q(1, 2)
    b, a = Vector([quarter, half, zero]), Vector([zero, zero, quarter])
    y, products = Vector([Q(5), Q(6), Q(7)]), Vector([Q(1), Q(2), Q(3)])
    assert insensitive.intercepts(a, b, y, products, half, Q(1)) == [3, 5]


@pytest.mark.parametrize("squared", [False, True])
def test_the_primal_programme_of_one_point_is_that_of_the_book(squared):
    """x = (2, 3), y = 5, ε = 1, C = 7: ½‖β‖² and the slacks; −f − ξ ≤ ε − y turned, f − ξ ≤ ε + y  [MMST-11.114]
    [MMST-Ex11.2]."""
    own = insensitive.primal(Matrix([[Q(2), Q(3)]]), Vector([Q(5)]), Q(7), Q(1), squared=squared)
    rest = (14, 14) if squared else (0, 0)
    assert own.Q.diagonal() == Vector(map(Q, (1, 1, 0, *rest)))
    assert own.c == Vector(map(Q, (0, 0, 0, 0, 0) if squared else (0, 0, 0, 7, 7)))
    assert own.lower == (None, None, None, 0, 0) and own.upper == (None,) * 5
    assert list(own.G) == [Vector(map(Q, row)) for row in ((2, 3, 1, -1, 0), (-2, -3, -1, 0, -1))]
    assert own.h == Vector([Q(6), Q(-4)])


def test_how_far_the_conditions_fail_is_told_by_hand():
    """Each condition fails by another amount, and most where another point fails it less: a = (½, 2, 0), b = (3, ½, ¼),
    r = (−4, 3, 0), C = 2, ε = 1, so that ξ = (3, 0, 0) and ξ′ = (0, 2, 0)
    [MMST-11.121] [MMST-11.126] [MMST-11.127] [MMST-11.128] [MMST-11.129]."""
    a, b, r = (Vector(map(Q, v)) for v in (("1/2", 2, 0), (3, "1/2", "1/4"), (-4, 3, 0)))
    assert insensitive.residuals(a, b, r, Q(2), Q(1)) == {
        "below": 2 * 4,  # of the second point, that lies above the tube by 2
        "above": 3 * 5,
        "both": Q(3, 2),
        "bound": Q(9, 2),
        "box": 1,
        "balance": Q(5, 4),
    }
    turned = insensitive.residuals(b, a, -r, Q(2), Q(1))
    assert (turned["below"], turned["above"], turned["bound"]) == (15, 8, Q(9, 2))
    assert insensitive.residuals(Vector([Q(2)]), Vector([Q(0)]), Vector([Q(-3)]), Q(2), Q(1))["below"] == 0
