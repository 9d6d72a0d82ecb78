"""Leave-one-out and generalised approximate cross-validation of the Lee–Lin–Wahba machine."""

import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction as Q
from types import SimpleNamespace

import pytest
from hypothesis import given, settings

from refclass import LeeLinWahbaSVC
from refclass.errors import InvalidInput
from refclass.kernels.gaussian import Gaussian
from refclass.kernels.matrices.gram import Rows
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.margins.lee_lin_wahba import decision, problem, simplex
from refclass.margins.svm import certificate, soft
from refclass.number.binary64 import BINARY64
from refclass.number.rational import RATIONAL
from refclass.selection import gacv
from tests.margins.columns import TOY, machine, machines, solved
from tests.profiles import examples
from tests.strategies import positive, samples

GRID = (Q(1), Q(1, 20))


def left_out(m, t, i):
    """The scores at point i of a machine of the other points, nλ as it was; of the machine itself if i has no say."""
    if not any(own[i] for own in t.alpha):
        return [own[i] for own in t.values]
    keep = [j for j in range(m.n) if j != i]
    rest = replace(
        m,
        K=Rows(RATIONAL, m.K.kernel, Matrix([m.K.X[j] for j in keep])),
        labels=tuple(m.labels[j] for j in keep),
        costs=tuple(m.costs[j] for j in keep),
        total=Q(m.n),
    )
    found = solved(rest)[1]
    model = decision.model(RATIONAL, RATIONAL, m.K.kernel, tuple(rest.K.X), rest, found)
    return model.scores([m.K.X[i]])[0]


@settings(max_examples=examples(5))
@given(machines(per_class=(1, 2)))
def test_with_the_exact_correction_the_criterion_is_the_leave_one_out_risk(m):
    """Loss + D = (1/n) Σ g(yᵢ, f⁽⁻ⁱ⁾(xᵢ)), each f⁽⁻ⁱ⁾ from the other points alone [MMST-11.110] [MMST-11.111]
    [MC-GACV.P1] [RC-30]."""
    m, t = solved(m)
    risk = sum(simplex.loss(left_out(m, t, i), m.code(i), m.costs[i]) for i in range(m.n)) / m.n
    assert problem.mean_loss(m, t.values) + gacv.exact_correction(RATIONAL, m, t) == risk


def test_leaving_out_changes_the_first_term_only():
    """n stays the divisor: with n − 1 in its place the functions of the others are not the same [MMST-11.110]
    [MC-GACV.P2]."""
    m, t = solved(machine(*TOY))
    i = problem.support(t.beta)[0]
    X, labels = ([v for j, v in enumerate(part) if j != i] for part in TOY)
    without, fewer = solved(m.without(i))[1], solved(machine(X, labels))[1]
    kept = [[v for j, v in enumerate(own) if j != i] for own in without.values]
    assert without.squares != fewer.squares
    same = solved(machine(X, labels, lam=m.penalty * m.n / (m.n - 1)))[1]
    assert [list(own) for own in same.values] == kept and same.squares == without.squares


@settings(max_examples=examples(15))
@given(samples(classes=2, per_class=(1, 4)), positive)
def test_for_two_classes_the_approximation_is_that_of_the_two_class_machine(sample, lam):
    """(1/n){2 Σ over yf ≤ −1 and Σ over the other support vectors of αᵢK(xᵢ, xᵢ)}, α the multipliers of the machine
    with C = 1/(2nλ), exactly [MMST-11.111] [RC-30] [RC-11] [MC-GACV.P1]."""
    X, labels = sample
    m, t = solved(machine(X, labels, lam))
    C = 1 / (2 * m.n * lam)
    y = Vector([Q(1 - 2 * k) for k in labels])
    alpha = Vector([C * max(pair) for pair in zip(*t.alpha)])
    binary = soft.Machine(m.K, y, (C,) * m.n)
    assert certificate.certify(binary, alpha, t.beta0[0]).status == "optimal"
    shares = [(2 if s * v <= -1 else 1) * a * k for a, s, v, k in zip(alpha, y, t.values[0], m.K.diagonal())]
    assert gacv.approximate_correction(m, t) == sum(shares) / m.n


def test_leaving_out_is_relabelling_where_the_point_lies_beyond_the_margin():
    """If f⁽⁻ⁱ⁾ lies beyond the margin of class j at x_i, it is the minimum for all points with x_i of class j
    [RC-30]."""
    X, labels = [[0, 4], [1, 4], [4, -2], [4, -3], [-4, -2], [-4, -3], [0, 7]], [0, 0, 1, 1, 2, 2, 1]
    m = machine(X, labels, lam=Q(1, 100))
    without = solved(m.without(6))[1]
    scores = [own[6] for own in without.values]
    assert scores[0] > 1 and max(scores[1:]) <= Q(-1, 2)
    relabelled = solved(machine(X, [*labels[:6], 0], lam=Q(1, 100)))[1]
    assert relabelled.values == without.values


def cloud(n, m, seed=5):
    """A machine of n points in m clouds of unequal sizes, Gaussian kernel."""
    rng = random.Random(seed)
    centres = [[rng.gauss(0, 1.5) for _ in range(2)] for _ in range(m)]
    labels = tuple(min(int(rng.random() ** 1.5 * m), m - 1) for _ in range(n))
    X = Matrix([[c + rng.gauss(0, 1) for c in centres[k]] for k in labels])
    costs = tuple(simplex.equal_costs(k, m, float) for k in labels)
    return problem.Machine(Rows(BINARY64, Gaussian(0.5), X), labels, costs, 1.0)


@pytest.mark.parametrize("classes", [2, *(pytest.param(k, marks=pytest.mark.slow) for k in (3, 4))])
def test_the_approximation_is_near_where_single_points_change_little(classes):
    """For large λ, where most multipliers lie at their bounds, it is D within three tenths, and the criterion the exact
    one within two hundredths [MMST-11.111] [MC-GACV.P1] [RC-30]."""
    m = cloud(30, classes)
    exact, near = (list(gacv.steps(BINARY64, m, (2.0, 0.5), method=name)) for name in gacv.METHODS)
    for e, a in zip(exact, near):
        assert e.loss == a.loss and e.correction > 0
        assert abs(a.correction - e.correction) <= 0.3 * e.correction
        assert abs(a.total - e.total) <= 0.02 * e.total


def test_the_grid_is_scored_in_its_order_and_the_least_is_chosen():
    """Both methods, exactly; the least criterion, and of equal ones the largest λ [MMST-11.111] [MC-GACV.P1]."""
    m = machine(*TOY)
    for method in gacv.METHODS:
        scores = list(gacv.steps(RATIONAL, m, GRID, method=method))
        assert [s.penalty for s in scores] == list(GRID)
        assert gacv.choose(scores).total == min(s.total for s in scores)
        for s in scores:
            assert s.loss == problem.mean_loss(m, solved(replace(m, penalty=s.penalty))[1].values)
    tied = [gacv.Score(Q(1), Q(1), Q(1)), gacv.Score(Q(2), Q(2), Q(0)), gacv.Score(Q(3), Q(3), Q(0))]
    assert gacv.choose(tied).penalty == 2


def test_the_label_nearest_to_a_point_is_that_of_a_wrong_class_or_none():
    """μ = v_j beyond the margin of a wrong class j, else zero [RC-30]."""
    m = machine([[0], [1], [2]], [0, 1, 2])
    one = Q(1)
    zero = Vector([Q(0)] * 3)
    far = gacv.nearest_label(m, 0, [0, one, 0], [Q(-1), Q(2), Q(-1)])
    near = gacv.nearest_label(m, 0, [0, one, 0], [Q(0), Q(1), Q(-1)])
    both = gacv.nearest_label(m, 0, [0, one, one], [Q(-1), Q(1), Q(0)])
    assert (far, near, both) == (simplex.code(1, 3, Q), zero, zero)


def test_workers_change_nothing():
    """With an executor the correction is the same, in fractions and in doubles [MC-GACV.P1]."""
    m, t = solved(machine(*TOY))
    n, u = solved(problem.over(BINARY64, m), BINARY64)
    with ThreadPoolExecutor(2) as pool:
        assert gacv.exact_correction(RATIONAL, m, t, pool) == gacv.exact_correction(RATIONAL, m, t)
        assert gacv.exact_correction(BINARY64, n, u, pool) == gacv.exact_correction(BINARY64, n, u)


def test_what_does_not_fit_is_refused():
    """Unknown methods and penalties of zero."""
    m = machine(*TOY)
    for options, need in (
        ({"penalties": [1], "method": "guess"}, "exact, approximate"),
        ({"penalties": [1, 0]}, "above"),
    ):
        with pytest.raises(InvalidInput, match=need):
            list(gacv.steps(RATIONAL, m, **options))


def test_the_approximation_counts_the_multipliers_above_zero_alone():
    """One point of class 0 among three classes with α = (0, 1, 0): of its two terms that of class 1 alone counts, for
    β₂ is not zero; D = (1/n)(m − 1) K L β₁ y₁  [MMST-11.111]."""
    m = machine([[2]], [0], lam=Q(1), classes=3)
    found = SimpleNamespace(
        alpha=tuple(Vector([Q(v)]) for v in (0, 1, 0)),
        beta=tuple(Vector([Q(v, 3)]) for v in (1, -2, 1)),
        values=tuple(Vector([Q(1)]) for _ in range(3)),
    )
    assert gacv.approximate_correction(m, found) == 2 * 4 * Q(-2, 3) * Q(-1, 2)


@pytest.mark.parametrize("seed", range(examples(12)))
def test_the_criterion_in_doubles_is_that_in_fractions(seed):
    """Trained from the multipliers of all points, one of 10⁻¹⁶ said where an intercept is that has an interval."""
    r = random.Random(seed)
    X = [[r.randint(0, 1) for _ in range(4)] for _ in range(10)]
    y, kernel = [i % 2 for i in range(10)], r.choice(["linear", {"name": "polynomial", "degree": 2}])
    for lam in (1, "1/100"):
        found, right = (
            LeeLinWahbaSVC(penalty=lam, kernel=kernel, arithmetic=name).gacv(X, y) for name in ("float", "exact")
        )
        assert found == pytest.approx(float(right), rel=1e-9)
