"""Every Cost of a docstring is counted, here or where `TABLES` and `COUNTED_IN` say; the tables by `test_more_costs`.

A cost is counted with `Counted`, whose operations are counted one by one: what a docstring states is an equality. Where
the package chooses its numbers by their types, its own code counts (`tests.operations`), and what is compared is the
leading order. What costs as others do says so, and names them (`AS`).
"""

import ast
import dataclasses
import re
from functools import partial
from types import SimpleNamespace

from refclass.discriminants.comparators import rbf_network
from refclass.discriminants.gaussian import lda, qda
from refclass.kernels.interaction_spline import InteractionSpline
from refclass.kernels.matrices import expansions, gram
from refclass.kernels.spaces import rkhs
from refclass.linear import bordered, combination, jacobi
from refclass.linear.factorisations import cholesky, pentadiagonal
from refclass.linear.factorisations.orthogonal_columns import Columns
from refclass.linear.matrix import Matrix
from refclass.linear.vector import Vector
from refclass.margins.crammer_singer import problem as crammer_singer
from refclass.margins.svm import conditions
from refclass.number.binary64 import BINARY64
from refclass.optimise.active_set import kkt_inverse
from refclass.optimise.linear_svm.dual_basis import DualBasis
from refclass.optimise.mixture import likelihood
from refclass.optimise.mixture.likelihood import Group
from refclass.optimise.multiclass import zero_sum
from refclass.optimise.path.elbow_system import Elbow
from refclass.optimise.quadratic import box_rows, kkt
from refclass.optimise.quadratic import problem as quadratic
from refclass.optimise.smooth import sgd
from refclass.regress.kernel import premises
from refclass.sample import metric, scatter, sherman_morrison
from refclass.sample.mean import mean
from refclass.sample.observations import Block
from refclass.selection import leave_one_out
from tests.architecture.tree import ROOT, report, sources
from tests.kernels.watched import Watched
from tests.laws import (
    test_decomposition_costs,
    test_engine_costs,
    test_growing_costs,
    test_machine_costs,
    test_unit_costs,
)
from tests.numbers import COUNTED, Counted

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


def identity(p):
    """Return the metric of the identity."""
    return metric.factor(F, Matrix.identity(p, Counted))


def elbow(n):
    """Return an elbow of n members."""
    found = Elbow(Counted)
    found.members, found.table = list(range(n)), inverse(n + 1)
    found.table.index = ["intercept", *range(n)]
    return found


def basis(n, p):
    """Return n members of p coordinates, without an intercept."""
    found = DualBasis(None)
    found.members, found.points, found.duals = list(range(n)), list(map(tuple, A(n, p))), list(map(tuple, A(n, p)))
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
    "kernels.matrices.expansions:normal": lambda n, p: (partial(expansions.normal, v(n), A(n, p)), (n * p, 0)),
    "kernels.matrices.expansions:linear": lambda n, p: (
        partial(expansions.linear, [(v(p), Counted(1))] * 3, A(n, p)),
        (3 * n * p, 0),
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
    "optimise.mixture.likelihood:linear": lambda n, p: (
        partial(likelihood.linear, Group(v(p), tuple(A(n, p)), tuple(A(p, n)), v(n), Counted(n)), v(p), Counted(2)),
        (n * p + n, 0),
    ),
    "linear.jacobi:off": lambda n, p: (partial(jacobi.off, A(n, n)), (n * (n - 1), 0)),
    "discriminants.gaussian.lda:Model.exponents": lambda n, p: (
        partial(lda.Model(v(n), A(n, p), None, A(n, p), v(n), None, A(n, p)).exponents, v(p)),
        (n * p, 0),
    ),
    "discriminants.comparators.rbf_network:Model.scores": lambda n, p: (
        partial(rbf_network.Model(F, Counted(1), A(n, p), A(3, n), 0).scores, v(p)),
        (n * (p + 4), 0),
    ),
    "linear.factorisations.orthogonal_columns:Columns.rest": lambda n, p: (
        partial(Columns(v(n), tuple(A(p, n)), tuple(A(p, n)), tuple(v(p))).rest, F, v(n)),
        (2 * n * p, p),
    ),
    "discriminants.gaussian.qda:Model.exponents": lambda n, p: (
        partial(qda.Model(v(n), A(n, p), (), None, ((A(p, p), v(p)),) * n).exponents, v(p)),
        (n * p * (p + 1), n),
    ),
    "optimise.active_set.kkt_inverse:Inverse.drop": lambda n, p: (partial(inverse(n).drop, 0), (n * n - n, n)),
    "sample.sherman_morrison:downdated": lambda n, p: (
        partial(sherman_morrison.downdated, identity(p), v(p), Counted(-1), Counted(1)),
        (4 * p * p + 4 * p + 3, p + 1),
    ),
    "optimise.quadratic.box_rows:combine": lambda n, p: (
        partial(box_rows.combine, v(n), v(p), A(p, n)),
        (n * (p + -(-p // box_rows.TOGETHER)), 0),
    ),
    "margins.crammer_singer.problem:values": lambda n, p: (
        partial(crammer_singer.values, A(n, n), A(n, p)),
        (n * n * p, 0),
    ),
    "linear.bordered:Factor.solve": lambda n, p: (
        partial(bordered.Factor(A(n, n), SimpleNamespace(solve=lambda y: y), v(n), True).solve, v(n)),
        (n, 1),
    ),
    "optimise.path.elbow_system:Elbow.solve": lambda n, p: (
        partial(elbow(n).solve, Counted(1), v(n)),
        ((n + 1) ** 2, 0),
    ),
    "optimise.path.elbow_system:Elbow.eliminated": lambda n, p: (
        partial(elbow(n).eliminated, v(n), Counted(9)),
        ((n + 1) * (n + 2), 0),
    ),
    "optimise.path.elbow_system:Elbow.drop": lambda n, p: (partial(elbow(n).drop, 0), (n * (n + 1), n + 1)),
    "optimise.linear_svm.dual_basis:DualBasis.solve": lambda n, p: (
        partial(basis(n, p).solve, Counted(1), v(n)),
        (2 * n * p, 0),
    ),
    "optimise.linear_svm.dual_basis:DualBasis.drop": lambda n, p: (
        partial(basis(n, p).drop, 0),
        ((2 * n - 1) * p, n - 1),
    ),
    "optimise.quadratic.problem:objective": lambda n, p: (
        partial(quadratic.objective, SimpleNamespace(Q=A(n, n), c=v(n)), v(n)),
        (n * n + n, 1),
    ),
    "optimise.quadratic.problem:gradient": lambda n, p: (
        partial(quadratic.gradient, SimpleNamespace(Q=A(n, n), c=v(n)), v(n)),
        (n * n, 0),
    ),
    "sample.mean:mean": lambda n, p: (partial(mean, Block(tuple(A(p, n)), v(n, 2))), (n * p, p)),
    "linear.factorisations.pentadiagonal:Factor.trace_over_rows": lambda n, p: (
        partial(pentadiagonal.Factor(v(n), v(n), v(n)).trace_over_rows, [v(4)] * n),
        (17 * n + 9, 3 * n),
    ),
    "kernels.interaction_spline:InteractionSpline": lambda n, p: (
        partial(InteractionSpline(Counted(0), n), F, v(p), v(p)),
        (p * (n + 4), p),
    ),
}


def values_of(work):
    """Return how many values of a kernel the work computes."""
    kernel = Watched()
    work(kernel)
    return kernel.values


def doubles(n, p):
    """Return n rows of p doubles."""
    return Matrix([Vector([float(i + j) for j in range(p)]) for i in range(n)])


def logarithms_of(work):
    """Return how many logarithms the work takes."""
    taken = []
    work(dataclasses.replace(F, log=lambda x: taken.append(x) or Counted(0)))
    return len(taken)


# name -> for n and p how many there are of what a Cost is stated in, and how many it states
UNITS = {
    "kernels.matrices.gram:gram": lambda n, p: (values_of(lambda k: gram.gram(F, k, A(n, p))), n * (n + 1) // 2),
    "kernels.matrices.gram:Rows.table": lambda n, p: (
        values_of(lambda k: gram.Rows(F, k, A(n, p)).table()),
        n * (n + 1) // 2,
    ),
    "kernels.matrices.gram:Rows.row": lambda n, p: (values_of(lambda k: gram.Rows(F, k, A(n, p)).row(1)), n),
    "kernels.matrices.expansions:expanded": lambda n, p: (
        values_of(lambda k: expansions.expanded(F, F, k, A(n, 2), [(v(n), Counted(1))] * 3, A(p, 2))),
        n * p,
    ),
    "kernels.spaces.rkhs:inner": lambda n, p: (
        values_of(lambda k: rkhs.inner(F, rkhs.Expansion(k, A(n, 2), v(n)), rkhs.Expansion(k, A(p, 2), v(p)))),
        n * p,
    ),
    "regress.kernel.premises:terms": lambda n, p: (
        values_of(lambda k: premises.terms(gram.Rows(BINARY64, k, doubles(2 * n, p)), [1.0, 0.0] * n, False)),
        2 * n * n,
    ),
    "linear.factorisations.cholesky:Factor.log_determinant": lambda n, p: (
        logarithms_of(cholesky.Factor(Matrix.identity(n, Counted)).log_determinant),
        n,
    ),
    "selection.leave_one_out:left_out": lambda n, p: (
        len(list(leave_one_out.left_out(SimpleNamespace(n=n, X=A(n, p), without=lambda i: i), lambda s, x: s))),
        n,
    ),
}


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
    "tests/laws/test_more_costs.py": (
        "bases.truncated:TruncatedPowers discriminants.comparators.nearest:Model.neighbours"
        " discriminants.comparators.rbf_network:fit discriminants.gaussian.lda:Model.classify"
        " discriminants.gaussian.lda:fit discriminants.gaussian.lda_deletion:without_each"
        " discriminants.logistic.ascent:information estimators.protocol.certificates.stated:combinations"
        " kernels.dirichlet:Dirichlet kernels.matrices.mercer:judge kernels.matrices.product:exact_product"
        " kernels.matrices.product:squared_norm kernels.spaces.features:subsequences linear.clearing:product"
        " linear.common_denominator:combination linear.common_denominator:combinations"
        " linear.exact.dixon:independent linear.exact.dixon:rank"
        " linear.exact.fraction_free:Factor.solve linear.exact.fraction_free:factor"
        " linear.factorisations.fixed_point:Factor.inverse linear.factorisations.fixed_point:Factor.inverse_diagonal"
        " linear.factorisations.fixed_point:Factor.solve linear.factorisations.fixed_point:factor"
        " linear.factorisations.gram_schmidt:Factor.normalised margins.crammer_singer.problem:Model.scores"
        " margins.lee_lin_wahba.decision:Model.scores margins.reduction.coupling:steps"
        " margins.reduction.one_vs_one:fit margins.reduction.one_vs_rest:fit margins.svm.fit:Model.scores"
        " optimise.active_set.kkt_inverse:Inverse.pivot"
        " optimise.linear_svm.dual_basis:DualBasis.inverse_diagonal"
        " optimise.linear_svm.dual_basis:DualBasis.take optimise.linear_svm.screened_points:Points.slack"
        " optimise.mixture.kmeans:steps optimise.multiclass.coupled:Problem.gradient"
        " linear.factorisations.low_rank:factored optimise.multiclass.zero_sum:minimum"
        " optimise.path.elbow_system:Elbow.append optimise.path.residuals:Residuals.less"
        " optimise.path.residuals:Residuals.recompute optimise.smooth.sgd:solve"
        " linear.bordered:Factor.diagonal"
        " regress.kernel.ridge.kernel_ridge:Model.degrees_of_freedom regress.kernel.ridge.kernel_ridge:fit"
        " regress.kernel.ridge.ridge_deletion:without_each regress.kernel.smooth:Divided"
        " regress.linear.polynomial:fit regress.linear.ridge_certificate:objective"
        " regress.linear.ridge_certificate:trace"
        " regress.linear.row_deletion:without_each regress.spline.certificate:bounds"
        " regress.spline.certificate:slack regress.spline.smoother:Cubic regress.spline.spline:fit"
        " sample.gaussian:log_density optimise.linear_svm.line_search:least"
        " selection.hill_climbing:steps"
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
    "tests/optimise/path/test_residuals.py": "margins.svm.path.fit:fit",
    "tests/regress/kernel/tube/test_insensitive.py": "regress.kernel.tube.insensitive:dual_objective",
    "tests/regress/mars/test_knots.py": "regress.mars.knots:Scan.products",
}


# name -> those whose costs it states its own by: the text of the Cost names them, and the module uses them
AS = {
    "discriminants.gaussian.least_squares:without_each": "regress.linear.row_deletion:without_each",
    "discriminants.logistic.fit_certificate:squares": "sample.moments:moments",
    "kernels.matrices.eigen:expand": "linear.eigen.one_sided_jacobi:factor",
    "linear.exact.dixon:solution": "linear.exact.dixon:solve",
    "linear.exact.fraction_free:solution": (
        "linear.exact.fraction_free:factor linear.exact.fraction_free:Factor.solve linear.exact.dixon:solution"
    ),
    "linear.exact.fraction_free:solve": (
        "linear.exact.fraction_free:factor linear.exact.fraction_free:Factor.solve linear.exact.dixon:solve"
    ),
    "margins.lee_lin_wahba.decimal_fit:multipliers": "optimise.multiclass.interior_point:solve",
    "margins.svm.path.certificate:certify": "margins.svm.certificate:certify",
    "margins.svm.path.rounding:rounded": "margins.svm.certificate:certify",
    "optimise.active_set.crossover:guessed": "optimise.active_set.crossover:solve",
    "optimise.active_set.crossover:solve": "linear.exact.fraction_free:solution",
    "optimise.multiclass.zero_sum_crossover:solve": (
        "linear.exact.fraction_free:solution optimise.active_set.crossover:solve"
    ),
    "optimise.path.degenerate:least": "optimise.active_set.solver:solve",
    "optimise.path.segment:Segment.next_event": "optimise.path.segment:Segment.certain",
    "optimise.path.segment:Segment.verify": "optimise.path.residuals:Residuals.recompute",
    "optimise.programme.parametric.lexicographic:symbols": (
        "optimise.programme.parametric.working_set:Equations.solve optimise.programme.problem:times"
    ),
    "optimise.programme.parametric.working_set:Equations.solve": "linear.exact.sparse_dixon:solve",
    "optimise.programme.refinement:refined": (
        "linear.factorisations.sparse_ldl:factor linear.factorisations.sparse_ldl:Factor.solve"
        " optimise.programme.problem:times"
    ),
    "optimise.programme.semidefinite:concave_direction": "optimise.quadratic.convexity:negative_direction",
    "regress.kernel.free_points:solved": "linear.exact.fraction_free:solve",
    "regress.linear.lasso:fit": "optimise.active_set.solver:solve",
    "regress.bruto.bruto:certify_choices": "regress.spline.gcv.gcv_certificate:certify",
    "regress.spline.spline:certify_choice": (
        "regress.spline.spline:certify regress.spline.gcv.gcv_certificate:certify"
    ),
}


# the test files whose tables have the names
TABLES = (test_decomposition_costs, test_engine_costs, test_growing_costs, test_machine_costs, test_unit_costs)


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


def test_every_cost_is_counted():
    """In a table, in a test that counts, or by other costs; each in one place only."""
    costs = stated()
    elsewhere = [name for names in COUNTED_IN.values() for name in names.split()]
    tables = [name for file in TABLES for name in file.NAMES]
    known = [*TABLE, *UNITS, *AS, *tables, *elsewhere]
    report([name for name in known if name not in costs], "counted, but stated nowhere:")
    report([name for name in costs if known.count(name) > 1], "counted twice:")
    report(
        [f"{name}: {cost}" for name, cost in costs.items() if name not in known],
        "count these in a table:",
    )
    for path in COUNTED_IN:
        assert "counting()" in (ROOT / path).read_text(encoding="utf-8"), path


def test_a_cost_that_is_stated_by_others_names_what_is_counted():
    """Each of them by its name, and none by way of itself."""
    costs, settled = stated(), {*TABLE, *UNITS, *(name for file in TABLES for name in file.NAMES)}
    settled.update(name for names in COUNTED_IN.values() for name in names.split())
    left = {name: others.split() for name, others in AS.items()}
    while ready := [name for name, others in left.items() if settled.issuperset(others)]:
        settled.update(ready)
        left = {name: others for name, others in left.items() if name not in ready}
    report([f"{name}: {others}" for name, others in left.items()], "stated by costs that are not counted:")
    for name, others in AS.items():
        module, _, own = name.partition(":")
        names = re.findall(r"`([\w.]+)`", costs[name])
        for other in others.split():
            full = other.replace(":", ".")
            assert any(f".{full}".endswith(f".{said}") for said in names), f"{name}: {costs[name]}: {other}"
            used = sources()[f"refclass.{module}"][1].replace(f"def {own}(", "")
            assert re.search(rf"\b{full.rpartition('.')[2]}\(", used), f"{name} does not use {other}"
