"""Floor 7: the public face, scikit-learn's shape over every model.

Reading order:
    tags | told | names
    estimator | points
    discriminant | leave_one_out | trial
    cross_validate | learning_curve | grid_search
    canonical
    lda | qda | fisher | least_squares | logistic | scoring
    rda | bayes
    two_class
    several
    one_vs_one | one_vs_rest | machines
    gram | judge_kernel | svc
    svm_path | bounds | lee_lin_wahba | crammer_singer
    regressor
    polynomial_regression | smoothing_spline | bruto | mars
    kernel_classifier | linear_regression | kernel_regressor
    ridge | kernel_ridge | svr | huber
    regression | mda | nearest | tree | perceptron | network | nodes
    flexible | signed
    fda | pda
"""
