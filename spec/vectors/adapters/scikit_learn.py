"""scikit-learn as a candidate: vectors run --lines --candidate 'python scikit_learn.py' lda qda ridge …"""

import json
import sys

import numpy as np
from sklearn import discriminant_analysis as da
from sklearn import kernel_ridge, linear_model


def estimator(method, p):
    """The estimator that minimises the same; a KeyError for a parameter that it does not have."""
    make = {
        "lda": lambda divisor="n-k", priors=None: da.LinearDiscriminantAnalysis(solver="lsqr", priors=priors),
        "qda": lambda divisor="n-1", priors=None: da.QuadraticDiscriminantAnalysis(priors=priors),
        "ridge": lambda penalty=1, intercept=True: linear_model.Ridge(alpha=penalty, fit_intercept=intercept),
        "linear_regression": lambda intercept=True: linear_model.LinearRegression(fit_intercept=intercept),
        "kernel_ridge": lambda penalty=1, intercept=True: kernel_ridge.KernelRidge(alpha=penalty) if not intercept else 1 // 0,
        "logistic": lambda penalty=0: linear_model.LogisticRegression(C=1 / penalty, tol=1e-12, max_iter=10000),
    }[method]  # fmt: skip
    return make(**p)


for line in sys.stdin:
    problem = json.loads(line)
    try:
        model = estimator(problem["method"], problem.get("parameters", {}))
    except (KeyError, TypeError, ZeroDivisionError) as error:
        print(json.dumps({"unsupported": repr(error)}), flush=True)
        continue
    try:
        weights = {"sample_weight": problem["weights"]} if "weights" in problem else {}
        model.fit(np.array(problem["x"], float), problem["y"], **weights)
        query = problem.get("query", problem["x"])
        answer = {"arithmetic": "float", "predictions": {"labels": model.predict(query).tolist()}}
        if hasattr(model, "coef_"):
            answer["fitted"] = {"coef": model.coef_.tolist(), "intercept": np.asarray(model.intercept_).tolist()}
    except (ValueError, TypeError, np.linalg.LinAlgError):
        answer = {"refusal": {}}
    print(json.dumps(answer), flush=True)
