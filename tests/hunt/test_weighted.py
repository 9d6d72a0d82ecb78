"""The hunt's cases with weights from 10⁻⁹ to 10⁹: costs that no scale of the proof may take for the objective's."""

import random
from dataclasses import dataclass, fields

import pytest

from refclass import errors
from tests.hunt.examine import ASKED, ceiling, digits, limited, refused
from tests.hunt.kinds import Case, case
from tests.profiles import examples

STEP = 10
WEIGHTS = (1e-9, 1e-3, 1.0, 1e3, 1e9)


@dataclass(frozen=True)
class Weighted(Case):
    """A fit with a weight for each row."""

    weights: tuple = ()

    def fit(self, arithmetic="float"):
        """Return the fitted estimator."""
        return self.estimator(arithmetic).fit(self.X, self.y, sample_weight=list(self.weights))

    def problem(self):
        """Return the problem as JSON has it."""
        return {**super().problem(), "weights": list(self.weights)}


def weighted(seed):
    """Return the case of a seed with weights; None for methods that take none."""
    own, r = case(seed), random.Random(f"weights {seed}")
    if own.method in ("svm_path", "ridge"):
        return None
    weights, given = tuple([r.choice(WEIGHTS) for _ in own.y]), {f.name: getattr(own, f.name) for f in fields(Case)}
    if r.random() < 0.5:  # more columns than rows
        given["X"] = [[*x, *[r.gauss(0, 1) ** 3 for _ in range(14)]] for x in own.X]
    return Weighted(**given, weights=weights)


def wrong(own):
    """Return what is wrong with the fit of a case, in words; empty if nothing is."""
    try:
        with limited(20):
            model = own.fit()
            certificate = model.certificate_
    except errors.Refusal as refusal:
        return refused(own, refusal)
    found, _ = digits(own, model)
    if certificate.status == "optimal" and found < ASKED:
        return f'"optimal" with {found} digits, {certificate.digits} claimed'
    if found < ASKED:
        most = ceiling(own, model)
        if most is None or found < min(most - 1, ASKED):
            return f"{found} digits ({certificate.status}), ceiling {most}"
    return ""


@pytest.mark.long
@pytest.mark.parametrize("first", range(0, examples(40), STEP))
def test_no_weighted_answer_is_poor_or_silent(first):
    """Nine digits or one less than the ceiling; "optimal" means nine; a refusal has its bounds."""
    cases = {seed: own for seed in range(first, first + STEP) if (own := weighted(seed))}
    found = {seed: words for seed, own in cases.items() if (words := wrong(own))}
    assert not found, found
