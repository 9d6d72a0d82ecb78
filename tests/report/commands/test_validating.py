"""Validations and searches in lines for people."""

from fractions import Fraction

import refclass
from refclass.report.commands import validating
from refclass.selection.validate import Fold, Validation
from tests.report.commands.test_trials import asked

GOOD = Fold((0, 2), ("a", "a"), (0, 1))


def test_a_refused_fold_is_named_with_its_reason():
    """Rates are of the folds that were judged; the refused one is reported, in the list of folds, too."""
    found = Validation((GOOD, Fold((1, 3), refused="NoAnswer: lda: need more")), ("a", "a", "b", "b"))
    lines = list(validating.lines(found))
    assert lines[0] == "errors: 1 of 2 (50.0 %)" and lines[1] == "by fold: 1/2 refused"
    assert lines[-1] == "refused, not counted: fold 1: NoAnswer: lda: need more"


def test_nothing_but_refusals_is_reported_as_such():
    """No rate is made up where every fold was refused."""
    found = Validation((Fold((0,), refused="NoAnswer: no"), Fold((1,), refused="NoAnswer: no")), ("a", "b"))
    assert list(validating.lines(found)) == ["all 2 folds refused: NoAnswer: no"]


def test_undecided_rows_have_a_line_of_their_own():
    """A rule that says nothing of a row errs there, and the table of labels shows it."""
    found = Validation((Fold((0, 1), (None, "b"), (1, 0)), Fold((2,), ("a",), (0,))), ("a", "b", "a"))
    rows = [line.split() for line in validating.confusion(found)]
    assert rows[1:] == [["a", "1", "0"], ["b", "0", "1"], ["undecided", "1", "0"]]


def test_numbers_have_a_mean_squared_error():
    """Exact, where it is short."""
    found = Validation((Fold((0, 1), (1, 2), (Fraction(1, 4), Fraction(1, 2))), Fold((2,), (3,), (Fraction(0),))))
    lines = list(validating.lines(found))
    assert lines[0] == "mean squared error: 1/4 over 3 rows" and lines[1] == "by fold: 3/8 0"
    assert lines[2].startswith("mean of the folds: 3/16, standard error 0.1875")


def test_a_search_over_three_parameters_is_a_list_of_cells():
    """Each line has its values; a refused cell says so, and is reported of below; the best has a star."""
    question = asked("rda", folds=12)
    search = refclass.GridSearch(
        estimator=refclass.RegularizedDiscriminantAnalysis(),
        grid={"alpha": [1, Fraction(1, 2)], "gamma": [0, 1], "arithmetic": ["float", "exact"]},
        folds=12,
    )
    search.fit(question.X, question.y)
    lines = list(validating.report(question, search))
    assert lines[2].split() == ["alpha", "gamma", "arithmetic"] and lines[3].split()[:3] == ["1", "0", "float"]
    assert len([line for line in lines if line.rstrip().endswith("*")]) == 1 and len(lines) > 11
    cell = search.cells_[0]
    refused = Validation((GOOD, Fold((1,), refused="NoAnswer: no")), ("a", "a", "b"))
    search.cells_ = [validating.Cell(cell.parameters, refused), *search.cells_[1:]]
    lines = list(validating.search_lines(search, question))
    assert "refused" in lines[2] and "refused in some fold, not compared: 1 cell, the first: NoAnswer: no" in lines


def test_what_is_finished_is_reported_by_cell():
    """An interrupted search: each cell with its number of folds; an interrupted validation: one line."""
    question = asked(folds=4)
    question.finished.update({"C=1; fold 0": GOOD, "C=1; fold 1": GOOD, "C=2; fold 0": Fold((1,), refused="no")})
    assert list(validating.partial(question)) == [
        "interrupted: 3 fits finished",
        "  C=1: 2 of 4 folds, errors: 2 of 4 (50.0 %)",
        "  C=2: 1 of 4 folds, refused",
    ]
    alone = asked(folds=4)
    alone.finished["fold 0"] = GOOD
    assert list(validating.partial(alone))[1] == "  1 of 4 folds, errors: 1 of 2 (50.0 %)"


def test_the_settings_to_go_on_with_are_whole():
    """What was set, those parts of a kernel that name it, too, and what was found best stand in the last line."""
    given = {"kernel": {"name": "gaussian"}, "C": 3}
    question = asked("svc", given, folds=2)
    search = refclass.GridSearch(estimator=question.estimator, grid={"kernel.gamma": [2, 1]}, folds=2, refit=False)
    last = list(validating.search_lines(search.fit(question.X, question.y), question))[-1]
    assert last.startswith("next: fit svc … --set kernel.name=gaussian C=3 kernel.gamma=")
