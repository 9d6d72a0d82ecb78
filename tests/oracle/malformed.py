"""Malformed answers by the seed: what `verify` and readers of other programs' models are given in place of numbers."""

from __future__ import annotations

import json
import random

from refclass.oracle import answer, problem

ODD = (None, True, {}, [], [[]], [{}], {"a": 1}, "", "abc", "nan", "inf", "-inf", "1/0", "1e999999", "9" * 5000)
ODD += (
    float("nan"),
    float("inf"),
    -float("inf"),
    10**400,
    10**5000,
    -1,
    0,
    1e308,
    5e-324,
    0.5,
    [1],
    [[1]],
    ["x"],
    [None],
)
WORDS = (
    "nan",
    "inf",
    "-inf",
    "x",
    "",
    "-1",
    "1e400",
    "1/0",
    "9" * 5000,
    "0",
    "1.5",
    "1:1",
    "-1:2",
    "1:x",
    ":",
    "99999:1",
)
X = [[0, 1], [2, 0], [1, 2], [3, 0], [0, 2], [2, 1], [1, 3], [4, 1]]
RESPONSES = [1, 0, 3, 2, 7, -1, 2, 5]
PROBLEMS = (
    {"method": "svc", "parameters": {"C": 1}},
    {"method": "svc", "parameters": {"C": 1}, "y": [i % 3 for i in range(8)]},
    {"method": "svr", "y": RESPONSES},
    {"method": "svm_path"},
    {"method": "crammer_singer"},
    {"method": "lee_lin_wahba"},
    {"method": "kernel_classifier", "parameters": {"loss": "deviance"}},
    {"method": "kernel_ridge", "y": RESPONSES},
    {"method": "huber", "y": RESPONSES},
    {"method": "lda"},
    {"method": "qda"},
    {"method": "mda", "parameters": {"subclasses": 1}},
    {"method": "fisher"},
    {"method": "logistic", "parameters": {"penalty": 1}},
    {"method": "scoring"},
    {"method": "pda", "parameters": {"penalty": 1}},
    {"method": "tree"},
    {"method": "nearest_neighbors"},
    {"method": "perceptron"},
    {"method": "least_squares"},
    {"method": "ridge", "y": RESPONSES},
    {"method": "mars", "y": RESPONSES},
    {"method": "smoothing_spline", "parameters": {"penalty": 1}, "x": [[a + 4 * b] for a, b in X], "y": RESPONSES},
    {"method": "qp", "P": [[2, 0], [0, 2]], "q": [-2, -5], "A": [[1, 1]], "l": [None], "u": [1]},
)
LIBSVM = (
    "svm_type c_svc\nkernel_type linear\nnr_class 2\ntotal_sv 2\nrho -0.5\nlabel 1 0\nnr_sv 1 1\nSV\n"
    "0.5 1:2\n-0.5 2:1\n"
)
LIBLINEAR = "solver_type L2R_L2LOSS_SVC\nnr_class 2\nlabel 1 0\nnr_feature 2\nbias 1\nw\n0.5 \n-0.25 \n0.1 \n"


def posed(r):
    """Return a problem, and the package's own answer to it as JSON has it."""
    given = {"x": X, "y": [i % 2 for i in range(8)], **r.choice(PROBLEMS)}
    if given["method"] == "qp":
        given = {name: v for name, v in given.items() if name not in ("x", "y")}
    asked = problem.read(json.dumps(given), "the problem")
    return asked, json.loads(json.dumps(answer.answer(asked)))


def places(value, path=()):
    """Yield the places of all parts of nested lists and objects."""
    yield path
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        yield from places(part, (*path, key))


def replaced(value, path, change):
    """Return the value with the part at a place changed; what `change` gives None for is left out."""
    if not path:
        return change(value)
    kept = dict(value) if isinstance(value, dict) else list(value)
    kept[path[0]] = replaced(kept[path[0]], path[1:], change)
    return kept


WAYS = {
    "drop": lambda part: part[:-1] if isinstance(part, list) else {},
    "twice": lambda part: part * 2 if isinstance(part, (list, str)) else [part, part],
    "wrap": lambda part: [part],
    "text": lambda part: dumped(part) if not isinstance(part, str) else "x" + part,
}


def spoiled(r, given):
    """Return an answer with a part or two replaced by something odd, dropped, repeated, or wrapped."""
    for _ in range(r.choice([1, 1, 2])):
        path, odd = r.choice(list(places(given))), r.choice(ODD)
        way = WAYS[r.choice(list(WAYS))]
        given = replaced(given, path, way if r.random() < 0.4 else (lambda part, odd=odd: odd))
    return given


def problem_text(seed):
    """Return the text of a malformed problem, with weights, a query, an arithmetic or parameters among its parts."""
    r = random.Random(seed)
    given = {"x": X, "y": [i % 2 for i in range(8)], **r.choice(PROBLEMS)}
    if given["method"] == "qp":
        return dumped(spoiled(r, {name: v for name, v in given.items() if name not in ("x", "y")}))
    more = {"query": [[1, 1]], "weights": [1] * 8, "arithmetic": "exact", "name": "n", "parameters": {"C": 1}}
    return dumped(spoiled(r, {**{name: v for name, v in more.items() if r.random() < 0.4}, **given}))


def model(r):
    """Return the text of a model of LIBSVM or LIBLINEAR with a word or two, or a line, changed."""
    lines = [line.split(" ") for line in r.choice([LIBSVM, LIBLINEAR]).splitlines()]
    for _ in range(r.choice([1, 1, 2])):
        k = r.randrange(len(lines))
        way = r.choice(["word", "word", "drop", "repeat", "more", "less"])
        if way == "word":
            lines[k][r.randrange(len(lines[k]))] = r.choice(WORDS)
        elif way == "drop" and len(lines) > 1:
            del lines[k]
        elif way == "repeat":
            lines.insert(k, list(lines[k]))
        elif way == "more":
            lines[k].append(r.choice(WORDS))
        else:
            lines[k] = lines[k][:-1] or ["x"]
    return "\n".join(" ".join(line) for line in lines)


def dumped(value):
    """Return JSON of a value, NaN, infinities and integers of any length among its numbers."""
    return json.dumps(_written(value))


def _written(value):
    if isinstance(value, dict):
        return {key: _written(v) for key, v in value.items()}
    if isinstance(value, list):
        return [_written(v) for v in value]
    long = isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 10**4000
    return "1" + "0" * 5000 if long else value


def case(seed):
    """Return a problem, and the text of a malformed answer to it: JSON, or a model of another program."""
    r = random.Random(seed)
    asked, own = posed(r)
    if r.random() < 0.7:
        return asked, dumped(spoiled(r, own))
    given = {"method": "svc", "parameters": {"C": 1}, "x": X, "y": [i % 2 for i in range(8)]}
    return problem.read(json.dumps(given), "the problem"), model(r)
