"""Digits are claimed of the problem as it was given: kernels, weights and Gram matrices that doubles round."""

from decimal import Decimal
from fractions import Fraction

import pytest

import refclass
from refclass.errors import NoAnswer
from refclass.kernels.kernel import kernel
from refclass.kernels.polynomial import Polynomial
from refclass.number.binary64 import BINARY64
from refclass.number.rational import RATIONAL
from refclass.oracle import kernel as trusted
from tests.hunt.examine import reported

NEAR = (0.054567552730285254, -0.8201702523208485, -1.3132908119023012, -0.6125511533955121, 0.6251104017255316)
FAR = [[v, v + 1e9, v + 2e9] for v in (*NEAR, -0.49030587580317747)]


def test_digits_are_those_of_the_kernel_as_given():
    """A third is no double: with a scale of 0.333…, 10⁻¹⁷ away, an optimum at 10⁹ is another in its sixth digit."""
    third = {"name": "polynomial", "degree": 2, "c": 0, "scale": "1/3"}
    y = [0, 0, 1, 0, 0, 0]
    machine = refclass.SVMPath(kernel=third).fit(FAR, y).at(0.01)
    problem = {"method": "svc", "parameters": {"C": 1 / Fraction(0.01), "kernel": third}, "x": FAR, "y": y}
    proven = trusted.judge(problem, {"fitted": reported(machine)}, 0)["digits"]
    assert machine.certificate_.digits <= proven + 0.02


@pytest.mark.parametrize("value", [Fraction(1, 3), Decimal("0.1"), "1/3", "0.1"])
def test_a_kernel_over_doubles_keeps_what_its_parameters_were_rounded_from(value):
    """From a description, and from a kernel; over fractions it has them again, through kernels made of kernels, too."""
    inner = kernel(BINARY64, {"name": "polynomial", "degree": 2, "scale": value})
    assert type(inner.scale) is float and inner.over(RATIONAL).scale == Fraction(value)
    if not isinstance(value, str):
        inner = Polynomial(2, 1, value).over(BINARY64).over(BINARY64)
        assert type(inner.scale) is float and inner.over(RATIONAL).scale == Fraction(value)
    assert kernel(BINARY64, {"name": "sum", "left": "linear", "right": inner}).over(RATIONAL).right == inner.over(
        RATIONAL
    )


def test_a_gram_matrix_is_convex_where_it_is_so_as_given():
    """Products of fractions, which doubles round: a matrix of rank one that has negative curvature in doubles."""
    x = [Fraction(v, 7) for v in (1, 2, -5, 3, 11)]
    K = [[a * b for b in x] for a in x]
    machine = refclass.LeeLinWahbaSVC(kernel="precomputed").fit(K, [0, 1, 2, 0, 1])
    assert machine.certificate_.digits >= 9


def test_an_objective_far_smaller_than_its_slacks_is_proven():
    """Weights from 10⁻⁹ to 10⁶ leave an objective of 10⁻¹²: the intercept's last place alone is 10⁻⁵ of it."""
    X = [[0.71, 1.4201, 2.13], [-0.54, -1.0836, -1.6254], [-0.283, -0.5659, -0.8488]]
    machine = refclass.LeeLinWahbaSVC(penalty=Fraction(1, 7)).fit(X, [0, 2, 1], sample_weight=[1e-6, 1e6, 1e-9])
    proof = machine.certificate_
    assert proof.status == "optimal" or proof.digits >= proof.ceiling - 1


@pytest.mark.parametrize("name", ["gaussian", "laplacian"])
def test_kernel_values_of_far_points_are_no_fractions_of_thousands_of_digits(name):
    """exp(−10⁴) in 30 digits: exact elimination in such fractions took minutes; it counts as zero, as in doubles."""
    own = {"name": "gaussian", "gamma": "1/3"} if name == "gaussian" else {"name": "laplacian", "sigma": "1/30"}
    X = [[1086], [1209], [906], [983], [1143], [1001], [997], [1101], [1000], [1300]]
    y = [i % 2 for i in range(10)]
    machine = refclass.CrammerSingerSVC(kernel=own, arithmetic="decimal:30").fit(X, y)
    assert machine.certificate_.digits >= 25
    assert machine.predict(X) == y


ROUNDED = [  # products of rank two, as doubles hold them
    [0.44903181295141437, -0.9312711663828136, -0.1608726022328106],
    [-0.9312711663828136, 1.9314132324736757, 0.3336423202081635],
    [-0.1608726022328106, 0.3336423202081635, 0.057635101573429805],
]


@pytest.mark.parametrize("arithmetic", ["float", "decimal:20", "exact"])
def test_products_rounded_to_a_matrix_without_convexity_are_refused_with_the_direction(arithmetic):
    """An eigenvalue of −10⁻¹⁷ leaves no lower bound: the objective that is proven had no second number (TypeError)."""
    machine = refclass.CrammerSingerSVC(C=Decimal("0.1"), kernel="precomputed", arithmetic=arithmetic)
    with pytest.raises(NoAnswer, match="negative curvature") as refusal:
        machine.fit(ROUNDED, [2, 0, 1], sample_weight=[1e-9, 1e9, 1e-6])
    d = list(map(Fraction, refusal.value.witness["direction"]))
    assert sum(a * b * Fraction(v) for a, row in zip(d, ROUNDED) for b, v in zip(d, row)) < 0


def test_a_margin_is_none_where_the_function_is_zero_but_for_roundoff():
    """Symmetric points and a sigmoid kernel: ‖f‖² = 0 in fractions, in doubles 10⁻¹⁶, and 1/‖f‖ was 10⁷."""
    x = [2, 5, -3, 5, -1, 1]
    machine = refclass.SVC(kernel={"name": "sigmoid", "a": 0.1, "b": 0})
    machine.fit([[v] for v in (*x, *[-v for v in x])], [0, 1] * 6)
    assert machine.objective_ == 12
    with pytest.raises(AttributeError, match="f = 0"):
        machine.margin_  # noqa: B018


CLOSE = [[-2.3308624365800342, -5.4144526996787744], [9.600952670154893, -4.023024630030748]]
CLOSE += [[-5.752798319521414, -23.761724735456943], [-7.632299741949043, -7.7323007723683]]
CLOSE += [[16.002885142085837, -17.117724368487363], [-10.627816039016518, -19.02697152598099]]


def test_a_path_on_kernel_values_that_are_one_but_for_roundoff_is_no_question_without_an_answer():
    """Gaussian kernels are positive definite; rounded near 1, their matrix is not: no break point, and no NoAnswer."""
    X = [[v / 1e9 for v in row] for row in CLOSE]
    path = refclass.SVMPath(kernel={"name": "gaussian", "gamma": 1}).fit(X, [1, 0, 0, 0, 0, 0])
    assert path.lambdas_ == [] and path.certificate_.digits > 15


def test_a_gaussian_matrix_that_roundoff_makes_indefinite_is_no_question_without_an_answer():
    """Of a column with one entry of 10⁹ the others' kernel values are one: not converged, with bounds; no NoAnswer."""
    X = [[1.353, -1.922], [-0.56, -0.071], [-0.625, 2.705], [1e9, 0.53], [0.187, -1.204], [-0.951, 0.122]]
    X += [[-0.714, -1.516], [-0.969, -0.273], [-1.099, 0.413], [-1.58, -0.214]]
    gaussian = {"name": "gaussian", "gamma": "scale"}
    machine = refclass.KernelClassifier(loss="squared_hinge", penalty=1e-12, kernel=gaussian)
    with pytest.raises(refclass.errors.NotConverged, match="roundoff") as refusal:
        machine.fit(X, [0, 0, 1, 1, 1, 1, 0, 0, 0, 1], [1e3, 1e9, 1e9, 1e-9, 1e9, 1e3, 1e9, 1e-3, 1e9, 1e-9])
    assert {"primal", "dual"} <= set(refusal.value.witness)


def test_scores_that_are_denormal_are_refused_as_such():
    """Columns of 10⁻¹⁶⁰: steps are divided by 10⁻³²⁰, and what is no number was called bad input."""
    X = [[-1.2e-162, 1.5e-161, -5.8e-161, 2.9e-161, 1.5e-161, 1.5e-161]]
    X += [[-4.7e-161, 5.3e-161, 1e-160, 8.2e-161, 1.2e-160, -2.3e-160]]
    X += [[4.9e-161, 5.2e-161, -1.7e-160, 3.1e-161, -7.9e-161, 4.9e-164]]
    with pytest.raises(refclass.errors.NotExact, match="normal doubles"):
        refclass.CrammerSingerSVC(C="1/3").fit(X, [0, 1, 2], sample_weight=[1e-3, 1e-9, 1e-9])


@pytest.mark.long
@pytest.mark.parametrize("solver", ["smo", "chunking", "decomposition", "gradient_ascent", "primal_active_set"])
@pytest.mark.parametrize("intercept", [True, False])
def test_a_solver_that_roundoff_stops_leaves_bounds_on_the_objective(solver, intercept):
    """Three points at 10⁶: bounds enclose the optimum; with an intercept K from the first point has seven digits."""
    X = [[1000000.94, 999998.61], [1000000.43, 999999.6], [999999.68, 1000000.21]]
    machine = refclass.SVC(C=100, solver=solver, intercept=intercept)
    best = refclass.SVC(C=100, arithmetic="exact", intercept=intercept).fit(X, [0, 1, 0]).objective_
    try:
        proof = machine.fit(X, [0, 1, 0]).certificate_
        assert proof.dual <= best <= proof.primal and proof.digits >= 7
    except refclass.errors.NotConverged as refusal:
        assert not intercept
        assert refusal.witness["dual"] <= best <= refusal.witness["primal"]
