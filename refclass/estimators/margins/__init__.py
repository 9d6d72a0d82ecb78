"""Public classifiers over the margin machines.

Reading order:
    crammer_singer | gram | lee_lin_wahba | one_vs_one | one_vs_rest | semiparametric_classifier
    pairwise_coupling | strategies
    kernel_classifier | svc
    actual_distance | bounds | svm_path
"""
