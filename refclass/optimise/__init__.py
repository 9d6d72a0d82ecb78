"""Problems of optimisation, the iterations that solve them, and the proofs of their answers.

A solver module offers `steps(problem)`, the iteration as a generator of states; `solve(problem)`, the answer at its
end; and `certify(problem, answer)`, the proof. `State.check()` asserts what the iteration keeps at every step.

Reading order:
    limits | mixture
    quadratic
    active_set | linear_svm | programme | smooth
    decomposition
    multiclass | path
"""
