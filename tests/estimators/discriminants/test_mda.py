"""MixtureDiscriminantAnalysis."""

from fractions import Fraction
from random import Random

import pytest

from refclass import FlexibleDiscriminantAnalysis, MixtureDiscriminantAnalysis
from refclass.errors import InvalidInput, NoAnswer, NotConverged, NotExact
from refclass.estimators.discriminants import mda
from tests.discriminants.samples import PLANE

X, Y = PLANE
# Each class in two clusters, the classes across each other.
CROSS = (
    [[a + da, b + db] for a, b in ((0, 0), (10, 10), (0, 10), (10, 0)) for da, db in ((0, 0), (1, 2), (2, 0), (-1, 1))],
    ["p"] * 8 + ["q"] * 8,
)


def test_two_clusters_in_each_class_are_found():
    """Where no line helps, the default start finds the clusters: weights ½, means at them, no error, a stationary point
    [MDA-INIT] [YANG-mda-density].
    """
    model = MixtureDiscriminantAnalysis(subclasses=2).fit(*CROSS)
    assert model.predict(CROSS[0]) == CROSS[1] and model.subclasses_ == [2, 2]
    assert all(abs(w - 0.5) < 1e-9 for row in model.weights_ for w in row)
    found = sorted([round(v, 6) for v in mu] for mu in model.means_[0])
    assert found == [[0.5, 0.75], [10.5, 10.75]]
    assert model.certificate_.status == "stationary" and model.certificate_.worst_violation < 1e-10
    assert model.log_likelihoods_[-1] == model.log_likelihood_ == max(model.start_log_likelihoods_)
    assert len(model.log_likelihoods_) == model.n_iter_ + 1


def test_posteriors_of_subclasses_sum_to_those_of_classes():
    """In class order, R_k of each; all together one  [MDA-POST.P1]."""
    model = MixtureDiscriminantAnalysis(subclasses={"p": 2, "q": 1}).fit(*CROSS)
    assert model.subclasses_ == [2, 1]
    for parts, whole in zip(model.subclass_proba(CROSS[0]), model.predict_proba(CROSS[0])):
        assert [len(p) for p in parts] == [2, 1]
        assert all(abs(sum(p) - w) < 1e-12 for p, w in zip(parts, whole)) and abs(sum(whole) - 1) < 1e-12


def test_starts_are_taken_as_given():
    """Numbers or shares for each row; whole shares are the numbers; the other way round the subclasses change places
    [MDA-INIT.P1] [MDA-INIT.P2].
    """
    numbers = [i % 2 for i in range(19)]
    shares = [[1 - r, r] for r in numbers]
    a, b = (MixtureDiscriminantAnalysis(subclasses=2, start=s).fit(X, Y) for s in (numbers, shares))
    assert a.means_ == b.means_ and a.log_likelihoods_ == b.log_likelihoods_
    c = MixtureDiscriminantAnalysis(subclasses=2, start=[1 - r for r in numbers]).fit(X, Y)
    assert all(abs(u - v) < 1e-9 for A, B in zip(a.means_, c.means_) for m, k in zip(A, B[::-1]) for u, v in zip(m, k))
    soft = MixtureDiscriminantAnalysis(subclasses=[2, 1, 1], start=[[0.3, 0.7]] * 3 + [[0.6, 0.4]] * 4 + [[1]] * 12)
    assert soft.fit(X, Y).subclasses_ == [2, 1, 1]


def test_classes_have_numbers_of_subclasses_of_their_own():
    """R_k is not K, nor the same for all classes: one, three and two subclasses of three classes; scores θ have K rows,
    a column for each coordinate  [ERR-YANG-16] [YANG-mda-density].
    """
    start = [0] * 7 + [0, 1, 2, 0, 1, 2] + [0, 1] * 3
    model = MixtureDiscriminantAnalysis(subclasses=[1, 3, 2], start=start).fit(X, Y)
    assert model.subclasses_ == [1, 3, 2] == [len(A) for A in model.means_] and len(model.classes_) == 3
    theta = FlexibleDiscriminantAnalysis().fit(X, Y).scores_
    assert len(theta) == 3 and all(len(row) == 2 for row in theta)


def test_seed_and_restarts_choose_the_start():
    """The same seed, the same model; of several starts the best is kept."""
    one, same = (MixtureDiscriminantAnalysis(seed=3).fit(X, Y) for _ in range(2))
    assert one.means_ == same.means_
    many = MixtureDiscriminantAnalysis(seed=3, restarts=4).fit(X, Y)
    assert many.start_log_likelihoods_[0] == one.log_likelihood_ and len(many.start_log_likelihoods_) == 4
    known = [v for v in many.start_log_likelihoods_ if v is not None]
    assert many.log_likelihood_ == max(known)


def test_means_can_be_held_to_a_line():
    """n_components=1: subclass means on a line, one variate, a likelihood between those of LDA and of free means
    [M-YANG-MDA].
    """
    start = [i % 2 for i in range(19)]
    free, line = (MixtureDiscriminantAnalysis(subclasses=2, start=start, n_components=L).fit(X, Y) for L in (None, 1))
    assert line.log_likelihood_ < free.log_likelihood_
    flat = [mu for A in line.means_ for mu in A]
    d = [b - a for a, b in zip(flat[0], flat[1])]
    assert all(abs(d[0] * (m[1] - flat[0][1]) - d[1] * (m[0] - flat[0][0])) < 1e-7 for m in flat)
    assert len(line.eigenvalues_) == 1 == len(line.transform(X)[0]) and len(free.eigenvalues_) == 2
    within = [list(row) for row in free.covariance_]
    for j in range(2):
        v = [row[j] for row in free.scalings_]
        assert abs(sum(a * w * b for a, row in zip(v, within) for w, b in zip(row, v)) - 1) < 1e-9


def test_both_variants_end_at_the_same_place():
    """Σ about new means and about old ones: the same likelihood and mixture at the end  [MDA-M.P2] [ERR-YANG-14]."""
    a, b = (MixtureDiscriminantAnalysis(subclasses=2, variant=v).fit(*CROSS) for v in ("exact", "old_means"))
    assert abs(a.log_likelihood_ - b.log_likelihood_) < 1e-9
    with pytest.raises(InvalidInput):
        MixtureDiscriminantAnalysis(subclasses=2, variant="old_means", n_components=1).fit(*CROSS)


@pytest.mark.slow
def test_decimals_have_their_digits():
    """Twenty digits agree with doubles, and their certificate is as fine."""
    start = [i % 2 for i in range(19)]
    a, b = (
        MixtureDiscriminantAnalysis(subclasses=2, start=start, arithmetic=n).fit(X, Y) for n in ("float", "decimal:30")
    )
    assert abs(a.log_likelihood_ - float(b.log_likelihood_)) < 1e-9
    assert b.certificate_.worst_violation < 1e-15


def test_exact_arithmetic_has_one_subclass():
    """Means, Σ and labels are rational; ℓ needs logarithms; more subclasses need exponentials  [MDA-LDA.P1]."""
    model = MixtureDiscriminantAnalysis(subclasses=1, arithmetic="exact").fit(X, Y)
    assert all(isinstance(v, Fraction) for row in model.covariance_ for v in row)
    assert model.ties([[1, 1]])[0] and model.log_likelihoods_ == []
    for name in ("log_likelihood_", "eigenvalues_"):
        with pytest.raises(NotExact):
            getattr(model, name)
    for wrong in ({"subclasses": 2}, {"subclasses": 1, "n_components": 1}):
        with pytest.raises(NotExact):
            MixtureDiscriminantAnalysis(**wrong, arithmetic="exact").fit(X, Y)


@pytest.mark.parametrize("first", ["log_likelihood_", "certificate_"])
def test_a_mixture_rounded_from_decimals_is_judged_as_others(first):
    """On rows of 10^-9 to 10^9: whatever is asked for first; a mean that is changed is not called a ceiling."""
    r = Random(43)
    rows = [[r.gauss(k, 1) * 10.0 ** r.choice([-9, 0, 9]) for _ in range(2)] for k in (0, 1) * 7]
    m = MixtureDiscriminantAnalysis(subclasses=2).fit(rows, [0, 1] * 7)
    getattr(m, first)
    assert m.certificate_.digits > 15
    m.means_[0][0][0] *= 1.5
    vars(m).pop("certificate_")
    assert m.certificate_.status == "not converged" and m.certificate_.ceiling is None


def test_the_iteration_tells_likelihoods():
    """Each step with its start's number and ℓ in words."""
    model = MixtureDiscriminantAnalysis(subclasses=2, restarts=2)
    reported = list(model.fit_steps(*CROSS))
    assert reported[0][2].startswith("mda, start 1: ℓ = ") and reported[-1][2].startswith("mda, start 2: ")
    assert model.predict(CROSS[0]) == CROSS[1]


WRONG = [
    {"subclasses": 0},
    {"subclasses": [1, 2, 3]},
    {"subclasses": {"p": 1}},
    {"subclasses": "2"},
    {"subclasses": 9},
    {"start": [0] * 5},
    {"start": [5] * 16},
    {"start": [0] * 16, "subclasses": 2},
    {"start": [[0.5, 0.6]] * 16, "subclasses": 2},
    {"start": [[1]] * 16, "subclasses": 2},
    {"restarts": 0},
    {"restarts": 2, "start": [0] * 16, "subclasses": 1},
    {"seed": 1.5},
    {"variant": "other"},
    {"degenerate": "hide"},
    {"max_iter": 0},
    {"tol": -1},
    {"n_components": 3},
]


@pytest.mark.parametrize("wrong", WRONG, ids=str)
def test_wrong_parameters_are_refused(wrong):
    """Naming class, row and subclass where there is one."""
    with pytest.raises(InvalidInput):
        MixtureDiscriminantAnalysis(**wrong).fit(*CROSS)


def test_what_has_no_answer_is_refused():
    """Points without spread, and a budget that runs out, with what there is."""
    with pytest.raises(NoAnswer):
        MixtureDiscriminantAnalysis(subclasses=1).fit([[0, 0], [0, 1], [2, 0], [2, 1]], [0, 0, 1, 1])
    with pytest.raises(NotConverged) as refusal:
        MixtureDiscriminantAnalysis(subclasses=2, max_iter=1, start=[i % 2 for i in range(19)]).fit(X, Y)
    assert refusal.value.witness["state"].covariance


def test_integer_weights_are_copies():
    """sample_weight counts rows: the same ℓ and covariance as with copies."""
    w = [1 + i % 2 for i in range(19)]
    copies = [i for i, c in enumerate(w) for _ in range(c)]
    start = [(i // 2) % 2 for i in range(19)]
    a = MixtureDiscriminantAnalysis(subclasses=2, start=start).fit(X, Y, sample_weight=w)
    rows, labels, begin = ([values[i] for i in copies] for values in (X, Y, start))
    b = MixtureDiscriminantAnalysis(subclasses=2, start=begin).fit(rows, labels)
    assert abs(a.log_likelihood_ - b.log_likelihood_) < 1e-9


def test_an_iteration_that_leaves_a_saddle_slowly_ends_in_decimals_once(monkeypatch):
    """On a line, one row far away: changes grow by two parts in 10⁷ a step, which more digits do not change. The fit in
    decimals is tried once, for so many steps, and the fit is refused with the digits that doubles have.
    """
    fits, decimals = [], MixtureDiscriminantAnalysis.in_decimals
    monkeypatch.setattr(mda, "STEPS", 20)
    monkeypatch.setattr(MixtureDiscriminantAnalysis, "in_decimals", lambda self, F: fits.append(F) or decimals(self, F))
    near = [(479, 111), (950, -1441), (1969, 0), (1366, -1092), (206, -170), (300, 2919), (582, -1513), (649, 1861)]
    rows = [[10**6 + Fraction(a, 1000), 10**6 + Fraction(b, 1000)] for a, b in [*near, (-166, 567)]]
    rows[2][1] = 1001 * 10**6
    with pytest.raises(NotConverged):
        MixtureDiscriminantAnalysis(subclasses=2, n_components=1).fit(rows, [k % 2 for k in range(9)])
    assert len(fits) == 1


@pytest.mark.slow
def test_an_iteration_whose_changes_no_longer_fall_ends():
    """Means on a line five million apart, one within: roundoff of twenty decimals moves shares by 10⁻¹³ for ever."""
    r = Random(9)
    X = [[1e7 + 5e6 * (i % 2) + r.gauss(0, 1) for _ in range(2)] for i in range(12)]
    model = MixtureDiscriminantAnalysis(subclasses=2, n_components=1, arithmetic="decimal:20")
    fitted = model.fit(X, [i % 2 for i in range(12)])
    assert fitted.certificate_.digits >= 9 and fitted.n_iter_ < 2000
