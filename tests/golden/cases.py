"""Other people's numbers: cases as JSON beside this file, each with its program, version, call and tolerance.

Data come from the case itself, from the embedded sets, or from a folder of public data beside the checkout; where it is
absent the test is skipped, and says so.
"""

import json
import math
import pathlib

import pytest

from refclass.oracle import table

HERE = pathlib.Path(__file__).resolve().parent
DATA = HERE.parent.parent.parent / "shared" / "data"


def cases(*names):
    """Return the cases of the files as pytest parameters, named by their ids."""
    found = []
    for name in names:
        content = json.loads((HERE / f"{name}.json").read_text(encoding="utf-8"))
        found += [pytest.param(case, id=case["id"]) for case in content["cases"]]
    return found


def data_file(name):
    """Return a table of the data folder or of the embedded sets; skip the test where there is neither."""
    stem = name.partition(".")[0]
    if stem in table.EMBEDDED:
        return table.embedded(stem)
    if not (DATA / name).is_file():
        pytest.skip(f"the data set {name} is not here")
    return table.read(str(DATA / name))


def load(spec):
    """Return rows and labels as a case describes them: which rows, which columns, which label is +1, what transform."""
    if "inline" in spec:
        X, y = [[float(v) for v in row] for row in spec["inline"]["X"]], list(spec["inline"]["y"])
    else:
        t = data_file(spec["file"])
        keep = list(range(len(t.rows))) if spec.get("rows", "all") == "all" else spec["rows"]
        if "where" in spec:
            column, values = spec["where"]
            cells, allowed = t.column(column), {str(v) for v in values}
            keep = [i for i in keep if cells[i] in allowed]
        if "every" in spec:
            keep = keep[spec["every"][0] :: spec["every"][1]]
        numbers, cells = t.numbers(spec["x"], float), t.column(spec["y"])
        X, y = [numbers[i] for i in keep], [cells[i] for i in keep]
        if "pos" in spec:
            y = [1 if v in {str(p) for p in spec["pos"]} else -1 for v in y]
        elif spec.get("y_numeric"):
            y = [float(v) for v in y]
    return (standardised(X) if spec.get("transform") == "standardize" else X), y


def standardised(X):
    """Return the rows with each column at mean 0 and variance 1, divisor n."""
    centre = [math.fsum(c) / len(X) for c in zip(*X)]
    scale = [math.sqrt(math.fsum((v - m) ** 2 for v in c) / len(X)) for c, m in zip(zip(*X), centre)]
    return [[(v - m) / s for v, m, s in zip(row, centre, scale)] for row in X]


KERNELS = {"poly": "polynomial", "rbf": "gaussian", "tps": "thin_plate"}


def kernel(description):
    """Return the kernel of a case under the package's name."""
    rest = {k: v for k, v in description.items() if k != "kernel"}
    return {"name": KERNELS.get(description["kernel"], description["kernel"]), **rest}


def close(got, want, allowed):
    """Return whether nested numbers agree within an absolute tolerance."""
    if isinstance(want, (list, tuple)):
        return len(got) == len(want) and all(close(g, w, allowed) for g, w in zip(got, want))
    return abs(float(got) - want) <= allowed
