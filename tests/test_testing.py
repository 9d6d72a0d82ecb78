"""The strategies for hard problems: what they draw is a problem, and every accident happens."""

from hypothesis import given, settings
from hypothesis import strategies as st

from refclass import testing
from refclass.assertions import question
from tests.profiles import examples


@given(st.data())
def test_every_problem_is_one(data):
    """It has as many responses as rows, every class at least once, and is read without complaint."""
    method = data.draw(st.sampled_from(["svc", "svr", "lda", "ridge", "logistic", "huber", "crammer_singer"]))
    drawn = data.draw(testing.problems(method))
    asked = question(drawn)
    assert len(asked.x) == len(asked.y) >= 4
    assert method in testing.REGRESSIONS or set(asked.y) == {0, 1}


@given(st.data())
@settings(max_examples=examples(5))
def test_every_accident_happens_to_the_rows(data):
    """Each accident does to the rows what it is called by."""
    n, p = data.draw(st.integers(4, 8)), data.draw(st.integers(2, 3))
    for accident in testing.ACCIDENTS:
        x = data.draw(testing.rows(n, p, accident))
        assert len(x) == n and all(len(row) == p for row in x)
        if accident == "copies":
            assert x[0] == x[(n + 1) // 2]
        if accident == "equal":
            assert x == [x[0]] * n
        if accident == "collinear":
            assert all(row[-1] == sum(row[:-1]) for row in x)
        if accident == "constant":
            assert {row[-1] for row in x} == {1000}
        if accident == "moved":
            assert min(min(row) for row in x) > 2**19


@given(testing.svc, testing.svr, testing.lda, testing.ridge)
@settings(max_examples=examples(5))
def test_the_named_strategies_are_of_their_methods(svc, svr, lda, ridge):
    """svc, svr, lda and ridge draw problems of these methods."""
    assert [p["method"] for p in (svc, svr, lda, ridge)] == ["svc", "svr", "lda", "ridge"]
