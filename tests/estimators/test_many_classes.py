"""The support vector classifier on more than two classes, as its users meet it."""

import math
from fractions import Fraction as Q

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from refclass import SVC, OneVersusOne, OneVersusRest, PairwiseCoupling
from refclass.errors import InvalidInput, NoAnswer
from refclass.oracle import table
from tests.profiles import examples
from tests.strategies import positive, samples

X = [[0, 0], [1, 0], [0, 2], [2, 2], [3, 1], [-1, 1], [5, 0], [4, 4], [1, 5], [6, 2]]
Y = ["no", "no", "yes", "yes", "yes", "no", "may", "may", "yes", "may"]
NEW = [[0, 1], [2, 3], [5, 1], [3, 3], [-2, -2]]
RULES = {"ovo": OneVersusOne, "ovr": OneVersusRest}
BOTH = pytest.mark.parametrize("multiclass", RULES)


@BOTH
def test_the_rule_is_the_one_over_any_estimator(multiclass):
    """SVC(multiclass) is OneVersusOne or OneVersusRest over SVC: one way, not two
    [MMST-11.4.1-one] [MMST-11.4.1-rest]."""
    m = SVC(C=Q(1, 2), multiclass=multiclass, arithmetic="exact").fit(X, Y)
    rule = RULES[multiclass](SVC(C=Q(1, 2), arithmetic="exact")).fit(X, Y)
    assert m.classes_ == rule.classes_ == ["may", "no", "yes"] and m.names() == rule.names()
    assert m.predict(NEW) == rule.predict(NEW) and m.ties(NEW) == rule.ties(NEW)
    assert m.decision_function(NEW) == rule.decision_function(NEW)
    assert m.unclassifiable(NEW) == rule.unclassifiable(NEW)
    assert [e.alpha_ for e in m.estimators_] == [e.alpha_ for e in rule.estimators_]
    assert m.certificate_ == rule.certificate_


@BOTH
@settings(max_examples=examples(15))
@given(sample=samples(classes=3, p=2, per_class=(1, 4)), C=positive)
def test_every_attribute_has_an_entry_for_each_machine(multiclass, sample, C):
    """alpha_ over all rows, zero without part; coefficients, intercepts and objectives are those of the machines, and
    f = Σ dual_coef K + intercept over support_  [MMST-11.4.1-one] [MMST-11.4.1-rest]."""
    m = SVC(C=C, multiclass=multiclass, decision_function_shape="ovo", arithmetic="exact").fit(*sample)
    rows = sample[0]
    f = list(zip(*m.decision_function(rows)))
    for k, e in enumerate(m.estimators_):
        assert m.objective_[k] == e.objective_ == m.dual_objective_[k] == e.dual_objective_
        assert m.intercept_[k] == e.intercept_[0] and m.intercept_interval_[k] == e.intercept_interval_
        assert m.coef_[k] == e.coef_[0] and m.n_iter_[k] == e.n_iter_
        assert [m.alpha_[k][i] for i in m.rows_[k]] == e.alpha_ and len(m.alpha_[k]) == len(rows)
        assert sum(m.alpha_[k]) == sum(e.alpha_)
        for i, x in enumerate(rows):
            parts = [a * sum(s * t for s, t in zip(rows[j], x)) for a, j in zip(m.dual_coef_[k], m.support_)]
            assert sum(parts) + m.intercept_[k] == f[k][i]
    assert m.support_ == [i for i in range(len(rows)) if any(a[i] for a in m.alpha_)]
    assert (m.certificate_.status, m.certificate_.gap) == ("optimal", 0)


@BOTH
@settings(max_examples=examples(10))
@given(sample=samples(classes=3, p=2, per_class=(1, 3)), order=st.permutations(range(3)))
def test_permuting_the_classes_permutes_the_answer(multiclass, sample, order):
    """Class k called order[k]: the same classes are tied at every point, under their new names  [MC-OVR.P2]."""
    rows, labels = sample
    old = SVC(multiclass=multiclass, decision_function_shape="ovo", arithmetic="exact").fit(rows, labels)
    new = SVC(multiclass=multiclass, arithmetic="exact").fit(rows, [order[g] for g in labels])
    assert sorted(old.objective_) == sorted(new.objective_)
    for values, before, after in zip(old.decision_function(NEW), old.ties(NEW), new.ties(NEW)):
        if multiclass == "ovr" or all(values):
            assert set(after) == {order[k] for k in before}
    assert old.unclassifiable(NEW) == new.unclassifiable(NEW)


@BOTH
def test_two_classes_stay_one_machine(multiclass):
    """Whatever the rule for more: shapes and values of one machine, which has one vote to give  [MC-OVO.P3]."""
    rows, labels = X[:6], Y[:6]
    m = SVC(multiclass=multiclass, arithmetic="exact").fit(rows, labels)
    assert len(m.alpha_) == 6 and len(m.intercept_) == 1 and not hasattr(m, "estimators_") and not hasattr(m, "rows_")
    f = m.decision_function(NEW)
    assert m.votes(NEW) == [[0, 1] if v >= 0 else [1, 0] for v in f]
    assert m.unclassifiable(NEW) == [v == 0 for v in f]
    assert m.ties(NEW) == [["no", "yes"] if v == 0 else [m.classes_[v > 0]] for v in f]


def test_machines_against_the_rest_do_not_vote():
    """votes is there for pairs only, and hasattr says so."""
    m = SVC(multiclass="ovr").fit(X, Y)
    assert not hasattr(m, "votes") and hasattr(SVC().fit(X, Y), "votes")
    with pytest.raises(InvalidInput, match='multiclass="ovo" for votes'):
        m.votes(NEW)


def test_fitted_anew_nothing_is_left_of_what_was():
    """Three classes, then two, then three with another kernel: the attributes are those of the last fit."""
    m = SVC().fit(X, Y)
    assert len(m.margin_) == 3 and m.certificate_.status == "optimal"
    m.fit(X[:6], Y[:6])
    assert isinstance(m.margin_, float) and not hasattr(m, "rows_")
    assert abs(float(m.certificate_.primal) - m.objective_) < 1e-9
    m.set_params(kernel={"name": "polynomial", "degree": 2}).fit(X, Y)
    assert abs(float(m.certificate_.primal) - sum(m.objective_)) < 1e-9 and not hasattr(m, "coef_")


@BOTH
def test_weights_by_class_are_weights_by_row(multiclass):
    """class_weight multiplies the cost of its rows in every machine; "balanced" is n/(K nₖ)  [SVC-COST-CLASS.P1]."""
    counts = {c: Y.count(c) for c in Y}
    balanced = [Q(len(Y), 3 * counts[c]) for c in Y]
    named = SVC(class_weight="balanced", multiclass=multiclass, arithmetic="exact").fit(X, Y)
    by_row = SVC(multiclass=multiclass, arithmetic="exact").fit(X, Y, sample_weight=balanced)
    assert named.alpha_ == by_row.alpha_ and named.intercept_ == by_row.intercept_
    named = SVC(class_weight={"no": 3}, multiclass=multiclass, arithmetic="exact").fit(X, Y, sample_weight=balanced)
    by_row = SVC(multiclass=multiclass, arithmetic="exact")
    by_row.fit(X, Y, sample_weight=[w * (3 if c == "no" else 1) for w, c in zip(balanced, Y)])
    assert named.alpha_ == by_row.alpha_
    with pytest.raises(InvalidInput, match="weights for labels among"):
        SVC(class_weight={"maybe": 1}, multiclass=multiclass).fit(X, Y)
    with pytest.raises(InvalidInput, match="positive weight in every class"):
        SVC(class_weight={"no": 0}, multiclass=multiclass).fit(X, Y)


@BOTH
def test_a_row_without_weight_has_no_say(multiclass):
    """Left out or of weight zero: the same values."""
    weights = [0 if i == 3 else 1 for i in range(len(X))]
    rest = [i for i in range(len(X)) if i != 3]
    m = SVC(multiclass=multiclass, arithmetic="exact").fit(X, Y, sample_weight=weights)
    other = SVC(multiclass=multiclass, arithmetic="exact").fit([X[i] for i in rest], [Y[i] for i in rest])
    assert m.decision_function(NEW) == other.decision_function(NEW) and all(a[3] == 0 for a in m.alpha_)


def test_the_hard_margin_by_pairs():
    """C = ∞ where every pair can be separated; against the rest it cannot, and the refusal names the machine."""
    rows, labels = [[0], [1], [4], [5], [8], [9]], list("aabbcc")
    m = SVC(C=math.inf, arithmetic="exact").fit(rows, labels)
    assert m.coef_ == [[Q(2, 3)], [Q(2, 7)], [Q(2, 3)]] and m.margin_ == [Q(3, 2), Q(7, 2), Q(3, 2)]
    assert m.predict([[2], [3], [6], [7]]) == list("abbc") and m.certificate_.gap == 0
    with pytest.raises(NoAnswer, match="machine=b against the rest"):
        SVC(C=math.inf, multiclass="ovr").fit(rows, labels)


@BOTH
@pytest.mark.parametrize("kernel", ["linear", {"name": "gaussian", "gamma": Q(1, 4)}])
def test_floats_and_decimals_are_near_the_exact_machines(multiclass, kernel):
    """On iris: objectives to the digits of each arithmetic, all proven."""
    t = table.embedded("iris")
    rows, labels = t.numbers([name for name in t.names if name != "species"], float)[::5], t.column("species")[::5]
    exact = SVC(kernel=kernel, multiclass=multiclass, arithmetic="exact").fit(rows, labels)
    assert exact.certificate_.gap == 0
    for arithmetic, digits in (("float", 8), ("decimal:30", 14)):  # the Gram matrix is in doubles for the exact one
        m = SVC(kernel=kernel, multiclass=multiclass, arithmetic=arithmetic).fit(rows, labels)
        assert m.certificate_.status == "optimal"
        for a, b in zip(m.objective_, exact.objective_):
            assert abs(float(a) - float(b)) <= float(b) * 10.0**-digits
        assert m.predict(rows) == exact.predict(rows)


@BOTH
@pytest.mark.parametrize("solver", ["smo", "active_set", "chunking", "decomposition"])
def test_every_solver_trains_every_machine(multiclass, solver):
    """solver, tol and loss are those of the machines."""
    exact = SVC(loss="squared_hinge", multiclass=multiclass, arithmetic="exact").fit(X, Y)
    m = SVC(loss="squared_hinge", solver=solver, multiclass=multiclass, tol=None if solver == "active_set" else 1e-9)
    m.fit(X, Y)
    assert all(e.solver == solver for e in m.estimators_)
    assert all(abs(a - b) <= 1e-7 * b for a, b in zip(m.objective_, map(float, exact.objective_)))


def test_labels_of_any_kind_are_classes():
    """Numbers and text mixed stand in order of appearance; pairs that could be sorted do not turn round."""
    labels = ["z", "z", 1, 1, 1, "z", "a", "a", 1, "a"]
    m = SVC(arithmetic="exact").fit(X, labels)
    assert m.classes_ == ["z", 1, "a"] and m.names() == ["1 against z", "a against z", "a against 1"]
    same = SVC(arithmetic="exact").fit(X, [{"z": 0, 1: 1, "a": 2}[c] for c in labels])
    assert m.decision_function(NEW) == same.decision_function(NEW)
    assert m.predict(NEW) == [m.classes_[k] for k in same.predict(NEW)]


def test_another_rule_is_refused():
    """multiclass is "ovo" or "ovr", also where two classes do not need it."""
    for rows, labels in ((X, Y), (X[:6], Y[:6])):
        with pytest.raises(InvalidInput, match="multiclass among"):
            SVC(multiclass="all").fit(rows, labels)


def test_the_largest_column_of_a_coupling_is_its_prediction():
    """Votes and coupled probabilities may differ; the columns are those of the rule that predicts."""
    X = [[3, 0], [2, 3], [3, 2], [3, 2], [1, 1], [2, 1], [0, 2], [1, 2]]
    model = PairwiseCoupling("lda").fit(X, [0, 2, 0, 2, 1, 1, 2, 0])
    assert [row.index(max(row)) for row in model.decision_function(X)] == model.predict(X)
    assert [row.index(max(row)) for row in model.votes(X)] != model.predict(X)


@pytest.mark.parametrize("outer", [OneVersusRest, OneVersusOne])
@pytest.mark.parametrize("inner", [OneVersusRest, OneVersusOne])
def test_reductions_take_reductions(outer, inner):
    """Of two classes they give one value, or a row of one, positive for the second; their arithmetic is the parts'."""
    X, y = [[0.0], [2.0], [1.0], [4.0], [3.0], [6.0]], list("aabbcc")
    assert outer(inner("lda")).fit(X, y).predict(X) == outer("lda").fit(X, y).predict(X)


@pytest.mark.parametrize("arithmetic", ["float", "exact"])
@pytest.mark.parametrize("kernel", ["linear", {"name": "gaussian", "gamma": 1}])
@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
@pytest.mark.parametrize("intercept", [True, False])
def test_classes_that_nothing_separates_are_refused_in_words(arithmetic, kernel, loss, intercept):
    """With the question that has no answer, and weights that add up to nothing, whatever the solver was."""
    machine = SVC(C=math.inf, kernel=kernel, loss=loss, intercept=intercept, arithmetic=arithmetic)
    with pytest.raises(
        NoAnswer, match=r"classes that a hyperplane .*separates; got .* convex hull.*machine=1 against 0"
    ):
        machine.fit([[1.0], [1.0], [5.0], [9.0]], [0, 1, 2, 2])
