"""The tables: what they cite is known, what they print is what the documents print, and small runs of them."""

import math
import pickle

import pytest

from refclass.oracle.equations import marks, specification
from refclass.report.pages import gallery
from refclass.report.tables import cross_validated, learning_curve, orange, separable, table, vowel
from refclass.report.tables.catalogue import TABLES
from refclass.report.tables.table import Size
from tests.golden.cases import DATA, data_file

FEW = Size(quick=True, folder=str(DATA))


@pytest.mark.parametrize("name", TABLES)
def test_a_table_is_whole(name):
    """It cites what the specification knows; its jobs have different keys, and can travel to other processes; a quick
    run's jobs are among those of a full one, or of its own kind."""
    one = TABLES[name]
    assert all(marks.known(mark, specification.specification()) for mark in one.citations)
    assert one.area in gallery.AREAS and one.given and one.title and one.name == name
    keys = [job.key for job in one.jobs(Size(folder="x"))]
    assert len(set(keys)) == len(keys) and len(pickle.dumps(one.jobs(Size(folder="x"))[0]))
    assert {job.key for job in one.jobs(Size(True, "x"))} <= set(keys) or name == "spam_grid"
    assert one.lines({}) == one.lines({"other": 1.0, "other/2/3": [1.0]}) == []


def run(name, most=math.inf, folder=FEW):
    """Return the lines of a quick run, or of the first jobs of it."""
    jobs = TABLES[name].jobs(folder)
    return TABLES[name].lines({job.key: job() for k, job in enumerate(jobs) if k < most})


@pytest.mark.parametrize("name", ["minimisers", "kernels"])
def test_formulas_are_reproduced(name):
    """Minimisers by search within 1e-6, kernels to twelve digits  [M-ESL-T12.1] [M-MMST-T11.1] [ESL-T12.1]
    [MMST-T11.1] [POPMIN.P1]."""
    for line in run(name):
        assert abs(line.difference) <= (1e-6 if name == "minimisers" else 1e-12) * max(1, abs(line.printed))


@pytest.mark.thorough
def test_the_skin_of_the_orange_errs_as_printed():
    """Four simulations of 50: every cell within three of their standard errors, and the order of the methods
    [M-ESL-T12.2] [ESL-T12.2] [SIM-50]."""
    lines = run("orange")
    assert len(lines) == 14 and all(abs(line.in_errors) <= 3 for line in lines[:6] + lines[7:13])
    assert lines[6].ours == lines[13].ours == pytest.approx(0.02904, abs=1e-5)
    ours = {line.place: line.ours for line in lines}
    for column in ("no noise variables", "six noise variables"):
        poly = [ours[f"SVM/poly {d}", column] for d in (2, 5, 10)]
        assert poly == sorted(poly) and ours["BRUTO", column] < ours["MARS", column] < ours["SV classifier", column]


@pytest.mark.thorough
def test_a_cost_that_binds_nobody_is_tried_once():
    """Where no multiplier is at its bound, larger costs have the same errors [TUNE-TEST.P1]."""
    found = orange.simulate(0, 0)
    assert len(set(found["poly 10"][-15:])) == 1 < len(set(found["poly 10"]))
    assert all(len(v) == len(orange.COSTS) for k, v in found.items() if "poly" in k)


def test_a_learning_curve_has_a_cell_for_each_rule_and_size():
    """Ten sizes of four rules; percentages right of the points left out  [M-KIM-T4] [RESPLIT.P1]."""
    assert [len(row) for row in learning_curve.PRINTED.values()] == [4] * 10
    (one,) = learning_curve.sample(50, 0, 1)
    assert len(one) == 4 and all(50 < share < 100 for share in one)
    assert all(abs(share * 950 / 100 - round(share * 950 / 100)) < 1e-9 for share in one)
    assert learning_curve.sample(50, 0, 1) == [one]


def test_separable_points_have_three_multipliers_at_most():
    """Two hundred points, none misclassified: 197 multipliers or more are zero  [M-ISML-F27.6] [SVC-SPARSE.P3]."""
    found = [separable.separate(seed) for seed in range(3)]
    assert all(count in (2, 3) and wrong == 0 for count, wrong in found)


def test_the_rates_of_the_vowel_table_are_counts():
    """A line each for the training and the test rows; ours as a share with its count [M-YANG-T12.3]."""
    lines = TABLES["vowel"].lines({"vowel/LDA": {"LDA": [167, 257]}})
    assert [(line.place[1], line.printed, round(line.ours, 4), line.note) for line in lines] == [
        ("training", 0.32, 0.3163, "167 of 528"),
        ("test", 0.56, 0.5563, "257 of 462"),
    ]
    assert vowel.SIZES == (528, 462)


@pytest.mark.slow
def test_the_tables_of_ripleys_points_are_near_print():
    """Five divisions of the printed class sizes: right answers within three standard deviations of a division
    [M-KIM-T1] [M-KIM-T2] [M-KIM-T3]."""
    for line in run("ripley"):
        if line.place[1] == "right":
            assert abs(line.in_errors) <= 3


@pytest.mark.slow
@pytest.mark.parametrize(("name", "cell"), [("ionosphere", (10, 0.1)), ("sonar", (100, 0.3))])
def test_two_classes_err_as_printed(name, cell):
    """One division of the rows, ten folds, one cell of the grid: within two standard errors of a rate of n rows
    [M-MMST-T11.2] [MMST-T11.2]."""
    entry = next(e for e in cross_validated.TWO if e.name == name)
    data_file(entry.file)
    rows = len(cross_validated.read(entry, str(DATA))[1])
    spread = math.sqrt(entry.printed * (1 - entry.printed) / rows)
    assert cell in entry.cells
    assert abs(cross_validated.validate(name, str(DATA), *cell, seed=0) - entry.printed) < 2 * spread


def test_results_are_taken_in_the_order_of_their_numbers():
    """2 before 10."""
    assert table.under({"a/10": "x", "a/2": "y", "b/1": "z"}, "a/") == ["y", "x"]
