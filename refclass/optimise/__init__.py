"""Floor 3: problems of optimisation, the walks that solve them, and the proofs of their answers.

A solver room offers `steps(problem)`, the walk as a generator of states; `solve(problem)`, the answer at its end; and
`certify(problem, answer)`, the proof. `State.check()` asserts what the walk promises at every step.

Reading order:
    scaled | certificate | lagrange
    newton | stochastic
    problem
    convex | feasible | working
    uniqueness | definite
    quadratic
    brute | equations
    point
    walk
    active_set
    refine | box
    recession
    smo
    gradient_ascent | chunking | conjugate | face | sketch | blocks
    decomposition | polish | exchange | loose | centred
    tuples
    level
    balanced
    low_rank | class_equations
    interior_point
    working_set | blockwise
    pieces | edge | weighted
    band | slope
    frame
    footing
    standing
    march
    stride | start | rounded
    gait
    long_step | course
    path
    ending | lloyd | mixture | lbfgs
    em
"""
