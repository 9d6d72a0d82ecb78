"""The direct many-class machine at the public face."""

import math
from fractions import Fraction as Q

import pytest

import refclass
from refclass import SVC, CrammerSingerSVC
from refclass.errors import InvalidInput, NoAnswer
from refclass.margins.crammer_singer import separation_witness
from refclass.oracle import table
from tests.margins.many import APART, LABELS, OWN, THREE

NAMES = ["red", "green", "blue"]
Y = [NAMES[g] for g in LABELS]
GAUSSIAN = {"name": "gaussian", "gamma": 0.5}


def iris():
    t = table.embedded("iris")
    return t.numbers(t.names[:4], float), t.column(t.names[4])


@pytest.mark.parametrize("arithmetic", ["float", "exact", "decimal:30"])
@pytest.mark.parametrize("kernel", ["linear", GAUSSIAN, {"name": "polynomial", "degree": 2, "c": 1}])
def test_every_arithmetic_ends_at_a_proven_optimum(arithmetic, kernel):
    """In exact arithmetic the gap is zero, in others roundoff  [MC-CS-DUAL.P1] [MC-CS-KERNEL]."""
    m = CrammerSingerSVC(C=2, kernel=kernel, arithmetic=arithmetic).fit(THREE, Y)
    proof = m.certificate_
    assert proof.status == "optimal" and abs(proof.gap) <= Q(1, 10**10) * proof.primal
    assert arithmetic != "exact" or (proof.gap == 0 and proof.worst_violation == 0)
    assert float(m.objective_) == pytest.approx(float(proof.primal), rel=1e-12)


@pytest.mark.parametrize("kernel", ["linear", GAUSSIAN])
def test_iris_is_solved_exactly(kernel):
    """150 flowers, three species: the exact optimum of the data as read, gap 0  [MC-CS-DUAL.P1]."""
    X, y = iris()
    m = CrammerSingerSVC(kernel=kernel, arithmetic="exact").fit(X[::2], y[::2])
    assert m.certificate_.gap == 0 and m.certificate_.unique["w"] is True


def test_the_shapes_are_those_users_know():
    """alpha n × K, coef K × p, decision values m × K in the order of classes_, which is sorted  [ISML-27.5-weights]."""
    m = CrammerSingerSVC().fit(THREE, Y)
    assert m.classes_ == sorted(NAMES)
    assert [len(row) for row in m.alpha_] == [3] * 12 and [len(w) for w in m.coef_] == [2] * 3
    f = m.decision_function(THREE[:4])
    assert [len(row) for row in f] == [3] * 4
    assert all(
        abs(v - sum(a * b for a, b in zip(w, x))) < 1e-12 for row, x in zip(f, THREE) for v, w in zip(row, m.coef_)
    )
    assert m.support_ == [i for i, row in enumerate(m.alpha_) if any(row)]
    assert not hasattr(CrammerSingerSVC(kernel=GAUSSIAN).fit(THREE, Y), "coef_")


def test_predictions_are_the_largest_scores():
    """argmax_k f_k(x)  [ISML-27.5-rule] [ISML-27.5-predict]."""
    m = CrammerSingerSVC(kernel=GAUSSIAN, C=100).fit(THREE, Y)
    f = m.decision_function(THREE)
    assert m.predict(THREE) == [m.classes_[row.index(max(row))] for row in f]
    assert m.score(THREE, Y) == 1


def test_equal_scores_are_given_to_the_first_class():
    """At the origin every linear score is zero  [ISML-27.5-rule]."""
    m = CrammerSingerSVC(arithmetic="exact").fit(THREE, Y)
    assert m.decision_function([[0, 0]]) == [[0, 0, 0]]
    assert m.predict([[0, 0]]) == ["blue"]


@pytest.mark.parametrize("C", [1, Q(1, 2), math.inf])
def test_two_classes_are_the_binary_machine_at_twice_the_cost(C):
    """f_1 − f_2 is the decision function of SVC(2C) without intercept, the objective half of its  [MC-CS-SOFT.P2]
    [MC-CS-HARD.P2]."""
    X, y = [[2, 1], [1, 3], [-1, 0], [-2, -3], [4, -1]], ["b", "b", "a", "a", "b"]
    m = CrammerSingerSVC(C=C, arithmetic="exact").fit(X, y)
    other = SVC(C=2 * C, intercept=False, arithmetic="exact").fit(X, y)
    assert [b - a for a, b in m.decision_function(X)] == other.decision_function(X)
    assert 2 * m.objective_ == other.objective_


def test_sample_weights_multiply_the_cost():
    """Weight 2 is the point twice, weight 0 the point not at all  [MC-CS-SOFT]."""
    weights = [1, 2, 1, 1, 0, 1, 1, 1, 1, 2, 1, 1]
    rows = [i for i, w in enumerate(weights) for _ in range(w)]
    m = CrammerSingerSVC(arithmetic="exact").fit(THREE, Y, sample_weight=weights)
    other = CrammerSingerSVC(arithmetic="exact").fit([THREE[i] for i in rows], [Y[i] for i in rows])
    assert m.coef_ == other.coef_ and m.objective_ == other.objective_
    assert m.certificate_.gap == 0 and not any(m.alpha_[4])


def test_permuted_rows_and_names_permute_the_answer():
    """The order of the rows, and what the classes are called, change nothing else  [ISML-27.5-soft]."""
    m = CrammerSingerSVC(arithmetic="exact").fit(THREE, Y)
    back = CrammerSingerSVC(arithmetic="exact").fit(THREE[::-1], Y[::-1])
    assert back.coef_ == m.coef_
    new = {"red": "a", "green": "b", "blue": "c"}
    named = CrammerSingerSVC(arithmetic="exact").fit(THREE, [new[v] for v in Y])
    assert dict(zip(named.classes_, named.coef_)) == {new[c]: w for c, w in zip(m.classes_, m.coef_)}


@pytest.mark.parametrize("arithmetic", ["float", "exact"])
def test_a_hard_margin_is_found_or_refused_with_weights_that_contradict(arithmetic):
    """C = inf on separable scores, and on XOR  [MC-CS-HARD] [ISML-27.5-hard] [RC-31]."""
    m = CrammerSingerSVC(C="inf", arithmetic=arithmetic).fit(APART, OWN)
    f = m.decision_function(APART)
    leads = [row[g] - max(v for k, v in enumerate(row) if k != g) for row, g in zip(f, OWN)]
    assert min(leads) == pytest.approx(1, rel=1e-12) and m.certificate_.status == "optimal"
    xor, own = [[0, 0], [1, 1], [0, 1], [1, 0]], [0, 0, 1, 1]
    m = CrammerSingerSVC(C=math.inf, arithmetic=arithmetic)
    with pytest.raises(NoAnswer) as refusal:
        m.fit(xor, own)
    assert separation_witness.contradicts(m.machine(xor, own)[0], refusal.value.witness["weights"])


@pytest.mark.parametrize(
    "X, y, options, complaint",
    [
        (THREE, ["a"] * 12, {}, "at least 2 classes"),
        ([[math.nan, 0], *THREE[1:]], Y, {}, r"row=0, column=0"),
        (THREE, Y[1:], {}, "12 labels"),
        (THREE, [None, *Y[1:]], {}, "label in y"),
        (THREE, Y, {"C": 0}, "C a finite number > 0"),
        (THREE, Y, {"C": "many"}, "C a finite number"),
        (THREE, Y, {"tol": -1}, "tol a finite number > 0"),
        (THREE, Y, {"max_iter": 0}, "max_iter None or an integer"),
        (THREE, Y, {"kernel": "cubic"}, "kernel"),
        ([], [], {}, "at least one row"),
    ],
)
def test_what_makes_no_sense_is_refused_at_the_door(X, y, options, complaint):
    """One class, NaN, missing labels, lengths that differ, costs and limits out of range  [MC-CS-SOFT]."""
    with pytest.raises(InvalidInput, match=complaint):
        CrammerSingerSVC(**options).fit(X, y)


def test_a_class_of_no_weight_is_refused_by_name():
    """Its scores would be zero, though the user named it  [MC-CS-SOFT]."""
    with pytest.raises(InvalidInput, match="label='?red'?"):
        CrammerSingerSVC().fit(THREE, Y, sample_weight=[float(v != "red") for v in Y])


def test_fitting_again_forgets_the_first_fit():
    """Weights and proof of a linear kernel do not survive  [ISML-27.5-weights]."""
    m = CrammerSingerSVC().fit(THREE, Y)
    first = m.certificate_.primal
    m.set_params(kernel=GAUSSIAN).fit(THREE, Y)
    assert not hasattr(m, "coef_") and m.certificate_.primal != first


def test_it_is_listed_with_its_equations():
    """The public face knows it by name and by method  [ISML-27.5-soft]."""
    listed = {entry["method"]: entry for entry in refclass.methods()}["crammer_singer"]
    assert listed["class"] == "CrammerSingerSVC" and "ISML-27.5-dual" in listed["equations"]
    assert set(listed["parameters"]) == {"C", "kernel", "tol", "max_iter", "arithmetic"}
