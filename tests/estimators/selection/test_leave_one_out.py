"""leave_one_out for estimators."""

from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest

import refclass
from refclass import leave_one_out
from refclass.errors import InvalidInput, NoAnswer
from refclass.estimators.protocol.estimator import clone
from refclass.estimators.selection.leave_one_out import fit_steps
from refclass.number.binary64 import BINARY64
from refclass.number.tolerance import near
from tests.discriminants.samples import PLANE
from tests.profiles import examples
from tests.selection.executors import Backwards, Interrupting

X, Y = PLANE


TWO = [g > 0 for g in Y]
NUMBERS = [x[0] * x[1] - g for x, g in zip(X, Y)]
CASES = [
    *[(refclass.LinearDiscriminantAnalysis, o, Y) for o in ({}, {"divisor": "n", "priors": [0.5, 0.25, 0.25]})],
    (refclass.LinearDiscriminantAnalysis, {"costs": [[0, 2], [1, 0]]}, TWO),
    (refclass.LinearDiscriminantAnalysis, {"cutpoint": "empirical"}, TWO),
    (refclass.LinearDiscriminantAnalysis, {"pseudo_inverse": True}, Y),
    *[(refclass.QuadraticDiscriminantAnalysis, o, Y) for o in ({}, {"divisor": "n", "priors": [0.5, 0.25, 0.25]})],
    *[(refclass.LeastSquaresClassifier, o, TWO) for o in ({"coding": (0, 3)}, {"cutpoint": "midpoint"})],
    *[(refclass.LeastSquaresClassifier, o, Y) for o in ({}, {"penalty": 2})],
    (refclass.LeastSquaresClassifier, {"coding": (-1, 1), "cutpoint": "empirical"}, TWO),
    *[(refclass.LinearRegression, o, NUMBERS) for o in ({}, {"intercept": False})],
    *[(refclass.Ridge, o, NUMBERS) for o in ({}, {"penalty": "1/3", "omega": [[2, 1], [1, 2]]})],
    *[(refclass.KernelRidge, {"intercept": how}, NUMBERS) for how in (True, False, "penalised", "absorbed")],
    (refclass.KernelRidge, {"kernel": {"name": "polynomial", "degree": 2, "c": 1}}, NUMBERS),
    (refclass.KernelRidge, {"kernel": {"name": "gaussian", "gamma": 0.25}}, NUMBERS),
    (refclass.KernelRidge, {"kernel": {"name": "gaussian", "gamma": "scale"}}, NUMBERS),
]


def refitted(kind, options, y, method, i):
    """Return what an estimator fitted without row i says of it."""
    model = kind(**options).fit(X[:i] + X[i + 1 :], y[:i] + y[i + 1 :])
    return getattr(model, method)([X[i]])[0]


def flat(answer):
    """Return an answer's numbers as a list."""
    return answer if isinstance(answer, list) else [answer]


@pytest.mark.many
@pytest.mark.parametrize(("kind", "options", "y"), CASES)
def test_each_row_is_what_a_fit_on_the_others_says(kind, options, y):
    """The i-th answer is that of the estimator fitted without row i, with == on fractions  [CV-LOO.P1] [RC-22]."""
    options = {**options, "arithmetic": "exact"}
    for method in {"predict", "ties"} & set(dir(kind)) or {"predict"}:
        found = leave_one_out(kind(**options), X, y, method=method)
        some = range(0, len(X), 6)
        assert [found[i] for i in some] == [refitted(kind, options, y, method, i) for i in some]


@pytest.mark.parametrize(("kind", "options", "y"), CASES)
def test_in_doubles_each_row_is_that_up_to_roundoff(kind, options, y):
    """Labels are the same, numbers differ by a few units, transforms are those of the fits  [CV-LOO.P1]."""
    for method in ("predict", "decision_function", "predict_proba", "transform"):
        if not hasattr(kind, method) or (method == "transform" and "cutpoint" in options):
            continue
        found = leave_one_out(kind(**options), X, y, method=method)
        for i in range(0, len(X), 4):
            for a, b in zip(flat(found[i]), flat(refitted(kind, options, y, method, i))):
                assert a == b or near(BINARY64, a, b, scale=1 + abs(b), steps=40)


def test_rows_that_differ_by_their_scores_are_reported_by_the_scores():
    """Decision values in exact arithmetic, where classes are of one size, are equal, with ==  [CV-LOO.P1]."""
    options = {"arithmetic": "exact", "priors": ["1/2", "1/2"]}
    found = leave_one_out(refclass.LinearDiscriminantAnalysis(**options), X, TWO, method="decision_function")
    kind = refclass.LinearDiscriminantAnalysis
    assert found == [refitted(kind, options, TWO, "decision_function", i) for i in range(len(X))]


@pytest.mark.parametrize("kind", [refclass.LinearDiscriminantAnalysis, refclass.Ridge, refclass.KernelRidge])
def test_one_fit_is_enough(kind, monkeypatch):
    """Where the models without each row follow from that of all, the estimator is fitted once."""
    calls, fit = [], kind.fit
    monkeypatch.setattr(kind, "fit", lambda self, X, y: calls.append(len(X)) or fit(self, X, y))
    assert len(leave_one_out(kind(), X, Y, method="predict")) == len(X) and calls == [len(X)]


def test_the_estimator_itself_stays_unfitted():
    """Parameters are copied, nothing is left behind."""
    model = refclass.QuadraticDiscriminantAnalysis(priors=[0.5, 0.25, 0.25])
    leave_one_out(model, X, Y)
    with pytest.raises(InvalidInput, match="call fit first"):
        model.predict(X)
    twin = clone(model)
    assert twin is not model and twin.get_params() == model.get_params()


def test_a_class_left_out_with_its_only_row_has_probability_zero():
    """Rows keep the order of the full data's classes."""
    rows, labels = [[0.0], [1.0], [9.0], [4.0], [5.0]], list("aabcc")
    found = leave_one_out(refclass.LinearDiscriminantAnalysis(), rows, labels)
    assert found[2][1] == 0.0 and abs(sum(found[2]) - 1) < 1e-12 and len(found[0]) == 3


def test_a_refusal_names_the_row_that_was_left_out():
    """What a fit refuses is refused with the row."""
    rows, labels = [[0, 0], [1, 0], [2, 1], [5, 1], [6, 3], [7, 0]], list("aaabbb")
    with pytest.raises(NoAnswer, match="left_out=0"):
        leave_one_out(refclass.QuadraticDiscriminantAnalysis(), rows, labels)


@pytest.mark.parametrize(
    ("estimator", "rows", "method"),
    [
        (refclass.LinearDiscriminantAnalysis(), X, "predict_probability"),
        (refclass.FisherDiscriminant(), X, "predict_proba"),
        ("lda", X, "predict"),
        (refclass.LinearDiscriminantAnalysis(), X[:5], "predict"),
    ],
)
def test_what_cannot_be_asked_is_refused(estimator, rows, method):
    """Unknown methods, other things than estimators, and rows without labels."""
    with pytest.raises(InvalidInput, match="leave_one_out"):
        leave_one_out(estimator, rows, Y, method=method)


@pytest.mark.parametrize("method", ["predict", "predict_proba", "decision_function"])
def test_the_answers_are_the_same_for_any_executor(method):
    """Threads, or the last first: what n fits one after the other say  [CV-LOO.P1]."""
    model = refclass.LinearDiscriminantAnalysis(pseudo_inverse=True)  # its rows are fitted anew, one by one
    alone = leave_one_out(model, X, Y, method=method)
    with ThreadPoolExecutor(3) as threads:
        assert leave_one_out(model, X, Y, method=method, executor=threads) == alone
    assert leave_one_out(model, X, Y, method=method, executor=Backwards(len(Y))) == alone


def test_of_several_refusals_the_first_row_is_named_for_any_executor():
    """Every fit is refused: row 0 is reported, though it was the last to be tried."""
    rows, labels = [[0, 0], [1, 0], [2, 1], [5, 1], [6, 3], [7, 0]], list("aaabbb")
    with pytest.raises(NoAnswer, match="left_out=0"):
        leave_one_out(refclass.QuadraticDiscriminantAnalysis(), rows, labels, executor=Backwards(6))


def test_an_interrupted_call_goes_on_where_it_ended():
    """What is finished is kept by row, and not fitted again."""
    model, finished = refclass.NearestNeighbors(), {}
    with pytest.raises(KeyboardInterrupt):
        leave_one_out(model, X, Y, method="predict", executor=Interrupting(4), finished=finished)
    assert list(finished) == [0, 1, 2, 3]
    steps = list(fit_steps(model, X, Y, "predict", finished=finished))
    assert steps[0] == (5, len(Y), "without row 4") and len(steps) == len(Y) - 4
    assert leave_one_out(model, X, Y, method="predict", finished=finished) == leave_one_out(
        model, X, Y, method="predict"
    )


@pytest.mark.parametrize("seed", range(examples(12)))
def test_ties_in_doubles_go_where_the_fits_put_them(seed):
    """On a small grid scores of 2/5 and 2/5 tie: the update of one fit leaves them roundoff apart."""
    r = Random(seed)
    rows = [[float(r.randint(0, 2))] for _ in range(6)]
    y = [0, 1, 2, *[r.randrange(3) for _ in rows[3:]]]
    estimator = refclass.LeastSquaresClassifier()
    for i, said in enumerate(answers_or_none(estimator, rows, y)):
        rest = [k for k in range(len(rows)) if k != i]
        assert [said] == clone(estimator).fit([rows[k] for k in rest], [y[k] for k in rest]).predict([rows[i]])


def answers_or_none(estimator, rows, y):
    """Return what is said of each row, nothing where a fit without one of them is refused."""
    try:
        return leave_one_out(estimator, rows, y, method="predict")
    except NoAnswer:
        return []
