"""Mixture discriminant analysis."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from typing import Any

from refclass.certificate import ASKED, Certificate
from refclass.discriminants.mixture import mda
from refclass.errors import InvalidInput, NotConverged, NotExact, Refusal, quoted
from refclass.estimators.discriminants import subclass_starts
from refclass.estimators.protocol.certificates.claimed import Reported
from refclass.estimators.protocol.discriminant import Discriminant, Probabilistic, table
from refclass.estimators.protocol.estimator import Steps
from refclass.estimators.protocol.more_digits import STEPS, in_more_digits, limit, more, rounded
from refclass.iteration import ending, mapped
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.number.field import Field, Number
from refclass.number.tolerance import decades
from refclass.optimise.mixture import anderson, em, em_certificate
from refclass.optimise.mixture.likelihood import VARIANTS, Mixture, Problem, log_likelihood
from refclass.sample.mean import distant, mean
from refclass.sample.observations import Sample, representable

SETTLED = Fraction(1, 10**40)  # changes of shares at which an iteration in decimals ends


class MixtureDiscriminantAnalysis(Probabilistic, Discriminant):
    """Each class a mixture of normal subclasses, one covariance for all  [YANG-mda-density] [YANG-mda-likelihood].

        maximise ℓ = Σₖ Σ_{i∈Iₖ} log{Πₖ Σᵣ πₖᵣ φ(xᵢ; μₖᵣ, Σ)}        class of x = argmaxₖ Πₖ Σᵣ πₖᵣ φ(x; μₖᵣ, Σ)

    Parameters
    ----------
    subclasses : int, K of them, or dict, default 3
        R: one number for all classes, K numbers in the order of classes_, or a number for each label.
    start : None, n int, or n rows of numbers, default None
        Where the iteration begins. None: each class's points grouped around prototypes, by the seed; n subclass
        numbers 0 … R − 1, one for each row; or n rows of shares ≥ 0 that sum to one, a number for each subclass of
        the row's class.
    restarts : int ≥ 1, default 1
        With no start given, from how many groupings the iteration begins; the largest ℓ counts, the first among
        equals.
    n_components : int or None, default None
        L: the subclass means are held to a plane of L dimensions; None for no such constraint.
    priors : K numbers > 0, or None, default None
        The priors in the order of classes_; None for the shares of the classes.
    variant : "exact" or "old_means", default "exact"
        The step for Σ: about the new means, or about the means of the step before, as the slides print it.
    degenerate : "refuse" or "drop", default "refuse"
        What becomes of a subclass that has lost its points. A singular Σ is refused.
    solver : "auto" or "em", default "auto"
        "auto": Anderson acceleration (Walker and Ni 2011), which ends at the same stationary points; "em": the steps of
        EM alone, which "old_means" takes in any case.
    max_iter : int ≥ 1, default 10000
        The most steps of one iteration.
    tol : number > 0, or None, default None
        An iteration ends when no share changes by more; None: when roundoff makes the changes.
    seed : int, default 0
        The seed of the grouping: the same seed and data give the same answer, bit for bit.
    arithmetic : "float", "decimal:n" or "exact", default "float"
        The numbers that are computed with; "exact" with one subclass for each class.

    Attributes
    ----------
    classes_ : list of K labels
        The classes, sorted where they can be compared, else in order of appearance.
    priors_ : list of K numbers
        The prior of each class; they sum to one.
    subclasses_ : list of K int
        R of each class.
    weights_ : K lists of R numbers
        π, the share of each subclass; those of a class sum to one.
    means_ : K lists of R × p numbers
        The subclass means, in the units of X.
    covariance_ : p × p numbers
        Σ, divisor n, in the units of X squared.
    log_likelihood_ : number
        ℓ at the end, class shares included.
    log_likelihoods_ : list of numbers
        ℓ after each step of the best iteration.
    start_log_likelihoods_ : list of numbers or None
        ℓ at the end of each iteration, None if it was refused.
    n_iter_ : int
        How many iterations were made.
    eigenvalues_ : list of L numbers
        The variance of the subclass means along each canonical variate, descending.
    scalings_ : p × L numbers
        The canonical variates of the subclass means, as columns.
    certificate_ : Certificate
        The proof of a stationary point, never more, in exact arithmetic from the data as given.

    Raises
    ------
    InvalidInput
        For bad data or parameters.
    NoAnswer
        With a direction if Σ becomes singular, with class and subclass if one loses its points.
    NotConverged
        With the last mixture.

    See Also
    --------
    LinearDiscriminantAnalysis : one subclass for each class

    References
    ----------
    - A. P. Dempster, N. M. Laird and D. B. Rubin (1977). Maximum likelihood from incomplete data via the EM algorithm.
      Journal of the Royal Statistical Society B 39, 1-38.
    - T. Hastie and R. Tibshirani (1996). Discriminant analysis by Gaussian mixtures. Journal of the Royal Statistical
      Society B 58, 155-176.
    - T. Hastie, R. Tibshirani and J. Friedman (2009). The Elements of Statistical Learning, second edition, section
      12.7.

    Examples
    --------
    >>> X = [[0.0], [0.3], [4.0], [4.4], [2.0], [2.1], [2.5]]
    >>> model = MixtureDiscriminantAnalysis(subclasses={"a": 2, "b": 1}).fit(X, list("aaaabbb"))
    >>> model.predict([[0.1], [2.2], [4.1]]), model.certificate_.status
    (['a', 'b', 'a'], 'stationary')
    """

    method = "mda"
    equations = (
        "YANG-mda-density",
        "YANG-mda-posterior",
        "YANG-mda-likelihood",
        "YANG-mda-e-step",
        "YANG-mda-m-step",
    )
    history = ("log_likelihoods_", "start_log_likelihoods_", "n_iter_")
    fitted = (
        "classes_",
        "priors_",
        "subclasses_",
        "weights_",
        "means_",
        "covariance_",
        "log_likelihood_",
        "log_likelihoods_",
        "start_log_likelihoods_",
        "n_iter_",
        "eigenvalues_",
        "scalings_",
    )

    log_likelihoods_: list[Number]
    _problem: Problem

    def __init__(
        self,
        *,
        subclasses: Any = 3,
        start: Any = None,
        restarts: Any = 1,
        n_components: Any = None,
        priors: Any = None,
        variant: Any = "exact",
        degenerate: Any = "refuse",
        solver: Any = "auto",
        max_iter: Any = 10000,
        tol: Any = None,
        seed: Any = 0,
        arithmetic: Any = "float",
    ) -> None:
        self.subclasses = subclasses
        self.start = start
        self.restarts = restarts
        self.n_components = n_components
        self.priors = priors
        self.variant = variant
        self.degenerate = degenerate
        self.solver = solver
        self.max_iter = max_iter
        self.tol = tol
        self.seed = seed
        self.arithmetic = arithmetic

    def doubtful(self) -> bool:
        """Return whether doubles leave the covariance, or the likelihood beside the exponents it sums, few digits.

        Of a plane it is the covariance about free means that few digits may be left of; a step in decimals shows it.
        """
        free = self.n_components is not None and self.tol is None
        unsure = mda.unsure(self.field(), self._sample, self._model, limit(self._sample.kind))
        return unsure or (free and (self.proven(self.field().eps).digits or 0) < ASKED)

    def certain(self, refusal: Refusal) -> bool:
        """Return whether an iteration has ended so: in more digits it would come nearer to the same end."""
        return bool(self.subclasses != 1)

    def work(self) -> int:
        """Return how many multiplications a fit is, about: some thousands for each point of a class of several."""
        s, sizes = self._sample, self._sizes(self._sample)
        return super().work() + s.n * sum(sizes) * (5000 if max(sizes) > 1 else s.p)

    def in_decimals(self, name: str) -> Any:
        """Return the estimator in an arithmetic, its shares to settle to as many digits as anybody asks for."""
        own = {"tol": SETTLED if self.tol is None else self.tol, "max_iter": min(self.max_iter, STEPS)}
        return super().in_decimals(name).set_params(**own)

    @cached_property
    def _more(self) -> Any:
        """The mixture as it is reported, in decimals."""
        known = self.in_decimals(f"decimal:{more(self.field())}")
        known.classes_, known._model, known._width = self.classes_, self._model.lifted(known.field()), self._width
        known.log_likelihoods_ = self.log_likelihoods_
        return known

    def answering(self) -> Any:
        """Return the mixture as it is reported: what is predicted, and derived, follows from the rounded numbers."""
        return self._more if "_twin" in vars(self) else None

    def is_rounded(self) -> bool:
        """Return whether the mixture is that of a fit in decimals, rounded."""
        known, names = vars(self).get("_twin"), ("weights_", "means_", "covariance_")
        return known is not None and all(getattr(self, v) == rounded(getattr(known, v), self.field()) for v in names)

    def held(self) -> None:
        """Derive, after a fit in decimals, what follows from the rounded mixture.  Raises NotExact as the model."""
        super().held()
        if (known := self.answering()) is None:
            return
        F = self.field()
        self._problem = replace(self._problem, X=self._sample.X, weights=self._sample.weights)
        vars(self).update({n: rounded(getattr(known, n), F) for n in ("eigenvalues_", "scalings_") if n in vars(self)})
        if self.log_likelihoods_:
            reached = em_certificate.value(known.field(), self._problem, self._model.mixture)
            self.log_likelihoods_[-1] = F.delivered(self.method, reached)
            vars(self).pop("log_likelihood_", None)
        if (found := self.proven(F.eps)).digits == 0:  # what is predicted follows from the rounded mixture, too
            need = "a covariance that is positive definite beyond roundoff"
            raise NotConverged(self.method, need=need, got="a nearly singular one", where=found.where)

    @in_more_digits
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> MixtureDiscriminantAnalysis:
        """Fit to the rows of X with labels y; an integer weight stands for copies of its row."""
        return ending(self.fit_steps(X, y, sample_weight))

    def fit_steps(self, X: Any, y: Any, sample_weight: Any = None) -> Steps[MixtureDiscriminantAnalysis]:
        """Fit as `fit` does, and yield on the way how much is done, of how much, in words; return the estimator."""
        F, sample = self.field(), self.read(X, y, sample_weight)
        representable(sample, self.method)
        sizes = self._sizes(sample)
        origin = distant(sample.X[0], mean(sample.whole))
        near = sample if origin is None else origin.measured(sample)
        problem, self._problem = (
            mda.problem(
                own,
                priors=self.given_priors(F, sample.K),
                rank=self.components(min(sample.p, sum(sizes) - 1)),
                variant=self.one_of("variant", *VARIANTS),
                drop=self.one_of("degenerate", "refuse", "drop") == "drop",
            )
            for own in (near, sample)
        )
        if F.exact and (max(sizes) > 1 or problem.rank is not None):
            need = "one subclass for each class and no n_components in exact arithmetic"
            raise NotExact(self.method, need=need, got=f"{list(sizes)}, {problem.rank}")
        count = self.integer("restarts", 1)
        if max(sizes) > 1:
            mda.require_variance(F, sample, near)
        if self.start is None:
            starts = subclass_starts.clustered(F, near, sizes, self.seed, count)
        elif count > 1:
            raise InvalidInput(self.method, need="one start, if it is given", got=f"restarts={count}")
        else:
            starts = [subclass_starts.given(F, near, problem, sizes, self.start)]
        tol = None if self.tol is None else self.number(F, "tol", least=0)
        plain = self.one_of("solver", "auto", "em") == "em" or problem.variant != "exact"
        iterate = em.steps if plain else anderson.steps
        most = self.integer("max_iter", 1)
        states = mda.fit_steps(F, problem, starts, tol=tol, max_iter=most, iterate=iterate, origin=origin)
        self._fit = yield from mapped(states, self._progress)
        self._fit.model.held()
        self.keep(self._fit.model, sample)
        self._describe()
        if origin is not None and self.log_likelihoods_:
            # Method: what is reported is the likelihood of the means as they are rounded.
            rounded = [Matrix.of([mu - origin.centre for mu in A]) for A in self._model.mixture.means]
            found = replace(self._model.mixture, means=tuple(rounded))
            self.log_likelihoods_[-1] = log_likelihood(F, problem, found)
        return self

    def claim(self, X: Any, y: Any, reported: Reported, sample_weight: Any = None) -> bool:
        """Take the weights, means and covariance that somebody reports for those of the fit; nothing is solved.

        Return False, and take nothing, where they are not reported, or where no coordinates of reduced rank are judged.
        Raises    InvalidInput where their form does not fit the data
        """
        if not all(name in reported for name in ("weights", "means", "covariance")):
            return False
        F, sample = self.field(), self.read(X, y, sample_weight)
        if (held := getattr(F.kind, "precision", 0)) and (extra := decades(sample.weights)):
            self.arithmetic = f"decimal:{held + extra}"  # Premise: a regular covariance may be singular in fewer
            F, sample = self.field(), self.read(X, y, sample_weight)
        sizes = self._sizes(sample)
        rank = self.components(min(sample.p, sum(sizes) - 1))
        problem = mda.problem(sample, priors=self.given_priors(F, sample.K), rank=rank, variant=self.variant)
        shares = reported.rows("weights", sample.K)
        nested = [Reported({"means": rows}) for rows in reported.values["means"]]
        means = [own.rows("means", len(pi), sample.p) for own, pi in zip(nested, shares)]
        if len(means) != sample.K or any(len(pi) != r for pi, r in zip(shares, sizes)):
            need = f"means and weights of {', '.join(map(str, sizes))} subclasses"
            raise InvalidInput("verify", need=need, got=", ".join(str(len(pi)) for pi in shares))
        mixture = Mixture(
            tuple([Vector.of(map(F.lift, pi)) for pi in shares]),
            tuple([_lifted(F, rows) for rows in means]),
            _lifted(F, reported.rows("covariance", sample.p, sample.p)),
        )
        value = log_likelihood(F, problem, mixture)
        self._fit = mda.Fit(mda.rule(F, problem.priors, mixture), em.Answer(mixture, (value,), ()), (value,))
        self._problem = problem
        self.keep(self._fit.model, sample)
        self._describe()
        return True

    def proven(self, eps: Any) -> Certificate:
        """Return how far one more step would move the mixture as it is delivered, and how far all else is off it."""
        from refclass.estimators.protocol.certificates import mixture_certificate  # loaded when it is first asked for

        self.is_fitted()
        return mixture_certificate.proven(self, self._problem, eps)

    def _describe(self) -> None:
        mixture = self._model.mixture
        self.priors_ = list(self._model.priors)
        self.subclasses_ = list(map(len, mixture.weights))
        self.weights_ = list(map(list, mixture.weights))
        self.means_ = list(map(table, mixture.means))
        self.covariance_ = table(mixture.covariance)
        self.log_likelihoods_ = list(self._fit.answer.values)
        self.start_log_likelihoods_ = list(self._fit.values)
        self.n_iter_ = max(0, len(self.log_likelihoods_) - 1)

    def _progress(self, stop: tuple[int, em.State]) -> tuple[int, int, str]:
        return stop[1].step, self.max_iter, f"mda, start {stop[0] + 1}: ℓ = {float(stop[1].value):.6f}"

    def _sizes(self, sample: Sample) -> tuple[int, ...]:
        """Return R of each class."""
        given = self.subclasses
        if isinstance(given, Mapping):
            given = [given.get(label) for label in sample.classes] if set(given) == set(sample.classes) else None
        sizes = [given] * sample.K if type(given) is int else given
        sound = isinstance(sizes, Iterable) and not isinstance(sizes, (str, bytes))
        found = tuple(sizes) if sound and sizes is not None else ()
        if len(found) != sample.K or not all(type(r) is int and r >= 1 for r in found):
            need = f"subclasses an integer ≥ 1, {sample.K} of them, or one for each label"
            raise InvalidInput(self.method, need=need, got=quoted(self.subclasses))
        return found

    @cached_property
    def log_likelihood_(self) -> Number:
        """ℓ at the end.  Raises NotExact in exact arithmetic."""
        self.is_fitted()
        if not self.log_likelihoods_:
            raise NotExact(self.method, need="logarithms for the likelihood", got="exact arithmetic")
        return self.log_likelihoods_[-1]

    @cached_property
    def _variates(self) -> Any:
        self.is_fitted()
        return mda.coordinates(self.field(), self._model, self.n_components)

    @cached_property
    def eigenvalues_(self) -> list[Number]:
        """The variance of the subclass means along each canonical variate, that within being one."""
        return list(self._variates.eigenvalues)

    @cached_property
    def scalings_(self) -> list[list[Number]]:
        """The canonical variates of the subclass means as columns."""
        return table(self._variates.vectors)

    @cached_property
    def certificate_(self) -> Certificate:
        """How far one more step would move the mixture, computed in 50 digits from the data as given."""
        return self.proven(self.field().eps)

    def transform(self, X: Any) -> list[list[Number]]:
        """Return the canonical variates of the subclass means at each row of X."""
        variates: Any = self._variates
        return self._each(self.rows(X), lambda x: list(variates.transform(x)))

    def subclass_proba(self, X: Any) -> list[list[list[Number]]]:
        """Return for each row of X and each class the posteriors of its subclasses; all of a row sum to one."""
        return [self._split(list(self._model.subclass_posterior(x))) for x in self.rows(X)]

    def _split(self, flat: list[Number]) -> list[list[Number]]:
        ends = [0, *accumulate(self.subclasses_)]
        return [flat[a:b] for a, b in zip(ends, ends[1:])]


def _lifted(F: Field, rows: list[list[Any]]) -> Matrix:
    return Matrix.of([Vector.of(map(F.lift, row)) for row in rows])
