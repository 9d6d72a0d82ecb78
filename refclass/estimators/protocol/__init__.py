"""What every public estimator offers, and the parts that several share.

Reading order:
    certificates | given
    estimator
    classifier_by_name | discriminant | kernel_regressor | regressor | split_fit
    canonical | flexible | multiclass | regression_by_name | semiparametric
    multiclass_attributes
"""
