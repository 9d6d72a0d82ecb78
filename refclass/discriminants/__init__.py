"""Floor 5: discriminants, models that tell classes apart by densities, by directions or by regressions.

A model room offers `fit(F, sample, …) -> Model`, `Model.scores(x)`, `Model.decide(x)`, which says what ties, and
`Model.predict(x)`, a class number, ties settled by the caller's rule.

Reading order:
    proof | scaled | crossings
    exponentials | decide | alternative | lattice
    weighing | separation | risk | cutpoint
    divergence
    lda | qda | variates | logistic | least_squares | scoring | correlation
    rda | fisher | bayes
    normal_proof | fit_proof | score_proof
    fda | mda | nearest | splits | perceptron | network | nodes
    pda | tree | signed
    rule_proof
"""
