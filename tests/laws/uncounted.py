"""The Costs that no test counts, by name, each under the reason; its words must be those of the Cost.

A Cost that is new belongs to a table of `test_stated_costs`, or here, by name.
"""

# reason -> the names, and the words of which each Cost has some
UNCOUNTED = {
    "integers of the exact engines, doubles of a bound, or digits: no numbers of a field that could be counted": (
        """
        optimise.programme.refinement:refined
        optimise.programme.semidefinite:concave_direction
        """,
        r"integer|modulo|fractions|each digit",
    ),
    "for each step of an iteration, or for steps whose number no formula tells": (
        """
        optimise.decomposition.chunking:solve
        optimise.decomposition.conjugate_gradient:descend
        optimise.decomposition.fixed_size:solve
        optimise.decomposition.sparse_start:found
        optimise.linear_svm.smoothed_start:near
        optimise.multiclass.block_sums:solve
        """,
        r"step|sweep|iteration|a chunk|rotations for",
    ),
    "an estimate of the leading order, or a bound from above: lower terms are left out": (
        """
        optimise.decomposition.solver:solve
        optimise.multiclass.equal_sums:solve
        optimise.multiclass.proximal_newton:found
        optimise.path.initial:multipliers
        regress.kernel.intercept:best
        """,
        r"about|some |a few|few |at most|[²³]/\d|\d\)Kq|O\(|²\)?/2|n³|2ⁿ|3ⁿ|2ᴷ|for the covariance|"
        r"break point|an observation|M² mult",
    ),
    "in terms of another cost: a solution, a fit, a training, values of a kernel that engines keep or ask for": (
        """
        linear.factorisations.sparse_ldl:plan
        oracle.true_kernel:enclosed
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
        """,
        r"comparison|log n|draws|none|subsequences|cosine|^n;|^nm$",
    ),
    "of one product or update of a state that its engine alone makes, in doubles or with lower terms left out": (
        """
        margins.svm.path:Model.at
        """,
        r"the elbow|a distance for each|support vector|member|m² (− m )?multiplications|"
        r"for each (place|variable|of them)|α that|entry of α|q members|"
        r"a row$|3npr|n·R·p|K − 1\)/2|n m mult|^n·p mult|^n² multiplications$",
    ),
}
