"""Cross-validation of estimators."""

import math
import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from fractions import Fraction
from random import Random

import pytest

import refclass
from refclass import GridSearch, cross_validate, learning_curve, leave_one_out
from refclass.errors import InvalidInput, NotConverged, NotExact
from refclass.estimators.protocol.split_fit import tried
from refclass.estimators.selection import cross_validate as module
from refclass.estimators.selection.grid_cells import Cell
from refclass.selection import folds
from refclass.selection.validate import Fold, Validation
from tests.discriminants.samples import PLANE
from tests.selection.executors import Backwards, Interrupting, processes

X, Y = PLANE
LDA = refclass.LinearDiscriminantAnalysis()
NEAREST = refclass.NearestNeighbors()


def test_every_observation_is_judged_by_a_fit_without_it():
    """What is said of each is what a model fitted to the other folds says  [CV-KFOLD]."""
    found = cross_validate(LDA, X, Y, folds=4, seed=3)
    for train, test in folds.stratified(Y, 4, Random(3)):
        model = refclass.LinearDiscriminantAnalysis().fit([X[i] for i in train], [Y[i] for i in train])
        assert [found.predictions[i] for i in test] == model.predict([X[i] for i in test])
    assert found.n == len(Y) and found.errors == sum(a != b for a, b in zip(found.predictions, Y))


@pytest.mark.parametrize("estimator", [LDA, NEAREST, refclass.LinearDiscriminantAnalysis(cutpoint="gaussian")])
def test_as_many_folds_as_rows_is_leave_one_out(estimator):
    """K = n says of each row what the plain loop over refits says  [CV-KFOLD.P2] [CV-LOO.P1]."""
    by_folds = cross_validate(estimator, X, Y, folds=len(Y))
    assert by_folds == cross_validate(estimator, X, Y, folds="leave_one_out")
    assert by_folds.predictions == leave_one_out(estimator, X, Y, method="predict")
    refits = []
    for i in range(len(Y)):
        model = type(estimator)().fit(X[:i] + X[i + 1 :], Y[:i] + Y[i + 1 :])
        refits += model.predict([X[i]])
    assert by_folds.predictions == refits


@pytest.mark.parametrize("seed", [0, 1])
def test_the_result_is_the_same_for_any_executor(seed):
    """One after the other, threads, or the last first: equal in every number  [CV-KFOLD]."""
    alone = cross_validate(LDA, X, Y, folds=5, seed=seed)
    with ThreadPoolExecutor(3) as threads:
        assert cross_validate(LDA, X, Y, folds=5, seed=seed, executor=threads) == alone
    assert cross_validate(LDA, X, Y, folds=5, seed=seed, executor=Backwards(5)) == alone


@processes
def test_processes_give_the_same_result():
    """Trials and answers pickle, into a process started from nothing, in every arithmetic  [CV-KFOLD]."""
    line, odd = [[i, i * i % 7] for i in range(9)], [Fraction(2 * i + i % 3, 3) for i in range(9)]
    asked = [
        (LDA, X, Y),
        (refclass.LinearDiscriminantAnalysis(arithmetic="exact"), X, Y),
        (refclass.Ridge(penalty=1, arithmetic="decimal:20"), line, odd),
        (refclass.QuadraticDiscriminantAnalysis(), [[0, 0], [1, 0], [0, 1], [3, 3], [4, 3], [3, 4]], list("aaabbb")),
    ]
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as others:
        for estimator, rows, y in asked[:3]:
            found = cross_validate(estimator, rows, y, folds=3, executor=others)
            assert found == cross_validate(estimator, rows, y, folds=3)
            assert pickle.loads(pickle.dumps(found)) == found
        with pytest.raises(refclass.errors.Refusal, match="3 refused, the first: "):
            cross_validate(*asked[3], folds=3, executor=others)


def test_an_interrupted_validation_goes_on_where_it_ended():
    """What is finished is kept, by name; called with it again, only the rest is fitted, and the result is the same."""
    finished = {}
    with pytest.raises(KeyboardInterrupt):
        cross_validate(LDA, X, Y, folds=5, executor=Interrupting(2), finished=finished)
    assert list(finished) == ["fold 0", "fold 1"]
    run = module.fit_steps(LDA, X, Y, folds=5, finished=finished)
    steps = [next(run) for _ in range(4)]
    assert steps == [(2, 5, "trials"), (3, 5, "fold 2"), (4, 5, "fold 3"), (5, 5, "fold 4")]
    assert cross_validate(LDA, X, Y, folds=5, finished=finished) == cross_validate(LDA, X, Y, folds=5)


@pytest.mark.parametrize("change", [{"seed": 1}, {"y": [*Y[1:], Y[0]]}, {"store": {"fold 0": 3}}])
def test_what_was_finished_for_another_question_is_refused(change):
    """Other folds or other labels: stored answers are not mistaken for these."""
    finished = {}
    cross_validate(LDA, X, Y, folds=4, finished=finished)
    store = {**finished, **change.get("store", {})}
    with pytest.raises(InvalidInput, match="need what came of the same trials before"):
        cross_validate(NEAREST, X, change.get("y", Y), folds=4, seed=change.get("seed", 0), finished=store)


def test_regressions_are_judged_by_squared_residuals():
    """On fractions the mean of (y − f)² is exact, and what is said of each comes from a fit without it."""
    rows, y = [[i] for i in range(6)], [Fraction(v) for v in (0, 1, 4, 9, 16, 25)]
    line = refclass.LinearRegression(arithmetic="exact")
    found = cross_validate(line, rows, y, folds="leave_one_out")
    residuals = []
    for i in range(6):
        model = refclass.LinearRegression(arithmetic="exact").fit(rows[:i] + rows[i + 1 :], y[:i] + y[i + 1 :])
        residuals.append(y[i] - model.predict([rows[i]])[0])
    assert found.rate == sum(r * r for r in residuals) / 6 and found.labels is None
    assert [a - b for a, b in zip(y, found.predictions)] == residuals
    double = cross_validate(line, rows, [[v, 2 * v] for v in y], folds="leave_one_out")
    assert double.rate == 5 * found.rate


def test_a_fold_that_is_refused_is_reported_and_not_counted():
    """One class has two points: without one of them its covariance has no divisor; the other folds are judged."""
    rows = [[0, 0], [1, 0], [0, 1], [2, 3], [9, 9], [8, 9], [9, 7], [7, 8]]
    labels = list("aaaabbbb")
    rows, labels = [*rows, [20, 1], [21, 2], [20, 3]], [*labels, *"ccc"]
    found = cross_validate(refclass.QuadraticDiscriminantAnalysis(), rows, labels, folds="leave_one_out")
    assert found.refused == [8, 9, 10] and found.n == 8
    assert found.reason.startswith("NoAnswer: ") and found.predictions[8:] == [None] * 3


def test_when_every_fit_is_refused_the_reason_is_reported():
    """Bad data or parameters are the caller's: InvalidInput, with what the first fold said."""
    with pytest.raises(InvalidInput, match=r"got 3 refused, the first: InvalidInput: data: need a finite number in X"):
        cross_validate(LDA, [[float("nan"), v] for v, _ in X], Y, folds=3)


def test_that_no_fit_converged_is_not_said_to_have_no_answer():
    """Folds or cells that were not converged, or are not exact, may have an answer: the refusal names them, as such.

    A cell with a fold that has no answer has none, whatever the others are.
    """
    rows, sides = [[i * i % 7, i * i % 11] for i in range(12)], list("ababbaabbaab")
    unfinished = refclass.SVC(solver="smo", max_iter=1)
    with pytest.raises(NotConverged, match=r"got 2 refused, the first: NotConverged: .*refused=\['fold 0', 'fold 1'\]"):
        cross_validate(unfinished, rows, sides, folds=2)
    with pytest.raises(NotConverged, match=r"refused=\['size 4; fold 0', 'size 4; fold 1'\]"):
        learning_curve(unfinished, rows, sides, sizes=[4], repeats=2)
    with pytest.raises(NotConverged, match=r"2 refused, .*refused=\['C=10', 'C=inf'\]"):
        GridSearch(estimator=unfinished, grid={"C": [10, math.inf]}, folds=2).fit(rows, sides)
    with pytest.raises(NotExact, match=r"refused=\['fold 0', 'fold 1'\]"):
        cross_validate(refclass.LogisticRegression(penalty=1, arithmetic="exact"), rows, sides, folds=2)
    refused = {"a": Fold((0,), refused="NotConverged: b"), "c": Fold((1,), refused="NoAnswer: d")}
    cells = [Cell({"p": 1}, Validation((refused["a"], refused["c"]))), Cell({"p": 2}, Validation((refused["c"],)))]
    assert [cell.reason for cell in cells] == ["NoAnswer: d", "NoAnswer: d"]
    machine = refclass.LeeLinWahbaSVC(max_iter=1)
    search = GridSearch(estimator=machine, grid={"penalty": [1, 2]}, folds=2, criterion="approximate_gacv")
    with pytest.raises(NotConverged, match=r"refused=\['penalty=1', 'penalty=2'\]"):
        search.fit(rows, sides)


def test_a_hold_out_set_is_one_split():
    """Errors on the observations that were held out, of a fit to the others  [VALIDATION.P1]."""
    split = folds.hold_out(len(Y), 5, Random(2))
    found = cross_validate(LDA, X, Y, folds=[split])
    assert found.n == 5 and found.standard_error is None and not set(split[0]) & set(split[1])
    model = refclass.LinearDiscriminantAnalysis().fit([X[i] for i in split[0]], [Y[i] for i in split[0]])
    assert list(found.folds[0].said) == model.predict([X[i] for i in split[1]])


def test_a_table_of_kernel_values_is_split_in_rows_and_columns():
    """The precomputed kernel: a fit sees the values between its own points, a judgement those with them."""
    rows, y = X[:10], [i % 2 for i in range(10)]
    table = refclass.gram(rows)
    ridge = refclass.KernelRidge(penalty=1, kernel="linear")
    by_table = refclass.KernelRidge(penalty=1, kernel="precomputed")
    targets = [float(v) for v in y]
    one = cross_validate(ridge, rows, targets, folds=3)
    other = cross_validate(by_table, table, targets, folds=3)
    assert one.predictions == pytest.approx(other.predictions)
    left = leave_one_out(by_table, table, targets, method="predict")
    assert left == pytest.approx(leave_one_out(ridge, rows, targets, method="predict"))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"folds": 1}, "need a number of folds from 2 to"),
        ({"folds": 1000}, "need a number of folds from 2 to"),
        ({"folds": "ten"}, 'need a number of folds, "leave_one_out"'),
        ({"folds": 2.5}, 'need a number of folds, "leave_one_out"'),
        ({"folds": [([0], [0])]}, "need different places"),
        ({"seed": "x"}, "need seed an integer"),
        ({"stratified": 3}, "need stratified None"),
    ],
)
def test_arguments_that_mean_nothing_are_refused(given, said):
    """One line that says what was needed."""
    with pytest.raises(InvalidInput, match=said):
        cross_validate(LDA, X, Y, **given)


def test_other_things_than_estimators_are_refused():
    """An estimator predicts labels or numbers; its rows have as many labels; numbers have no strata."""
    for estimator, rows, y, given in (
        ("lda", X, Y, {}),
        (refclass.SVMPath(), X, Y, {}),
        (LDA, X[:5], Y, {}),
        (LDA, X, [None] * len(Y), {}),
        (refclass.Ridge(), X, [1.0] * len(Y), {"stratified": True}),
    ):
        with pytest.raises(InvalidInput, match="need"):
            cross_validate(estimator, rows, y, **given)


def test_the_estimator_itself_stays_unfitted():
    """Copies are fitted."""
    model = refclass.LinearDiscriminantAnalysis()
    cross_validate(model, X, Y, folds=3)
    assert not hasattr(model, "classes_") and vars(model) == vars(refclass.LinearDiscriminantAnalysis())


def test_a_trial_is_its_own_record():
    """A trial says what it is; what comes of it is a fold with one loss for each of its test set."""
    question = module.question("test", LDA, X, Y, 3, None, 0)
    (trial, *_) = question.trials({}).values()
    fold = tried(trial)
    assert isinstance(fold, Fold) and len(fold.losses) == len(fold.test) == len(trial.test)


class Broken(refclass.NearestNeighbors):
    """An estimator with a defect: it cannot be fitted without row 7."""

    def fit(self, X, y, sample_weight=None):
        """Fit, or fail."""
        if X_OF_SEVEN not in X:
            raise ZeroDivisionError("no row 7")
        return super().fit(X, y)


X_OF_SEVEN = X[7]


@pytest.mark.parametrize("make", [lambda: None, lambda: Backwards(len(Y)), lambda: ThreadPoolExecutor(2)])
def test_a_defect_is_raised_with_the_trial_it_is_in(make):
    """What is no refusal is no result: the fold is named, and what was finished before is kept."""
    finished = {}
    with pytest.raises(RuntimeError, match="fold 7: ZeroDivisionError: no row 7"):
        cross_validate(Broken(), X, Y, folds="leave_one_out", executor=make(), finished=finished)
    assert {f"fold {j}" for j in range(7)} <= set(finished) and "fold 7" not in finished
