"""The Lee–Lin–Wahba machine: objective, dual, optimality conditions, intercepts, reductions."""

from dataclasses import replace
from fractions import Fraction as Q
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refclass.errors import InvalidInput
from refclass.kernels.linear import Linear
from refclass.kernels.matrices.gram import Rows
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.margins.lee_lin_wahba import conditions, decision, fit, simplex, trained_machine
from refclass.margins.lee_lin_wahba import problem as lee_lin_wahba
from refclass.margins.svm import fit as train
from refclass.margins.svm import soft
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL
from refclass.optimise.multiclass import intercept_levels
from tests.margins.columns import QUADRATIC, TOY, feasible, free_costs, machine, machines, solved
from tests.numbers import STRICT
from tests.optimise import enumeration
from tests.profiles import examples
from tests.strategies import fractions, positive, samples, vectors


@st.composite
def trained(draw, **options):
    """A machine, trained exactly."""
    return solved(draw(machines(**options)))


FEW = settings(max_examples=examples(8))


# --- the objective, the primal and the dual ---


@FEW
@given(machines(), st.data())
def test_the_primal_is_n_times_the_objective(m, data):
    """Σ L_kᵀξ_k + (nλ/2)Σ‖h_k‖² at the least slacks is n I_λ [MMST-11.77] [MMST-11.92] [MMST-11.93] [MMST-11.94]
    [MC-LLW-PRIMAL.P1]."""
    beta = tuple(data.draw(vectors(m.n)) for _ in range(m.classes))
    f = simplex.values(m.K, beta, data.draw(vectors(m.classes)))
    squares = sum(simplex.square(m.K, own) for own in beta)
    xi = lee_lin_wahba.slacks(m, f)
    assert lee_lin_wahba.primal(m, xi, squares) == m.n * lee_lin_wahba.objective(m, f, squares)


@FEW
@given(trained())
def test_the_penalty_has_one_term_for_each_class(pair):
    """I_λ is the mean loss plus (λ/2)Σ_k‖h_k‖², a term for each class, not for each point [MMST-11.110]
    [ERR-MMST-07]."""
    m, t = pair
    squares = [simplex.square(m.K, own) for own in t.beta]
    assert t.objective == lee_lin_wahba.mean_loss(m, t.values) + m.penalty * sum(squares) / 2


@FEW
@given(trained())
def test_primal_and_dual_meet_exactly(pair):
    """I_λ = −F_D/(n²λ) at the optimum, the primal −F_D/(nλ) [MMST-11.104] [MC-LLW-DUAL.P1]."""
    m, t = pair
    assert t.objective == t.dual_objective == -lee_lin_wahba.dual(m, t.alpha) / (m.n**2 * m.penalty)
    xi = lee_lin_wahba.slacks(m, t.values)
    assert lee_lin_wahba.primal(m, xi, t.squares) == -lee_lin_wahba.dual(m, t.alpha) / (m.n * m.penalty)


@FEW
@given(machines(), st.data())
def test_feasible_multipliers_bound_every_objective(m, data):
    """−F_D/(n²λ) ≤ I_λ for all feasible α and all functions of zero sum; the difference is the sum over points and
    classes of (L − α)[f − y]₊ + α[y − f]₊ for those of α itself [MMST-11.104] [MMST-11.105] [MMST-11.106]
    [MC-LLW-DUAL.P1]."""
    alpha = data.draw(feasible(m))
    beta0 = data.draw(vectors(m.classes))
    beta0 = beta0 - Vector([beta0.sum() / m.classes] * m.classes)
    beta = lee_lin_wahba.coefficients(m, alpha)
    f = simplex.values(m.K, beta, beta0)
    squares = sum(simplex.square(m.K, own) for own in beta)
    gap = lee_lin_wahba.objective(m, f, squares) + lee_lin_wahba.dual(m, alpha) / (m.n**2 * m.penalty)
    terms = [
        (L - a) * max(v - y, Q(0)) + a * max(y - v, Q(0))
        for i, row in enumerate(zip(*f))
        for L, a, v, y in zip(m.costs[i], [own[i] for own in alpha], row, m.code(i))
    ]
    assert gap == sum(terms) / m.n >= 0


@FEW
@given(machines(), st.data())
def test_the_lagrangian_at_its_stationary_point_is_the_dual(m, data):
    """With γ = L − α, δ = −ᾱ and β from α, F_P does not depend on β_0 and ξ and equals −F_D/(nλ) [MMST-11.96]
    [MMST-11.104] [MMST-11.107]."""
    alpha = data.draw(feasible(m))
    beta = lee_lin_wahba.coefficients(m, alpha)
    xi = tuple(data.draw(vectors(m.n)) for _ in range(m.classes))
    gamma, delta = conditions.slack_multipliers(m, alpha), conditions.zero_sum_multiplier(alpha)
    value = conditions.lagrangian(m, beta, data.draw(vectors(m.classes)), xi, alpha, gamma, delta)
    assert value == -lee_lin_wahba.dual(m, alpha) / (m.n * m.penalty)


@FEW
@given(machines(), st.data())
def test_the_derivatives_of_the_lagrangian_vanish_at_its_stationary_point(m, data):
    """β_k = −(nλ)⁻¹(α_k − ᾱ), δ = −ᾱ, γ = L − α make all three derivatives zero [MMST-11.97] [MMST-11.98] [MMST-11.99]
    [MMST-11.107] [ERR-MMST-19]."""
    alpha = data.draw(feasible(m))
    beta = lee_lin_wahba.coefficients(m, alpha)
    gamma, delta = conditions.slack_multipliers(m, alpha), conditions.zero_sum_multiplier(alpha)
    bias, pull, slack = conditions.stationarity(m, beta, alpha, gamma, delta)
    assert not any(bias) and not any(any(own) for own in (*pull, *slack))


def test_the_first_derivative_alone_does_not_fix_delta():
    """(α_k + δ)ᵀ1 = 0 holds for every δ of the right sum, so that δ = −ᾱ needs the second derivative and the zero sum
    [MMST-11.97] [MMST-11.95] [ERR-MMST-19]."""
    m, t = solved(machine(*TOY))
    delta = conditions.zero_sum_multiplier(t.alpha)
    other = delta + Vector([Q(1), Q(-1), *(Q(0),) * (m.n - 2)])
    gamma = conditions.slack_multipliers(m, t.alpha)
    bias, pull, _ = conditions.stationarity(m, t.beta, t.alpha, gamma, other)
    assert not any(bias) and any(any(own) for own in pull)


def test_all_but_one_of_the_equalities_are_independent():
    """The plain form has m − 1 rows, whose rank is m − 1, and they imply the last [MMST-11.106] [MC-LLW-DUAL.P2]."""
    from refclass.linear.factorisations import elimination

    m = machine(*TOY)
    plain = m.problem().plain()
    assert len(plain.E) == m.classes - 1 == elimination.rank(RATIONAL, plain.E)
    alpha = solved(m)[1].alpha
    assert len({own.sum() for own in alpha}) == 1


# --- the optimality conditions ---


@FEW
@given(trained())
def test_every_condition_holds_elementwise_at_an_optimum(pair):
    """Feasibility, signs, and the products α(f − y − ξ) and γξ of each point and class vanish [MMST-11.93] [MMST-11.94]
    [MMST-11.95] [MMST-11.100] [MMST-11.101] [MMST-11.102] [MMST-11.103] [MC-LLW-KKT.P1]."""
    m, t = pair
    assert not any(conditions.residuals(m, t.alpha, t.values, lee_lin_wahba.slacks(m, t.values)).values())


def test_products_of_different_points_do_not_vanish():
    """α_k(β_0k1 + Kβ_k − y_k − ξ_k)ᵀ has a zero diagonal at the optimum, but entries off it that are not zero
    [MMST-11.102] [MMST-11.103] [ERR-MMST-03] [MC-LLW-KKT.P2]."""
    m, t = solved(machine(*TOY))
    over = conditions.excess(m, t.values, lee_lin_wahba.slacks(m, t.values))
    tables = [conditions.outer_products(a, e) for a, e in zip(t.alpha, over)]
    assert not any(any(table.diagonal()) for table in tables)
    assert any(v for table in tables for row in table for v in row)


@FEW
@given(trained())
def test_multipliers_between_their_bounds_put_the_function_on_the_label(pair):
    """0 < α_ik < L_ik ⇒ f_k(x_i) = y_ik; α_ik = 0 ⇒ ≤; α_ik = L_ik ⇒ ≥ [MMST-11.102] [MMST-11.105] [MC-LLW-KKT.P3]."""
    m, t = pair
    for i, (row, f) in enumerate(zip(zip(*t.alpha), zip(*t.values))):
        for a, L, v, y in zip(row, m.costs[i], f, m.code(i)):
            assert (v <= y or a == L) and (v >= y or a == 0)


@FEW
@given(trained(unequal=False))
def test_a_row_of_zero_multipliers_is_a_row_of_zero_coefficients(pair):
    """α_i = 0 ⇔ β_i = 0 [MMST-11.107] [MMST-11.4.2-support] [MC-LLW-PRED.P1] [MC-LLW-SV]."""
    _, t = pair
    assert [any(row) for row in zip(*t.alpha)] == [any(row) for row in zip(*t.beta)]
    assert lee_lin_wahba.support(t.beta) == [i for i, row in enumerate(zip(*t.alpha)) if any(row)]


@FEW
@given(trained(unequal=False, per_class=(2, 4)))
def test_points_without_multipliers_can_go_if_n_lambda_stays(pair):
    """Without the points that are no support vectors and with λ such that nλ stays, the functions are an optimum, too;
    with λ as it was they are not in general [MMST-11.4.2-support] [MC-LLW-PRED.P2]."""
    m, t = pair
    keep = lee_lin_wahba.support(t.beta)
    if len(keep) == m.n or {m.labels[i] for i in keep} != set(m.labels):
        return
    rest = replace(
        m,
        K=Rows(RATIONAL, m.K.kernel, Matrix([m.K.X[i] for i in keep])),
        labels=tuple(m.labels[i] for i in keep),
        costs=tuple(m.costs[i] for i in keep),
        penalty=m.penalty * m.n / len(keep),
    )
    alpha = tuple(own.pick(keep) for own in t.alpha)
    beta = lee_lin_wahba.coefficients(rest, alpha)
    assert beta == tuple(own.pick(keep) for own in t.beta)
    assert solved(rest)[1].objective == -lee_lin_wahba.dual(rest, alpha) / (rest.n**2 * rest.penalty)


def test_a_point_that_is_no_support_vector_matters_through_n():
    """Leaving such a point out with λ as it was changes nλ, and with it the functions [MMST-11.107]
    [ERR-MMST-34] [MC-LLW-PRED.P2]."""
    X, labels = [[0, 2], [0, 9], [2, -1], [9, -4], [-2, -1], [-9, -4]], [0, 0, 1, 1, 2, 2]
    m, t = solved(machine(X, labels, lam=Q(1)))
    spare = [i for i in range(m.n) if i not in lee_lin_wahba.support(t.beta)]
    assert spare
    keep = [i for i in range(m.n) if i != spare[0]]
    fewer = machine([X[i] for i in keep], [labels[i] for i in keep], lam=Q(1))
    assert solved(fewer)[1].squares != t.squares


# --- the zero sum ---


@FEW
@given(trained(), st.data())
def test_the_functions_sum_to_zero_everywhere(pair, data):
    """Σ_k f_k(z) = 0 at points never seen, with duplicates and more points than variables [MMST-11.76] [MMST-11.91]
    [MC-LLW-SUM0.P1]."""
    m, t = pair
    z = data.draw(vectors(len(m.K.X[0])))
    model = decision.model(RATIONAL, RATIONAL, m.K.kernel, tuple(m.K.X), m, t)
    assert model.scores([z])[0].sum() == 0


@FEW
@given(trained(), st.data())
def test_the_model_has_the_values_of_the_machine(pair, data):
    """f̂_k(x) = β̂_0k + Σ_l β̂_lk K(x_l, x), from the support vectors alone, and the class of the largest [MMST-11.108]
    [MMST-11.109] [MC-LLW-PRED.P1]."""
    m, t = pair
    model = decision.model(RATIONAL, RATIONAL, m.K.kernel, tuple(m.K.X), m, t)
    scores = model.scores(m.K.X)
    assert scores == [Vector(row) for row in zip(*t.values)]
    if isinstance(m.K.kernel, Linear):
        assert list(model.weights) == [m.K.X.T @ own for own in t.beta]
    assert model.predict(m.K.X) == [list(row).index(max(row)) for row in scores]


# --- two classes ---


@FEW
@given(samples(classes=2, per_class=(1, 4)), positive)
def test_two_classes_are_the_two_class_machine(sample, lam):
    """K = 2: f_1 is the f of the machine with C = 1/(2nλ), intercept and its interval included, and I_λ = 2λ times its
    objective [MMST-11.78] [MMST-11.79] [MMST-11.80] [MC-LLW.P1] [RC-11]."""
    X, labels = sample
    m, t = solved(machine(X, labels, lam))
    C = 1 / (2 * m.n * lam)
    y = Vector([Q(1 - 2 * k) for k in labels])  # class 0 is the positive one
    binary = soft.Machine(m.K, y, (C,) * m.n)
    b = train.train(RATIONAL, binary)
    assert t.values[0] == soft.decision_values(binary, b.alpha, b.beta0)
    assert t.values[1] == -t.values[0]
    assert t.intervals[0] == b.interval
    assert t.objective == 2 * lam * b.objective


# --- symmetries ---


@FEW
@given(trained(per_class=(1, 2)), st.data())
def test_permuting_the_classes_permutes_the_answer(pair, data):
    """Renaming the classes permutes functions, intercepts and intervals, and leaves the objective [MMST-11.77]."""
    m, t = pair
    order = data.draw(st.permutations(range(m.classes)))  # new class k is the old order[k]
    costs = tuple(Vector([row[j] for j in order]) for row in m.costs)
    other = replace(m, labels=tuple(order.index(k) for k in m.labels), costs=costs)
    u = solved(other)[1]
    assert u.objective == t.objective
    assert u.values == tuple(t.values[j] for j in order)
    assert u.intervals == tuple(t.intervals[j] for j in order)


@FEW
@given(trained(per_class=(1, 2)), st.data())
def test_permuting_the_points_permutes_the_answer(pair, data):
    """Points in another order have the same functions [MMST-11.77]."""
    m, t = pair
    order = data.draw(st.permutations(range(m.n)))
    K = Rows(RATIONAL, m.K.kernel, Matrix([m.K.X[i] for i in order]))
    moved = replace(m, K=K, labels=tuple(m.labels[i] for i in order), costs=tuple(m.costs[i] for i in order))
    u = solved(moved)[1]
    assert u.values == tuple(own.pick(order) for own in t.values) and u.objective == t.objective


@FEW
@given(trained(per_class=(1, 2)))
def test_repeating_every_point_changes_no_function(pair):
    """Each point twice: the mean loss, and so the functions, stay; the Gram matrix is singular [MMST-11.77]."""
    m, t = pair
    K = Rows(RATIONAL, m.K.kernel, Matrix([*m.K.X, *m.K.X]))
    u = solved(replace(m, K=K, labels=m.labels * 2, costs=m.costs * 2))[1]
    assert u.objective == t.objective and [own[: m.n] for own in u.values] == [own[:] for own in t.values]


@FEW
@given(machines(per_class=(1, 2)), st.data())
def test_whole_weights_are_repeated_points(m, data):
    """A weight of w is w copies, and the sum of the weights stands for n [MMST-11.77]."""
    weights = [data.draw(st.integers(1, 3)) for _ in range(m.n)]
    again = [i for i, w in enumerate(weights) for _ in range(w)]
    K = Rows(RATIONAL, m.K.kernel, Matrix([m.K.X[i] for i in again]))
    copies = replace(m, K=K, labels=tuple(m.labels[i] for i in again), costs=tuple(m.costs[i] for i in again))
    weighted = replace(m, costs=tuple(w * row for w, row in zip(weights, m.costs)), total=Q(sum(weights)))
    t, u = solved(weighted)[1], solved(copies)[1]
    assert t.objective == u.objective == t.dual_objective
    assert [[own[i] for i in again] for own in t.values] == [list(own) for own in u.values]


# --- intercepts ---


@FEW
@given(trained(unequal=False), st.data())
def test_the_intervals_are_those_of_the_optimal_intercepts(pair, data):
    """Every end of an interval is taken by intercepts of zero sum with the same objective, and beyond it the objective
    rises [MMST-11.102] [RC-28]."""
    m, t = pair
    h = simplex.values(m.K, t.beta, Vector([Q(0)] * m.classes))
    lows, highs = ([pair[side] for pair in t.intervals] for side in (0, 1))

    def objective(beta0):
        f = tuple(Vector([v + b for v in own]) for own, b in zip(h, beta0))
        return lee_lin_wahba.objective(m, f, t.squares)

    k = data.draw(st.integers(0, m.classes - 1))
    side = data.draw(st.sampled_from([lows, highs]))
    for beyond in (Q(0), Q(1, 7) if side is highs else Q(-1, 7)):
        held = side[k] + beyond
        ends = [(held, held) if j == k else pair for j, pair in enumerate(t.intervals)]
        nu = intercept_levels.levels([a for a, _ in ends], [b for _, b in ends], Q(0))
        assert sum(nu) == 0
        assert (objective(nu) == t.objective) == (beyond == 0)


def test_intercepts_that_no_multiplier_fixes_stand_in_the_middle():
    """All multipliers at their bounds: two intervals of the same length, and intercepts in the middle [RC-28] [GAP-6]
    [SVC-L1-BIAS.P2]."""
    _, t = solved(machine([[-1], [1]], [0, 1], lam=Q(1)))
    assert all(a in (0, 1) for own in t.alpha for a in own)
    assert t.intervals == ((Q(-1, 2), Q(1, 2)),) * 2 and t.beta0 == Vector([Q(0), Q(0)])


def test_where_nothing_bounds_the_intercepts_they_are_nearest_to_zero():
    """Points of one class only, the others without costs: intervals without end, and the intercepts nearest to zero
    that cost nothing [RC-28]."""
    m = machine([[0], [1], [2]], [0, 0, 1])
    _, t = solved(m.without(2))
    assert t.intervals == ((Q(1), None), (None, Q(-1)))
    assert t.beta0 == Vector([Q(1), Q(-1)]) and t.objective == 0


# --- Fisher consistency ---


def population(p, m):
    """The machine of one point with class probabilities p, weights in place of repeats; no function has a norm."""
    n = len(p)
    X = Matrix([[Q(0)]] * n)
    costs = tuple(w * simplex.equal_costs(k, m, Q) for k, w in enumerate(p))
    return lee_lin_wahba.Machine(Rows(RATIONAL, Linear(), X), tuple(range(n)), costs, Q(1), Q(1))


@given(st.lists(st.integers(1, 9), min_size=2, max_size=5))
def test_the_population_minimiser_is_the_label_of_the_most_probable_class(counts):
    """At one point with class probabilities p, f is v_k for the most probable class k, if there is but one
    [MMST-11.77] [MC-LLW.P2]."""
    if counts.count(max(counts)) > 1:
        return
    p = [Q(c, sum(counts)) for c in counts]
    _, t = solved(population(p, len(p)))
    assert [own[0] for own in t.values] == list(simplex.code(p.index(max(p)), len(p), Q))


@given(st.lists(st.integers(1, 9), min_size=3, max_size=4), st.data())
def test_no_scores_have_a_smaller_risk_than_the_label_of_the_bayes_class(counts, data):
    """Σ_k p_k g(v_k, f) is least at v_j, j the most probable class: 1 − p_j times K/(K − 1) [MC-LLW.P2]."""
    m, p = len(counts), [Q(c, sum(counts)) for c in counts]
    f = data.draw(vectors(m))
    f = f - Vector([f.sum() / m] * m)

    def risk(v):
        pays = [simplex.loss(v, simplex.code(k, m, Q), simplex.equal_costs(k, m, Q)) for k in range(m)]
        return sum(w * g for w, g in zip(p, pays))

    best = risk(simplex.code(p.index(max(p)), m, Q))
    assert best == (1 - max(p)) * Q(m, m - 1) <= risk(f)


# --- solvers and arithmetics ---


@FEW
@given(machines(per_class=(1, 2), classes=3))
def test_both_exact_ways_reach_the_same_functions(m):
    """The exact active set and the decomposition made exact agree in objective and functions [MMST-11.104]."""
    t, u = solved(m, solver="active_set")[1], solved(m, solver="decomposition")[1]
    assert t.objective == u.objective == u.dual_objective and t.values == u.values


@settings(max_examples=examples(3), deadline=None)
@given(samples(classes=3, per_class=(1, 1), p=1))
def test_the_optimum_is_that_of_brute_force(sample):
    """Trying every active set of the plain form finds the same dual value [MMST-11.104]."""
    m, t = solved(machine(*sample))
    found = enumeration.solve(m.problem().plain())
    assert m.problem().objective(m.problem().spread(found.x)) == lee_lin_wahba.dual(m, t.alpha)


@FEW
@given(machines())
def test_doubles_come_near_the_exact_objective(m):
    """The float machine's objective and its bound are the exact ones up to 10⁻⁹ of them [MMST-11.104]."""
    exact = solved(m)[1]
    t = solved(lee_lin_wahba.over(BINARY64, m), BINARY64)[1]
    scale = max(float(exact.objective), 1e-9)
    assert abs(t.objective - float(exact.objective)) <= 1e-9 * scale
    assert abs(t.dual_objective - float(exact.objective)) <= 1e-9 * scale


def test_decimals_are_the_exact_optimum_rounded():
    """Fifty digits of the rational answer [MMST-11.104]."""
    F = decimal(50)
    m, exact = solved(machine(*TOY))
    _, t = solved(lee_lin_wahba.over(F, m), F)
    assert abs(Q(*t.objective.as_integer_ratio()) - exact.objective) < Q(1, 10**48)


def test_the_exact_iteration_runs_on_numbers_that_refuse_floats():
    """The active set, coefficients, intercepts and objective make no contact with floats [MMST-11.104]."""
    m = machine(*TOY, F=STRICT, kernel=Linear())
    t = fit.train(RATIONAL, lee_lin_wahba.over(RATIONAL, m), solver="active_set")
    problem = m.problem()
    alpha = tuple(Vector([STRICT.lift(v) for v in own]) for own in t.alpha)
    u = trained_machine.trained(m, alpha)
    assert u.objective.value == t.objective and problem.objective(alpha).value == lee_lin_wahba.dual(
        lee_lin_wahba.over(RATIONAL, m), t.alpha
    )


def test_unknown_solvers_are_refused():
    """The refusal names the solvers there are [MMST-11.104]."""
    with pytest.raises(InvalidInput, match="auto, active_set, decomposition"):
        solved(machine(*TOY), solver="newton")


@FEW
@given(machines(per_class=(1, 2)), st.data())
def test_a_point_out_of_the_loss_is_a_point_that_is_not_there(m, data):
    """Costs of zero for point i, or the machine of the others with nλ as it was: the same functions [MMST-11.110]
    [RC-29]."""
    i = data.draw(st.integers(0, m.n - 1))
    without = m.without(i)
    assert without.costs[i] == free_costs(m, i)
    keep = [j for j in range(m.n) if j != i]
    rest = replace(
        m,
        K=Rows(RATIONAL, m.K.kernel, Matrix([m.K.X[j] for j in keep])),
        labels=tuple(m.labels[j] for j in keep),
        costs=tuple(m.costs[j] for j in keep),
        total=Q(m.n),
    )
    t, u = solved(without)[1], solved(rest)[1]
    assert t.objective == u.objective and t.intervals == u.intervals
    assert [own.pick(keep) for own in t.values] == list(u.values)


def test_every_renaming_of_three_classes_is_tried():
    """All six permutations of three classes with unequal costs permute the intercepts [MMST-11.77]."""
    X, labels = TOY
    costs = [[Q(0), Q(1), Q(3)], [Q(2), Q(0), Q(1)], [Q(1), Q(1, 2), Q(0)]]
    _, t = solved(machine(X, labels, costs=[Vector(r) for r in costs], kernel=QUADRATIC))
    for order in permutations(range(3)):
        rows = [Vector([costs[a][b] for b in order]) for a in order]
        _, u = solved(machine(X, [order.index(k) for k in labels], costs=rows, kernel=QUADRATIC))
        assert list(u.beta0) == [t.beta0[j] for j in order]


@given(fractions)
def test_values_of_the_losses_are_those_of_the_points(v):
    """The mean loss is the mean of the losses of the points [MMST-11.110]."""
    m = machine([[0], [1], [2]], [0, 1, 2])
    f = (Vector([v] * 3), Vector([-v] * 3), Vector([Q(0)] * 3))
    assert lee_lin_wahba.mean_loss(m, f) == sum(lee_lin_wahba.losses(m, f)) / 3


def test_the_ends_of_an_intercept_are_those_of_the_tightest_conditions():
    """Two classes: α > 0 at the points with slack −1 − h of −2 and −3 asks for −2 at least  [MMST-11.102]."""
    m = machine([[0], [0], [0]], [0, 1, 1])
    alpha = (Vector([Q(0), Q(1), Q(1)]), Vector([Q(0), Q(0), Q(0)]))
    h = (Vector([Q(10), Q(1), Q(2)]), Vector([Q(-10), Q(-1), Q(-2)]))
    lows, _ = lee_lin_wahba.intercept_ends(m, alpha, h)
    assert lows[0] == -2


def test_the_balance_is_the_largest_distance_from_the_mean_on_either_side():
    """Multipliers of two classes sum to 1, of the third to 0: the third is 2/3 away  [MMST-11.106]."""
    zero = Vector([Q(0)] * 3)
    costs = tuple(Vector([Q(int(k != g)) for k in range(3)]) for g in range(3))
    m = lee_lin_wahba.Machine(Matrix.identity(3, Q), (0, 1, 2), costs, Q(1))
    alpha = (Vector([Q(0), Q(1), Q(0)]), Vector([Q(1), Q(0), Q(0)]), zero)
    assert conditions.residuals(m, alpha, (zero,) * 3, (zero,) * 3)["balance"] == Q(2, 3)


def test_coefficients_in_doubles_are_those_of_the_multipliers_rounded_once():
    """β_ik = (ᾱᵢ − αᵢₖ)/(nλ) of the multipliers as they were rounded; predictions are theirs  [MMST-11.107]."""
    m, t = solved(machine(*TOY, F=BINARY64), BINARY64)
    model = decision.model(BINARY64, BINARY64, m.K.kernel, tuple(m.K.X), m, t)
    keep = [i for i, row in enumerate(zip(*t.beta)) if any(row)]
    rows = [[Q(v) for v in row] for row in zip(*t.alpha)]
    want = [(sum(rows[i]) / 3 - rows[i][1]) / (8 * Q(m.penalty)) for i in keep]
    assert list(model.beta[1]) == [float(v) for v in want]
