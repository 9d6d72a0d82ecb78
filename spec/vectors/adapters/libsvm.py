"""LIBSVM, by way of scikit-learn, as a candidate: vectors run --lines --candidate 'python libsvm.py 1e-10' svc svr"""

import json
import sys

import numpy as np
from sklearn.svm import SVC, SVR

NAMES = {
    "gaussian": "rbf",
    "polynomial": "poly",
    "linear": "linear",
    "precomputed": "precomputed",
    "sigmoid": "sigmoid",
}
TOL = float(sys.argv[1]) if len(sys.argv) > 1 else 1e-3


def kernel(given):
    """The kernel in LIBSVM's letters."""
    k = {"name": given} if isinstance(given, str) else given
    gamma = k.get("gamma", k.get("scale", k.get("a", 1)))
    return {
        "kernel": NAMES[k["name"]],
        "gamma": gamma,
        "degree": k.get("degree", 3),
        "coef0": k.get("c", k.get("b", 0)),
    }


for line in sys.stdin:
    problem = json.loads(line)
    p = dict(problem.get("parameters", {}))
    odd = set(p) - {"C", "kernel", "epsilon"} or p.get("C") == "inf"
    if problem["method"] not in ("svc", "svr") or odd:
        print(json.dumps({"unsupported": "no such machine"}), flush=True)
        continue
    try:
        epsilon = {"epsilon": p.get("epsilon", 0.1)} if problem["method"] == "svr" else {}
        made = {"svc": SVC, "svr": SVR}[problem["method"]]
        model = made(C=p.get("C", 1), tol=TOL, **kernel(p.get("kernel", "linear")), **epsilon)
        model.fit(np.array(problem["x"], float), problem["y"], sample_weight=problem.get("weights"))
        full = np.zeros(len(problem["x"]))
        full[model.support_] = model.dual_coef_[0]
        fitted = {"intercept": model.intercept_.tolist()}
        fitted["alpha" if epsilon == {} else "coefficients"] = (abs(full) if epsilon == {} else full).tolist()
        many = epsilon == {} and len(model.classes_) > 2
        labels = {"labels": model.predict(problem["query"]).tolist()} if "query" in problem else {}
        answer = {"arithmetic": "float", "fitted": {} if many else fitted, "predictions": labels}
    except (KeyError, ValueError, TypeError) as error:
        answer = {"unsupported": repr(error)} if isinstance(error, KeyError) else {"refusal": {}}
    print(json.dumps(answer), flush=True)
