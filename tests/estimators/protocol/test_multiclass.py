"""Two-class estimators that tell many classes apart, by pairs and against the rest."""

import concurrent.futures
from fractions import Fraction as Q

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import refclass
from refclass import SVC, KernelClassifier, LinearDiscriminantAnalysis, OneVersusOne, OneVersusRest
from refclass.errors import InvalidInput, NoAnswer, NotExact
from refclass.estimators import names
from refclass.estimators.protocol.estimator import Classifier, clone
from refclass.estimators.protocol.given import classifier_by_name
from refclass.oracle import table
from tests.profiles import examples
from tests.strategies import samples

X = [[0, 0], [1, 0], [0, 2], [2, 2], [3, 1], [-1, 1], [5, 0], [4, 4], [1, 5], [6, 2]]
Y = ["no", "no", "yes", "yes", "yes", "no", "may", "may", "yes", "may"]
NEW = [[0, 1], [2, 3], [5, 1], [3, 3], [-2, -2]]
BOTH = pytest.mark.parametrize("kind", [OneVersusOne, OneVersusRest])
PLAIN = ["lda", "least_squares", "nearest_neighbors", "tree", "perceptron", "svc", "crammer_singer",
         {"name": "regression_classifier", "regression": "ridge"}, {"name": "logistic", "penalty": 1},
         {"name": "kernel_classifier", "loss": "deviance"}, {"name": "fda", "regression": "ridge"}]  # fmt: skip


def iris(step=5):
    t = table.embedded("iris")
    X = t.numbers([name for name in t.names if name != "species"], float)
    return X[::step], t.column("species")[::step]


@pytest.mark.parametrize("estimator", PLAIN, ids=str)
@BOTH
def test_any_two_class_estimator_will_do(kind, estimator):
    """By name: each of the machines is that estimator, and labels come of its values
    [MMST-11.4.1-one] [MMST-11.4.1-rest]."""
    rows, labels = iris()
    m = kind(estimator).fit(rows, labels)
    assert m.classes_ == ["setosa", "versicolor", "virginica"] and len(m.estimators_) == 3
    assert all(type(e) is type(classifier_by_name.fresh(estimator, "float", "here")) for e in m.estimators_)
    assert m.score(rows, labels) >= 0.8
    f = m.decision_function(rows[:3])
    assert len(f) == 3 and all(len(row) == 3 for row in f)


@settings(max_examples=examples(12))
@given(samples(classes=2, p=2, per_class=(2, 4)))
def test_for_two_classes_the_pair_is_the_estimator_itself(sample):
    """Labels, also on the boundary, and values are those of one SVC and of one LDA  [MC-OVO.P3]."""
    points = [*sample[0], *NEW]
    for estimator in (SVC(arithmetic="exact"), refclass.LeastSquaresClassifier(arithmetic="exact")):
        try:
            alone = clone(estimator).fit(*sample)
        except NoAnswer:
            continue
        m = OneVersusOne(estimator).fit(*sample)
        assert m.predict(points) == alone.predict(points)
        assert [f for (f,) in m.decision_function(points)] == alone.decision_function(points)


@settings(max_examples=examples(12))
@given(samples(classes=2, p=2, per_class=(2, 4)))
def test_for_two_classes_the_two_machines_against_the_rest_are_one(sample):
    """f_1 = −f_2, and labels are those of the SVC, but on the boundary  [MC-OVR.P1]."""
    alone = SVC(arithmetic="exact").fit(*sample)
    m = OneVersusRest(SVC(arithmetic="exact")).fit(*sample)
    values = alone.decision_function(NEW)
    assert m.decision_function(NEW) == [[-f, f] for f in values]
    assert all(a == b for a, b, f in zip(m.predict(NEW), alone.predict(NEW), values) if f)
    assert m.unclassifiable(NEW) == [f == 0 for f in values]


@settings(max_examples=examples(12))
@given(samples(classes=3, p=2, per_class=(1, 3)))
def test_the_rule_of_signs_is_the_largest_value_where_it_decides(sample):
    """Unclassifiable: the number of positive values is not one; else its class is predicted
    [MC-OVR-SIGN.P1] [MC-OVR-SIGN.P2] [KIM-5-rest]."""
    m = OneVersusRest(SVC(arithmetic="exact")).fit(*sample)
    for row, said, out in zip(m.decision_function(NEW), m.predict(NEW), m.unclassifiable(NEW)):
        positive = [k for k, f in enumerate(row) if f > 0]
        assert out == (len(positive) != 1)
        assert out or [said] == [m.classes_[k] for k in positive]


@settings(max_examples=examples(12))
@given(samples(classes=3, p=2, per_class=(1, 3)))
def test_votes_total_the_pairs_and_elect_the_label(sample):
    """K(K−1)/2 votes; the label is the first of those with most; ties are all of them  [MC-OVO.P1] [KIM-5-pairs]."""
    m = OneVersusOne(SVC(arithmetic="exact"), decision_function_shape="ovo").fit(*sample)
    found = zip(m.decision_function(NEW), m.votes(NEW), m.predict(NEW), m.ties(NEW), m.unclassifiable(NEW))
    for values, votes, said, tied, out in found:
        assert sum(votes) == 3
        assert tied == [c for c, v in zip(m.classes_, votes) if v == max(votes)] and said == tied[0]
        assert 0 in values or out == (len(tied) > 1)


@settings(max_examples=examples(12))
@given(samples(classes=4, p=2, per_class=(1, 2)), st.sampled_from(["exact", "float"]))
def test_the_first_largest_decision_value_is_the_label(sample, arithmetic):
    """One column a class: the votes and less than ½, ties of votes included  [MMST-11.4.1-one] [MMST-11.4.1-rest]."""
    points = [*NEW, *sample[0], [0, 0]]
    for kind in (OneVersusOne, OneVersusRest):
        m = kind(SVC(arithmetic=arithmetic)).fit(*sample)
        f = m.decision_function(points)
        assert [m.classes_[row.index(max(row))] for row in f] == m.predict(points)
        assert all(len(row) == len(m.classes_) for row in f)
    m = SVC(arithmetic=arithmetic).fit(*sample)
    for row, votes in zip(m.decision_function(points), m.votes(points)):
        assert all(2 * abs(v - w) < 1 for v, w in zip(row, votes))
    pairs = m.set_params(decision_function_shape="ovo").decision_function(points)
    assert pairs == list(map(list, zip(*[e.decision_function(points) for e in m.estimators_])))


@BOTH
def test_each_machine_has_the_rows_and_labels_of_its_question(kind):
    """rows_ and classes_ say which; refitting a machine by hand gives the same
    [MMST-11.4.1-one] [MMST-11.4.1-rest]."""
    weights = [Q(1 + i % 3) for i in range(len(X))]
    m = kind(SVC(arithmetic="exact")).fit(X, Y, sample_weight=weights)
    for e, rows, name in zip(m.estimators_, m.rows_, m.names()):
        if kind is OneVersusOne:
            labels = [Y[i] for i in rows]
            assert sorted(set(labels)) == e.classes_ and name == f"{e.classes_[1]} against {e.classes_[0]}"
        else:
            labels = [Y[i] == name.split()[0] for i in rows]
            assert rows == list(range(len(X))) and e.classes_ == [False, True]
        own = SVC(arithmetic="exact").fit([X[i] for i in rows], labels, sample_weight=[weights[i] for i in rows])
        assert own.alpha_ == e.alpha_ and own.intercept_ == e.intercept_ and own.objective_ == e.objective_


@BOTH
def test_the_proof_is_that_of_the_sum(kind):
    """Gap zero exactly; primal and dual are the sums of the machines'  [RC-23]."""
    m = kind(SVC(arithmetic="exact")).fit(X, Y)
    c = m.certificate_
    assert (c.status, c.gap, c.worst_violation) == ("optimal", 0, 0)
    assert c.primal == sum(e.objective_ for e in m.estimators_) == c.dual


def test_labels_are_exact_where_values_are_not():
    """Linear discriminants with unequal priors have irrational values and exact labels; votes are taken from these."""
    m = OneVersusOne("lda", arithmetic="exact").fit(X, Y)
    with pytest.raises(NotExact):
        m.decision_function(NEW)
    near = OneVersusOne("lda").fit(X, Y)
    assert m.votes(NEW) == near.votes(NEW) and m.predict(NEW) == near.predict(NEW)
    assert m.unclassifiable(NEW) == near.unclassifiable(NEW)


def test_parameters_are_reached_through_the_estimator():
    """get_params(deep), set_params with __, clone: as scikit-learn's meta-estimators have it."""
    m = OneVersusRest(SVC(C=2))
    assert m.get_params()["estimator__C"] == 2 and m.get_params(deep=False) == {
        "estimator": m.estimator,
        "arithmetic": None,
    }
    m.set_params(estimator__C=3)
    copy = clone(m)
    assert copy.estimator.C == 3 and copy.estimator is not m.estimator
    assert repr(m) == "OneVersusRest(estimator=SVC(C=3))"
    assert all(e.C == 3 and e is not m.estimator for e in m.fit(X, Y).estimators_)
    assert not hasattr(m.estimator, "classes_")


def test_the_arithmetic_is_that_of_the_estimator_or_given():
    """None leaves it alone; another one than the estimator's own is refused."""
    assert OneVersusOne(SVC(arithmetic="exact")).fit(X, Y).estimators_[0].arithmetic == "exact"
    assert OneVersusOne(SVC(), arithmetic="decimal:20").fit(X, Y).field().name == "decimal:20"
    assert OneVersusOne("svc").field().name == "float"
    with pytest.raises(InvalidInput, match="arithmetic"):
        OneVersusOne(SVC(arithmetic="exact"), arithmetic="decimal:20").fit(X, Y)


@BOTH
def test_any_executor_gives_the_same_machines(kind):
    """Threads and none: the same answers, in the same order."""
    m = kind(SVC(arithmetic="exact")).fit(X, Y)
    with concurrent.futures.ThreadPoolExecutor(2) as executor:
        other = kind(SVC(arithmetic="exact")).fit(X, Y, executor=executor)
    assert other.decision_function(NEW) == m.decision_function(NEW)
    steps = list(kind("lda").fit_steps(X, Y))
    assert steps == [(i, 3, name) for i, name in enumerate(m.names(), 1)]


def test_processes_give_the_same_machines():
    """What is sent to a process comes back fitted."""
    rows, labels = iris(10)
    gaussian = SVC(kernel={"name": "gaussian", "gamma": 1})
    with concurrent.futures.ProcessPoolExecutor(1) as executor:
        other = OneVersusRest(gaussian).fit(rows, labels, executor=executor)
    assert other.decision_function(rows) == OneVersusRest(gaussian).fit(rows, labels).decision_function(rows)


@BOTH
def test_tables_and_texts_are_cut_for_each_machine(kind):
    """A precomputed kernel gives the machines their rows and columns; a kernel on texts its texts."""
    polynomial = {"name": "polynomial", "degree": 2, "c": 1}
    gram, new = ([[(sum(a * b for a, b in zip(z, x)) + 1) ** 2 for x in X] for z in Z] for Z in (X, NEW))
    for estimator in (SVC, KernelClassifier):
        direct = kind(estimator(kernel=polynomial)).fit(X, Y)
        reported = kind(estimator(kernel="precomputed")).fit(gram, Y)
        assert reported.predict(new) == direct.predict(NEW)
    words = ["aba", "abb", "bca", "bcc", "caa", "cac"]
    kernel = {"name": "string", "length": 2, "decay": 0.5, "normalised": False}
    m = kind(SVC(kernel=kernel, C=100)).fit(words, list("aabbcc"))
    assert m.predict(words) == list("aabbcc")


def test_a_width_from_all_rows_is_not_taken_from_two_classes():
    """gamma "scale" in SVC is that of all rows, in each of its machines."""
    rows, labels = iris()
    m = SVC(kernel={"name": "gaussian", "gamma": "scale"}).fit(rows, labels)
    entries = [v for row in rows for v in row]
    mean = sum(entries) / len(entries)
    gamma = len(entries) / (4 * sum((v - mean) ** 2 for v in entries))
    assert all(abs(e._model.kernel.gamma / gamma - 1) < 1e-12 for e in m.estimators_)


def test_a_refusal_names_its_machine():
    """One machine that has no answer: which one, and its witness."""
    with pytest.raises(NoAnswer, match="machine=yes against no"):
        OneVersusOne(SVC(C="inf")).fit([[0], [1], [2], [3], [9]], ["no", "yes", "no", "yes", "zap"])


@pytest.mark.parametrize(
    "estimator", ["forest", 3, None, {"C": 2}, {"name": "svc", "depth": 1}, {"name": "lda", "arithmetic": "exact"},
                  refclass.Ridge(), SVC, "one_vs_one"]
)  # fmt: skip
@BOTH
def test_what_is_no_two_class_estimator_is_refused(kind, estimator):
    """Unknown names and parameters, regressions, classes instead of objects."""
    with pytest.raises(InvalidInput):
        kind(estimator).fit(X, Y)


@BOTH
def test_bad_data_are_refused(kind):
    """One class, other lengths, bad numbers by their row, bad weights; nothing is said before fit."""
    for rows, labels in (([[0], [1]], [1, 1]), (X, Y[:-1]), ([[0], [float("nan")], [2]], [0, 1, 2]), ([], [])):
        with pytest.raises(InvalidInput):
            kind("lda").fit(rows, labels)
    with pytest.raises(InvalidInput, match="row=1"):
        kind("lda").fit(X, Y, sample_weight=[1, -1] + [1] * 8)
    with pytest.raises(InvalidInput, match="call fit first"):
        kind().predict(X)


def test_every_classifier_of_the_face_has_its_name():
    """The table of names holds every method with decision values, but the three that are made of others."""
    kinds = [k for k in refclass.estimator_classes() if issubclass(k, Classifier) and hasattr(k, "decision_function")]
    assert {k.method for k in kinds} - {"one_vs_one", "one_vs_rest", "coupling"} == set(names.alone(Classifier))
    for name in names.alone(Classifier):
        made = classifier_by_name.fresh(name, "decimal:20", "here") if name != "bayes" else None
        assert made is None or (made.method == name and made.arithmetic == "decimal:20")


class Foreign:
    """A two-class estimator of somebody else: the sign of a coordinate, values for the label that comes first."""

    def __init__(self, at=0):
        self.at = at

    def get_params(self, deep=True):
        return {"at": self.at}

    def fit(self, X, y):
        first, second = sorted(set(y))
        self.classes_ = [second, first]
        means = [sum(x[self.at] for x, t in zip(X, y) if t == c) / y.count(c) for c in (first, second)]
        self.cut, self.up = sum(means) / 2, 1 if means[0] >= means[1] else -1
        return self

    def decision_function(self, X):
        return [self.up * (x[self.at] - self.cut) for x in X]

    def predict(self, X):
        return [self.classes_[f >= 0] for f in self.decision_function(X)]


@BOTH
def test_an_estimator_of_somebody_else_will_do(kind):
    """Whatever has fit, predict, decision_function, get_params and classes_, in any order of the two classes."""
    m = kind(Foreign()).fit([[0], [1], [4], [5], [8], [9]], list("aabbcc"))
    assert all(type(e) is Foreign for e in m.estimators_)
    if kind is OneVersusOne:
        assert m.predict([[0], [4], [9]]) == list("abc")
        assert m.set_params(decision_function_shape="ovo").decision_function([[0]]) == [[-2.5, -4.5, -6.5]]
    else:
        assert m.predict([[9]]) == ["c"]


@BOTH
def test_an_estimator_of_scikit_learn_will_do(kind):
    """Its arrays are read as numbers and labels; a development test, skipped where scikit-learn is absent."""
    linear_model = pytest.importorskip("sklearn.linear_model")
    rows, labels = iris()
    m = kind(linear_model.LogisticRegression()).fit(rows, labels)
    assert m.score(rows, labels) >= 0.9 and m.unclassifiable(rows)[0] is False


def test_linear_discriminants_by_pairs_are_those_of_the_two_classes():
    """A pair's machine is LDA on its rows, priors and covariance its own."""
    m = OneVersusOne(LinearDiscriminantAnalysis(arithmetic="exact")).fit(X, Y)
    rows = m.rows_[0]
    own = LinearDiscriminantAnalysis(arithmetic="exact").fit([X[i] for i in rows], [Y[i] for i in rows])
    assert m.estimators_[0].coef_ == own.coef_ and m.estimators_[0].priors_ == own.priors_
