"""scikit-learn as a candidate: vectors run --lines --candidate 'python scikit_learn.py' lda qda ridge …"""

import json
import sys

import numpy as np
from sklearn import discriminant_analysis as da
from sklearn import kernel_ridge, linear_model

# Parameters that are missing here, or an argument without its default, are conventions that scikit-learn does not have.
MAKE = {
    "lda": lambda *, divisor, priors=None: da.LinearDiscriminantAnalysis(priors=priors),
    "qda": lambda *, divisor, priors=None: da.QuadraticDiscriminantAnalysis(priors=priors),
    "ridge": lambda *, penalty=1, intercept=True: linear_model.Ridge(alpha=penalty, fit_intercept=intercept),
    "linear_regression": lambda *, intercept=True: linear_model.LinearRegression(fit_intercept=intercept),
    "kernel_ridge": lambda *, intercept, penalty=1: kernel_ridge.KernelRidge(alpha=penalty),
    "logistic": lambda *, penalty: linear_model.LogisticRegression(C=1 / penalty, tol=1e-12, max_iter=10000),
}

for line in sys.stdin:
    problem = json.loads(line)
    try:
        model = MAKE[problem["method"]](**problem.get("parameters", {}))
    except (KeyError, TypeError) as error:
        print(json.dumps({"unsupported": repr(error)}), flush=True)
        continue
    try:
        if problem["method"] == "logistic" and len(set(problem["y"])) == 2:
            model.C *= 2  # the penalty of two classes is λ/4 ‖β‖² where theirs is ½‖β‖²
        weights = {"sample_weight": problem["weights"]} if "weights" in problem else {}
        model.fit(np.array(problem["x"], float), problem["y"], **weights)
        query, told = problem.get("query", problem["x"]), {}
        for name, method in (("labels", "predict"), ("posterior", "predict_proba")):
            told[name] = getattr(model, method, lambda q: None)(query)
        answer = {"arithmetic": "float", "predictions": {k: v.tolist() for k, v in told.items() if v is not None}}
        if hasattr(model, "coef_"):
            answer["fitted"] = {"coef": model.coef_.tolist(), "intercept": np.asarray(model.intercept_).tolist()}
    except Exception as error:
        answer = {"refusal": {"got": repr(error)}}
    print(json.dumps(answer), flush=True)
