"""The search on a grid."""

import pickle
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from itertools import product
from random import Random

import pytest

import refclass
from refclass import GridSearch, cross_validate
from refclass.errors import InvalidInput, NoAnswer
from refclass.estimators.protocol.estimator import clone
from refclass.selection import folds
from tests.discriminants.samples import PLANE
from tests.selection.executors import Backwards, Interrupting

X, Y = PLANE
NEAREST = refclass.NearestNeighbors()
NEIGHBOURS = {"n_neighbors": [1, 2, 3, 4, 6]}
RDA = refclass.RegularizedDiscriminantAnalysis()
POINTS = [[Random(i).gauss(i % 2, 1.2), Random(-i).gauss(i % 2, 1.2)] for i in range(1, 41)]
SIDES = [i % 2 for i in range(1, 41)]


def search(**given):
    """Return a search over neighbours, with some arguments set."""
    return GridSearch(**{"estimator": NEAREST, "grid": NEIGHBOURS, "folds": 4, **given})


def test_the_best_cell_has_the_least_error():
    """Its rate is the least of all cells; each cell's is that of a cross-validation of its own  [GRID-2STAGE.P1]."""
    found = search().fit(POINTS, SIDES)
    rates = [cell.rate for cell in found.cells_]
    assert found.best_validation_.rate == min(rates) and found.best_index_ == rates.index(min(rates))
    assert [cell.parameters for cell in found.cells_] == [{"n_neighbors": k} for k in NEIGHBOURS["n_neighbors"]]
    for cell in found.cells_:
        own = clone(NEAREST).set_params(**cell.parameters)
        assert cell.validation == cross_validate(own, POINTS, SIDES, folds=4)


def test_the_refined_best_is_never_worse_than_the_coarse_one():
    """The finer grid keeps the coarse cell and fills the gaps around it  [GRID-2STAGE.P2] [MMST-11.3.6-grid]."""
    axes = {"alpha": [0, Fraction(1, 2), 1], "gamma": [Fraction(1, 4), 1]}
    coarse = GridSearch(estimator=RDA, grid=axes, folds=4).fit(POINTS, SIDES)
    fine = GridSearch(estimator=RDA, grid=axes, folds=4, refine=1).fit(POINTS, SIDES)
    assert fine.best_validation_.rate <= coarse.best_validation_.rate
    names = [tuple(cell.parameters.values()) for cell in fine.cells_]
    assert names == sorted(names) and len(set(names)) == len(names)
    assert {tuple(cell.parameters.values()) for cell in coarse.cells_} < set(names)


def test_ties_go_to_the_smallest_cost_then_the_smallest_gamma():
    """On points far apart every cell is right: the first value of the first name, then of the second  [GAP-1]."""
    rows, sides = [[0], [1], [2], [100], [101], [102]], list("aaabbb")
    axes = {"C": [10, 100], "kernel.gamma": [Fraction(1, 10), 1]}
    found = GridSearch(estimator=refclass.SVC(kernel="gaussian"), grid=axes, folds=3, refine=1).fit(rows, sides)
    assert found.best_params_ == {"C": 10, "kernel.gamma": Fraction(1, 10)} and found.best_validation_.errors == 0
    assert found.best_estimator_.kernel == {"name": "gaussian", "gamma": Fraction(1, 10)}
    turned = GridSearch(estimator=refclass.SVC(kernel="gaussian"), grid={**axes, "C": [100, 10]}, folds=3)
    assert turned.fit(rows, sides).best_params_["C"] == 100  # the caller's order is what counts


def test_a_refused_cell_never_wins():
    """A cell whose fit has no answer in some fold is reported with its reason, and not compared  [GRID-2STAGE.P1]."""
    rows = [[0, 0], [1, 0], [0, 1], [3, 3], [4, 3], [3, 4]]
    axes = {"alpha": [1, Fraction(1, 2)]}
    found = GridSearch(estimator=RDA, grid=axes, folds="leave_one_out").fit(rows, list("aaabbb"))
    assert found.cells_[0].validation.refused and found.cells_[0].rate is None
    assert "NoAnswer" in found.cells_[0].validation.reason
    assert found.best_params_ == {"alpha": Fraction(1, 2)} and found.optimistic_ is False


def test_without_any_answer_there_is_no_best():
    """All cells refused in some fold: NoAnswer; all fits refused as invalid: InvalidInput."""
    rows = [[0, 0], [1, 0], [0, 1], [3, 3], [4, 3], [3, 4]]
    with pytest.raises(NoAnswer, match="1 refused, the first: NoAnswer"):
        GridSearch(estimator=RDA, grid={"alpha": [1]}, folds="leave_one_out").fit(rows, list("aaabbb"))
    with pytest.raises(InvalidInput, match="the first: InvalidInput: nearest_neighbors: need n_neighbors"):
        search(grid={"n_neighbors": [0, -1]}).fit(POINTS, SIDES)


@pytest.mark.parametrize("make", [lambda: ThreadPoolExecutor(3), lambda: Backwards(20)])
def test_the_search_is_the_same_for_any_executor(make):
    """Threads, or the last first: equal cells, equal choice."""
    alone, other = search().fit(POINTS, SIDES), search().fit(POINTS, SIDES, executor=make())
    assert alone.cells_ == other.cells_ and alone.best_params_ == other.best_params_


def test_an_interrupted_search_goes_on_where_it_ended():
    """What is finished is there by name; the next call fits the rest only, on a longer grid, too."""
    finished = {}
    with pytest.raises(KeyboardInterrupt):
        search().fit(POINTS, SIDES, executor=Interrupting(7), finished=finished)
    assert len(finished) == 7 and "n_neighbors=2; fold 2" in finished
    whole = search().fit(POINTS, SIDES)
    run = search().fit_steps(POINTS, SIDES, finished=finished)
    assert next(run) == (7, 20, "trials") and next(run) == (8, 20, "n_neighbors=2; fold 3")
    run.close()
    assert search().fit(POINTS, SIDES, finished=finished).cells_ == whole.cells_
    longer = search(grid={"n_neighbors": [1, 2, 3, 4, 6, 8]})
    assert next(longer.fit_steps(POINTS, SIDES, finished=finished))[:2] == (20, 24)


def test_tuning_on_the_test_set_is_marked():
    """The least error of several cells on a test set is optimistic; that of a single cell is not  [TUNE-TEST.P1]."""
    split = folds.hold_out(len(SIDES), 20, Random(5))
    tuned = search(folds=[split]).fit(POINTS, SIDES)
    assert tuned.optimistic_ is True and tuned.best_validation_.n == 20
    assert search(grid={"n_neighbors": [3]}).fit(POINTS, SIDES).optimistic_ is False


@pytest.mark.slow
def test_the_rate_of_a_search_is_optimistic_and_that_of_its_validation_is_not():
    """Labels without any rule: the least rate is on average well below one half, the honest one is not  [RC-25]."""
    flattering, honest = [], []
    for seed in range(20):
        rng = Random(seed)
        rows, sides = [[rng.random()] for _ in range(16)], [i % 2 for i in range(16)]
        flattering.append(search().fit(rows, sides).best_validation_.rate)
        honest.append(cross_validate(search(refit=True), rows, sides, folds=4, seed=seed).rate)
    assert sum(flattering) / 20 < Fraction(45, 100) < sum(honest) / 20


def test_the_search_predicts_as_its_best():
    """predict, score, predict_proba, decision_function and classes_ are those of the best, fitted to all."""
    found = GridSearch(estimator=RDA, grid={"alpha": [0, Fraction(1, 2)]}, folds=3).fit(X, Y)
    best = clone(RDA).set_params(**found.best_params_).fit(X, Y)
    assert found.predict(X) == best.predict(X) and found.score(X, Y) == best.score(X, Y)
    assert found.predict_proba(X) == best.predict_proba(X) and found.classes_ == best.classes_
    assert found.decision_function(X) == best.decision_function(X)
    assert pickle.loads(pickle.dumps(found)).predict(X) == found.predict(X)


def test_a_search_that_has_not_been_fitted_says_so():
    """Before fit, and without refit, there is nothing to predict with; what the estimator lacks, the search lacks."""
    with pytest.raises(InvalidInput, match="call fit first"):
        search().predict(X)
    with pytest.raises(InvalidInput, match="call fit first"):
        GridSearch(estimator=RDA, grid={"alpha": [0]}).predict_proba(X)
    unfitted = search(refit=False).fit(POINTS, SIDES)
    assert unfitted.best_params_ and not hasattr(unfitted, "best_estimator_") and not hasattr(unfitted, "classes_")
    assert not hasattr(GridSearch(estimator=refclass.Ridge(), grid={"penalty": [1]}), "predict_proba")


def test_a_search_over_regressions_takes_the_least_squared_error():
    """Cross-validated mean squared errors, exact, and R² of the best for a score  [GRID-2STAGE.P1]."""
    rows, y = [[i, i * i % 5] for i in range(8)], [Fraction(3 * i + i % 3) for i in range(8)]
    found = GridSearch(estimator=refclass.Ridge(arithmetic="exact"), grid={"penalty": [0, 1, 10, 100]}, folds=4)
    found.fit(rows, y)
    assert found.best_validation_.rate == min(cell.rate for cell in found.cells_)
    assert isinstance(found.best_validation_.rate, Fraction) and found.score(rows, y) <= 1


def test_the_end_of_an_axis_is_reported():
    """The best at the end of an axis of three values or more: better may lie beyond."""
    found = search(grid={"n_neighbors": [9, 11, 15]}, folds=2).fit(POINTS, SIDES)
    assert (found.at_edge_ == ["n_neighbors"]) == (found.best_params_["n_neighbors"] in (9, 15))
    ends = search(grid={"n_neighbors": [3, 38, 39]}, folds="leave_one_out").fit(POINTS, SIDES)
    assert ends.at_edge_ == ["n_neighbors"] and ends.best_params_ == {"n_neighbors": 3}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"grid": {}}, "need a mapping of parameters"),
        ({"grid": [1]}, "need a mapping of parameters"),
        ({"grid": {"n_neighbors": []}}, "need for n_neighbors a sequence"),
        ({"grid": {"n_neighbors": 3}}, "need for n_neighbors a sequence"),
        ({"grid": {"n_neighbors": "13"}}, "need for n_neighbors a sequence"),
        ({"grid": {"neighbours": [1]}}, "need a parameter among n_neighbors"),
        ({"grid": {"n_neighbors.x": [1]}}, "need parts in 1, to set x"),
        ({"refine": -1}, "need refine an integer"),
        ({"refine": 1.5}, "need refine an integer"),
        ({"folds": 1}, "need a number of folds"),
    ],
)
def test_searches_that_mean_nothing_are_refused(given, said):
    """Before anything is fitted, in one line."""
    with pytest.raises(InvalidInput, match=said):
        search(**given).fit(POINTS, SIDES)


def test_a_table_of_cells_is_compared_with_discriminants_and_a_tree():
    """A (C, γ) table of ten-fold errors: its least cell is the choice, and it is set beside the rates of linear
    discriminants and of a tree on the same folds  [EX-MMST-11.12] [MMST-Ex11.12]."""
    rings = [[3 * (i % 2) * f(i), 3 * (i % 2) * g(i)] for i in range(60) for f, g in [(_across, _along)]]
    rows = [[a + Random(i).gauss(0, 0.6), b + Random(-i - 1).gauss(0, 0.6)] for i, (a, b) in enumerate(rings)]
    sides = [i % 2 for i in range(60)]
    axes = {"C": [1, 10], "kernel.gamma": [Fraction(1, 100), Fraction(1, 10), 1]}
    found = GridSearch(estimator=refclass.SVC(kernel="gaussian"), grid=axes).fit(rows, sides)
    table = {tuple(cell.parameters.values()): cell.validation.errors for cell in found.cells_}
    assert table[tuple(found.best_params_.values())] == min(table.values()) == found.best_validation_.errors
    others = [refclass.LinearDiscriminantAnalysis(), refclass.ClassificationTree()]
    linear, tree = (cross_validate(other, rows, sides).errors for other in others)
    assert found.best_validation_.errors <= tree <= linear  # a ring around a disc: no line parts them


def _across(i):
    return Random(7 * i).choice([-1, 1]) * (i % 7) / 7


def _along(i):
    return Random(7 * i + 1).choice([-1, 1]) * (1 - ((i % 7) / 7) ** 2) ** 0.5


def expected_error(rule, m):
    """The error of a rule from m draws of four points on a line, over all draws and all four points, exactly."""
    X, y = (0, 1, 3, 4), (0, 0, 1, 1)
    draws = list(product(range(4), repeat=m))
    wrong = sum(rule([(X[i], y[i]) for i in draw], X[k]) != y[k] for draw in draws for k in range(4))
    return Fraction(wrong, 4 * len(draws))


def test_the_bias_of_smaller_training_sets_is_not_the_same_for_all_cells():
    """From two points instead of four the nearest neighbour errs more often, a constant just as often: between two
    cells of a grid the bias does not cancel  [RC-25]."""
    nearest = lambda train, x: min(train, key=lambda p: (abs(p[0] - x), p))[1]  # noqa: E731
    constant = lambda train, x: 1  # noqa: E731
    assert expected_error(nearest, 2) - expected_error(nearest, 4) > Fraction(1, 10)
    assert expected_error(constant, 2) == expected_error(constant, 4) == Fraction(1, 2)


@pytest.mark.slow
def test_gacv_chooses_the_penalty_without_splits():
    """The criterion of each cell is that of `selection.gacv`, exact in fractions; the least is taken, and no validation
    is made  [MC-GACV.P1] [MMST-11.111]."""
    X, y = [[0, 0], [2, 0], [0, 3], [4, 4], [1, 1], [3, 3], [0, 4], [2, 1]], list("aabcacbb")
    grid = {"penalty": ["1/10", 2]}
    found = {}
    for criterion in ("gacv", "approximate_gacv"):
        machine = refclass.LeeLinWahbaSVC(arithmetic="exact")
        search = refclass.GridSearch(estimator=machine, grid=grid, criterion=criterion).fit(X, y)  # of 8 rows
        own = [
            refclass.LeeLinWahbaSVC(penalty=p, arithmetic="exact").gacv(X, y, approximate=criterion != "gacv")
            for p in grid["penalty"]
        ]
        assert [cell.rate for cell in search.cells_] == own and search.best_validation_ is None
        assert search.best_index_ == own.index(min(own)) and len(search.predict(X)) == len(X)
        found[criterion] = own
    assert found["gacv"] != found["approximate_gacv"]


def test_gacv_is_of_one_machine_only():
    """Any other estimator is refused by name; so are unknown criteria and searches."""
    X, y = [[0], [1], [2], [3]], list("abab")
    for options, need in (
        ({"criterion": "gacv"}, "a LeeLinWahbaSVC for gacv; got svc"),
        ({"criterion": "aic"}, "criterion"),
        ({"search": "random"}, "search"),
    ):
        with pytest.raises(InvalidInput, match=need):
            refclass.GridSearch(estimator=refclass.SVC(), grid={"C": [1, 2]}, folds=2, **options).fit(X, y)


@pytest.mark.slow
def test_hill_climbing_tries_fewer_cells_and_ends_where_no_neighbour_is_better():
    """From the middle of the grid; every cell it tried has the rate that the whole grid finds there
    [OPT-HILL.P1] [KIM-3.5-hill]."""
    rng = Random(4)
    X = [[rng.gauss(0, 1), rng.gauss(0, 1)] for _ in range(60)]
    y = [int(a * a + b * b + rng.gauss(0, 0.5) > 1.5) for a, b in X]
    estimator = refclass.SVC(kernel={"name": "gaussian", "gamma": 1})
    grid = {"C": [0.01, 0.1, 1, 10, 100, 1000, 10000], "kernel.gamma": [0.01, 0.1, 0.5, 1, 5, 20]}
    whole, hill = (
        refclass.GridSearch(estimator=estimator, grid=grid, folds=3, refit=False, search=search).fit(X, y)
        for search in ("grid", "hill")
    )
    rates = {tuple(cell.parameters.values()): cell.rate for cell in whole.cells_}
    assert 3 < len(hill.cells_) < len(whole.cells_)
    assert all(rates[tuple(cell.parameters.values())] == cell.rate for cell in hill.cells_)
    C, gamma = hill.best_params_.values()
    i, j = grid["C"].index(C), grid["kernel.gamma"].index(gamma)
    around = [(i + 1, j), (i - 1, j), (i, j + 1), (i, j - 1)]
    inside = [(a, b) for a, b in around if 0 <= a < 7 and 0 <= b < 6]
    assert all(rates[grid["C"][a], grid["kernel.gamma"][b]] >= rates[C, gamma] for a, b in inside)
    assert whole.best_validation_.rate <= hill.best_validation_.rate
