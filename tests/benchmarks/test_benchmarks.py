"""The benchmarks run; what they measure is for people to read."""

import gc
import json
import re
import sys
import time

import pytest

import refclass
from tests.benchmarks import __main__ as benchmarks
from tests.benchmarks import goals, growth, page, samples, scratch, several, tasks, timing


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
        "exact",
        "proofs",
        "verify",
        "mixtures",
        "memory",
        "start",
    ],
)
def test_every_case_of_a_task_can_be_made(name):
    """Each setting is made only when it is measured, and there is more than the quick one."""
    settings = tasks.TASKS[name]()
    assert len(settings) > 1 and all(s.name and s.setting and callable(s.make) for s in settings)


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


def record(*results, settings=(), python="/usr/bin/pypy3"):
    """Return what a run knows after these results."""
    facts = page.facts(time.process_time)
    return page.Record(facts, list(settings), python, list(results), grown=[("a", "n", "n^1", "1 s", "n")])


def test_the_record_has_a_table_of_ratios_and_one_of_growth():
    """A dated heading, the rows in Markdown, another interpreter's column where it was asked for."""
    work = timing.Case("self", "n=1", lambda: 7, "nobody", None, lambda: None)
    text = page.text(record(timing.compare(work, 1, elsewhere={"self n=1": 0.0})))
    assert "one thread each (OMP_NUM_THREADS=1" in text and "| self | n=1 | lower bound |" in text
    assert "| pypy3 |" in text and "| a | n | n^1 | 1 s | n |" in text


def test_the_record_says_what_the_run_left_out():
    """A setting without a result, for want of time or because it failed; peers of whom there is no checkout."""
    work = timing.Case("self", "n=1", lambda: 7, "nobody", None, lambda: None)
    settings = [timing.Setting("self", f"n={n}", lambda: work) for n in (1, 2, 3)]
    found = record(timing.compare(work, 1), settings=settings)
    found.failed["self", "n=3"] = "ValueError: three"
    first, second, third = page.left_out(found)
    assert (first, second) == ("- self n=3: ValueError: three", "- self n=2: no time was left")
    assert "from scratch" in third and all(line in page.text(found) for line in (first, second, third))


def test_another_interpreter_is_asked_for_our_times_alone(capsys):
    """It prints a line of JSON for each case: name, setting, seconds; here it is this interpreter."""
    given = ["eigen", "--quick", "--warm", "0", "--alone", "--limit", "0"]
    assert benchmarks.main(given) == 0
    ((name, setting, taken),) = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert (name, setting) == ("jacobi", "n=10") and taken > 0
    options = benchmarks.parser().parse_args(given)
    assert set(benchmarks.elsewhere(sys.executable, "eigen", "all", options, 0.0, 60.0)) == {"jacobi n=10"}
    assert benchmarks.elsewhere(sys.executable, "eigen", "all", options, 0.0, 0.01) == {}


def test_turns_count_once_they_are_warm_and_with_what_they_leave_to_be_collected():
    """Of turns of 2, 1, 1, 4 seconds the first two warm up, and the mean of the others is what they take; one that
    takes longer than the limit counts itself. Where memory is freed by the collector alone, it stays on.
    """
    turns, on = iter((2.0, 1.0, 1.0, 4.0, 70.0)), []
    case = timing.Case("self", "n=1", lambda: on.append(gc.isenabled()) or timing.Reported(next(turns)), "", None, None)
    assert benchmarks.alone(case, time.process_time, 6.0, 3.0) == ["self", "n=1", 2.5]
    assert benchmarks.alone(case, time.process_time, 6.0, 3.0) == ["self", "n=1", 70.0]
    assert set(on) == {not timing.REFERENCES_COUNTED}


def test_a_row_that_fails_costs_no_other(capsys, monkeypatch):
    """What it runs into is printed, and the others are measured."""
    work = timing.Case("self", "n=1", lambda: 7, "nobody", None, lambda: None)
    settings = [timing.Setting("self", "n=0", lambda: 1 / 0), timing.Setting("self", "n=1", lambda: work)]
    monkeypatch.setitem(tasks.TASKS, "eigen", lambda: settings)
    assert benchmarks.main(["eigen", "--turns", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any("ZeroDivisionError" in line for line in lines) and lines[-1].startswith("self  n=1")


def test_no_row_is_begun_once_the_minutes_are_over(capsys):
    """Without any time nothing is measured."""
    assert benchmarks.main(["eigen", "--minutes", "0", "--growth"]) == 0
    assert "jacobi" not in capsys.readouterr().out


@pytest.mark.slow
def test_the_rows_that_are_asked_are_those_of_the_table_and_each_is_measured():
    """Every goal is a setting of a task, so that a whole run leaves none out; without a run all are said to be so."""
    asked = [(goal.task, goal.setting) for goal in goals.GOALS]
    settings = {(s.name, s.setting) for make in tasks.TASKS.values() for s in make()}
    absent = [row for row in asked if row not in settings and not several.there(row[1].split()[0])]
    assert len(set(asked)) == len(asked) == 45 and set(asked) - settings <= set(absent)
    assert {row[-1] for row in goals.rows([])[1:]} == {"not run"}
    chosen = benchmarks.chosen(benchmarks.parser().parse_args([]), "asked")
    assert {(s.name, s.setting) for own in chosen.values() for s in own} == set(asked) & settings


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
    said = found["cholesky", "n=300"]
    assert said[:3] == ("60 ×", "71 ×", "70 ×") and said[3].startswith("missed: [") and goals.PAGE in said[3]
    assert found["bruto", "vowel"][-1] == "reached"
    assert found["mda", "n=5000 d=10 5 × 3"][2:] == ("19 s", "reached")
    assert found["memory", "gaussian n=5000 d=20, with proof"][2:] == ("212 MB", "reached")


def test_each_reason_leads_to_a_heading_of_the_decision():
    """The page links a heading that is there."""
    text = (page.RECORD.parent / goals.PAGE).read_text(encoding="utf-8")
    anchors = {
        re.sub(r"[^\w -]", "", line.lstrip("# ").lower()).replace(" ", "-")
        for line in text.splitlines()
        if line.startswith("##")
    }
    linked = {found for goal in goals.GOALS for found in re.findall(r"#([^)]*)\)", goal.why)}
    assert linked and linked <= anchors
