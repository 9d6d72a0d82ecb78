"""What a diverging iteration shows: a proof of quasi-complete separation, or nothing."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from refclass.discriminants.logistic import ascent, diverging, logistic, separation
from refclass.errors import NoAnswer
from refclass.number.binary64 import BINARY64
from refclass.number.decimals import decimal
from refclass.sample import data
from tests.discriminants.samples import few
from tests.strategies import samples

drawn = st.integers(2, 3).flatmap(lambda K: samples(classes=K, per_class=(1, 4)))


def fitted_by_steps(rows, labels, F=BINARY64, most=60):
    """Return the problem of separation, the last posteriors and the last step of the iteration."""
    sample = data.read(F, rows, labels)
    asked, states = ascent.problem(F, sample, F.kind(0)), []
    try:
        for state in logistic.steps(asked):
            states.append(state)
            if len(states) > most:
                break
    except NoAnswer:
        pass
    proof = separation.problem(sample.X, sample.labels, sample.K)
    step = [b - a for a, b in zip(states[-2].thetas, states[-1].thetas)]
    return proof, states[-1].P, logistic.uncentred(asked, step)


@few
@given(drawn)
def test_what_is_found_is_what_the_exact_iteration_finds(sample):
    """The points that it leaves between the classes are those that no direction parts: the same as the simplex
    iteration's [LOGIT-SEP.P1]."""
    try:
        proof, P, step = fitted_by_steps(*sample)
    except (NoAnswer, IndexError):  # dependent columns, or an iteration that ends at once
        return
    found, known = diverging.separated(proof, P, step), separation.decide(proof)
    if found is not None:
        assert isinstance(known, separation.Separation) and not found.complete and not known.complete
        heights, others = (separation.margins(proof, s.directions) for s in (found, known))
        assert min(heights) == 0 and [v > 0 for v in heights] == [v > 0 for v in others]


def marked(n, p, K, spread, seed=0):
    """Points of which a last column, of one class only, is positive for some."""
    chance, rows, labels = Random(seed), [], []
    for i in range(n):
        g = i % K
        mark = (chance.random() if spread else 1.0) if g == 1 and chance.random() < 0.3 else 0.0
        rows.append([chance.gauss(0, 1) for _ in range(p)] + [mark])
        labels.append(g)
    return rows, labels


@pytest.mark.parametrize("F", [BINARY64, decimal(20)], ids=lambda F: F.name)
@pytest.mark.parametrize("K", [2, 3])
@pytest.mark.parametrize("spread", [False, True])
def test_a_column_that_only_one_class_has_is_found_without_the_simplex_method(F, K, spread, monkeypatch):
    """The fit is refused as quasi-completely separated, with the direction of that column, and no simplex iteration is
    needed  [LOGIT-SEP.P1]."""
    monkeypatch.setattr(separation, "decide", None)
    rows, labels = marked(45, 3, K, spread)
    sample = data.read(F, rows, labels)
    with pytest.raises(NoAnswer, match="quasi-completely") as refusal:
        logistic.fit(F, sample, penalty=F.kind(0))
    proof = separation.problem(sample.X, sample.labels, K)
    given = refusal.value.witness["direction"]
    heights = separation.margins(proof, [given * 0, given] if K == 2 else given)
    assert min(heights) == 0 < max(heights)
    assert all((v > 0) == (rows[i][-1] > 0) for v, (i, k) in zip(heights, proof.pairs()) if K == 2)


def test_many_columns_at_once_are_found_too():
    """Two such columns, of either class: the direction has both, and leaves the others where they are."""
    rows, labels = marked(80, 3, 2, False)
    chance = Random(5)
    rows = [[*x, float(g == 0 and chance.random() < 0.3)] for x, g in zip(rows, labels)]
    proof, P, step = fitted_by_steps(rows, labels)
    found = diverging.separated(proof, P, step)
    assert found is not None and not found.complete
    *others, one, two = found.directions[1]
    assert not any(others) and one > 0 > two


def test_where_nothing_separates_nothing_is_found():
    """Overlapping classes, and completely separated ones: None decides nothing."""
    chance = Random(1)
    rows = [[chance.gauss(0, 1), chance.gauss(0, 1)] for _ in range(30)]
    assert diverging.separated(*fitted_by_steps(rows, [i % 2 for i in range(30)])) is None
    apart = [[x[0] + 20 * (i % 2), x[1]] for i, x in enumerate(rows)]
    assert diverging.separated(*fitted_by_steps(apart, [i % 2 for i in range(30)], most=20)) is None


def test_a_step_that_leads_nowhere_proves_nothing():
    """Zero steps, and steps the wrong way."""
    rows, labels = marked(40, 2, 2, False)
    proof, P, step = fitted_by_steps(rows, labels)
    assert diverging.separated(proof, P, step) is not None
    for share in (0, -1):
        assert diverging.separated(proof, P, [[share * v for v in theta] for theta in step]) is None


def test_integers_beyond_the_doubles_do_no_harm():
    """A column with numbers of very different sizes has integers over its denominator that no double holds."""
    rows, labels = marked(40, 2, 2, False)
    _, P, step = fitted_by_steps(rows, labels)
    apart = next(i for i, x in enumerate(rows) if x[-1])
    wild = [[a, 1e-200 if i == apart else 1e200 * b, c] for i, (a, b, c) in enumerate(rows)]
    proof = separation.problem(data.read(BINARY64, wild, labels).X, labels, 2)
    assert max(abs(v) for x in proof.points for v in x) > 2**1024
    found = diverging.separated(proof, P, [[t[0], t[1], t[2] / 1e200, t[3]] for t in step])
    assert found is not None and found.directions[1][-1] > 0
