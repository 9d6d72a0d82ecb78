"""What every public estimator offers, and the parts that several share.

Reading order:
    canonical_certificate | claimed | class_weights | differing | kernel_input | named_columns | sklearn_tags | starting
    estimator | stated
    classifier_by_name | discriminant | kernel_regressor | regressor | split_fit
    canonical | flexible | multiclass | regression_by_name | semiparametric
    multiclass_attributes
"""
