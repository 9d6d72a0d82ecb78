"""Models of other programs as answers: LIBSVM, LIBLINEAR, R, estimators; formats by their first word; data files."""

import json
from types import SimpleNamespace

import pytest

from refclass.errors import InvalidInput
from refclass.oracle import agreement, judge, problem
from refclass.oracle.readers import formats

X = [[0, 0], [1, 0.5], [0.5, 2], [2, 1], [3, 2], [2, 3.5], [1, 1.5], [4, 2.5]]
Y = [-1, -1, -1, -1, 1, 1, 1, 1]
P = {"method": "svc", "x": X, "y": Y, "query": [[1, 1], [3, 3]]}
DATA = "\n".join(f"{y} " + " ".join(f"{j + 1}:{v}" for j, v in enumerate(row) if v) for row, y in zip(X, Y))
THREE = {"method": "svc", "x": X, "y": ["a", "a", "b", "b", "c", "c", "a", "c"]}


def asked(given, **changes):
    """The problem of a mapping."""
    return problem.read(json.dumps({**given, **changes}), "P.json")


def solved(given):
    """The fitted estimator of a problem."""
    return asked(given).fitted()


def libsvm(given, sign=1, kernel="kernel_type linear"):
    """A model file of LIBSVM for a problem, written from our own answer; sign −1 negates rho."""
    own = solved(given)
    classes, x, y = list(own.classes_), given["x"], given["y"]
    order = sorted(range(len(y)), key=lambda i: classes.index(y[i]))
    pairs = [(i, j) for i in range(len(classes)) for j in range(i + 1, len(classes))]
    alphas = own.alpha_ if len(pairs) > 1 else [own.alpha_]
    vectors, counts = [], [0] * len(classes)
    for i in order:
        k = classes.index(y[i])
        mine = [a[i] * (1 if k == pair[0] else -1) for pair, a in zip(pairs, alphas) if k in pair]
        if any(mine):
            counts[k] += 1
            cells = " ".join(f"{j + 1}:{v:.8g}" for j, v in enumerate(x[i]) if v)
            vectors.append(" ".join(repr(float(v)) for v in mine) + " " + cells)
    names = {c: str(n) if isinstance(c, str) else str(c) for n, c in enumerate(classes)}
    rho = " ".join(repr(float(v) * sign) for v in own.intercept_)
    head = ["svm_type c_svc", kernel, f"nr_class {len(classes)}", f"total_sv {len(vectors)}", f"rho {rho}"]
    head += ["label " + " ".join(names[c] for c in classes), "nr_sv " + " ".join(map(str, counts)), "SV"]
    return "\n".join([*head, *vectors]) + "\n"


def test_a_libsvm_model_is_proven():
    """Its multipliers and intercept are those of the rows; the classes may stand in either order."""
    model = libsvm(P)
    reported = formats.read(asked(P), model, "m")
    assert judge.verify(asked(P), reported, 9)["accepted"] and formats.form(model) == formats.LIBSVM


def test_a_libsvm_model_of_many_classes_is_proven():
    """K − 1 coefficients a support vector are the multipliers of the pairs."""
    given = {**THREE, "y": [0, 0, 1, 1, 2, 2, 0, 2]}
    reported = formats.read(asked(given), libsvm(given), "m")
    assert judge.verify(asked(given), reported, 9)["accepted"]
    wrong = formats.read(asked(given), libsvm(given, -1), "m")
    assert not judge.verify(asked(given), wrong, 6)["accepted"]


def test_a_negated_bias_is_refuted_with_that_reason():
    """The verdict on a model file whose rho has the other sign names it."""
    reported = formats.read(asked(P), libsvm(P, -1), "m")
    found = agreement.explained(asked(P), reported, judge.verify(asked(P), reported, 6))
    assert not found["accepted"] and found["convention"].startswith("an intercept of the other sign")
    assert "an intercept of the other sign" in found["reason"]


def test_a_wrong_sign_of_a_coefficient_is_no_multiplier():
    """A support vector whose coefficient speaks against its class has a negative multiplier: infeasible."""
    lines = libsvm(P).split("\n")
    start = lines.index("SV") + 1
    lines[start] = "-" + lines[start]
    reported = formats.read(asked(P), "\n".join(lines), "m")
    assert judge.verify(asked(P), reported, 6)["verdict"].startswith("infeasible")


def test_copies_of_a_row_are_different_support_vectors():
    """Two equal support vectors of one class are two rows."""
    given = {"method": "svc", "x": [[0], [0], [1], [1]], "y": [-1, -1, 1, 1], "parameters": {"C": 1}}
    model = (
        "svm_type c_svc\nkernel_type linear\nnr_class 2\ntotal_sv 4\nrho -1\nlabel 1 -1\nnr_sv 2 2\nSV\n"
        "1 1:1\n1 1:1\n-1\n-1\n"
    )
    reported = formats.read(asked(given), model, "m")
    assert reported["fitted"]["alpha"] == [1, 1, 1, 1] and reported["fitted"]["classes"] == [1, -1]


def test_data_with_a_model_is_a_problem():
    """LIBSVM's data file, with C said beside it, is the problem that the model answers."""
    given = formats.question(DATA, "d", libsvm(P), {"C": 1})
    assert given.method == "svc" and len(given.x) == 8 and given.x[0] == [0, 0]
    assert judge.verify(given, formats.read(given, libsvm(P), "m"), 9)["accepted"]
    rbf = libsvm(P, kernel="kernel_type rbf\ngamma 0.5")
    assert formats.question(DATA, "d", rbf, {}).parameters["kernel"] == {
        "name": "gaussian",
        "gamma": problem.text.parse("0.5"),
    }


def test_a_libsvm_regression_is_proven():
    """Coefficients α − α* and −rho are judged as those of the tube's machine."""
    given = {"method": "svr", "x": [[0], [1], [2], [3]], "y": [0, 2, 1, 3]}
    own = solved(given)
    cells = [f"{float(c)!r} 1:{x[0]}" for c, x in zip(own.coefficients_, given["x"]) if c]
    head = "svm_type epsilon_svr\nkernel_type linear\nnr_class 2\n"
    head += f"total_sv {len(cells)}\nrho {-float(own.intercept_[0])!r}\nSV\n"
    reported = formats.read(asked(given), head + "\n".join(cells), "m")
    assert judge.verify(asked(given), reported, 9)["accepted"]


def test_a_liblinear_model_is_proven_with_its_penalised_bias():
    """Weights a row, the last of the bias; the first label is the positive one."""
    given = {**P, "conventions": {"intercept": "penalised"}, "parameters": {"loss": "squared_hinge"}}
    (w,) = solved(given).coef_
    head = "solver_type L2R_L2LOSS_SVC\nnr_class 2\nlabel 1 -1\nnr_feature 2\nbias 1\nw\n"
    model = head + "\n".join(repr(float(v)) for v in w) + "\n"
    assert judge.verify(asked(given), formats.read(asked(given), model, "m"), 9)["accepted"]
    turned = model.replace("label 1 -1", "label -1 1")
    found = judge.verify(asked(given), formats.read(asked(given), turned, "m"), 6)
    assert not found["accepted"]
    again = formats.question(DATA, "d", model, {"C": 1})
    assert judge.verify(again, formats.read(again, model, "m"), 9)["accepted"]


def test_liblinear_of_many_classes_and_of_crammer_and_singer():
    """A column for each class against the rest, or of one machine without intercepts."""
    own = solved({**THREE, "method": "crammer_singer", "y": [0, 0, 1, 1, 2, 2, 0, 2]})
    rows = "\n".join(" ".join(repr(float(v)) for v in column) for column in zip(*own.coef_))
    model = f"solver_type MCSVM_CS\nnr_class 3\nlabel 0 1 2\nnr_feature 2\nbias -1\nw\n{rows}\n"
    given = asked({**THREE, "method": "crammer_singer", "y": [0, 0, 1, 1, 2, 2, 0, 2]})
    assert judge.verify(given, formats.read(given, model, "m"), 9)["accepted"]


@pytest.mark.parametrize(
    "model",
    [
        "svm_type one_class\nrho 0\nSV\n",
        "svm_type c_svc\n",
        "svm_type c_svc\nrho 1\nlabel 1 -1\nnr_sv 1 1\nSV\n1 1:77\n-1 1:1\n",
        "svm_type c_svc\nrho 1\nlabel 1 -1\nnr_sv 1 5\nSV\n1 1:1\n",
        "svm_type c_svc\nrho 1\nlabel a b\nnr_sv 1 1\nSV\n1 1:3 2:2\n-1 1:2 2:1\n",
        "solver_type L2R_LR\nw\n",
        "solver_type L2R_LR\nnr_feature 2\nlabel 1 -1\nbias -1\nw\n1\n",
        '{"program": "weka"}',
        '{"program": "e1071", "index": [1]}',
        "no model",
    ],
)
def test_what_is_no_model_is_bad_input(model):
    """A one-class machine, a support vector that is no row, half a file: refused in one line."""
    with pytest.raises(InvalidInput):
        formats.read(asked(P), model, "m")


@pytest.mark.parametrize("data", ["", "1 1:a\n", "x 1:1\n", "1 1:1 1:2\n"])
def test_what_is_no_data_is_bad_input(data):
    """Entries without a number, labels that are none, an index twice, no rows at all."""
    with pytest.raises(InvalidInput):
        formats.question(data, "d", libsvm(P), {})


def test_models_of_r_are_read():
    """e1071's coefficients with its rho, kernlab's with its b, MASS's covariances from its scaling."""
    own = solved(P)
    support = [i for i, a in enumerate(own.alpha_) if a]
    signed = [own.alpha_[i] * Y[i] for i in support]
    b = own.intercept_[0]
    e1071 = {
        "program": "e1071",
        "index": [i + 1 for i in support],
        "coefs": [[v] for v in signed],
        "rho": [-b],
        "labels": ["1", "-1"],
    }
    kernlab = {"program": "kernlab", "index": [i + 1 for i in support], "coef": signed, "b": -b, "labels": ["-1", "1"]}
    for reported in (e1071, kernlab):
        assert judge.verify(asked(P), formats.read(asked(P), json.dumps(reported), "m"), 9)["accepted"]
    given = {"method": "qda", "x": X, "y": Y}
    rule = solved(given)
    scaling = []
    for S in rule.covariances_:
        (a, c), (_, d) = S[0], S[1]
        root, rest = a**0.5, (d - c * c / a) ** 0.5
        scaling.append([[1 / root, -c / a / rest], [0, 1 / rest]])
    reported = {
        "program": "MASS",
        "labels": ["-1", "1"],
        "means": [list(m) for m in rule.means_],
        "prior": [0.5, 0.5],
        "scaling": scaling,
    }
    assert judge.verify(asked(given), formats.read(asked(given), json.dumps(reported), "m"), 9)["accepted"]


def test_estimators_are_read_by_their_attributes():
    """Two classes as scikit-learn tells them, three in the layout of pairs, and Gaussian rules."""
    own = solved(P)
    two = SimpleNamespace(classes_=[-1, 1], support_=own.support_, dual_coef_=own.dual_coef_, intercept_=own.intercept_)
    assert judge.verify(asked(P), formats.estimator(asked(P, query=None), two), 9)["accepted"]
    given = {**THREE, "y": [0, 0, 1, 1, 2, 2, 0, 2]}
    own = solved(given)
    pairs, support = [(0, 1), (0, 2), (1, 2)], [i for i in range(8) if any(a[i] for a in own.alpha_)]
    dual = [[0.0] * len(support) for _ in range(2)]
    for t, i in enumerate(support):
        mine = [(pair, a[i]) for pair, a in zip(pairs, own.alpha_) if given["y"][i] in pair]
        for row, (pair, a) in enumerate(mine):
            dual[row][t] = a if given["y"][i] == pair[0] else -a
    three = SimpleNamespace(
        classes_=[0, 1, 2], support_=support, dual_coef_=dual, intercept_=[-b for b in own.intercept_]
    )
    assert judge.verify(asked(given), formats.estimator(asked(given), three), 9)["accepted"]
    for method, names in (("lda", ("means_", "priors_", "coef_", "intercept_")), ("qda", ("means_", "priors_"))):
        rule = solved({**P, "method": method, "query": None})
        model = SimpleNamespace(classes_=[-1, 1], **{name: getattr(rule, name) for name in names})
        problem_ = asked({**P, "method": method, "query": None})
        assert judge.verify(problem_, formats.estimator(problem_, model), 9)["accepted"]
    with pytest.raises(InvalidInput):
        formats.estimator(asked(P), SimpleNamespace(classes_=[-1, 1]))


def test_scikit_learn_is_read():
    """Its own estimators are judged, where it is installed."""
    svm = pytest.importorskip("sklearn.svm")
    given = {**THREE, "query": [[1, 1]]}
    model = svm.SVC(kernel="linear", tol=1e-10).fit(X, THREE["y"])
    assert judge.verify(asked(given), formats.estimator(asked(given), model), 6)["accepted"]


def test_nu_machines_are_those_of_their_own_c_and_epsilon():
    """C is the largest multiplier, ε the distance of responses whose multipliers lie between the bounds; more classes,
    and responses without such a multiplier, tell none."""
    two = SimpleNamespace(classes_=[0, 1], dual_coef_=[[-0.5, 2.0, -1.5]], support_=[0, 2, 3])
    assert formats.of_nu(two, [], []) == {"C": 2.0}
    line = SimpleNamespace(C=2, dual_coef_=[[2, -0.5, -1.5]], support_=[0, 1, 3])
    assert formats.of_nu(line, [0, 1, 5, 3], [9, 0.75, 5, 2.75]) == {"C": 2, "epsilon": 0.25}
    for model in (SimpleNamespace(dual_coef_=[[1], [1]]), SimpleNamespace(C=1, dual_coef_=[[1, -1]], support_=[0, 1])):
        with pytest.raises(InvalidInput):
            formats.of_nu(model, [0, 0], [0, 0])


def test_nu_machines_of_scikit_learn_are_judged():
    """NuSVC and NuSVR at a small tolerance hold six digits of the machines with C, where it is installed."""
    svm = pytest.importorskip("sklearn.svm")
    rows = [[i % 7, (i * i) % 5] for i in range(24)]
    labels, responses = (
        [int(a + b > 4 + i % 3) for i, (a, b) in enumerate(rows)],
        [i % 7 + 0.25 * ((i * 3) % 4) for i in range(24)],
    )
    for model, method, y in (
        (svm.NuSVC(nu=0.5, kernel="linear", tol=1e-12), "svc", labels),
        (svm.NuSVR(nu=0.5, C=2, kernel="linear", tol=1e-12), "svr", responses),
    ):
        model.fit(rows, y)
        values = model.decision_function(rows) if method == "svc" else model.predict(rows)
        given = {"method": method, "parameters": formats.of_nu(model, values, y), "x": rows, "y": y}
        found = judge.verify(asked(given), formats.estimator(asked(given), model), 6)
        assert found["accepted"], (method, found["verdict"])


def test_nu_machines_of_many_classes_are_read_by_pairs():
    """Three points a unit apart: each pair's α = ½ at their distance of 2, f = ±x + b; its C is the largest α, and one
    that is wrong is refuted."""
    given = {"method": "svc", "x": [[0], [2], [4]], "y": ["a", "b", "c"]}
    layout = {"support_": [0, 1, 2], "classes_": ["a", "b", "c"], "tol": 1e-10}
    right = SimpleNamespace(dual_coef_=[[0.5, -0.5, -0.125], [0.125, 0.5, -0.5]], intercept_=[1, 1, 3], **layout)
    parts = formats.nu_pairs(asked(given), right)
    assert [part.parameters["C"] for part, _ in parts] == [0.5, 0.125, 0.5]
    assert [judge.verify(*part)["verdict"] for part in parts] == ["optimal"] * 3
    wrong = SimpleNamespace(dual_coef_=[[0.5, -0.5, -0.125], [0.125, 0.5, -0.5]], intercept_=[1, 1, 2], **layout)
    assert [judge.verify(*part)["accepted"] for part in formats.nu_pairs(asked(given), wrong)] == [True, True, False]
    two = SimpleNamespace(dual_coef_=[[-0.5, 0.5]], intercept_=[-1], support_=[0, 1], classes_=["a", "b"])
    given = {"method": "svc", "x": [[0], [2]], "y": ["a", "b"]}
    assert judge.verify(*formats.nu_pairs(asked(given), two)[0])["verdict"] == "optimal"


@pytest.mark.parametrize("alpha", [4e7, -4e7, 0.0])
def test_a_nu_machine_without_a_margin_is_refused(alpha):
    """Where the classes' reduced hulls meet ρ is zero: multipliers divided by its roundoff tell no C."""
    layout = {
        "support_": [0, 1, 2],
        "classes_": ["a", "b", "c"],
        "support_vectors_": [[0], [2], [4]],
        "kernel": "linear",
    }
    rows = [[alpha, -alpha, -0.125], [0.125, 0.5, -0.5]]
    given = {"method": "svc", "x": [[0], [2], [4]], "y": ["a", "b", "c"]}
    with pytest.raises(InvalidInput, match="reduced hulls" if alpha else "a multiplier that is not zero"):
        formats.nu_pairs(asked(given), SimpleNamespace(dual_coef_=rows, intercept_=[1, 1, 3], **layout))


GAUSSIAN = {**P, "parameters": {"kernel": {"name": "gaussian", "gamma": "1/3"}}}
CUBIC = {**P, "parameters": {"kernel": {"name": "polynomial", "degree": 3, "scale": "1/2", "c": 1}}}
DEGREE = "kernel_type polynomial\ndegree {}\ngamma 0.5\ncoef0 1"


@pytest.mark.parametrize(
    ("given", "head", "accepted"),
    [
        (GAUSSIAN, "kernel_type rbf\ngamma 0.333333", True),
        (GAUSSIAN, "kernel_type rbf\ngamma 0.333333343267441", True),
        (GAUSSIAN, "kernel_type rbf\ngamma 0.33334", False),
        (GAUSSIAN, "kernel_type linear", False),
        (CUBIC, DEGREE.format(3), True),
        (CUBIC, DEGREE.format(2), False),
        (P, "kernel_type polynomial\ndegree 1\ngamma 1\ncoef0 0", True),
        (P, "kernel_type rbf\ngamma 1", False),
    ],
)
def test_a_model_of_another_kernel_is_refuted(given, head, accepted):
    """Right multipliers beside a head that names another kernel; to six digits, as programs write gamma."""
    found = judge.verify(asked(given), formats.read(asked(given), libsvm(given, kernel=head), "m"))
    assert found["accepted"] is accepted
    assert accepted or found["verdict"].startswith("wrong: parameters.kernel: got ")


@pytest.mark.parametrize(("gamma", "accepted"), [(1 / 3, True), (0.34, False), ("scale", True)])
def test_an_estimator_of_another_kernel_is_refuted(gamma, accepted):
    """By the attributes of a fitted machine; a gamma that is a word says nothing."""
    own = solved(GAUSSIAN)
    rows = {name: getattr(own, name) for name in ("support_", "dual_coef_", "intercept_")}
    model = SimpleNamespace(**rows, classes_=own.classes_, kernel="rbf", gamma=gamma)
    found = judge.verify(asked(GAUSSIAN), formats.estimator(asked(GAUSSIAN), model))
    assert found["accepted"] is accepted


def test_a_support_vector_of_another_class_is_named_with_both():
    """Labels that are exchanged in the head of a model."""
    model = libsvm(P).replace("label -1 1", "label 1 -1")
    words = "need support vectors that are rows of class 1 of the problem; got 1:.*, of class -1"
    with pytest.raises(InvalidInput, match=words):
        formats.read(asked(P), model, "m")
