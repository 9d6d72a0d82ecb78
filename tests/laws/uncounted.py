"""The Costs that no test counts, by name, each under the reason; its words must be those of the Cost.

A Cost that is new belongs to a table of `test_stated_costs`, or here, by name.
"""

# reason -> the names, and the words of which each Cost has some
UNCOUNTED = {
    "integers of the exact engines, doubles of a bound, or digits: no numbers of a field that could be counted": (
        """
        discriminants.comparators.splits:sweep
        discriminants.logistic.balanced_weights:balanced
        discriminants.logistic.diverging:separated
        discriminants.logistic.fit_certificate:squares
        discriminants.logistic.separation:decide
        linear.exact.sparse_dixon:solve
        linear.factorisations.fixed_point:Refined.solve
        losses.conjugate_pieces:total
        optimise.active_set.crossover:solve
        optimise.multiclass.zero_sum_crossover:solve
        optimise.programme.parametric.lexicographic:symbols
        optimise.programme.parametric.working_set:Equations.solve
        optimise.programme.presolve:presolve
        optimise.programme.problem:times
        optimise.programme.problem:transposed_times
        optimise.programme.refinement:refined
        optimise.programme.rounding:balanced
        optimise.programme.semidefinite:concave_direction
        regress.kernel.free_points:solved
        """,
        r"integer|modulo|fractions|each digit",
    ),
    "for each step of an iteration, or for steps whose number no formula tells": (
        """
        discriminants.comparators.splits:by_combination
        margins.lee_lin_wahba.decimal_fit:multipliers
        optimise.active_set.primal:solve
        optimise.active_set.solver:solve
        optimise.decomposition.chunking:solve
        optimise.decomposition.conjugate_gradient:descend
        optimise.decomposition.fixed_size:solve
        optimise.decomposition.sparse_start:found
        optimise.linear_svm.smoothed_start:near
        optimise.multiclass.block_sums:solve
        optimise.multiclass.interior_point:solve
        optimise.smooth.newton:solve
        regress.mars.forward:steps
        regress.spline.bruto_steps:steps
        """,
        r"step|sweep|iteration|a chunk|rotations for",
    ),
    "an estimate of the leading order, or a bound from above: lower terms are left out": (
        """
        discriminants.decision.crossings:roots
        margins.penalised.ramp:brute
        margins.svm.path_certificate:certify
        optimise.decomposition.solver:solve
        optimise.multiclass.equal_sums:solve
        optimise.multiclass.proximal_newton:found
        optimise.path.hastie:solve
        optimise.path.initial:multipliers
        optimise.path.segment:Segment.next_event
        optimise.programme.scaling:equilibrated
        oracle.equations.reach:Graph
        regress.kernel.intercept:best
        regress.mars.backward:steps
        regress.mars.knots:scan
        regress.spline.additive:certify
        regress.spline.additive_direct:solve
        regress.spline.bruto:certify_choices
        regress.spline.gcv.gcv_certificate:certify
        regress.spline.gcv.gcv_enclosure:Spline.at
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
        kernels.matrices.eigen:expand
        linear.eigen.pencil:factor
        linear.exact.dixon:lifted
        linear.exact.dixon:solution
        linear.exact.fraction_free:solve
        linear.factorisations.sparse_ldl:Factor.solve
        linear.factorisations.sparse_ldl:factor
        linear.factorisations.sparse_ldl:plan
        margins.svm.path:Model.optimum
        margins.svm.path_record:model
        optimise.path.degenerate:least
        regress.kernel.null_space:Model.scores
        regress.kernel.null_space:solve
        regress.kernel.premises:doubles_suffice
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
        """,
        r"of doubles",
    ),
    "of comparisons, sorts, draws or passes: nothing is multiplied that a number could count": (
        """
        data.spirals:points
        discriminants.gaussian.cutpoint:empirical
        kernels.precomputed:Precomputed
        optimise.path.solution:Path.at
        """,
        r"comparison|log n|draws|none|subsequences|cosine|^n;|^nm$",
    ),
    "of one product or update of a state that its engine alone makes, in doubles or with lower terms left out": (
        """
        margins.svm.path:Model.at
        optimise.path.segment:Segment.verify
        """,
        r"the elbow|a distance for each|support vector|member|m² (− m )?multiplications|"
        r"for each (place|variable|of them)|α that|entry of α|q members|"
        r"a row$|3npr|n·R·p|K − 1\)/2|n m mult|^n·p mult|^n² multiplications$",
    ),
}
