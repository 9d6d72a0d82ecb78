"""Public classifiers over the margin machines.

Reading order:
    binary_machine | crammer_singer | gram | kernel_classifier | lee_lin_wahba | one_vs_one | one_vs_rest
    semiparametric_classifier
    pairwise_coupling | several_machines
    svc
    actual_distance | bounds | svm_path
"""
