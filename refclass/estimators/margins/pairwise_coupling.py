"""Probabilities of many classes, coupled from those of the pairs."""

from __future__ import annotations

from typing import Any

from refclass.errors import InvalidInput, quoted
from refclass.estimators.margins.one_vs_one import OneVersusOne
from refclass.estimators.protocol.two_class_tasks import listed


class PairwiseCoupling(OneVersusOne):
    """One two-class estimator for each pair of classes, their probabilities coupled  [MC-COUPLE].

        Σ n_ij p_i/(p_i + p_j) = Σ n_ij r_ij for every class i        r_ij the probability of i in the pair {i, j}

    The class of x is the one with the largest p. With probabilities that agree with one another it is Bayes' rule.
    Where pairs are certain (r_ij = 1) and no p solves the equations, p is the limit at which the divergence is least.

    Parameters
    ----------
    estimator : estimator, str or dict, default "lda"
        A two-class estimator with probabilities, or its name: "lda", "logistic", {"name": "kernel_classifier", "loss":
        "deviance"}.
    arithmetic : None, "float", "exact" or "decimal:n", default None
        The arithmetic of the two-class estimators; None for their own.
    decision_function_shape : "ovr" or "ovo", default "ovr"
        The decision values are the coupled probabilities, a column for each class, or the values of the pairs.

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
        For bad data or parameters, and estimators without probabilities.
    NotExact
        In exact arithmetic for probabilities of three or more classes whose pairs do not agree with one another.

    See Also
    --------
    OneVersusOne : the votes of the same pairs

    References
    ----------
    - T. Hastie and R. Tibshirani (1998). Classification by pairwise coupling. Annals of Statistics 26, 451-471.
    - L. R. Ford (1957). Solution of a ranking problem from binary comparisons. American Mathematical Monthly 64(8),
      28-33.
    - D. Price, S. Knerr, L. Personnaz and G. Dreyfus (1995). Pairwise neural network classifiers with probabilistic
      outputs. Advances in Neural Information Processing Systems 7, 1109-1116.
    - F. Bach (2010). Self-concordant analysis for logistic regression. Electronic Journal of Statistics 4, 384-414.
    - T. Sun and Q. Tran-Dinh (2019). Generalized self-concordant functions: a recipe for Newton-type methods.
      Mathematical Programming 178, 145-213.

    Examples
    --------
    >>> model = PairwiseCoupling("lda").fit([[0.0], [2.0], [1.0], [4.0], [3.0], [6.0]], list("aabbcc"))
    >>> model.predict([[0.0], [2.4], [7.0]]), round(sum(model.predict_proba([[2.4]])[0]), 12)
    (['a', 'b', 'c'], 1.0)
    """

    method = "coupling"
    equations = ("MMST-11.4.1-one", "KIM-5-pairs")
    state = (*OneVersusOne.state, "rows_", "_masses")  # how many rows a pair was fitted to weighs it

    def __init__(self, estimator: Any = "lda", *, arithmetic: Any = None, decision_function_shape: str = "ovr") -> None:
        super().__init__(estimator, arithmetic=arithmetic, decision_function_shape=decision_function_shape)

    def two_class(self) -> Any:
        """Return a two-class estimator to be fitted.  Raises InvalidInput for one without probabilities."""
        found = super().two_class()
        if not hasattr(found, "predict_proba"):
            raise InvalidInput(self.method, need="two-class estimators with predict_proba", got=quoted(self.estimator))
        return found

    def predict_proba(self, X: Any) -> list[list[Any]]:
        """Return for each row of X a probability for each class."""
        return self.coupled_probabilities(X)

    def decision_function(self, X: Any) -> list[Any]:
        """Return for each row of X the coupled probabilities, or the values of the pairs; of two classes the one."""
        self.is_fitted()
        if len(self.classes_) == 2 or self.one_of("decision_function_shape", "ovr", "ovo") == "ovo":
            return super().decision_function(X)
        return self.coupled_probabilities(listed(X))

    def predict(self, X: Any) -> list[Any]:
        """Return the label of the largest probability for each row of X; of several the first in classes_."""
        return [self.classes_[row.index(max(row))] for row in self.coupled_probabilities(listed(X))]
