"""The benchmarks run; what they measure is for people to read."""

import json
import re
import sys
import time

import pytest

import refclass
from tests.benchmarks import __main__ as benchmarks
from tests.benchmarks import goals, growth, proofs, samples, scratch, tasks, timing


def test_the_quick_benchmarks_print_a_table(capsys):
    """One task, one turn: a heading and a row with a ratio; a lower bound where no peer is installed."""
    assert benchmarks.main(["eigen", "--quick", "--turns", "1"]) == 0
    lines = capsys.readouterr().out.strip().splitlines()
    assert lines[-2].split()[0] == "task" and lines[-1].split()[0] == "jacobi"


@pytest.mark.parametrize(
    "name",
    [
        "svc-linear",
        "svc-gaussian",
        "path",
        "qp",
        "from-scratch",
        "exact",
        "proofs",
        "verify",
        "mixtures",
        "memory",
        "start",
    ],
)
def test_every_case_of_a_task_can_be_made(name):
    """Each setting is a callable that is only called when it is measured, and there is more than the quick one."""
    assert len(tasks.TASKS[name]()) > 1 and all(map(callable, tasks.TASKS[name]()))


def test_the_median_is_of_paired_ratios():
    """Work against itself has ratios on both sides of one; nothing is divided by zero."""
    work = timing.Case("self", "", lambda: sum(range(20000)), "self", lambda: sum(range(20000)), lambda: None)
    r = timing.compare(work, 5)
    assert r.least <= r.median <= r.most and r.against == "self"


def test_where_no_peer_is_the_lower_bound_takes_its_turns():
    """A peer that is not there is replaced by the lower bound, and the remark is of our answer."""
    work = timing.Case("self", "", lambda: 7, "nobody", None, lambda: None, lambda run: f"{run.ours} {run.other}")
    r = timing.compare(work, 1)
    assert r.against == "lower bound" and r.remark == "7 None"


def test_what_another_process_measured_counts():
    """A peer in another process says how long it took."""
    assert timing.seconds(lambda: timing.Reported(2.5))[0] == 2.5


def test_a_peer_that_never_ends_is_stopped():
    """After its time it has no answer; one that ends in time has its own."""
    assert timing.bounded(lambda: time.sleep(60), 0.01) is None
    assert timing.bounded(lambda: "done", 60) == "done"


@pytest.mark.parametrize("kernel", ["linear", {"name": "gaussian", "gamma": 0.5}])
def test_the_gap_of_a_machine_is_zero_and_that_of_no_machine_is_two(kernel):
    """At α = 0 the best pair gains y₊ − y₋ = 2; at the optimum none gains anything  [ESL-12.14] [ESL-12.16]."""
    X, labels = samples.moons(40, 2)
    y = [2.0 * k - 1 for k in labels]
    alpha = refclass.SVC(C=1, kernel=kernel).fit(X, labels).alpha_
    reached, off = scratch.gap(X, y, kernel, 1, alpha)
    assert reached < 1e-10 and off < 1e-10
    assert scratch.gap(X, y, kernel, 1, [0.0] * 40) == (2, 0)


def test_moons_are_padded_with_noise():
    """Ten columns, the first two the moons, in two classes of a half each; the same again from the same seed."""
    X, y = samples.moons(20, 10)
    assert {len(x) for x in X} == {10} and sum(y) == 10 and samples.moons(20, 10) == (X, y)
    assert samples.moons(20, 10, seed=2)[0] != X


def test_the_fitted_exponent_is_that_of_the_power():
    """Times that grow as n² have the exponent two; those that do not grow have none."""
    assert growth.exponent((1, 2, 4, 8), (3, 12, 48, 192)) == pytest.approx(2)
    assert growth.exponent((1, 2, 4), (5, 5, 5)) == pytest.approx(0)


def test_the_record_has_a_table_of_ratios_and_one_of_growth():
    """A dated heading, the rows in Markdown, another interpreter's column where it was asked for."""
    work = timing.Case("self", "n=1", lambda: 7, "nobody", None, lambda: None)
    result = timing.compare(work, 1, elsewhere={"self n=1": 0.0})
    facts = benchmarks.setting(time.process_time)
    text = benchmarks.recorded(facts, [result], [("a", "n", "n^1", "1 s", "n")], "/usr/bin/pypy3")
    assert "one thread each (OMP_NUM_THREADS=1" in text and "| self | n=1 | lower bound |" in text
    assert "| pypy3 |" in text and "| a | n | n^1 | 1 s | n |" in text


def test_another_interpreter_is_asked_for_our_times_alone(capsys):
    """It prints a line of JSON for each case: name, setting, seconds; here it is this interpreter."""
    assert benchmarks.main(["eigen", "--quick", "--turns", "1", "--alone"]) == 0
    ((name, setting, taken),) = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert (name, setting) == ("jacobi", "n=10") and taken > 0
    assert set(benchmarks.elsewhere(sys.executable, "eigen", True, 1, timing.LIMIT)) == {"jacobi n=10"}


def test_every_goal_names_a_row_that_is_measured():
    """Its task and setting are those of a case; without a run it is said to be not run."""
    assert {goal.task for goal in goals.GOALS} <= {
        "bruto", "cholesky", "crammer-singer", "deviance", "em, tied", "exact optimum", "import", "jacobi",
        "kernel ridge", "lda fit", "lda predict", "lee-lin-wahba", "mda", "memory", "path gaussian", "proof, gaussian",
        "proof, lda", "proof, linear", "qda predict", "svc gaussian", "svc linear", "tour", "verify",
    }  # fmt: skip
    cases = [tasks.linear_discriminants(100, 10, "lda fit"), tasks.factor(5), proofs.certificate("linear", 20, 10)]
    shapes = {(goal.task, re.sub(r"[0-9]+", "0", goal.setting)) for goal in goals.GOALS}
    assert {(case.name, re.sub(r"[0-9]+", "0", case.setting)) for case in cases} <= shapes
    assert {row[-1] for row in goals.rows([])[1:]} == {"not run"}


def test_a_goal_is_reached_or_missed_with_a_reason():
    """A ratio, seconds or megabytes against what was asked, from the row of the same task and setting."""
    made = {
        ("cholesky", "n=300"): (70.0, 1.0, ""),
        ("bruto", "vowel"): (8.0, 4.0, ""),
        ("mda", "n=5000 d=10 5 × 3"): (9.0, 19.0, ""),
        ("memory", "gaussian n=5000 d=20, with proof"): (9.0, 1.0, "212 MB"),
    }
    results = [
        timing.Result(timing.Case(*name, lambda: 0, "", None, lambda: 0), "", m, m, m, remark, "", taken)
        for name, (m, taken, remark) in made.items()
    ]
    found = {row[:2]: row[2:] for row in goals.rows(results)}
    assert found["cholesky", "n=300"] == ("60 ×", "71 ×", "70 ×", f"missed: {goals.BOUND}")
    assert found["bruto", "vowel"][-1] == "reached"
    assert found["mda", "n=5000 d=10 5 × 3"][2:] == ("19 s", "reached")
    assert found["memory", "gaussian n=5000 d=20, with proof"][2:] == ("212 MB", "reached")
