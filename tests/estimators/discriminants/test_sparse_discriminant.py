"""Linear discriminant analysis with sparse coefficients, and the ways around one covariance for two modes."""

from fractions import Fraction

import pytest

from refclass import Lasso, LinearDiscriminantAnalysis, PenalizedDiscriminantAnalysis, SparseDiscriminant
from refclass.errors import NoAnswer
from refclass.oracle import table

X = [[0, 1, 3], [1, 0, 1], [0, 0, 2], [2, 1, 0], [4, 1, 2], [5, 0, 1], [4, 2, 0], [3, 2, 3]]
Y = list("aaaabbbb")


def test_without_a_penalty_it_is_linear_discriminant_analysis():
    """λ = 0: β is a multiple of Σ⁻¹(μ₂ − μ₁), and the decision values are those of LDA, exactly  [ESL-4.3.1-sparse]
    [ESL-4.3-least-squares] [LS-LDA.P1]."""
    ours = SparseDiscriminant(penalty=0, arithmetic="exact").fit(X, Y)
    lda = LinearDiscriminantAnalysis(arithmetic="exact").fit(X, Y)
    (normal,) = lda.coef_
    assert len({a / b for a, b in zip(ours.coef_[0], normal)}) == 1
    assert ours.decision_function(X) == lda.decision_function(X)


def test_coefficients_go_one_after_the_other():
    """With the penalty the number of coefficients falls from three to none, the gap stays zero  [ESL-4.3.1-sparse]
    [LDA-SPARSE.P1]."""
    counts = []
    for penalty in (0, 4, 16):
        m = SparseDiscriminant(penalty=penalty, arithmetic="exact").fit(X, Y)
        assert m.certificate_.gap == 0 and m.support_ == [j for j, v in enumerate(m.coef_[0]) if v]
        counts.append(len(m.support_))
    assert counts == sorted(counts, reverse=True) and counts[0] == 3 and counts[-1] == 1
    with pytest.raises(NoAnswer, match="a penalty that leaves a coefficient"):
        SparseDiscriminant(penalty=1000).fit(X, Y)


def test_the_coefficients_are_the_lassos():
    """The same β as the lasso has on centred rows and coded classes  [ESL-4.3.1-sparse] [CMP-LASSO]."""
    means = [Fraction(sum(column), len(X)) for column in zip(*X)]
    centred = [[v - m for v, m in zip(row, means)] for row in X]
    coded = [-2 if label == "a" else 2 for label in Y]
    ours = SparseDiscriminant(penalty=3, arithmetic="exact").fit(X, Y)
    assert ours.coef_[0] == Lasso(penalty=3, arithmetic="exact").fit(centred, coded).coef_


def test_roughness_is_penalised_by_differences():
    """Smooth coefficients: with the penalty on second differences they tend to a line in the order of the columns
    [LDA-SMOOTH.P1] [PDA-SMOOTH.P1]."""

    def bend(penalty):
        (a, b, c), *_ = PenalizedDiscriminantAnalysis(penalty=penalty, omega="roughness").fit(X, Y).coef_
        return abs(a - 2 * b + c) / (abs(a) + abs(b) + abs(c))

    assert bend(0) > 10 * bend(100) > 100 * bend(10**4)


def test_two_discriminants_on_the_halves_err_less():
    """Each class divided at the middle of the first input, a discriminant analysis on either side, as the text suggests
    for Ripley's points: fewer errors than one  [LDA-SPLIT.P1]."""
    data = table.embedded("synth_te")
    names = [name for name in data.names if name != "yc"]
    rows, labels = data.numbers(names, float), data.column("yc")
    cut = sorted(row[0] for row in rows)[len(rows) // 2]
    halves = [[i for i, row in enumerate(rows) if (row[0] < cut) == side] for side in (True, False)]

    def wrong(places):
        own, named = [rows[i] for i in places], [labels[i] for i in places]
        return sum(a != b for a, b in zip(LinearDiscriminantAnalysis().fit(own, named).predict(own), named))

    assert sum(map(wrong, halves)) < wrong(range(len(rows)))
