"""The Costs that no test counts, by name, each under the reason; its words must be those of the Cost.

A Cost that is new belongs to a table of `test_stated_costs`, or here, by name.
"""

# reason -> the names, and the words of which each Cost has some
UNCOUNTED = {
    "integers of the exact engines, doubles of a bound, or digits: no numbers of a field that could be counted": (
        """
        discriminants.comparators.node_digits:error
        discriminants.comparators.splits:sweep
        discriminants.logistic.balanced_weights:balanced
        discriminants.logistic.diverging:separated
        discriminants.logistic.fit_certificate:squares
        discriminants.logistic.separation:decide
        linear.exact.dixon:solve
        linear.exact.sparse_dixon:solve
        linear.factorisations.fixed_point:Refined.solve
        losses.conjugate_pieces:total
        margins.crammer_singer.certificate:certify
        margins.lee_lin_wahba.certificate:certify
        margins.svm.certificate:certify
        optimise.active_set.crossover:solve
        optimise.active_set.kkt_adjugate:Adjugate.pivot
        optimise.linear_svm.hyperplane_certificate:certify
        optimise.multiclass.zero_sum_crossover:solve
        optimise.programme.parametric.lexicographic:symbols
        optimise.programme.parametric.working_set:Equations.solve
        optimise.programme.presolve:presolve
        optimise.programme.problem:times
        optimise.programme.problem:transposed_times
        optimise.programme.refinement:refined
        optimise.programme.rounding:balanced
        optimise.programme.semidefinite:concave_direction
        optimise.quadratic.box_bounds:bounds
        optimise.quadratic.certificate:certify
        optimise.quadratic.convexity:negative_direction
        optimise.quadratic.definiteness:definite
        optimise.quadratic.exact_data:exact
        optimise.quadratic.uniqueness:of_x
        regress.kernel.certificate:certify
        regress.kernel.free_points:solved
        regress.kernel.null_space:levelled
        regress.kernel.ridge.kernel_ridge:degrees_of_freedom
        sample.moments:_products
        sample.moments:moments
        """,
        r"integer|modulo|fractions|each digit",
    ),
    "for each step of an iteration, or for steps whose number no formula tells": (
        """
        discriminants.comparators.perceptron:steps
        discriminants.comparators.splits:by_combination
        linear.eigen.one_sided_jacobi:factor
        linear.eigen.svd:factor
        linear.factorisations.pentadiagonal:gathered
        linear.jacobi:factor
        margins.lee_lin_wahba.decimal_fit:multipliers
        margins.penalised.kernel_logistic:fit
        margins.penalised.multinomial:fit
        margins.penalised.retargeted:fit
        margins.svm.squared:solve
        optimise.active_set.primal:solve
        optimise.active_set.solver:solve
        optimise.decomposition.chunking:solve
        optimise.decomposition.conjugate_gradient:descend
        optimise.decomposition.coordinate_ascent:solve
        optimise.decomposition.fixed_size:solve
        optimise.decomposition.smo:solve
        optimise.decomposition.sparse_start:found
        optimise.linear_svm.smoothed_start:near
        optimise.mixture.em:steps
        optimise.mixture.anderson:steps
        optimise.multiclass.block_sums:solve
        optimise.multiclass.interior_point:solve
        optimise.smooth.lbfgs:steps
        optimise.smooth.newton:solve
        regress.kernel.smooth:fit
        regress.mars.forward:steps
        regress.spline.bruto_steps:steps
        """,
        r"step|sweep|iteration|a chunk|rotations for",
    ),
    "an estimate of the leading order, or a bound from above: lower terms are left out": (
        """
        discriminants.comparators.network:Problem.evaluate
        discriminants.decision.crossings:roots
        discriminants.gaussian.qda:without_each
        margins.lee_lin_wahba.coupled_optimality:optimality
        margins.penalised.multinomial:Divided
        margins.penalised.ramp:brute
        margins.svm.path_certificate:certify
        optimise.decomposition.reduced_cholesky:Factor.append
        optimise.decomposition.reduced_cholesky:Factor.back
        optimise.decomposition.reduced_cholesky:Factor.half
        optimise.decomposition.reduced_cholesky:Factor.rebase
        optimise.decomposition.solver:solve
        optimise.multiclass.equal_sums:solve
        optimise.multiclass.newton_equations:Coupled
        optimise.multiclass.newton_equations:ZeroSum
        optimise.multiclass.class_factors:ClassFactor
        optimise.multiclass.class_factors:Triangle
        optimise.multiclass.kernel_path:found
        optimise.path.hastie:solve
        optimise.path.initial:multipliers
        optimise.path.segment:Segment.next_event
        optimise.programme.scaling:equilibrated
        oracle.equations.reach:Graph
        regress.kernel.intercept:best
        regress.kernel.newton.newton_coordinates:Coefficients.solve
        regress.kernel.newton.newton_coordinates:Multipliers.solve
        regress.mars.backward:steps
        regress.mars.knots:scan
        regress.spline.additive:certify
        regress.spline.additive_direct:solve
        regress.spline.bruto:certify_choices
        regress.spline.gcv.gcv_certificate:certify
        regress.spline.gcv.gcv_enclosure:Spline.at
        regress.spline.smoother:Smoother.at
        regress.spline.spline:_loose
        regress.spline.spline:certify
        regress.spline.spline:certify_choice
        """,
        r"about|some |a few|few |at most|[²³]/\d|\d\)Kq|O\(|²\)?/2|n³|2ⁿ|3ⁿ|2ᴷ|for the covariance|"
        r"break point|an observation|M² mult",
    ),
    "in terms of another cost: a solution, a fit, a training, values of a kernel that engines keep or ask for": (
        """
        discriminants.gaussian.least_squares:without_each
        discriminants.logistic.ascent:residual
        kernels.matrices.eigen:expand
        linear.eigen.pencil:factor
        linear.exact.dixon:lifted
        linear.exact.dixon:solution
        linear.exact.fraction_free:solve
        linear.factorisations.sparse_ldl:Factor.solve
        linear.factorisations.sparse_ldl:factor
        linear.factorisations.sparse_ldl:plan
        margins.svm.optimality:optimality
        margins.svm.path:Model.optimum
        margins.svm.path_record:model
        optimise.path.degenerate:least
        regress.kernel.null_space:Model.scores
        regress.kernel.null_space:solve
        regress.kernel.premises:doubles_suffice
        regress.kernel.tube.tube_optimality:optimality
        regress.linear.lasso:fit
        selection.gacv:exact_correction
        optimise.programme.semidefinite:convexity
        oracle.true_kernel:enclosed
        oracle.judging.comparison.held:predictions
        """,
        r"^as |`|that of|predictions|those of|machines|training|the metric's|values of the kernel|a kernel value|"
        r"vectors' worth|an exponential|solution|evaluations|logarithms|^n roots|one value|entries of|Σ d²|problems",
    ),
    "arithmetic of doubles, which only tells what exact arithmetic need not compute": (
        """
        regress.kernel.inactive_points:active
        """,
        r"of doubles",
    ),
    "of comparisons, sorts, draws or passes: nothing is multiplied that a number could count": (
        """
        data.spirals:points
        discriminants.gaussian.cutpoint:empirical
        kernels.precomputed:Precomputed
        margins.lee_lin_wahba.certificate:misstated
        optimise.path.solution:Path.at
        """,
        r"comparison|log n|draws|none|subsequences|cosine|^n;|^nm$",
    ),
    "of one product or update of a state that its engine alone makes, in doubles or with lower terms left out": (
        """
        linear.polar:Products.__call__
        linear.polar:gram
        margins.svm.path:Model.at
        optimise.active_set.kkt_system:Equations.product
        optimise.decomposition.reduced_cholesky:Factor.drop
        optimise.mixture.em_steps:maximised
        optimise.multiclass.low_rank:turned
        optimise.path.segment:Segment.certain
        optimise.path.segment:Segment.refine_slopes
        optimise.path.segment:Segment.solve_slopes
        optimise.path.segment:Segment.verify
        selection.gacv:approximate_correction
        """,
        r"the elbow|a distance for each|support vector|member|m² (− m )?multiplications|"
        r"for each (place|variable|of them)|α that|entry of α|q members|"
        r"a row$|3npr|n·R·p|K − 1\)/2|n m mult|^n·p mult|^n² multiplications$",
    ),
}
