"""Gram matrices and string kernels against other programs' numbers; each case says which, and how near."""

import csv
import json
import pathlib
from fractions import Fraction

import pytest

import refclass

HERE = pathlib.Path(__file__).parent
DATA = pathlib.Path(refclass.__file__).parent / "data"
CASES = json.loads((HERE / "kernels.json").read_text(encoding="utf-8"))["cases"]
NAMES = {"rbf": "gaussian", "poly": "polynomial", "laplacian": "laplacian", "tps": "thin_plate"}


def of_method(method):
    return pytest.mark.parametrize("case", [c for c in CASES if c["method"] == method], ids=lambda c: c["id"])


def rows(data):
    """The points of a case: given in it, or every so many rows of a file from a first one on."""
    if "inline" in data:
        return data["inline"]["X"]
    with (DATA / data["file"]).open(encoding="utf-8", newline="") as file:
        first, step = data["every"]
        return [[float(row[name]) for name in data["x"]] for row in list(csv.DictReader(file))[first::step]]


@of_method("gram")
def test_gram_matrices_are_those_of_forty_digits(case):
    """Gaussian, Laplacian, polynomial and thin-plate Gram matrices agree with mpmath's  [K-RBF] [K-LAPLACE] [K-POLY]
    [K-TPS] [MMST-T11.1]."""
    given = dict(case["parameters"]["kernel"])
    got = refclass.gram(rows(case["data"]), kernel={"name": NAMES[given.pop("kernel")], **given})
    want = case["expected"]["gram"]
    allowed = case["check_tolerance"]["relative_to_largest_entry"] * max(abs(v) for row in want for v in row)
    assert len(got) == len(want)
    assert all(abs(a - b) <= allowed for r, s in zip(got, want) for a, b in zip(r, s))


@of_method("string_subsequence_kernel")
def test_string_kernels_are_those_of_the_enumeration(case):
    """Plain, normalised, and as a polynomial in λ, exactly, they agree with an enumeration of all subsequences
    [STR-KERNEL] [STR-NORM] [MMST-11.59] [MMST-11.60]."""
    allowed = case["check_tolerance"]["relative"]
    for row in case["expected"]["rows"]:
        kernel = {"name": "string", "length": row["m"], "decay": row["lambda"], "normalised": False}
        pair = [row["s"], row["t"]]
        assert abs(refclass.gram(pair, kernel=kernel)[0][1] - row["kernel"]) <= allowed * row["kernel"]
        if row["normalized"] is not None:
            got = refclass.gram(pair, kernel={**kernel, "normalised": True})[0][1]
            assert abs(got - row["normalized"]) <= allowed * row["normalized"]
        decay = Fraction(3, 7)
        exact = refclass.gram(pair, kernel={**kernel, "decay": decay}, arithmetic="exact")[0][1]
        assert exact == sum(c * decay ** int(power) for power, c in row["polynomial_in_lambda"].items())
