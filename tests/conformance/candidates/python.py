"""Programs with an interface for Python, as candidates: python python.py PROGRAM [OPTION=VALUE …]

A problem a line comes in, a line goes out: {"answer": …}, {"model": text of a model file}, {"unsupported": why} or
{"refusal": …}, with "conventions" where the program solves the problem under its own.
"""

from __future__ import annotations

import json
import math
import os
import sys
import tempfile
import warnings

import numpy as np

warnings.simplefilter("ignore")
ODD = ("class_weight", "multiclass", "solver", "start", "norm", "costs", "n_components", "omega", "cutpoint")
SOLVERS = {
    "lsqr": ("lda", "ridge"),
    "eigen": ("lda",),
    "saga": ("ridge", "logistic"),
    "newton-cholesky": ("logistic",),
    "cholesky": ("ridge",),
}


class Unsupported(Exception):
    """The program has no such method or parameter."""


class Asked:
    """A problem in NumPy's arrays."""

    def __init__(self, given):
        self.method, self.p = given["method"], dict(given.get("parameters") or {})
        self.x, self.y = np.array(given["x"], float), given["y"]
        self.weights, self.query = given.get("weights"), given.get("query")
        if self.x.ndim != 2 or not len(self.x):
            raise Unsupported("rows of other things than numbers")
        self.classes = sorted(set(self.y)) if len({type(v) for v in self.y}) == 1 else []
        self.signs = np.array([1.0 if v == self.classes[-1] else -1.0 for v in self.y]) if self.classes else None

    def only(self, *names):
        """Refuse parameters beyond these."""
        odd = [k for k in self.p if k not in names]
        if odd:
            raise Unsupported(f"parameters {odd}")

    def unweighted(self):
        """Refuse weights."""
        if self.weights is not None:
            raise Unsupported("weights")

    def cost(self):
        """C, which must be finite."""
        C = self.p.get("C", 1)
        if C == "inf":
            raise Unsupported("C = ∞")
        return float(C)

    def two(self):
        """Refuse more than two classes, and fewer."""
        if len(self.classes) != 2:
            raise Unsupported(f"{len(self.classes)} classes")

    def kernel(self):
        """The kernel's name, and its numbers."""
        given = self.p.get("kernel", "linear")
        k = {"name": given} if isinstance(given, str) else dict(given)
        if any(isinstance(v, str) for n, v in k.items() if n != "name"):
            raise Unsupported("a parameter that is computed from the data")
        return k.pop("name"), k

    def gram(self):
        """The Gram matrix as a user of a quadratic programme computes it."""
        name, k = self.kernel()
        inner = self.x @ self.x.T
        if name == "linear":
            return inner
        if name == "polynomial":
            return (k.get("scale", 1) * inner + k.get("c", 1)) ** int(k.get("degree", 3))
        if name == "gaussian":
            square = ((self.x[:, None, :] - self.x[None, :, :]) ** 2).sum(2)
            return np.exp(-float(k["gamma"]) * square)
        if name == "precomputed":
            return self.x
        if name == "sigmoid":
            return np.tanh(k.get("a", 1) * inner + k.get("b", 0))
        raise Unsupported(f"the kernel {name}")


def letters(asked):
    """LIBSVM's letters for a kernel."""
    name, k = asked.kernel()
    names = {
        "linear": "linear",
        "gaussian": "rbf",
        "polynomial": "poly",
        "sigmoid": "sigmoid",
        "precomputed": "precomputed",
    }
    if name not in names:
        raise Unsupported(f"the kernel {name}")
    gamma = k.get("gamma", k.get("scale", k.get("a", 1)))
    return {
        "kernel": names[name],
        "gamma": float(gamma),
        "degree": int(k.get("degree", 3)),
        "coef0": float(k.get("c", k.get("b", 1 if name == "polynomial" else 0))),
    }


def sklearn(asked, options):
    """Return scikit-learn's estimator of a problem, and the conventions it follows."""
    from sklearn import discriminant_analysis as da
    from sklearn import kernel_ridge, linear_model, svm

    if "extension" in options:
        from sklearnex import linear_model, svm
    p, tol, solver = asked.p, {"tol": float(options["tol"])} if "tol" in options else {}, options.get("solver")
    own = {"solver": solver} if solver else {}
    if solver and asked.method not in SOLVERS[solver]:
        raise Unsupported(f"{asked.method} by {solver}")
    if asked.method in ("svc", "svr"):
        asked.only("C", "kernel", "epsilon", "multiclass" if p.get("multiclass") == "ovo" else "C", "loss")
        if p.get("loss", "hinge") not in ("hinge", "epsilon_insensitive"):
            raise Unsupported(p["loss"])
        tube = {"epsilon": float(p.get("epsilon", 0.1))} if asked.method == "svr" else {}
        return {"svc": svm.SVC, "svr": svm.SVR}[asked.method](C=asked.cost(), **letters(asked), **tube, **tol), {}
    if asked.method == "lda":
        asked.only("priors", "divisor")
        conventions = {"divisor": "n"}
        if asked.p.get("priors") is not None and solver in ("lsqr", "eigen"):
            conventions = {"covariance": "pooled by priors"}
        return da.LinearDiscriminantAnalysis(priors=p.get("priors"), store_covariance=True, **own), conventions
    if asked.method == "qda":
        asked.only("priors", "divisor")
        return da.QuadraticDiscriminantAnalysis(priors=p.get("priors"), store_covariance=True, **own), {}
    if asked.method in ("ridge", "linear_regression"):
        asked.only("penalty", "intercept")
        if asked.method == "linear_regression":
            return linear_model.LinearRegression(fit_intercept=p.get("intercept", True)), {}
        return linear_model.Ridge(
            alpha=float(p.get("penalty", 1)), fit_intercept=p.get("intercept", True), **own, **tol
        ), {}
    if asked.method == "kernel_ridge" and p.get("intercept") is False:
        asked.only("penalty", "intercept", "kernel")
        return kernel_ridge.KernelRidge(alpha=float(p.get("penalty", 1)), **letters(asked)), {}
    if asked.method == "logistic" and p.get("penalty"):
        asked.only("penalty")
        half = 2 if len(asked.classes) == 2 else 1  # of two classes λ/4 ‖β‖² is the penalty where theirs is ½‖β‖²
        return linear_model.LogisticRegression(C=half / float(p["penalty"]), max_iter=10000, **own, **tol), {}
    raise Unsupported(asked.method)


def with_estimator(given, asked, options):
    """Fit an estimator, and read it as any of scikit-learn's is read."""
    from refclass.oracle import problem
    from refclass.oracle.answer import tree
    from refclass.oracle.readers import formats

    model, conventions = sklearn(asked, options)
    weights = {} if asked.weights is None else {"sample_weight": asked.weights}
    try:
        model.fit(asked.x, asked.y, **weights)
    except TypeError as error:
        raise Unsupported(str(error)) from None
    if asked.method == "qda" and conventions == {}:
        conventions = {"divisor": "n-1"} if options.get("divisor") else {}
    given = {**given, "conventions": conventions}
    if "divisor" in conventions or "covariance" in conventions:
        given["parameters"] = {k: v for k, v in asked.p.items() if k != "divisor"}
    found = formats.estimator(problem.made(exact(given), "P"), model)
    if hasattr(model, "predict_proba") and asked.query is not None and asked.method != "svc":
        found.setdefault("predictions", {})["posterior"] = model.predict_proba(np.array(asked.query, float)).tolist()
    return {"answer": tree(found), "conventions": conventions}


def exact(given):
    """A problem with its decimals as text, which is read exactly."""
    return json.loads(json.dumps(given), parse_float=str)


def linear_svc(given, asked, options):
    """scikit-learn's LinearSVC: LIBLINEAR, with a penalised intercept."""
    from sklearn.svm import LinearSVC

    asked.only("C", "loss", "intercept")
    asked.two()
    if asked.method != "svc" or asked.p.get("intercept", True) is not True or asked.kernel()[0] != "linear":
        raise Unsupported(asked.method)
    loss = asked.p.get("loss", "hinge")
    dual = options.get("dual", "True") == "True"
    if loss == "hinge" and not dual:
        raise Unsupported("the primal of the hinge loss")
    tol = float(options.get("tol", 1e-4))
    model = LinearSVC(C=asked.cost(), loss=loss, dual=dual, tol=tol, max_iter=int(options.get("max_iter", 1000)))
    model.fit(asked.x, asked.y, sample_weight=asked.weights)
    fitted = {"coef": model.coef_.tolist(), "intercept": model.intercept_.tolist()}
    return {"answer": {"arithmetic": "float", "fitted": fitted}, "conventions": {"intercept": "penalised"}}


def libsvm(given, asked, options):
    """LIBSVM's own package: its model file."""
    from libsvm import svmutil

    asked.only("C", "kernel", "epsilon")
    asked.unweighted()
    k = letters(asked)
    kind = {"linear": 0, "poly": 1, "rbf": 2, "sigmoid": 3}
    if (
        asked.method not in ("svc", "svr")
        or k["kernel"] not in kind
        or not all(isinstance(v, (int, float)) for v in asked.y)
    ):
        raise Unsupported(asked.method)
    words = f"-q -s {0 if asked.method == 'svc' else 3} -t {kind[k['kernel']]} -g {k['gamma']!r} -r {k['coef0']!r}"
    words += f" -d {k['degree']} -c {asked.cost()!r} -e {options.get('tol', '1e-3')} -p {asked.p.get('epsilon', 0.1)}"
    model = svmutil.svm_train(list(map(float, asked.y)), asked.x.tolist(), words)
    return {"model": saved(lambda path: svmutil.svm_save_model(path, model))}


def liblinear(given, asked, options):
    """LIBLINEAR's own package, with a penalised intercept: its model file."""
    from liblinear import liblinearutil

    asked.only("C", "loss", "intercept")
    asked.unweighted()
    kind = {"hinge": [3], "squared_hinge": [1, 2]}.get(asked.p.get("loss", "hinge"), [])
    solver = int(options.get("solver", 3))
    if asked.method == "crammer_singer" and solver == 4:
        kind, bias = [4], -1
    elif asked.method == "svc" and asked.kernel()[0] == "linear":
        asked.two()
        bias = 1 if asked.p.get("intercept", True) is True else -1
    else:
        raise Unsupported(asked.method)
    if not asked.x[:, -1].any():
        raise Unsupported("a last column of zeros, of which it keeps no coefficient")
    if solver not in kind or not all(isinstance(v, (int, float)) for v in asked.y):
        raise Unsupported(f"solver {solver}")
    words = f"-q -s {solver} -c {asked.cost()!r} -B {bias} -e {options.get('tol', '0.1')}"
    model = liblinearutil.train(list(map(float, asked.y)), asked.x.tolist(), words)
    text = saved(lambda path: liblinearutil.save_model(path, model))
    return {"model": text, "conventions": {"intercept": "penalised"} if bias == 1 else {}}


def saved(save):
    """The text of a file that a function writes."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "m")
        save(path)
        with open(path, encoding="utf-8") as file:
            return file.read()


def opencv(given, asked, options):
    """OpenCV's ml.SVM, which holds its data in single precision."""
    import cv2

    asked.only("C", "kernel")
    asked.unweighted()
    asked.two()
    name, k = asked.kernel()
    if asked.method != "svc" or name not in ("linear", "gaussian"):
        raise Unsupported(f"{asked.method} {name}")
    model = cv2.ml.SVM_create()
    model.setType(cv2.ml.SVM_C_SVC)
    model.setC(asked.cost())
    model.setKernel(cv2.ml.SVM_LINEAR if name == "linear" else cv2.ml.SVM_RBF)
    model.setGamma(float(k.get("gamma", 1)))
    model.setTermCriteria(
        (cv2.TERM_CRITERIA_MAX_ITER | cv2.TERM_CRITERIA_EPS, 1000000, float(options.get("tol", 1e-7)))
    )
    x = asked.x.astype(np.float32)
    model.train(x, cv2.ml.ROW_SAMPLE, (asked.signs > 0).astype(np.int32))
    rho, alpha, places = model.getDecisionFunction(0)
    vectors = model.getSupportVectors()
    # Premise: its decision function is positive for the first class.
    if name == "linear":
        w = -(alpha.ravel()[:, None] * vectors[places.ravel()]).sum(0)
        return {"answer": {"arithmetic": "float", "fitted": {"coef": [w.tolist()], "intercept": [rho]}}}
    whole, taken = np.zeros(len(x)), set()
    for a, v in zip(alpha.ravel(), vectors[places.ravel()]):
        i = next(i for i, row in enumerate(x) if i not in taken and (row == v).all() and a * asked.signs[i] <= 0)
        taken.add(i)
        whole[i] = abs(a)
    return {"answer": {"arithmetic": "float", "fitted": {"alpha": whole.tolist(), "intercept": [rho]}}}


def mlpack(given, asked, options):
    """mlpack's linear machine: ½λ‖(W, b)‖² + (1/n) Σ, two rows of weights that are one another's negative."""
    import mlpack as package

    asked.only("C")
    asked.unweighted()
    asked.two()
    if asked.method != "svc" or asked.kernel()[0] != "linear":
        raise Unsupported(asked.method)
    n, p = asked.x.shape
    labels = (asked.signs > 0).astype(int)
    lam = 2 / (asked.cost() * n)
    model = package.linear_svm(training=asked.x, labels=labels, lambda_=lam, num_classes=2, seed=1)["output_model"]
    at = np.vstack([np.zeros(p), np.eye(p)])
    scores = package.linear_svm(input_model=model, test=at)["probabilities"]
    f = scores[:, 1] - scores[:, 0]
    fitted = {"coef": [(f[1:] - f[0]).tolist()], "intercept": [float(f[0])]}
    return {"answer": {"arithmetic": "float", "fitted": fitted}, "conventions": {"intercept": "penalised"}}


def quadratic(given, asked, options):
    """A solver of quadratic programmes on the dual: ½αᵀQα − Σα, 0 ≤ α ≤ C, yᵀα = 0; the intercept from the point."""
    import qpsolvers

    asked.only("C", "kernel")
    asked.unweighted()
    asked.two()
    if asked.method != "svc":
        raise Unsupported(asked.method)
    y, K, n = asked.signs, asked.gram(), len(asked.y)
    hard = asked.p.get("C", 1) == "inf"
    C = math.inf if hard else asked.cost()
    Q = K * np.outer(y, y)
    top = None if hard else np.full(n, C)
    problem = qpsolvers.Problem(Q, -np.ones(n), A=y[None, :], b=np.zeros(1), lb=np.zeros(n), ub=top)
    found = qpsolvers.solve_problem(problem, solver=options["solver"])
    if not found.found or found.x is None:
        return {"refusal": {"got": "no solution found"}}
    a = found.x
    f, scale = K @ (a * y), (max(1e-300, abs(a).max()) if hard else C)
    free = (a > 1e-6 * scale) & (a < C - 1e-6 * scale if not hard else True)
    if free.any():
        b = float((y - f)[free].mean())
    else:
        low = (y - f)[(a <= 1e-6 * scale) == (y > 0)]
        high = (y - f)[(a <= 1e-6 * scale) == (y < 0)]
        ends = ([low.max()] if len(low) else []) + ([high.min()] if len(high) else [])
        b = float(sum(ends) / len(ends))
    return {"answer": {"arithmetic": "float", "fitted": {"alpha": a.tolist(), "intercept": [b]}}}


PROGRAMS = {
    "scikit-learn": with_estimator,
    "LinearSVC": linear_svc,
    "libsvm": libsvm,
    "liblinear": liblinear,
    "opencv": opencv,
    "mlpack": mlpack,
    "quadratic": quadratic,
}


def main():
    """Answer problems until the input ends."""
    program, options = sys.argv[1], dict(o.split("=", 1) for o in sys.argv[2:])
    out = os.fdopen(os.dup(1), "w")  # the programs' own words do not belong on standard output
    os.dup2(2, 1)
    for line in sys.stdin:
        try:
            given = json.loads(line)
            found = PROGRAMS[program](given, Asked(given), options)
        except Unsupported as error:
            found = {"unsupported": str(error)}
        except Exception as error:
            found = {"refusal": {"got": f"{type(error).__name__}: {error}"[:200]}}
        print(json.dumps(found), file=out, flush=True)


if __name__ == "__main__":
    main()
