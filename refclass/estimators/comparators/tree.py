"""Classification trees."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import Any

from refclass.certificate import Certificate
from refclass.discriminants.comparators import rule_certificate, tree
from refclass.discriminants.decision.exact import concluded, counted
from refclass.estimators.protocol.discriminant import Discriminant, Probabilistic
from refclass.estimators.protocol.estimator import Steps, clone
from refclass.iteration import ending, mapped
from refclass.number.field import Number, rational
from refclass.number.text import show


class ClassificationTree(Probabilistic, Discriminant):
    """CART: splits by Gini's index, pruned by the price of a leaf  [CMP-CART] [CMP-CART-LC] [YANG-T12.3].

        minimise R(T) + α |T|        R the share of training errors, |T| the number of leaves

    Splits are compared in whole numbers; among equal ones the first variable counts, then the lowest threshold.

    Parameters
    ----------
    combinations : bool, default False
        False: splits x_j ≤ c; True: splits a·x ≤ c, found from the best x_j ≤ c by changing one coefficient after
        the other until nothing is gained.
    max_depth : int or None, default None
        The most splits on the way to a leaf.
    min_leaf : number > 0, default 1
        The least weight of the points of a leaf: rows that weigh less share one with others.
    ccp_alpha : number ≥ 0, default 0
        α, the price of a leaf in shares of errors; at 0 only splits that save no error are taken back.
    arithmetic : "float", "exact" or "decimal:n", default "float"
        The numbers that are computed with: binary64, fractions, or decimals of n digits.

    Attributes
    ----------
    classes_ : list of K labels
        The classes, sorted where they can be compared, else in order of appearance.
    n_leaves_ : int
        The number of leaves.
    depth_ : int
        The most splits on the way to a leaf.
    splits_ : list of str
        The splits in words, a parent before its children.
    alphas_ : list of triples
        The prices α at which the tree changes, ascending, each with its number of leaves and of training errors.
    certificate_ : Certificate
        The proof, computed in exact arithmetic from the data as given when it is first asked for.

    Raises
    ------
    InvalidInput
        For bad data or parameters.

    See Also
    --------
    NearestNeighbors

    References
    ----------
    - L. Breiman, J. H. Friedman, R. A. Olshen and C. J. Stone (1984). Classification and Regression Trees. Wadsworth.

    Examples
    --------
    >>> model = ClassificationTree().fit([[0, 1], [1, 5], [4, 2], [6, 3]], list("aabb"))
    >>> model.splits_, model.predict([[2, 9]])
    (['x0 ≤ 2.5'], ['a'])
    """

    method = "tree"
    equations = ("YANG-T12.3",)
    fitted = ("classes_", "n_leaves_", "depth_", "splits_", "alphas_")

    def __init__(
        self,
        *,
        combinations: Any = False,
        max_depth: Any = None,
        min_leaf: Any = 1,
        ccp_alpha: Any = 0,
        arithmetic: Any = "float",
    ) -> None:
        self.combinations = combinations
        self.max_depth = max_depth
        self.min_leaf = min_leaf
        self.ccp_alpha = ccp_alpha
        self.arithmetic = arithmetic

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> ClassificationTree:
        """Fit to the rows of X with labels y; an integer weight stands for copies of its row."""
        return ending(self.fit_steps(X, y, sample_weight))

    def fit_steps(self, X: Any, y: Any, sample_weight: Any = None) -> Steps[ClassificationTree]:
        """Fit as `fit` does, and yield on the way how much is done, of how much, in words; return the estimator."""
        F, sample = self.field(), self.read(X, y, sample_weight)
        depth = self.integer("max_depth", 1, or_none=True)
        alpha = self.number(F, "ccp_alpha", least=0)
        steps = tree.steps(
            sample,
            combinations=self.one_of("combinations", True, False),
            max_depth=depth,
            least=self.number(F, "min_leaf", above=0),
        )
        self._grown = yield from mapped(steps, _progress)
        self.keep(tree.pruned(self._grown, alpha), sample)
        return self

    def pruned(self, ccp_alpha: Any) -> ClassificationTree:
        """Return the tree for another price of a leaf: nothing is grown again."""
        self.is_fitted()
        other: ClassificationTree = clone(self).set_params(ccp_alpha=ccp_alpha)
        alpha = other.number(other.field(), "ccp_alpha", least=0)
        other.classes_, other._grown = list(self.classes_), self._grown
        other.keep(tree.pruned(self._grown, alpha), self._sample)
        return other

    @cached_property
    def n_leaves_(self) -> int:
        """The number of leaves."""
        self.is_fitted()
        return len(self._model.leaves)

    @cached_property
    def depth_(self) -> int:
        """The most splits on the way to a leaf."""
        self.is_fitted()
        depth: int = self._model.depth
        return depth

    @cached_property
    def splits_(self) -> list[str]:
        """The splits in words: what goes left, a parent before its children."""
        self.is_fitted()
        return [_words(node.split) for node in self._model.nodes if node.split is not None]

    @cached_property
    def alphas_(self) -> list[list[Any]]:
        """The prices at which the tree changes, ascending: [α, leaves, weight of training errors]."""
        self.is_fitted()
        found = []
        for alpha, model in tree.sequence(self._grown):
            errors = Fraction(sum(model.nodes[i].errors for i in model.leaves), model.unit)
            found.append([self._number(alpha), len(model.leaves), self._number(errors)])
        return found

    @cached_property
    def certificate_(self) -> Certificate:
        """That each split is the best of its node and the tree the least of all subtrees in price, counted again.

        "feasible": each split is the best for its node alone; a tree with less error of that size may exist.
        """
        self.is_fitted()
        F, s = self.field(), self._sample
        alpha = self.number(F, "ccp_alpha")
        failures = rule_certificate.grown(
            s, self._grown, combinations=self.combinations, depth=self.max_depth, least=self.number(F, "min_leaf")
        )
        total = Fraction(sum(self._grown.nodes[0].counts), self._grown.unit)
        failures += [rule_certificate.pruned(self._grown, self._model, alpha), *self.delivered()]
        failures.append(rule_certificate.prices(self.alphas_, total, F.eps))
        return counted(concluded(failures, 0, premise="splits are the best of their nodes, one by one"))

    def _number(self, value: Fraction) -> Number:
        return self.field().lift(rational(value))


def _progress(stop: tuple[int, int]) -> tuple[int, int, str]:
    return (*stop, "tree: points in leaves")


def _words(split: Any) -> str:
    threshold = show(split.threshold)
    if split.direction is None:
        return f"x{split.variable} ≤ {threshold}"
    terms = [(a, j) for j, a in enumerate(split.direction) if a]
    return " + ".join(f"{show(a)} x{j}" for a, j in terms) + f" ≤ {threshold}"
