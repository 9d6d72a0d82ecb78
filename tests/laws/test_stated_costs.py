"""Every Cost of a docstring is counted, here or where `COUNTED_IN` says, or cannot be, for one of the `REASONS`.

A cost is counted with `Counted`, whose operations are counted one by one: what a docstring states is an equality.
"""

import ast
import dataclasses
import re
from functools import partial
from types import SimpleNamespace

import pytest

from refclass.discriminants.comparators import rbf_network
from refclass.discriminants.gaussian import lda
from refclass.kernels.interaction_spline import InteractionSpline
from refclass.linear import combination, jacobi
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.margins.svm import conditions
from refclass.optimise.active_set import kkt_inverse
from refclass.optimise.multiclass import zero_sum
from refclass.optimise.quadratic import kkt
from refclass.optimise.quadratic import problem as quadratic
from refclass.optimise.smooth import sgd
from refclass.regress.linear.orthogonal_columns import Columns
from refclass.sample import metric, scatter
from refclass.sample.data import Block
from tests.architecture.tree import ROOT, report, sources
from tests.numbers import COUNTED, Counted, counting

F = dataclasses.replace(COUNTED, exp=lambda x: Counted(2))


def v(n, first=1):
    """Return n numbers that are not zero."""
    return Vector([Counted(first + i) for i in range(n)])


def A(n, p):
    """Return n rows of p numbers that are not zero."""
    return Matrix([v(p, i + 1) for i in range(n)])


def descent(n, p):
    """Return a problem of n points for stochastic descent."""
    same = Counted(1)
    return sgd.Problem(A(n, p), Vector([Counted(1)] * n), same, lambda m: same, lambda m: same)


def constraint(n):
    """Return a constraint of n variables."""
    return kkt.Constraint(Counted(1), v(n), "= 0", Counted(2))


def inverse(n):
    """Return an inverse of n working places."""
    found = kkt_inverse.Inverse()
    found.index, found.rows = list(range(n)), [list(row) for row in A(n, n)]
    return found


# name -> for n and p what is called, and the multiplications and divisions that its Cost states
TABLE = {
    "sample.scatter:scatter": lambda n, p: (
        partial(scatter.scatter, Block(tuple(A(p, n)), v(n, 2)), v(p)),
        (n * p * (p + 1) // 2 + n * p, 0),
    ),
    "sample.metric:Metric.squared": lambda n, p: (
        partial(metric.factor(F, Matrix.identity(p, Counted)).squared, v(p)),
        (p * p + 2 * p, 0),
    ),
    "sample.metric:squared_distances": lambda n, p: (
        partial(metric.squared_distances, A(n, p), v(p), [v(n)] * 3),
        (n * p + 3 * n, 0),
    ),
    "margins.svm.conditions:weights": lambda n, p: (partial(conditions.weights, v(n), v(n), A(n, p)), (n * p + n, 0)),
    "optimise.quadratic.problem:product": lambda n, p: (partial(quadratic.product, A(n, n), v(n)), (n * n, 0)),
    "optimise.multiclass.zero_sum:gradient": lambda n, p: (
        partial(zero_sum.gradient, SimpleNamespace(Q=A(n, n), c=[v(n)] * p), [v(n)] * p),
        (n * n * p, 0),
    ),
    "optimise.quadratic.kkt:stationarity": lambda n, p: (
        partial(kkt.stationarity, "minimise", v(n), [constraint(n)] * p),
        ((n + 1) * p, 0),
    ),
    "optimise.quadratic.kkt:tangent": lambda n, p: (partial(kkt.tangent, v(n), v(n, 3)), (3 * n, 1)),
    "optimise.active_set.kkt_inverse:Inverse.solve": lambda n, p: (partial(inverse(n).solve, v(n)), (n * n, 0)),
    "optimise.smooth.sgd:objective": lambda n, p: (
        partial(sgd.objective, descent(n, p), v(p)),
        ((n + 1) * (p + 1), 2),
    ),
    "optimise.smooth.sgd:one_gradient": lambda n, p: (
        partial(sgd.one_gradient, descent(n, p), v(p), 0),
        (3 * p + 2, 0),
    ),
    "optimise.smooth.sgd:gradient": lambda n, p: (
        partial(sgd.gradient, descent(n, p), v(p)),
        (2 * n * (p + 1) + 2 * p, p),
    ),
    "linear.combination:total": lambda n, p: (partial(combination.total, v(p), A(p, n)), (n * p, 0)),
    "linear.jacobi:off": lambda n, p: (partial(jacobi.off, A(n, n)), (n * (n - 1), 0)),
    "discriminants.gaussian.lda:Model.exponents": lambda n, p: (
        partial(lda.Model(v(n), A(n, p), None, A(n, p), v(n), None, A(n, p)).exponents, v(p)),
        (n * p, 0),
    ),
    "discriminants.comparators.rbf_network:Model.scores": lambda n, p: (
        partial(rbf_network.Model(F, Counted(1), A(n, p), A(3, n)).scores, v(p)),
        (n * (p + 4), 0),
    ),
    "regress.linear.orthogonal_columns:Columns.rest": lambda n, p: (
        partial(Columns(v(n), tuple(A(p, n)), tuple(A(p, n)), tuple(v(p))).rest, F, v(n)),
        (2 * n * p, p),
    ),
    "kernels.interaction_spline:InteractionSpline": lambda n, p: (
        partial(InteractionSpline(Counted(0), n), F, v(p), v(p)),
        (p * (n + 4), p),
    ),
}


@pytest.mark.parametrize(("n", "p"), [(2, 3), (5, 2), (4, 4)])
@pytest.mark.parametrize("name", TABLE)
def test_what_a_cost_states_is_what_is_counted(name, n, p):
    """Multiplications and divisions, no more and no less."""
    call, stated = TABLE[name](n, p)
    with counting() as c:
        call()
    assert (c.multiply, c.divide) == stated


# the test files that count others
COUNTED_IN = {
    "tests/bases/test_polynomial.py": "bases.polynomial:Monomials",
    "tests/linear/test_geometry.py": "linear.geometry:inner_products linear.geometry:squared_distances",
    "tests/kernels/test_spline.py": "kernels.spline:Spline",
    "tests/kernels/test_string.py": "kernels.string:String",
    "tests/laws/test_costs.py": (
        "kernels.linear:Linear kernels.polynomial:Polynomial kernels.gaussian:Gaussian kernels.laplacian:Laplacian"
        " kernels.sigmoid:Sigmoid kernels.thin_plate:ThinPlate"
    ),
    "tests/linear/factorisations/test_cholesky.py": (
        "linear.factorisations.cholesky:Factor.solve linear.factorisations.cholesky:factor"
        " linear.factorisations.cholesky:append linear.factorisations.cholesky:drop"
    ),
    "tests/linear/factorisations/test_elimination.py": (
        "linear.factorisations.elimination:Factor.determinant linear.factorisations.elimination:Factor.solve"
        " linear.factorisations.elimination:factor"
    ),
    "tests/linear/factorisations/test_gram_schmidt.py": "linear.factorisations.gram_schmidt:factor",
    "tests/linear/factorisations/test_householder.py": (
        "linear.factorisations.householder:Factor.apply_transpose linear.factorisations.householder:factor"
    ),
    "tests/linear/factorisations/test_ldl.py": (
        "linear.factorisations.ldl:Factor.solve linear.factorisations.ldl:factor"
    ),
    "tests/linear/factorisations/test_pentadiagonal.py": (
        "linear.factorisations.pentadiagonal:Factor.solve linear.factorisations.pentadiagonal:Factor.trace_over"
        " linear.factorisations.pentadiagonal:factor"
    ),
    "tests/linear/factorisations/test_triangular.py": (
        "linear.factorisations.triangular:solve_lower linear.factorisations.triangular:solve_upper"
    ),
    "tests/linear/test_jacobi.py": "linear.jacobi:symmetric_schur linear.jacobi:rotated linear.jacobi:rotate",
    "tests/margins/svm/geometry/test_hyperplane.py": "margins.svm.geometry.hyperplane:decision",
    "tests/margins/svm/test_soft.py": "margins.svm.soft:dual_objective",
    "tests/optimise/path/test_residuals.py": "margins.svm.path:fit",
    "tests/regress/kernel/test_insensitive.py": "regress.kernel.insensitive:dual_objective",
    "tests/regress/mars/test_knots.py": "regress.mars.knots:Scan.products",
}

# why a cost is not counted: what it is about, and a pattern of what it says
REASONS = {
    "integers of the exact engines, which are no numbers of a field": r"integer|modulo|fractions|each digit",
    "an iteration whose number of steps no formula tells": r"step|sweep|iteration|simplex|a chunk|rotations for|³ once",
    "an estimate of the leading order": (
        r"about|some |a few|few |mostly|at most|[²³]/\d|\d\)Kq|O\(|²\)?/2|n³|2ⁿ|3ⁿ|2ᴷ|for the covariance|break point"
        r"|an observation|M² mult"
    ),
    "stated by another cost, or in kernel values, fits, losses and roots": (
        r"^as |`|that of|those of|machines|fits|training|the metric's|values of the kernel|a kernel value|rows of"
        r"|rows? of K|vectors' worth|solution|evaluations|logarithms|^n roots|a value for|one value|entries of"
        r"|a root for|Σ d²|problems"
    ),
    "arithmetic of doubles, which only tells what exact arithmetic need not compute": r"of doubles",
    "no arithmetic: sorts, comparisons, draws, passes": (
        r"comparison|sort|log n|draws|parse|pass(es)?\b|none|subsequences|cosine|^n;|^nm$|far from zero|operations"
    ),
    "an inner function of an engine that keeps a state, counted with the engine's step": (
        r"working (places|set)|the elbow|support vector|member|m² (− m )?multiplications"
        r"|for each (place|variable|of them)|α that|entry of α|q members"
        r"|a row$|a row in a field|weights of|K·p²|4p²|3npr|n·R·p|K − 1\)/2|n m mult"
        r"|^n·p mult|^15n|^n² multiplications$"
    ),
}


def stated():
    """Return what each Cost of the package says, by module and name."""
    found = {}

    def visit(module, prefix, node):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, (ast.FunctionDef, ast.ClassDef)):
                name = f"{prefix}.{child.name}" if prefix else child.name
                cost = re.search(r"^ *Cost {2,}(.*(?:\n {9,}\S.*)*)", ast.get_docstring(child) or "", re.M)
                if cost:
                    found[f"{module[len('refclass.') :]}:{name}"] = " ".join(cost[1].split())
                visit(module, name, child)

    for module, (_, _, tree) in sources().items():
        visit(module, "", tree)
    return found


def test_every_cost_is_counted_or_there_is_a_reason_why_not():
    """In the table, in a test that counts, or for a reason of the list; no reason is idle, no entry stale."""
    costs = stated()
    elsewhere = {name for names in COUNTED_IN.values() for name in names.split()}
    report([name for name in {*TABLE, *elsewhere} if name not in costs], "counted, but stated nowhere:")
    for path in COUNTED_IN:
        assert "counting()" in (ROOT / path).read_text(encoding="utf-8"), path
    left = {name: cost for name, cost in costs.items() if name not in TABLE and name not in elsewhere}
    why = {name: [r for r, pattern in REASONS.items() if re.search(pattern, cost)] for name, cost in left.items()}
    report(
        [f"{name}: {left[name]}" for name, found in why.items() if not found],
        "count these in TABLE, or say in REASONS why they cannot be:",
    )
    assert {found[0] for found in why.values()} == set(REASONS)
