"""One against the rest where a row may belong to several classes."""

import pytest

from refclass import OneVersusRest
from refclass.errors import InvalidInput

ROWS = [[a, b] for a in range(4) for b in range(4)]
SETS = [{name for name, own in (("right", a > 1), ("high", b > 1)) if own} for a, b in ROWS]


def test_a_row_has_every_class_whose_estimator_says_yes():
    """Two classes that overlap: four corners have none, one, the other and both  [MC-SETS.P1] [MMST-11.4.1-rest]."""
    model = OneVersusRest("svc").fit_sets(ROWS, SETS)
    assert model.classes_ == ["high", "right"]
    assert model.predict_sets([[0, 0], [3, 0], [0, 3], [3, 3]]) == [[], ["right"], ["high"], ["high", "right"]]
    assert [set(own) for own in model.predict_sets(ROWS)] == SETS


def test_sets_of_one_label_are_labels():
    """With one class a row the machines are those of `fit`  [MC-SETS.P2]."""
    y = [("a", "b", "c")[min(a, 2)] for a, _ in ROWS]
    one, other = OneVersusRest("lda").fit(ROWS, y), OneVersusRest("lda").fit_sets(ROWS, [[t] for t in y])
    assert one.decision_function(ROWS) == other.decision_function(ROWS) and one.predict(ROWS) == other.predict(ROWS)


@pytest.mark.parametrize(
    ("sets", "need"),
    [
        (SETS[:-1], "16 sets of labels"),
        ([["a"]] * 16, "two classes"),
        (["a"] * 16, "a list, tuple or set of labels"),
        ([["a", "b"]] * 8 + [["a"]] * 8, "neither of all rows"),
    ],
)
def test_what_is_no_set_of_classes_is_refused(sets, need):
    """Their number, a class of all rows, and bare strings."""
    with pytest.raises(InvalidInput, match=need):
        OneVersusRest("lda").fit_sets(ROWS, sets)


def test_the_question_of_each_class_has_the_signs_of_its_rows(monkeypatch):
    """+1 for the rows of the class, −1 for all others  [MMST-11.4.1-rest]."""
    seen = []
    model = OneVersusRest("lda")
    monkeypatch.setattr(model, "assemble", lambda tasks, found, names: seen.extend(tasks))
    model.fit_sets([[0], [1], [3], [4]], [["a"], ["a", "b"], ["b"], []])
    assert [task.question.signs for task in seen] == [(1, 1, -1, -1), (-1, 1, 1, -1)]
