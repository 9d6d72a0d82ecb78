"""Indefinite kernels: an answer that is called optimal is the best of all stationary points, found by brute force."""

import contextlib
import itertools
import math
import random
from fractions import Fraction

import pytest

import refclass
from refclass import errors
from refclass.oracle import kernel
from tests.hunt.examine import limited
from tests.profiles import thorough


def solve(A, b):
    """Return the solution of a square system in fractions; None for a singular one."""
    rows = [[*row, v] for row, v in zip(A, b)]
    n = len(rows)
    for k in range(n):
        pivot = next((i for i in range(k, n) if rows[i][k]), None)
        if pivot is None:
            return None
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [v / rows[k][k] for v in rows[k]]
        rows = [r if i == k else [v - r[k] * t for v, t in zip(r, rows[k])] for i, r in enumerate(rows)]
    return [row[-1] for row in rows]


def value(K, y, alpha, bend):
    """Return Σ α − ½ Σ αᵢαⱼyᵢyⱼKᵢⱼ − Σ bend α²/2."""
    n = range(len(y))
    square = sum(alpha[i] * alpha[j] * y[i] * y[j] * K[i][j] for i in n for j in n)
    return sum(alpha) - square / 2 - bend * sum(v * v for v in alpha) / 2


def stationary(K, y, C, bend=0):
    """Yield the stationary points of the dual: each multiplier at 0, at C or free, Σ αy = 0."""
    for face in itertools.product((0, C, None) if C else (0, None), repeat=len(y)):
        free = [i for i, v in enumerate(face) if v is None]
        held = [v or Fraction(0) for v in face]
        H = [[y[i] * y[j] * K[i][j] + bend * (i == j) for j in range(len(y))] for i in range(len(y))]
        A = [[*[H[i][j] for j in free], Fraction(y[i])] for i in free] + [
            [*[Fraction(y[j]) for j in free], Fraction(0)]
        ]
        rest = [1 - sum(H[i][j] * held[j] for j in range(len(y))) for i in free]
        found = solve(A, [*rest, -sum(v * t for v, t in zip(held, y))]) if free else []
        if found is None:
            continue
        alpha = list(held)
        for i, v in zip(free, found):
            alpha[i] = v
        if sum(v * t for v, t in zip(alpha, y)) == 0 and all(v >= 0 and (not C or v <= C) for v in alpha):
            yield alpha


def drawn(seed):
    """Return a symmetric table of small numbers, labels of two classes, and a cost."""
    r = random.Random(seed)
    n = r.choice([2, 3, 3, 4, 5])
    K = [[Fraction(0)] * n for _ in range(n)]
    for i in range(n):
        for j in range(i + 1):
            K[i][j] = K[j][i] = Fraction(r.randint(-6, 6), 2)
    y = [-1, 1, *[r.choice([-1, 1]) for _ in range(n - 2)]]
    return K, y, Fraction(r.choice([1, 1, 4, 100]))


@pytest.mark.parametrize("arithmetic", ["float", "exact"])
@pytest.mark.parametrize("first", range(0, 60, 20))
def test_what_is_called_optimal_is_not_beaten(first, arithmetic):
    """An SVC on a Gram matrix as given: "optimal" only if no stationary point of the dual has a larger value."""
    found = []
    for seed in range(first, first + 20):
        K, y, C = drawn(seed)
        table = [list(map(float, row)) for row in K]
        try:
            model = refclass.SVC(C=int(C), kernel="precomputed", arithmetic=arithmetic).fit(table, y)
        except errors.Refusal:
            continue
        if model.certificate_.status != "optimal":
            continue
        own = value(K, y, [Fraction(v) for v in model.alpha_], 0)
        best = max(value(K, y, alpha, 0) for alpha in stationary(K, y, C))
        if best > own + Fraction(1, 10**9) * max(abs(best), 1):
            found.append(f"seed {seed}: {float(own)} beaten by {float(best)}: {table}, {y}, C={C}")
    assert not found, "\n".join(["", *found])


RAYED = [  # of which a solver in doubles finds a ray, and one in fractions a stationary point
    [-1, -2, -1, -1, 1, -3],
    [-2, 3, -1, -3, -3, -2],
    [-1, -1, -1, -3, 1, 3],
    [-1, -3, -3, 3, -3, -1],
    [1, -3, 1, -3, 2, 3],
    [-3, -2, 3, -1, 3, -1],
]
MACHINES = [
    ("SVC", {"loss": "squared_hinge"}),
    ("SVMPath", {}),
    ("SVMPath", {"solver": "hastie"}),
    ("SVR", {}),
    ("SVR", {"loss": "squared_epsilon_insensitive"}),
    ("HuberRegression", {}),
    ("KernelRidge", {"intercept": True}),
    ("KernelClassifier", {"loss": "hinge"}),
    ("KernelClassifier", {"loss": "huberised"}),
    ("KernelClassifier", {"loss": "squared"}),
    ("CrammerSingerSVC", {}),
    ("LeeLinWahbaSVC", {}),
]


@pytest.mark.parametrize("arithmetic", ["float", "exact"])
@pytest.mark.parametrize("name, parameters", MACHINES)
def test_an_indefinite_matrix_is_never_optimal(name, parameters, arithmetic):
    """zᵀKz < 0 for a z that the equality allows: no machine is proven optimal; a refusal is one of the four."""
    found = []
    for seed in range(12):
        K, y, _ = drawn(seed)
        table = [list(map(float, row)) for row in K]
        G = kernel.Gram(lambda j, K=K: [int(2 * v) for v in K[j]], 2, len(K), positive=False)
        if G.convex(range(len(K)), name != "CrammerSingerSVC"):
            continue
        estimator = getattr(refclass, name)(**parameters, kernel="precomputed", arithmetic=arithmetic)
        try:
            status = estimator.fit(table, y).certificate_.status
        except errors.Refusal:
            continue
        if status == "optimal":
            found.append(f"seed {seed}: {table}, {y}")
    assert not found, "\n".join(["", *found])


def rounded(seed):
    """Return a rounded Gram matrix of a positive kernel, its rows dependent, labels of two classes, and a cost."""
    r = random.Random(seed)
    size, n, p = 10.0 ** r.choice([-3, 0, 0, 3]), r.choice([4, 5, 6]), r.choice([1, 2])
    X = [[size * r.gauss(0, 1) for _ in range(p)] for _ in range(n)]
    X[r.randrange(n)] = [v * (1 + r.choice([0, 1e-15, 1e-9])) for v in X[r.randrange(n)]]
    degree = r.choice([0, 1, 2, 3])
    gaussian = {"name": "gaussian", "gamma": 10.0 ** r.choice([-12, -8]) / size**2}
    K = refclass.gram(X, kernel={"name": "polynomial", "degree": degree, "c": 1} if degree else gaussian)
    y = [-1, 1, *[r.choice([-1, 1]) for _ in range(n - 2)]]
    return [list(map(Fraction, row)) for row in K], y, Fraction(r.choice([1, 100]))


SMOOTH = [  # and the losses whose optimum is no end of an active set
    ("KernelClassifier", {"loss": "ramp"}),
    ("KernelClassifier", {"loss": "squared_ramp"}),
    ("KernelClassifier", {"loss": "deviance"}),
    ("KernelClassifier", {"loss": {"name": "power_hinge", "p": 3}}),
]
DUALS = [("SVC", {"C": 100}), ("SVC", {"loss": "squared_hinge"}), ("SVC", {"C": math.inf})]  # stated by their duals
NORMS = [one for one in MACHINES if one[0] not in ("SVC", "SVMPath")] + SMOOTH  # stated by ‖f‖², which is to be a norm


def ends(name, parameters, K, y):
    """Return how a fit ends in each arithmetic: its status, or the refusal."""
    losses = [parameters.get("loss")]
    for arithmetic in ("float", "decimal:30") if losses in (["deviance"], [SMOOTH[-1][1]["loss"]]) else ARITHMETICS:
        estimator = getattr(refclass, name)(**parameters, kernel="precomputed", arithmetic=arithmetic)
        try:
            yield estimator.fit([list(map(float, row)) for row in K], y).certificate_.status
        except errors.Refusal as refusal:
            yield refusal


ARITHMETICS = ("float", "exact", "decimal:30")


def bends_downwards(K, d, total=0):
    """Return whether dᵀKd + total < 0, exactly."""
    d = list(map(Fraction, d))
    return sum(v * w * K[i][j] for i, v in enumerate(d) for j, w in enumerate(d)) + total < 0


@pytest.mark.parametrize("draw", [drawn, rounded])
@pytest.mark.parametrize("name, parameters", NORMS)
def test_no_norm_is_refused_with_the_direction_in_every_arithmetic(name, parameters, draw):
    """zᵀKz < 0 for a z that the machine allows: NoAnswer everywhere, z its witness; else an answer, or its digits."""
    found = []
    for seed in [49, *range(500 if thorough() else 3)]:
        K, y, _ = draw(seed)
        free = name == "CrammerSingerSVC"
        whole = math.lcm(*[v.denominator for row in K for v in row])
        G = kernel.Gram(lambda j, K=K, m=whole: [int(m * v) for v in K[j]], whole, len(K), positive=False)
        convex, told = G.convex(range(len(K)), not free), list(ends(name, parameters, K, y))
        for end in told:
            witness = end.witness.get("direction") if isinstance(end, errors.NoAnswer) else None
            checked = witness is not None and bends_downwards(K, witness) and (free or sum(witness) == 0)
            if convex == isinstance(end, errors.NoAnswer) or (not convex and not checked):
                found.append(f"seed {seed}: {end!r}, {K}, {y}")
    assert not found, "\n".join(["", *found])


@pytest.mark.parametrize("draw", [drawn, rounded])
@pytest.mark.parametrize("name, parameters", DUALS)
def test_duals_that_are_not_convex_are_stationary_or_fall_for_ever_in_every_arithmetic(name, parameters, draw):
    """NoAnswer only with a direction without an end; a stationary point that numbers do not hold is NotConverged."""
    C, found = parameters.get("C"), []
    for seed in range(1000 if thorough() else 6):
        K, y, _ = draw(seed)
        told = list(ends(name, parameters, K, y))
        kinds = {type(end).__name__ if isinstance(end, errors.Refusal) else end == "stationary" for end in told}
        wrong = len(kinds - {"NotConverged"}) > 1
        for end in told:
            if isinstance(end, errors.NoAnswer) and "direction" in end.witness:
                d = list(map(Fraction, end.witness["direction"]))
                pull = [sum(v * w for v, w in zip(row, d)) for row in K]
                endless = C != 100 and sum(d) == 0 and all(v * t >= 0 for v, t in zip(d, y))
                level = C and len(set(pull)) == 1 and any(d)
                wrong |= not endless or not (level or bends_downwards(K, d, 0 if C else sum(v * v for v in d) / 2))
        if wrong:
            found.append(f"seed {seed}: {told!r}, {K}, {y}")
    assert not found, "\n".join(["", *found])


@pytest.mark.parametrize("name, parameters", [*NORMS, *DUALS])
def test_a_point_of_no_weight_is_no_direction(name, parameters):
    """A matrix that is indefinite only by a point of weight zero is as good as that of the others."""
    K, y = [[2.0, 0.0, 1.0, 1.0], [0.0, 2.0, 0.0, 3.0], [1.0, 0.0, 2.0, 0.0], [1.0, 3.0, 0.0, -2.0]], [0, 1, 1, 0]
    for arithmetic in ("float", "decimal:30"):
        fitted = getattr(refclass, name)(**parameters, kernel="precomputed", arithmetic=arithmetic)
        fitted.fit(K, y, sample_weight=[1, 1, 1, 0])
        assert fitted.certificate_.status == ("stationary" if "ramp" in str(parameters) else "optimal")


def test_ramps_of_a_diagonal_of_zero_end_at_a_stationary_point():
    """Roundoff of −f|x − z|ᵉ measured by the diagonal, which is zero, hid that doubles had three digits."""
    rows = [1.66, -0.26, -0.101682, 1.9, -1.49, 1.88, -1.29, -0.962802, -1.1, 3.76, 1.549575, -2.3]
    K = [[-1e6 * abs(a - b) ** 1.5 for b in rows] for a in rows]
    ramp = refclass.KernelClassifier(loss="ramp", penalty=1e-6, kernel="precomputed")
    assert ramp.fit(K, [0, 1, 0, 1, 0, 1, 0, 1, 0, 0, 1, 0]).certificate_.status == "stationary"


@pytest.mark.parametrize("kernel", ["precomputed", {"name": "sigmoid", "a": 1, "b": 1}])
def test_paths_of_an_indefinite_kernel_are_alike_in_every_arithmetic(kernel):
    """All arithmetics answer or all refuse; break points are the same as far as they go; every point is stationary."""
    found = []
    for seed in range(10):
        K, y, _ = drawn(seed)
        X = [list(map(float, row[: None if kernel == "precomputed" else 2])) for row in K]
        paths = []
        for arithmetic in ("float", "exact", "decimal:30"):
            with contextlib.suppress(errors.Refusal):
                paths.append(refclass.SVMPath(kernel=kernel, arithmetic=arithmetic).fit(X, y))
        together = zip(*(map(Fraction, path.lambdas_) for path in paths))
        apart = any(max(ends) - min(ends) > max(ends) / 10**9 for ends in together)
        poor = {path.certificate_.status for path in paths} - {"stationary", "optimal"}
        if len(paths) in (1, 2) or apart or poor:
            found.append(f"seed {seed}: {[path.lambdas_ for path in paths]}, {poor}")
    assert not found, "\n".join(["", *found])


SEMIPARAMETRIC = [
    ("SemiparametricClassifier", {"loss": "squared_hinge", "degree": 0}, [1, 0, 0, 1, 0]),
    ("SemiparametricClassifier", {"degree": 0}, [1, 0, 0, 1, 0]),
    ("SemiparametricRegression", {}, [2.0, -1.0, 1.0, 2.0, -3.0]),
]


@pytest.mark.parametrize("arithmetic", ["float", "decimal:30"])
@pytest.mark.parametrize("name, parameters, y", SEMIPARAMETRIC)
def test_a_kernel_that_is_indefinite_on_the_contrasts_is_refused(name, parameters, y, arithmetic):
    """Smooth losses make the dual convex, not the primal: a contrast of negative curvature is the witness."""
    X, sigmoid = [[-1.0], [-3.0], [-0.96875], [-2.5], [-2.0]], {"name": "sigmoid", "a": 0.1, "b": 5}
    estimator = getattr(refclass, name)(kernel=sigmoid, arithmetic=arithmetic, **parameters)
    with pytest.raises(errors.NoAnswer) as refusal:
        estimator.fit(X, y)
    a, K = list(map(Fraction, refusal.value.witness["direction"])), refclass.gram(X, kernel=sigmoid)
    assert sum(a) == 0
    if parameters.get("degree", 1):
        assert sum(v * Fraction(x) for v, (x,) in zip(a, X)) == 0
    assert sum(v * w * Fraction(K[i][j]) for i, v in enumerate(a) for j, w in enumerate(a)) < 0


@pytest.mark.parametrize("gamma", [1e-5, 1e-8])
@pytest.mark.parametrize("name, parameters, y", SEMIPARAMETRIC[1:])
def test_curvature_of_roundoff_refuses_no_kernel_that_is_positive(name, parameters, y, gamma):
    """Gaussian kernels of points 10⁻¹⁵ apart, rounded: nine digits, of moments corrected at points that are apart."""
    X = [[0.2], [0.2 * (1 + 1e-15)], [0.9], [0.5], [0.7]]
    kernel = {"name": "gaussian", "gamma": gamma}
    y = [y[2], *y[1:]]
    model = getattr(refclass, name)(kernel=kernel, penalty=1e-6, **parameters).fit(X, y)
    assert model.certificate_.digits >= 9


CONDITIONALLY = [[0.0, -1.0, -4.0], [-1.0, 0.0, -1.0], [-4.0, -1.0, 0.0]]  # −|x − z|² at 0, 1, 2


@pytest.mark.parametrize("arithmetic", ["float", "decimal:30"])
def test_powers_of_the_hinge_take_a_kernel_that_is_definite_on_contrasts(arithmetic):
    """f and its value are those of −|x − z|²/2 + xz in its place, which is the linear kernel: twice that, xz."""
    power = {"loss": {"name": "power_hinge", "p": 3}, "arithmetic": arithmetic}
    found = refclass.KernelClassifier(kernel="precomputed", **power).fit(CONDITIONALLY, [0, 1, 1])
    linear = [[2.0 * x * z for z in range(3)] for x in range(3)]
    same = refclass.KernelClassifier(kernel="precomputed", **power).fit(linear, [0, 1, 1])
    assert found.certificate_.status == same.certificate_.status == "optimal"
    assert abs(float(found.objective_) - float(same.objective_)) <= 1e-12


THIN_PLATE = {"name": "thin_plate", "sigma": 1}


def test_without_convexity_an_iteration_that_repeats_itself_is_ended():
    """One event of a path for ever: refused with the direction."""
    X, y = [[-1], [0], [-1.06], [1.44], [-1.84]], [0, 1, 1, 0, 0]
    path = refclass.SVMPath(solver="hastie", kernel=THIN_PLATE, arithmetic="decimal:30")
    with limited(8), pytest.raises(errors.NoAnswer, match="negative curvature"):
        path.fit(X, y)


@pytest.mark.parametrize("arithmetic", ["float", "decimal:30"])
@pytest.mark.parametrize("solver", ["active_set", "chunking", "decomposition", "smo"])
def test_a_diagonal_of_zero_keeps_no_solver_from_a_stationary_point(solver, arithmetic):
    """Working matrices measured by the diagonal of Q were taken for singular, and fractions grew without end."""
    X, y = [[1.56], [-1], [-0.21], [0.66], [-1.18], [-3]], [1, 1, 1, 0, 0, 0]
    with limited(8):
        fitted = refclass.SVC(kernel=THIN_PLATE, C=1000, solver=solver, arithmetic=arithmetic).fit(X, y)
    assert fitted.certificate_.status == "stationary"


@pytest.mark.parametrize("solver", ["active_set", "primal_active_set", "chunking", "decomposition"])
def test_a_solver_that_is_asked_for_ends_at_a_stationary_point_in_doubles_and_in_fractions(solver):
    """Those that need convexity refused in doubles what they answer in fractions; unbounded ones have a direction."""
    for seed in range(8):
        K, y, C = drawn(seed)
        own = [refclass.SVC(C=C, kernel="precomputed", solver=solver, arithmetic=a) for a in ("float", "exact")]
        assert len({model.fit([list(map(float, row)) for row in K], y).certificate_.status for model in own}) == 1
    endless = refclass.SVC(C="inf", kernel="precomputed", solver=solver)
    with pytest.raises(errors.NoAnswer, match="direction"):
        endless.fit([[-1.0, 0.0], [0.0, -1.0]], [0, 1])


def test_a_matrix_that_roundoff_makes_indefinite_has_its_exact_stationary_point_rounded():
    """Products of five rows of 10⁻¹ to 10⁸ in doubles: the iteration there ends at fewer digits of its conditions."""
    rows = [[1, 0.1], [1e8, 1e8], [-1, -1], [0, 0.1], [0, 2]]
    K = [[u[0] * v[0] + u[1] * v[1] for v in rows] for u in rows]
    proof = refclass.SVC(kernel="precomputed").fit(K, [0, 1, 0, 1, 0]).certificate_
    assert proof.status == "stationary" and proof.dual is None


@pytest.mark.parametrize("given", [{"C": math.inf}, {"loss": "squared_hinge", "C": 2}])
def test_doubles_answer_and_refuse_what_fractions_do(given):
    """A dual without convexity that falls without end may have a stationary point: every arithmetic looks for one."""
    found = []
    for seed in [920, *range(400, 400 + (200 if thorough() else 8))]:
        K, y, _ = drawn(seed) if seed != 920 else (RAYED, [-1, 1, -1, 1, -1, 1], 1)
        ends = []
        for arithmetic in ("float", "exact"):
            try:
                fitted = refclass.SVC(**given, kernel="precomputed", arithmetic=arithmetic).fit(K, y)
                ends.append(fitted.certificate_.status)
            except errors.Refusal as refusal:
                ends.append(type(refusal).__name__)
        if len(set(ends)) > 1:
            found.append(f"seed {seed}: {ends}, {K}, {y}")
    assert not found, "\n".join(["", *found])
