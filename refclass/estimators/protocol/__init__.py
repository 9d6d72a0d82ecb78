"""What every public estimator offers, and the parts that several share.

Reading order:
    differing | given | named_columns | sklearn_tags
    certificates
    estimator
    classifier_by_name | discriminant | kernel_regressor | regressor | semiparametric | split_fit
    canonical | flexible | multiclass | regression_by_name
    multiclass_attributes
"""
