"""Many classes by two-class estimators, one for each pair."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from refclass.errors import InvalidInput, quoted, show
from refclass.estimators.protocol.multiclass import Several
from refclass.estimators.protocol.two_class_tasks import Side, listed
from refclass.linear.vector import Vector
from refclass.margins.reduction import coupling, one_vs_one
from refclass.margins.reduction.one_vs_rest import Question, largest
from refclass.sample import data


class OneVersusOne(Several):
    """One two-class estimator for each pair of classes; they vote  [MMST-11.4.1-one] [KIM-5-pairs] [MMST-T11.3].

        class of x = the one that wins the most of the K(K−1)/2 pairs

    The pairs stand in the order (0, 1), (0, 2), …, (1, 2), … of classes_; a positive value of a pair is a vote for the
    later of its classes. Where the value is zero, the vote is for the class that the estimator predicts. A tie of votes
    goes to the class that comes first; `unclassifiable` returns which points have no one class that wins most pairs, a
    value of zero counting for neither.

    Parameters
    ----------
    estimator : estimator, str or dict, default "svc"
        A two-class estimator with decision values, or its name: "lda", {"name": "svc", "C": 10}.
    arithmetic : None, "float", "exact" or "decimal:n", default None
        The arithmetic of the two-class estimators; None for their own.
    decision_function_shape : "ovr" or "ovo", default "ovr"
        "ovr": of more than two classes a decision value for each class, its votes and a part below one half, of
        which the first of the largest is what `predict` says; "ovo": one for each pair.

    Attributes
    ----------
    classes_ : list of K labels
        The classes, sorted where they can be compared, else in order of appearance.
    estimators_ : list of K(K − 1)/2 estimators
        The fitted two-class estimators, in the order of the pairs.
    rows_ : lists of int
        The rows of X that each estimator was fitted to.
    certificate_ : Certificate
        The proof of the sum of their problems.

    Raises
    ------
    InvalidInput
        For bad data or parameters; what an estimator refuses, with the name of its question.

    See Also
    --------
    OneVersusRest, SVC

    References
    ----------
    - S. Knerr, L. Personnaz and G. Dreyfus (1990). Single-layer learning revisited. In Neurocomputing, Springer.
    - A. J. Izenman (2008). Modern Multivariate Statistical Techniques, section 11.4.1.

    Examples
    --------
    >>> model = OneVersusOne("lda").fit([[0.0], [1.0], [4.0], [5.0], [8.0], [9.0]], list("aabbcc"))
    >>> model.predict([[2.0], [4.4]]), model.votes([[2.0], [4.4]])
    (['a', 'b'], [[2, 1, 0], [1, 2, 0]])
    """

    method = "one_vs_one"
    equations = ("MMST-11.4.1-one", "KIM-5-pairs")

    def __init__(self, estimator: Any = "svc", *, arithmetic: Any = None, decision_function_shape: str = "ovr") -> None:
        super().__init__(estimator, arithmetic=arithmetic)
        self.decision_function_shape = decision_function_shape

    def questions(self, labels: Sequence[int], classes: int) -> tuple[Question, ...]:
        """Return the questions "the later class, or the earlier?" of all pairs."""
        return one_vs_one.questions(labels, classes)

    def called(self, question: Question, classes: Sequence[Any]) -> str:
        """Return a question in words."""
        assert question.no is not None
        return f"{show(classes[question.yes])} against {show(classes[question.no])}"

    def labelled(self, question: Question, labels: Sequence[Any]) -> tuple[list[Any], Any]:
        """Return the labels as they are, and that of the later class."""
        return list(labels), labels[question.signs.index(1)]

    def model(self, sides: tuple[Side, ...]) -> one_vs_one.Model:
        """Return the model over the fitted estimators."""
        return one_vs_one.Model(sides, len(self.classes_))

    def votes(self, X: Any) -> list[list[int]]:
        """Return for each row of X how many pairs each class wins; they sum to K(K−1)/2."""
        self.is_fitted()
        return [list(one_vs_one.votes(won, len(self.classes_))) for won in self._won(listed(X), strict=False)]

    def coupled_probabilities(self, X: Any) -> list[list[Any]]:
        """Return for each row of X a probability for each class, coupled from those of the pairs  [MC-COUPLE].

        The two-class estimators must have `predict_proba`. Hastie and Tibshirani (1998): the p for which
        Σ n_ij p_i/(p_i + p_j) = Σ n_ij r_ij for every class i, r_ij the probability of i in the pair, n_ij the
        number of its rows or the sum of their weights.

        Raises    InvalidInput for estimators without probabilities; NotExact as `PairwiseCoupling`
        """
        self.is_fitted()
        F, K, rows = self.field(), len(self.classes_), listed(X)
        if not all(hasattr(e, "predict_proba") for e in self.estimators_):
            raise InvalidInput(self.method, need="two-class estimators with predict_proba", got=quoted(self.estimator))
        pairs = one_vs_one.pairs(K)
        said = [data.plain(e.predict_proba(rows)) for e in self.estimators_]
        first = [list(data.plain(e.classes_)).index(self.classes_[j]) for e, (j, _) in zip(self.estimators_, pairs)]
        found = []
        for t in range(len(rows)):
            r, n = ([[F.kind(0)] * K for _ in range(K)] for _ in range(2))
            for (j, k), own, place, mass in zip(pairs, said, first, self._masses):
                r[j][k], r[k][j] = F.lift(own[t][place]), F.lift(own[t][1 - place])
                n[j][k] = n[k][j] = F.lift(mass)
            problem = coupling.Problem(tuple(map(Vector.of, r)), tuple(map(Vector.of, n)))
            found.append(list(coupling.solve(F, problem)))
        return found

    def decision_function(self, X: Any) -> list[list[Any]]:
        """Return for each row of X a value for each class, or for each pair."""
        shape = self.one_of("decision_function_shape", "ovr", "ovo")
        X = listed(X)
        values = super().decision_function(X)
        if shape == "ovo" or len(self.classes_) == 2:
            return values
        return [one_vs_one.columns(won, row) for won, row in zip(self.votes(X), values)]

    def tied(self, X: Any) -> list[tuple[int, ...]]:
        """Return for each row the numbers of the classes with the most votes."""
        return [largest(row) for row in self.votes(X)]

    def unclassifiable(self, X: Any) -> list[bool]:
        """Return for each row of X whether no one class wins the most pairs; zero is won by nobody  [KIM-5-pairs]."""
        self.is_fitted()
        return [one_vs_one.alone(won, len(self.classes_)) is None for won in self._won(listed(X), strict=True)]

    def _won(self, X: Any, strict: bool) -> list[Any]:
        """Return for each row of X the class number that wins each pair, None where nobody does."""
        said = [side.says(X, strict) for side in self._model.machines]
        return [one_vs_one.winners(row, len(self.classes_), strict=True) for row in zip(*said)]
