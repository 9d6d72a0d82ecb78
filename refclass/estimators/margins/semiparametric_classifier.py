"""Two classes by loss plus penalty, polynomials beside the kernel unpenalised."""

from __future__ import annotations

from typing import Any

from refclass.errors import InvalidInput, quoted
from refclass.estimators.protocol.estimator import Classifier
from refclass.estimators.protocol.semiparametric import SemiparametricMachine
from refclass.linear.vector import Vector
from refclass.losses.conjugate_pieces import Pieces
from refclass.number.rational import RATIONAL
from refclass.sample import data


class SemiparametricClassifier(Classifier, SemiparametricMachine):
    """Loss plus penalty with polynomials that cost nothing  [ESL-12.30] [ESL-12.3.3-additive].

        minimise Σ wᵢ L(yᵢ f(xᵢ)) + ½λ‖g‖²        f(x) = g(x) + Σ dₖ tₖ(x)        g = Σ cᵢ K(xᵢ, ·)

    The tₖ are the monomials up to a degree; the c are contrasts, Σ cᵢ tₖ(xᵢ) = 0. With the kernel "spline" and
    degree 1 it is ESL's machine of additive smoothing splines, J(f) = Σⱼ ∫ fⱼ″² with {1, xⱼ} free; with "thin_plate"
    and degree 1 the machine of thin-plate splines, whose kernel is positive on contrasts only. y is +1 for
    classes_[1] and −1 for classes_[0].

    Parameters
    ----------
    loss : str, default "hinge"
        L: "hinge", "squared_hinge", "huberised_hinge" or "squared", as `KernelClassifier` has them.
    penalty : number > 0, default 1
        λ.
    kernel : str, dict or Kernel, default "spline"
        The kernel, on rows of numbers: "spline", {"name": "thin_plate", "sigma": 1}, {"name": "gaussian", "gamma": 1},
        …
    degree : int ≥ 0, default 1
        The degree of the polynomials that cost nothing; 0 for the intercept alone.
    arithmetic : "float", "exact" or "decimal:n", default "float"
        The numbers of the answer; it is computed in fractions and rounded, for "float" in doubles where these prove
        nine digits. A kernel that is not rational is taken at the binary64 value of each entry of its Gram matrix.

    Attributes
    ----------
    classes_ : list of two labels
        The classes, sorted where they can be compared, else in order of appearance.
    coefficients_ : list of n numbers
        The cᵢ.
    support_ : list of int
        The rows of X whose coefficient is not zero.
    polynomial_ : list of m numbers
        The dₖ: of 1, x₁, x₂, …, x₁², x₁x₂, …
    objective_ : number
        The objective at the answer.
    dual_objective_ : number or None
        The lower bound that the coefficients prove; None where they prove none.
    certificate_ : Certificate
        The proof, computed in exact arithmetic from the data as given when it is first asked for.

    Raises
    ------
    InvalidInput
        For bad data, parameters, or more than two classes.
    NoAnswer
        If a polynomial vanishes at all points, or the kernel is not positive semidefinite on the contrasts.

    See Also
    --------
    KernelClassifier : every loss, with an intercept alone
    SemiparametricRegression : the same for numbers

    References
    ----------
    - A. J. Smola, T. T. Friess and B. Schölkopf (1999). Semiparametric support vector and linear programming machines.
      Advances in Neural Information Processing Systems 11.
    - T. Hastie, R. Tibshirani and J. Friedman (2009). The Elements of Statistical Learning, second edition, section
      12.3.3.

    Examples
    --------
    >>> X, y = [[0], [1], [2], [3], [4]], [-1, 1, 1, -1, 1]
    >>> m = SemiparametricClassifier(penalty="1/10", arithmetic="exact").fit(X, y)
    >>> sum(m.coefficients_), sum(c * x for c, (x,) in zip(m.coefficients_, X)), m.certificate_.gap
    (Fraction(0, 1), Fraction(0, 1), Fraction(0, 1))
    """

    method = "semiparametric_classifier"
    only_two_classes = True
    losses = ("hinge", "squared_hinge", "huberised_hinge", "squared")
    equations = ("ESL-12.30", "ESL-12.3.3-additive", "MMST-T11.1")
    fitted = ("classes_", *SemiparametricMachine.fitted)

    def __init__(
        self,
        *,
        loss: Any = "hinge",
        penalty: Any = 1,
        kernel: Any = "spline",
        degree: int = 1,
        arithmetic: str = "float",
    ) -> None:
        self.loss = loss
        self.penalty = penalty
        self.kernel = kernel
        self.degree = degree
        self.arithmetic = arithmetic

    def responses(self, y: Any, n: int) -> Vector:
        """Return −1 and +1 for the two labels, in class order."""
        names, numbers = data.labels(y, n)
        if len(names) != 2:
            raise InvalidInput("data", need="labels of two classes in y", got=f"{len(names)}: {quoted(list(names))}")
        self._names = list(names)
        return Vector.of([RATIONAL.lift(2 * k - 1) for k in numbers])

    def pieces(self, loss: Any, response: Any) -> Pieces:
        """Return the pieces of the loss of a label."""
        found: Pieces = loss.of_label(RATIONAL, response)
        return found

    def _tell(self) -> None:
        self.classes_ = list(self._names)
        super()._tell()

    def decision_function(self, X: Any) -> list[Any]:
        """Return f(x) for each row of X, positive for classes_[1]."""
        return self.scores(X)

    def predict(self, X: Any) -> list[Any]:
        """Return a label for each row of X; exactly zero is given to classes_[1]."""
        return [self.classes_[1 if f >= 0 else 0] for f in self.decision_function(X)]
