"""The single-layer perceptron."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from refclass.certificate import Certificate
from refclass.discriminants.comparators import perceptron
from refclass.discriminants.decision.exact import concluded
from refclass.discriminants.logistic import fit_certificate
from refclass.errors import NotExact
from refclass.estimators.discriminants.least_squares import responses
from refclass.estimators.protocol.discriminant import Discriminant, table
from refclass.estimators.protocol.estimator import Steps
from refclass.estimators.protocol.more_digits import STEEP, at_ceiling, faint, in_more_digits, moved, steep
from refclass.iteration import ending, mapped
from refclass.linear.matrix import Matrix
from refclass.number.binary64 import NORMAL
from refclass.number.field import Number
from refclass.sample import spectral
from refclass.sample.moments import moments


class Perceptron(Discriminant):
    """Linear outputs, one for each class, trained by their gradient  [CMP-SLP] [YANG-T12.3].

        minimise ½ Σᵢ wᵢ ‖yᵢ − b − Bᵀxᵢ‖²        class of x = argmaxₖ (bₖ + βₖᵀx)

    The steps are those of conjugate gradients, all inputs at once. Trained to its end the perceptron is regression on
    the indicator matrix.

    Parameters
    ----------
    tol : number > 0, or None, default None
        The training ends once the gradient is this share of what it was at the start; None: at roundoff.
    max_iter : int ≥ 1, default 1000
        The most steps.
    arithmetic : "float", "exact" or "decimal:n", default "float"
        The numbers that are computed with; in "exact" p + 1 steps or fewer.

    Attributes
    ----------
    classes_ : list of K labels
        The classes, sorted where they can be compared, else in order of appearance.
    coef_ : K × p numbers, or 1 × p for two classes
        The coefficients of the outputs; for two classes of their difference.
    intercept_ : list of K numbers, or of one
        The constants of the same functions.
    objective_ : number
        ½ Σᵢ wᵢ ‖yᵢ − b − Bᵀxᵢ‖².
    n_iter_ : int
        How many iterations were made.
    certificate_ : Certificate
        The sum of squares, and how far it is above the least, in exact arithmetic from the data as given.

    Raises
    ------
    InvalidInput
        For bad data or parameters.
    NotConverged
        With the last coefficients.

    See Also
    --------
    LeastSquaresClassifier : the same functions by a linear system

    References
    ----------
    - M. R. Hestenes and E. Stiefel (1952). Methods of conjugate gradients for solving linear systems. Journal of
      Research of the National Bureau of Standards 49, 409-436.

    Examples
    --------
    >>> model = Perceptron(arithmetic="exact").fit([[0], [2], [6], [8]], list("aabb"))
    >>> model.coef_, model.n_iter_
    ([[Fraction(3, 10)]], 2)
    """

    method = "perceptron"
    equations = ("YANG-T12.3", "ESL-4.3-masking")
    fitted = ("classes_", "coef_", "intercept_", "objective_", "n_iter_")
    measured = ("objective_",)

    def __init__(self, *, tol: Any = None, max_iter: Any = 1000, arithmetic: Any = "float") -> None:
        self.tol = tol
        self.max_iter = max_iter
        self.arithmetic = arithmetic

    def doubtful(self) -> bool:
        """Return whether roundoff decides: many steps, outputs that hardly vary, or columns that nearly depend.

        A gradient of zero up to roundoff determines what is fitted, not the coefficients of such columns.
        """
        s = self._sample
        if s.kind is float and self.n_iter_ > 2 * (s.p + 1):
            return True
        if faint(Matrix.of([self._model.scores(x) for x in s.X])) or self._is_steep():
            return True
        return bool(STEEP * moved(self._model.regression.coefficients, s.X) > 1)

    def _is_steep(self) -> bool:
        s, scatter = self._sample, perceptron.problem(self._sample).scatter()
        if not scatter.largest():
            return False
        return steep(spectral.pseudo_inverse(self.field(), scatter), lambda: moments(s).total)

    @in_more_digits
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Perceptron:
        """Fit to the rows of X with labels y; an integer weight stands for copies of its row."""
        return ending(self.fit_steps(X, y, sample_weight))

    def fit_steps(self, X: Any, y: Any, sample_weight: Any = None) -> Steps[Perceptron]:
        """Fit as `fit` does, and yield on the way how much is done, of how much, in words; return the estimator."""
        F, sample = self.field(), self.read(X, y, sample_weight)
        most = self.integer("max_iter", 1)
        tol = None if self.tol is None else self.number(F, "tol", least=0)
        states = perceptron.fit_steps(F, sample, tol=tol, max_iter=most)
        model = yield from mapped(states, self._progress)
        if any(v - v != 0 for row in (*model.regression.coefficients, model.regression.intercepts) for v in row):
            raise NotExact(self.method, need="coefficients within the range of doubles", got="one beyond it")
        self.keep(model, sample)
        self._measure()
        return self

    def held(self) -> None:
        """Set the objective of the rounded coefficients.  Raises NotExact where it is beyond the doubles."""
        super().held()
        self._measure()

    def _measure(self) -> None:
        """Set objective_ to that of coef_ and intercept_ as they are, rounded once."""
        s = self._sample
        squares = fit_certificate.sum_of_squares(s, responses(s), self.coef_, self.intercept_)
        self.objective_ = self.field().delivered(self.method, squares / self._halves())

    def _halves(self) -> int:
        """Return how many objectives the sum of squares of the functions is that are delivered."""
        return 4 if self._sample.K == 2 else 2

    def _progress(self, state: perceptron.State) -> tuple[int, int, str]:
        self.n_iter_ = state.step
        return state.step, self.max_iter, f"perceptron: {float(state.value):.6g}"

    @cached_property
    def coef_(self) -> list[list[Number]]:
        """The coefficients: K rows, or for two classes one."""
        self.is_fitted()
        rows = self._model.regression.coefficients.T
        return table(rows) if len(rows) > 2 else [list(rows[1] - rows[0])]

    @cached_property
    def intercept_(self) -> list[Number]:
        """The intercepts: K numbers, or for two classes one."""
        self.is_fitted()
        b = self._model.regression.intercepts
        return list(b) if len(b) > 2 else [b[1] - b[0]]

    @cached_property
    def certificate_(self) -> Certificate:
        """The proof, exact, from the data as given: the normal equations, the sum of squares and the least one.

        primal and dual are twice objective_, for two classes (on ŷ₁ − ŷ₀, with −1 and 1) four times.
        """
        self.is_fitted()
        s = self._sample
        found = fit_certificate.squares(s, responses(s), self.coef_, self.intercept_, 0)
        value = found.primal / self._halves()
        failures = [*self.delivered(), *found.failures]
        failures.append(fit_certificate.value("the objective", self.objective_, value, max(value, NORMAL)))
        unique = {"fitted values": True}
        proof = concluded(
            failures, self.field().eps, premise=found.premise, unique=unique, primal=found.primal, dual=found.dual
        )
        return at_ceiling(self, proof)
