"""The search for the parameters of an estimator on a grid, coarse first, then finer  [MMST-11.3.6-grid]."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from concurrent.futures import Executor
from functools import partial
from typing import Any, ClassVar, Optional

from refclass.errors import InvalidInput, Refusal
from refclass.estimators.protocol.estimator import Estimator, Steps
from refclass.estimators.protocol.split_fit import Folds, Question, question, refuse
from refclass.estimators.selection.grid_cells import CRITERIA, Cell, climbed, judged, listed
from refclass.iteration import ending
from refclass.selection import grid as grids
from refclass.selection.validate import Fold


class GridSearch(Estimator):
    """The parameters of the lowest error rate on rows that were not fitted  [MMST-11.3.6-grid] [MMST-Ex11.12].

        first the grid, then, if `refine`, a finer one between its best cell and the neighbours; all on the same splits

    The least of several rates is optimistic: it is chosen after the errors of every cell are known
    (RC-25). `optimistic_` says so; cross_validate the search itself for an honest rate, or keep a test set that it does
    not see. A test set given as the only split is "tuning on the test error", a benchmark and no estimate [TUNE-TEST].

    Parameters
    ----------
    estimator : estimator
        What is searched for: its other parameters stay.
    grid : dict
        Names of parameters with their values, simplest first; "kernel.gamma" reaches inside. A tie goes to the
        value that stands first, by the first name first: to the smallest C, then the smallest γ.
    folds : int, "leave_one_out", or pairs, default 10
        How the data are split, as for `cross_validate`; for the criterion "error" alone.
    stratified : bool or None, default None
        Whether each class is shared out evenly over the folds; None: for labels it is.
    seed : int or None, default 0
        The seed of the folds; None for folds dealt in the order of the data.
    criterion : "error", "gacv" or "approximate_gacv", default "error"
        What is made small: "error", the rate on the splits; the others need no splits: generalised approximate
        cross-validation of a LeeLinWahbaSVC, its correction exact or approximate [MC-GACV] [MMST-11.111].
    search : "grid" or "hill", default "grid"
        "grid" tries every cell; "hill" climbs from the middle one to the best neighbour until none is better, which
        tries fewer and may end beside the best [OPT-HILL] [KIM-3.5-hill].
    refine : int ≥ 0, default 0
        How many values are put between the best one and each of its neighbours: 0 for a grid in one stage.
    refit : bool, default True
        Whether the best is fitted to all observations in the end, which `predict` needs.

    Attributes
    ----------
    cells_ : list
        The parameters and the validation of each cell.
    best_params_ : dict
        The parameters of the best cell.
    best_validation_ : Validation
        The validation of the best cell; None with a criterion that needs no splits.
    best_index_ : int
        Its place in cells_.
    at_edge_ : list of str
        The names of parameters whose best value is at the end of its axis.
    optimistic_ : bool
        Whether the best rate is the least of several, hence optimistic (RC-25).
    best_estimator_ : estimator
        The best, fitted to all observations, if refit.

    Raises
    ------
    InvalidInput
        For bad data, parameters or grids.
    NoAnswer
        If each cell has a fit without an answer.
    NotConverged, NotExact
        If no cell is without refusal, and one of them may have a rate: with the parameters of those.

    See Also
    --------
    cross_validate : an honest rate, of the search itself

    References
    ----------
    - A. J. Izenman (2008). Modern Multivariate Statistical Techniques, section 11.3.6.

    Examples
    --------
    >>> from refclass import NearestNeighbors
    >>> X, y = [[0], [1], [2], [3], [10], [11], [12], [13]], list("aaabbbba")
    >>> search = GridSearch(estimator=NearestNeighbors(), grid={"n_neighbors": [1, 3, 5]}, folds="leave_one_out")
    >>> search.fit(X, y).best_params_, search.best_validation_.errors
    ({'n_neighbors': 3}, 2)
    """

    method = "grid_search"
    equations = ("MMST-11.3.6-grid",)
    fitted = ("best_params_", "best_validation_", "best_index_", "at_edge_", "optimistic_")
    arithmetics: ClassVar[tuple[str, ...]] = ()  # none of its own: it is not a method beside the others

    def __init__(
        self,
        *,
        estimator: Any,
        grid: Mapping[str, Any],
        folds: Folds = 10,
        stratified: Optional[bool] = None,
        seed: Any = 0,
        criterion: str = "error",
        search: str = "grid",
        refine: int = 0,
        refit: bool = True,
    ) -> None:
        self.estimator = estimator
        self.grid = grid
        self.folds = folds
        self.stratified = stratified
        self.seed = seed
        self.criterion = criterion
        self.search = search
        self.refine = refine
        self.refit = refit

    @property
    def _estimator_type(self) -> Optional[str]:  # type: ignore[override]
        kind: Optional[str] = self.estimator._estimator_type
        return kind

    @property
    def arithmetic(self) -> Any:
        """The arithmetic of the estimator, or of those that it is made of."""
        return self.estimator.field().name

    @property
    def best_params_(self) -> dict[str, Any]:
        """The parameters of the best cell."""
        return dict(self.cells_[self.best_index_].parameters)

    @property
    def best_validation_(self) -> Any:
        """The validation of the best cell; None with a criterion that needs no splits."""
        return self.cells_[self.best_index_].validation

    def fit(
        self,
        X: Any,
        y: Any,
        *,
        executor: Optional[Executor] = None,
        finished: Optional[MutableMapping[str, Fold]] = None,
    ) -> GridSearch:
        """Search on the rows of X with responses y; `executor` and `finished` as for `cross_validate`."""
        return ending(self.fit_steps(X, y, executor=executor, finished=finished))

    def fit_steps(
        self,
        X: Any,
        y: Any,
        *,
        executor: Optional[Executor] = None,
        finished: Optional[MutableMapping[str, Fold]] = None,
    ) -> Steps[GridSearch]:
        """Search as `fit` does, and yield on the way how many fits are done, of how many, and which; return it."""
        self.integer("refine", 0)
        self.one_of("criterion", *CRITERIA)
        self.one_of("search", "grid", "hill")
        folds = self.folds if self.criterion == "error" else "leave_one_out"  # GACV splits nothing
        asked = question(self.method, self.estimator, X, y, folds, self.stratified, self.seed)
        store = {} if finished is None else finished
        axes: Any = self.grid
        if isinstance(axes, Mapping):
            axes = {name: listed(values) for name, values in axes.items()}
        judge = partial(self._judged, asked, executor=executor, store=store)
        cells = yield from (judge(grids.cells(axes)) if self.search == "grid" else climbed(axes, judge))
        if self.refine:
            best = cells[self._least(cells)].parameters
            fine = grids.finer(axes, best, self.refine)
            axes = grids.merged(axes, best, fine)
            known = [cell.parameters for cell in cells]
            new = [parameters for parameters in grids.cells(fine) if parameters not in known]
            cells += yield from judge(new)
            cells.sort(key=lambda cell: [axes[name].index(value) for name, value in cell.parameters.items()])
        self._take(cells, axes)
        if self.refit:
            yield 0, 1, "the best, on all observations"
            self.best_estimator_ = asked.with_parameters(self.best_params_)
            self.best_estimator_.fit(asked.X, asked.y)
        return self

    def _judged(
        self, asked: Question, parameters: list[dict[str, Any]], executor: Any, store: Any
    ) -> Steps[list[Cell]]:
        """Return the cells of some parameters with what the criterion says of them."""
        if self.criterion == "error":
            return (yield from judged(asked, parameters, executor, store))
        cells = []
        for k, values in enumerate(parameters):
            yield k, len(parameters), self.criterion
            machine = asked.with_parameters(values)
            if not callable(getattr(machine, "gacv", None)):
                raise InvalidInput(self.method, need=f"a LeeLinWahbaSVC for {self.criterion}", got=machine.method)
            approximate = self.criterion == "approximate_gacv"
            try:
                score = machine.gacv(asked.X, asked.y, approximate=approximate, executor=executor)
                cells.append(Cell(values, None, score))
            except Refusal as refusal:
                cells.append(Cell(values, None, None, f"{type(refusal).__name__}: {refusal}"))
        return cells

    def _least(self, cells: list[Cell]) -> int:
        place = grids.least([cell.rate for cell in cells])
        if place is None:
            refuse(self.method, "a cell without refusal", {cell.name: cell.reason for cell in cells})
        return place

    def _take(self, cells: list[Cell], axes: Mapping[str, Any]) -> None:
        self.__dict__.pop("best_estimator_", None)
        self.best_index_ = self._least(cells)
        self.cells_ = cells
        self.at_edge_ = grids.at_edge(axes, self.best_params_)
        self.optimistic_ = sum(cell.rate is not None for cell in cells) > 1

    def is_fitted(self) -> None:
        """Raises InvalidInput unless there is a best estimator, fitted."""
        if "best_estimator_" not in self.__dict__:
            raise InvalidInput(self.method, need="a search that has refitted the best (call fit first)", got="none")

    def predict(self, X: Any) -> list[Any]:
        """Return what the best estimator says of the rows of X."""
        self.is_fitted()
        said: list[Any] = self.best_estimator_.predict(X)
        return said

    def score(self, X: Any, y: Any) -> Any:
        """Return the score of the best estimator."""
        self.is_fitted()
        return self.best_estimator_.score(X, y)

    def _asked(self, name: str, X: Any) -> Any:
        self.is_fitted()
        return getattr(self.best_estimator_, name)(X)

    def __getattr__(self, name: str) -> Any:
        if name in ("classes_", "decision_function", "predict_proba", "transform"):
            if "best_estimator_" in self.__dict__:
                return getattr(self.best_estimator_, name)
            if name != "classes_" and "estimator" in self.__dict__:
                getattr(self.estimator, name)  # what the estimator does not have, the search does not have
                return partial(self._asked, name)
        raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")
