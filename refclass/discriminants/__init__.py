"""Discriminants, models that separate classes by densities, by directions or by regressions.

A model module offers `fit(F, sample, …) -> Model`, `Model.scores(x)`, `Model.decide(x)`, which says what ties, and
`Model.predict(x)`, a class number, ties settled by the caller's rule.

Reading order:
    decision
    gaussian | logistic
    comparators | mixture | optimal_scoring
"""
