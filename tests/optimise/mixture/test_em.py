"""Expectation and maximisation: the likelihood never falls, its end is stationary, degenerate mixtures are refused."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass.errors import NoAnswer, NotConverged, NotExact
from refclass.linear.factorisations import elimination, ldl
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.number.rational import RATIONAL
from refclass.number.tolerance import near
from refclass.optimise.mixture import em, em_certificate, em_steps, likelihood
from refclass.optimise.mixture.likelihood import Mixture, hard, log_likelihood, normalised
from tests.discriminants.samples import few
from tests.numbers import STRICT
from tests.optimise.mixture.test_likelihood import problem
from tests.strategies import fractions

D = decimal(40)
ROWS = [[0, 0], [1, 2], [2, 0], [1, 1], [6, 5], [7, 7], [8, 5], [6, 7], [3, 4], [4, 3], [5, 4], [3, 3], [4, 5], [9, 0],
        [8, 1], [9, 2], [7, 0]]  # fmt: skip
LABELS = [0] * 8 + [1] * 9
START = [0, 0, 1, 0, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1, 1, 1, 1]
SIZES = [2, 2]


def asked(F, **options):
    """Return the problem of two classes in the plane, each of two clusters, and its start."""
    made = problem(F, ROWS, LABELS, **options)
    return made, hard(made, START, SIZES)


@pytest.mark.parametrize("F", [BINARY64, D])
@pytest.mark.parametrize("options", [{}, {"variant": "old_means"}, {"rank": 1}, {"rank": 2}])
def test_every_state_of_the_iteration_passes_its_check(F, options):
    """Shares and weights sum to one, ℓ is that of the formula, and no step lowers it, with new means, old ones, and
    means in a plane  [MDA-LL.P1] [MDA-M.P1] [OPT-EM.P1] [MDA-E.P1] [ERR-YANG-14] [RC-15] [YANG-mda-m-step].
    """
    made, start = asked(F, **options)
    values = []
    for state in em.steps(F, made, start):
        state.check()
        values.append(state.value)
        if state.step == 40:
            break
    assert len(values) >= 5 and values[4] > values[0] + 5
    assert all(b >= a - abs(a) * 100 * F.eps for a, b in zip(values, values[1:]))


def test_no_share_changes_by_more_than_the_largest_change():
    """Whether all changes are within a limit is what their largest says, at every step."""
    made, start = asked(BINARY64)
    for state, _ in zip(em.steps(BINARY64, made, start), range(8)):
        old, new = ([v for group in shares for rho in group for v in rho] for shares in (state.before, state.shares))
        assert state.change == max(abs(b - a) for a, b in zip(old, new)) > 0
        assert state.within(state.change) and not state.within(state.change / 2)


def test_a_state_that_lies_is_found():
    """The check of a state is no formality: wrong ℓ, shares or weights fail it."""
    made, start = asked(D)
    state = next(em.steps(D, made, start))
    half = replace(state.x, weights=tuple(pi / 2 for pi in state.x.weights))
    light = tuple(tuple(tuple(v / 2 for v in rho) for rho in shares) for shares in state.shares)
    for wrong in ({"value": state.value + 1}, {"x": half}, {"shares": light}, {"previous": D.kind(0)}):
        with pytest.raises(AssertionError):
            replace(state, **wrong).check()


def test_responsibilities_are_ratios_of_densities():
    """ρ = πφ/Σπφ over the subclasses of the point's own class, by the plain densities
    [YANG-mda-e-step] [MDA-E.P1] [MDA-E.P2] [ERR-YANG-14].
    """
    made, start = asked(D)
    state = next(em.steps(D, made, start))
    known = likelihood.factored(D, state.x.covariance)
    for k in range(2):
        points = [made.X[i] for i in made.members(k)]
        densities = [
            [pi * D.exp(-((x - mu) @ known.solve(x - mu)) / 2) for x in points]
            for pi, mu in zip(state.x.weights[k], state.x.means[k])
        ]
        for column, share in zip(densities, state.shares[k]):
            for i, v in enumerate(column):
                assert near(D, share[i], v / sum(d[i] for d in densities), D.kind(1), 50)
    assert all(sum(rho) == 1 or near(D, sum(rho), D.kind(1)) for shares in state.shares for rho in zip(*shares))


def test_other_classes_have_no_say_in_a_share():
    """With Σ held, another class's subclasses do not enter  [MDA-E.P2] [YANG-mda-e-step]."""
    made, start = asked(D)
    mixture = em_steps.maximised(D, made, start)
    moved = replace(mixture, means=(mixture.means[0], 2 * mixture.means[1]))
    a, b = (em_steps.expected(D, made, m).shares for m in (mixture, moved))
    assert a[0] == b[0] and a[1] != b[1]


@st.composite
def soft(draw):
    """A problem on fractions with random shares, strictly inside."""
    made, _ = asked(RATIONAL)
    found = []
    for k in range(2):
        p = [draw(st.integers(1, 9)) for _ in made.members(k)]
        found.append((tuple(Fraction(v, 10) for v in p), tuple(Fraction(10 - v, 10) for v in p)))
    return made, tuple(found)


@few
@given(soft())
def test_the_maximisation_is_the_weighted_estimate(case):
    """π = Σρ/nₖ, μ = Σρx/Σρ, Σ = (1/n) ΣΣρ(x − μ)(x − μ)ᵀ about the new means, exactly, though it is computed from W
    [YANG-mda-m-step] [MDA-M].
    """
    made, shares = case
    mixture = em_steps.maximised(RATIONAL, made, shares)
    total = Matrix.zeros(2, 2, Fraction)
    for k in range(2):
        points = [made.X[i] for i in made.members(k)]
        for pi, mu, rho in zip(mixture.weights[k], mixture.means[k], shares[k]):
            assert pi == sum(rho) / len(points)
            assert mu == sum((r * x for r, x in zip(rho[1:], points[1:])), rho[0] * points[0]) / sum(rho)
            for r, x in zip(rho, points):
                total = total + r * Matrix.outer(x - mu, x - mu)
    assert mixture.covariance == total / 17


@few
@given(soft(), st.lists(fractions, min_size=8, max_size=8))
def test_old_means_make_a_larger_covariance(case, moves):
    """Σ about other means less Σ about the new ones is positive semidefinite, and is Σ mᵣ(μ − μ_old)(…)ᵀ/n, exactly
    [MDA-M.P3] [ERR-YANG-14] [RC-15].
    """
    made, shares = case
    best = em_steps.maximised(RATIONAL, made, shares)
    v = [Vector(moves[i : i + 2]) for i in range(0, 8, 2)]
    before = replace(best, means=(Matrix([best.means[0][0] + v[0], best.means[0][1] + v[1]]),
                                  Matrix([best.means[1][0] + v[2], best.means[1][1] + v[3]])))  # fmt: skip
    other = em_steps.maximised(RATIONAL, replace(made, variant="old_means"), shares, before)
    assert other.means == best.means and other.weights == best.weights
    excess = other.covariance - best.covariance
    assert ldl.factor(excess).inertia[1] == 0
    want = Matrix.zeros(2, 2, Fraction)
    for move, rho in zip(v, [*shares[0], *shares[1]]):
        want = want + sum(rho) * Matrix.outer(move, move)
    assert excess == want / 17


@few
@given(soft())
def test_the_step_maximises_the_expected_likelihood(case):
    """No mixture near the M-step's has a larger expected complete likelihood under the shares  [MDA-M] [RC-15]."""
    _, shares = case
    lifted = problem(D, ROWS, LABELS)
    rho = tuple(tuple(tuple(map(D.lift, c)) for c in columns) for columns in shares)
    best = em_steps.maximised(D, lifted, rho)
    top = expected(lifted, rho, best)
    little = D.lift(Fraction(1, 100))
    moved = best.weights[0][1] * (1 - little)
    for change in (
        {"covariance": best.covariance + little * Matrix.identity(2, D.kind)},
        {"covariance": best.covariance * (1 - little)},
        {"means": (best.means[0] * (1 + little), best.means[1])},
        {"weights": (Vector([1 - moved, moved]), best.weights[1])},
    ):
        assert expected(lifted, rho, replace(best, **change)) < top


def expected(made, shares, mixture):
    """Return Σ ρ log πφ, but for constants."""
    known = likelihood.factored(D, mixture.covariance)
    half = known.log_determinant(D) / 2
    total = D.kind(0)
    for k in range(2):
        for pi, mu, rho in zip(mixture.weights[k], mixture.means[k], shares[k]):
            for r, i in zip(rho, made.members(k)):
                d = made.X[i] - mu
                total = total + r * (D.log(pi) - half - d @ known.solve(d) / 2)
    return total


@pytest.mark.parametrize("options", [{}, {"variant": "old_means"}])
def test_the_end_satisfies_its_equations(options):
    """At the end one more step changes nothing, all three equations hold, and both variants have come to the same
    mixture  [MDA-M.P2] [OPT-EM.P2] [RC-15].
    """
    made, start = asked(D, **options)
    answer = em.solve(D, made, start)
    again = em_steps.maximised(D, made, answer.shares, answer.x)
    assert (again.covariance - answer.x.covariance).largest() < D.lift(Fraction(1, 10**30))
    assert all((a - b).largest() < D.lift(Fraction(1, 10**30)) for a, b in zip(again.means, answer.x.means))
    plain = em.solve(D, *asked(D))
    assert near(D, answer.value, plain.value, steps=10**6)
    proof = em_certificate.certify(D, made, answer.x)
    assert proof.status == "stationary" and float(proof.worst_violation) < 1e-30


def test_the_end_is_a_flat_place_of_the_likelihood():
    """Central differences of ℓ in means, weights and Σ vanish at the end and not before  [OPT-EM.P2]."""
    made, start = asked(D)
    end, first = em.solve(D, made, start).x, next(em.steps(D, made, start)).x
    h = D.lift(Fraction(1, 10**12))
    for mixture, flat in ((end, True), (first, False)):
        slopes = []
        for build in (_shifted, _weighed, _stretched):
            up, down = (log_likelihood(D, made, build(mixture, s * h)) for s in (1, -1))
            slopes.append(abs(up - down) / (2 * h))
        assert (max(slopes) < D.lift(Fraction(1, 10**14))) is flat


def _shifted(m, h):
    return replace(m, means=(Matrix([m.means[0][0] + Vector([h, -h]), m.means[0][1]]), m.means[1]))


def _weighed(m, h):
    return replace(m, weights=(m.weights[0], m.weights[1] + Vector([h, -h])))


def _stretched(m, h):
    return replace(m, covariance=m.covariance + h * Matrix([[h / h, h / h], [h / h, 2 * h / h]]))


def test_means_of_rank_one_lie_on_a_line_through_the_centre():
    """The M-step of rank 1 has means whose differences span one direction, the mean of all kept, and no other line
    tried has a smaller |Σ|  [MDA-DENS] [YANG-mda-m-step].
    """
    made, start = asked(D, rank=1)
    best = em_steps.maximised(D, made, start)
    free = em_steps.maximised(D, replace(made, rank=None), start)
    rows = [mu - made.centre for A in best.means for mu in A]
    top = max(rows, key=lambda r: r @ r)
    tiny = D.lift(Fraction(1, 10**34))
    assert all(abs(top[0] * r[1] - top[1] * r[0]) < tiny for r in rows)
    masses = [pi * len(made.members(k)) for k, w in enumerate(best.weights) for pi in w]
    assert max(abs(v) for v in sum((m * r for m, r in zip(masses[1:], rows[1:])), masses[0] * rows[0])) < tiny
    S = free.covariance
    flat = [mu - made.centre for A in free.means for mu in A]
    least = _determinant(best.covariance)
    for direction in ((1, 0), (0, 1), (1, 1), (1, -1), (3, 1)):
        u = Vector([D.lift(v) for v in direction])
        pull = likelihood.factored(D, S).solve(u)
        missed = [v - (pull @ v) / (pull @ u) * u for v in flat]
        other = S
        for m, r in zip(masses, missed):
            other = other + m / 17 * Matrix.outer(r, r)
        assert _determinant(other) > least
    assert least > _determinant(S)


def _determinant(A):
    return A[0][0] * A[1][1] - A[0][1] * A[1][0]


def test_clusters_far_apart_keep_their_digits():
    """Subclasses a million spreads apart: Σ is summed directly, and is right to roundoff, not to the digits that the
    difference of W and the scatter of the means has left  [MDA-M].
    """
    rows = [[v + far] for far in (0, 10**6) for v in (0, Fraction(1, 4), Fraction(3, 2))] + [[7], [8], [9]]
    start, labels = [0, 0, 0, 1, 1, 1, 0, 0, 0], [0] * 6 + [1] * 3
    sigmas = []
    for F in (RATIONAL, BINARY64):
        made = problem(F, rows, labels)
        sigmas.append(em_steps.maximised(F, made, hard(made, start, [2, 1])).covariance[0][0])
    assert near(BINARY64, sigmas[1], float(sigmas[0]))


def test_one_subclass_for_each_class_is_solved_in_one_step():
    """Means and W/n, exactly, without a step or a logarithm; more subclasses are refused in exact arithmetic
    [MDA-LDA.P1] [RC-8].
    """
    made = problem(STRICT, ROWS, LABELS)
    answer = em.solve(STRICT, made, hard(made, [0] * 17, [1, 1]))
    assert answer.x.covariance == Matrix([row / 17 for row in made.within]) and answer.values == ()
    assert [A[0] for A in answer.x.means] == [g.centre for g in made.groups]
    assert em.solve(
        BINARY64, problem(BINARY64, ROWS, LABELS), hard(problem(BINARY64, ROWS, LABELS), [0] * 17, [1, 1])
    ).x
    exact, start = asked(RATIONAL)
    with pytest.raises(NotExact):
        em.solve(RATIONAL, exact, start)


def test_a_singular_covariance_is_refused_with_its_direction():
    """Two subclasses of coincident points: ℓ has no maximum."""
    made = problem(BINARY64, [[0, 0], [0, 1], [2, 0], [2, 1]], [0, 0, 1, 1])
    with pytest.raises(NoAnswer, match="vary") as refusal:
        em.solve(BINARY64, made, hard(made, [0, 0, 0, 0], [1, 1]))
    assert any(refusal.value.witness["direction"])


def _losing(F, **options):
    made = problem(F, [[0], [1], [2], [3], [10], [11], [12]], [0, 0, 0, 0, 1, 1, 1], **options)
    one, zero = F.kind(1), F.kind(0)
    light = F.eps / 1000
    shares = (((one - light,) * 4, (light,) * 4), ((one, one, one),))
    return made, shares, zero


def test_a_subclass_that_has_lost_its_points_is_refused_or_dropped():
    """Refused with class and subclass; dropped, the others take its shares, and the answer has one subclass less."""
    made, shares, _ = _losing(D)
    with pytest.raises(NoAnswer) as refusal:
        em_steps.maximised(D, made, shares)
    assert refusal.value.witness == {"label": 0, "subclass": 1}
    dropping, shares, _ = _losing(D, drop=True)
    kept = em._kept(D, dropping, shares)
    assert [len(columns) for columns in kept] == [1, 1] and set(kept[0][0]) == {1}
    answer = em.solve(D, dropping, shares)
    assert [len(pi) for pi in answer.x.weights] == [1, 1]


def test_a_budget_that_runs_out_hands_over_the_last_mixture():
    """NotConverged, with the mixture and ℓ so far; a tolerance ends the iteration earlier."""
    made, start = asked(BINARY64)
    with pytest.raises(NotConverged) as refusal:
        em.solve(BINARY64, made, start, max_iter=3)
    assert isinstance(refusal.value.witness["state"], Mixture)
    assert len(em.solve(BINARY64, made, start, tol=1e-3).values) < len(em.solve(BINARY64, made, start).values)


def test_the_certificate_measures_the_next_step():
    """Not stationary in the middle of the iteration, stationary at its end, in units of standard deviations; never
    optimal [OPT-EM.P2].
    """
    made, start = asked(BINARY64)
    first, end = next(em.steps(BINARY64, made, start)).x, em.solve(BINARY64, made, start).x
    early, late = em_certificate.certify(BINARY64, made, first), em_certificate.certify(BINARY64, made, end)
    assert (early.status, late.status) == ("not converged", "stationary")
    assert late.worst_violation < 1e-10 < early.worst_violation and "likelihood" in late.premise
    stretched = problem(BINARY64, [[1000 * a, b] for a, b in ROWS], LABELS)
    same = em.solve(BINARY64, stretched, start).x
    assert em_certificate.certify(BINARY64, stretched, same).worst_violation < 1e-10
    again = em_certificate.certify(BINARY64, stretched, next(em.steps(BINARY64, stretched, start)).x)
    assert abs(again.worst_violation - early.worst_violation) < early.worst_violation / 10**6


def test_integer_weights_are_copies_of_points():
    """Weights 2 and 0: the same mixture as with two copies and none."""
    w = [1 + i % 2 for i in range(17)]
    copies = [i for i, c in enumerate(w) for _ in range(c)]
    once, _ = asked(D, weights=w)
    many = problem(D, [ROWS[i] for i in copies], [LABELS[i] for i in copies])
    a = em_steps.maximised(D, once, hard(once, START, SIZES))
    b = em_steps.maximised(D, many, hard(many, [START[i] for i in copies], SIZES))
    assert (a.covariance - b.covariance).largest() < D.lift(Fraction(1, 10**36))
    x, y = em.solve(D, once, hard(once, START, SIZES)), em.solve(D, many, hard(many, [START[i] for i in copies], SIZES))
    assert near(D, x.value, y.value, steps=1000)


def test_equal_starts_give_equal_bits_and_permuted_ones_permute():
    """The same start: the same floats. Subclasses named the other way round: the same mixture, named so; points in
    another order: the same up to roundoff  [MDA-INIT.P1] [MDA-INIT.P2].
    """
    made, start = asked(BINARY64)
    a, b = em.solve(BINARY64, made, start), em.solve(BINARY64, made, start)
    assert a == b
    turned = em.solve(BINARY64, made, (start[0][::-1], start[1]))
    assert near(BINARY64, turned.value, a.value, steps=1000)
    assert (Matrix(turned.x.means[0][::-1]) - a.x.means[0]).largest() < 1e-9
    back = list(range(17))[::-1]
    reversed_ = problem(BINARY64, [ROWS[i] for i in back], [LABELS[i] for i in back])
    other = em.solve(BINARY64, reversed_, hard(reversed_, [START[i] for i in back], SIZES))
    assert near(BINARY64, other.value, a.value, steps=1000)


def test_equal_subclasses_stay_equal():
    """Two subclasses with the same shares are a fixed point, though no maximum: what stationary means."""
    made = problem(D, ROWS, LABELS)
    half = D.lift(Fraction(1, 2))
    shares = tuple(tuple((half,) * len(made.members(k)) for _ in range(2)) for k in range(2))
    stuck, free = em.solve(D, made, shares), em.solve(D, *asked(D))
    assert stuck.x.means[0][0] == stuck.x.means[0][1] and stuck.value < free.value
    assert em_certificate.certify(D, made, stuck.x).status == "stationary"
    assert normalised(D, [[half], [half]])[0] == ((half,), (half,))
    assert elimination.rank(D, stuck.x.means[0] - stuck.x.means[0]) == 0
