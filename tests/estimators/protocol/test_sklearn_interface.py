"""Data frames: rows by position, the names of columns remembered. A frame is anything with columns and to_numpy."""

import pytest

import refclass
from refclass.errors import InvalidInput


class Array:
    """What a frame gives: rows of numbers."""

    def __init__(self, rows):
        self.rows = rows

    def tolist(self):
        """Return the rows."""
        return [list(row) for row in self.rows]


class Frame:
    """A frame: iterating it gives the names of its columns."""

    def __init__(self, columns, rows):
        self.columns, self.rows = columns, rows

    def __iter__(self):
        return iter(self.columns)

    def to_numpy(self):
        """Return the rows as an array."""
        return Array(self.rows)


ROWS, LABELS = [[0, 1], [1, 0], [4, 6], [5, 4], [1, 2], [6, 5]], [0, 0, 1, 1, 0, 1]
FRAME = Frame(["a", "b"], ROWS)
KINDS = ["svc", "lda", "qda", "ridge", "svr", "nearest_neighbors", "crammer_singer", "one_vs_rest", "kernel_classifier"]


@pytest.mark.parametrize("method", KINDS)
def test_a_frame_is_its_rows(method):
    """Fitted to a frame, an estimator says what it says of the rows; the names stay with it until the next fit."""
    kind = next(k for k in refclass.estimator_classes() if k.method == method)
    model, plain = kind().fit(FRAME, LABELS), kind().fit(ROWS, LABELS)
    assert model.predict(FRAME) == plain.predict(ROWS) == model.predict(ROWS)
    assert model.feature_names_in_ == ["a", "b"] and not hasattr(plain, "feature_names_in_")
    assert not hasattr(model.fit(ROWS, LABELS), "feature_names_in_")


def test_columns_in_another_order_are_refused():
    """By every method that takes rows."""
    model = refclass.LinearDiscriminantAnalysis().fit(FRAME, LABELS)
    other = Frame(["b", "a"], ROWS)
    for ask in (model.predict, model.predict_proba, model.decision_function, model.transform, model.ties):
        with pytest.raises(InvalidInput, match="need the columns a, b, in this order; got b, a"):
            ask(other)


def test_frames_are_split_and_searched():
    """cross_validate, GridSearch, learning_curve and leave_one_out take frames; unnamed columns have no names."""
    found = refclass.cross_validate(refclass.SVC(), FRAME, LABELS, folds=3)
    assert found.rates == refclass.cross_validate(refclass.SVC(), ROWS, LABELS, folds=3).rates
    search = refclass.GridSearch(estimator=refclass.SVC(), grid={"C": [1, 2]}, folds=3).fit(FRAME, LABELS)
    assert search.feature_names_in_ == ["a", "b"] and search.predict(FRAME) == search.predict(ROWS)
    assert refclass.leave_one_out(refclass.SVC(), FRAME, LABELS, method="predict") == refclass.leave_one_out(
        refclass.SVC(), ROWS, LABELS, method="predict"
    )
    assert not hasattr(refclass.SVC().fit(Frame([0, 1], ROWS), LABELS), "feature_names_in_")
