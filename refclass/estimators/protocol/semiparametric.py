"""What the two machines with polynomials beside the kernel share: a fit, its attributes, and an exact proof."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import replace
from functools import cached_property
from itertools import compress
from math import inf
from typing import Any, ClassVar, Optional

from refclass.bases.polynomial import Monomials
from refclass.certificate import ASKED, Certificate, lost
from refclass.errors import InvalidInput, NotConverged, NotExact
from refclass.estimators.protocol.certificates import stated
from refclass.estimators.protocol.certificates.claimed import Reported
from refclass.estimators.protocol.estimator import Estimator
from refclass.estimators.protocol.given import kernel_input as points
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.losses import loss as losses_by_name
from refclass.losses.conjugate_pieces import Pieces, scaled
from refclass.losses.loss import Loss
from refclass.number import text
from refclass.number.binary64 import BINARY64
from refclass.number.rational import RATIONAL
from refclass.regress.kernel import null_space
from refclass.regress.kernel.machine import Machine
from refclass.regress.kernel.null_space import Model, Semiparametric
from refclass.regress.kernel.null_space_certificate import certify
from refclass.sample import data


class SemiparametricMachine(Estimator):
    """Loss plus penalty with polynomials that cost nothing beside the kernel  [ESL-12.30].

    A subclass says what its responses are, and the pieces of their losses.
    """

    loss: Any
    penalty: Any
    kernel: Any
    degree: Any
    losses: tuple[str, ...]
    _ceiling: Optional[float]
    fitted: ClassVar[tuple[str, ...]] = ("coefficients_", "support_", "polynomial_", "objective_", "dual_objective_")

    def responses(self, y: Any, n: int) -> Vector:
        """Return the n responses in fractions.  Raises InvalidInput."""
        raise NotImplementedError

    def pieces(self, loss: Any, response: Any) -> Pieces:
        """Return the pieces of the loss of a point."""
        found: Pieces = loss.pieces(RATIONAL)
        return found

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Fit responses y on the points X; a weight ≥ 0 multiplies the loss of its row.

        Raises    InvalidInput, naming row and column, for bad data or parameters; NoAnswer where another polynomial has
                  the same values at the points, or the kernel is not positive semidefinite on the contrasts; NotExact
                  for numbers beyond doubles; NotConverged with the bounds where they hold not one digit of the optimum
        """
        given, make = self._asked(X, y, sample_weight)
        try:
            if not self._settled_in_doubles(given, make):
                a, d = null_space.solve(given)
                self._round(given, make, a, d)
                self._hold(given, a, d)
        except OverflowError:
            need = "a kernel matrix, and an answer, within the range of doubles"
            raise NotExact(self.method, need=need, got="larger numbers") from None
        return self

    def _round(self, given: Semiparametric, make: Any, a: Vector, d: Vector) -> None:
        """Take the exact optimum; rounded, with the polynomial of the rounded multipliers or its own, the better one.

        The first is nearest at all points alike, and costs more where a point that weighs 1,000 is moved.
        """
        F = self.field()
        if F.exact:
            self._set(given, make(a, d))
            return
        near = null_space.levelled(given, a, d, Vector.of(map(F.lift, a)).exactly())
        self._set(given, make(a, near))
        digits = self._proof.digits or 0
        if digits < ASKED:
            self._set(given, make(a, d))
            if (self._proof.digits or 0) <= digits:
                self._set(given, make(a, near))

    def _hold(self, given: Semiparametric, a: Vector, d: Vector) -> None:
        """Keep the digits of the rounded optimum as the ceiling.  Raises NotConverged with its value if it has none."""
        F, digits = self.field(), self._proof.digits or float(0)
        if F.exact:
            return
        if digits < 1:
            best = certify(given, a, d).times(self.number(RATIONAL, "penalty", above=0))
            raise lost(self.method, digits, best, F.name)
        self._ceiling = self._proof.digits

    def _settled_in_doubles(self, given: Semiparametric, make: Any) -> bool:
        """Take an answer of doubles where they are asked for and prove nine digits; return whether one is taken."""
        if self.field() is not BINARY64:
            return False
        try:
            self._set(given, make(*null_space.solve(given, doubles=True)))
        except NotConverged:
            return False
        return self._proof.digits is not None and self._proof.digits >= ASKED

    def claim(self, X: Any, y: Any, reported: Reported, sample_weight: Any = None) -> bool:
        """Take the coefficients and the polynomial that somebody reports for those of the fit; nothing is solved.

        Return False, and take nothing, where they are not reported.
        Raises    InvalidInput where their form does not fit the data
        """
        if "coefficients" not in reported or "polynomial" not in reported:
            return False
        given, make = self._asked(X, y, sample_weight)
        spread = reported.numbers("coefficients", len(self._weighted))
        for i, (v, weighted) in enumerate(zip(spread, self._weighted)):
            if v and not weighted:
                raise InvalidInput("verify", need="coefficient 0 where the weight is 0", got=v, row=i)
        self._set(given, make(list(compress(spread, self._weighted)), reported.numbers("polynomial", len(given.T[0]))))
        return True

    def _asked(self, X: Any, y: Any, sample_weight: Any) -> tuple[Semiparametric, Any]:
        """Return the machine that the data require, and how coefficients become a model."""
        F, loss, degree = self.field(), self._loss(), self.integer("degree", 0)
        all_points = points.given(F, self.kernel, X)
        if not isinstance(all_points.points, Matrix):
            raise InvalidInput(self.method, need="a kernel on rows of numbers, which polynomials take", got=self.kernel)
        responses, weights = self.responses(y, len(all_points)), data.weight_vector(F, sample_weight, len(all_points))
        self._weighted = [bool(w) for w in weights]
        places = list(compress(range(len(all_points)), self._weighted))
        if not places:
            raise InvalidInput("data", need="a positive weight in sample_weight", got="none")
        own = all_points.part(places)
        lam = self.number(RATIONAL, "penalty", above=0)
        kept = responses.pick(places)
        pieces = [scaled(self.pieces(loss, t), w / lam) for t, w in zip(kept, weights.pick(places).exactly())]
        basis = Monomials(len(own.points[0]), degree)
        T = [basis(RATIONAL, x.exactly()) for x in own.points]
        known = {"positive": own.kernel.positive, "rounded": not own.kernel.exact}
        given = Semiparametric(Machine(own.exact_table(), kept, tuple(pieces), False, **known), Matrix.of(T))

        def make(a: Any, d: Any) -> Model:
            c, polynomial = (Vector.of([F.delivered(self.method, v) for v in part]) for part in (a, d))
            return Model(F, own.G, own.kernel, own.points, c, polynomial, degree)

        return given, make

    def _loss(self) -> Loss:
        described = {"name": self.loss} if isinstance(self.loss, str) else self.loss
        if not isinstance(described, Mapping) or described.get("name") not in self.losses:
            raise InvalidInput(self.method, need=f"a loss among {', '.join(self.losses)}", got=repr(self.loss))
        return losses_by_name.loss(RATIONAL, described["name"], **_numbers(described))

    def _set(self, given: Semiparametric, model: Model) -> None:
        self.__dict__.pop("certificate_", None)
        self._given, self._model, self._ceiling = given, model, None
        self._proof = self._certified(ASKED)
        self._tell()

    def _certified(self, asked: float) -> Certificate:
        found = certify(self._given, self._model.coefficients, self._model.polynomial, asked=asked)
        return replace(found.times(self.number(RATIONAL, "penalty", above=0)), ceiling=self._ceiling)

    def _tell(self) -> None:
        """Set the attributes that are read off the model and its proof."""
        F, model = self._model.F, self._model
        known = iter(model.coefficients)
        spread = [next(known) if weighted else F.kind(0) for weighted in self._weighted]
        self.coefficients_, self.polynomial_ = spread, list(model.polynomial)
        self.support_ = [i for i, v in enumerate(spread) if v]
        bounds = self._proof.primal, self._proof.dual
        self.objective_, self.dual_objective_ = (None if v is None else F.delivered(self.method, v) for v in bounds)

    @cached_property
    def certificate_(self) -> Certificate:
        """The proof, exact, from the data as given: primal, dual, gap, worst violation and where."""
        return self.proven(self.field().eps)

    def proven(self, eps: Any) -> Certificate:
        """Return the proof; where the answer claims to be exact (eps = 0), "optimal" requires a gap of zero."""
        self.is_fitted()
        found = self._certified(inf if eps == 0 else ASKED)
        return self.covering(stated.objectives(self._model.F, found, self.objective_, self.dual_objective_))

    def restated(self) -> Any:
        """Return a copy whose fitted attributes are set anew from the model that was proven."""
        again = copy(self)
        again._tell()
        return again

    def scores(self, X: Any) -> list[Any]:
        """Return f(x) for each row of X."""
        self.is_fitted()
        model = self._model
        return list(model.scores(model.kernel.points(model.G, X, data.matrix, training=model.points)))


def _numbers(described: Mapping[str, Any]) -> dict[str, Any]:
    """Return the parameters of a loss, text that denotes a number as the number."""
    return {k: text.read(v) for k, v in described.items() if k != "name"}
