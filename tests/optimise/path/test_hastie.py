"""The path as its paper states it, held against the engine."""

from hypothesis import example, given

from refclass.errors import NotConverged
from refclass.margins.svm import certificate
from refclass.margins.svm.soft import Machine
from refclass.optimise.path import hastie
from refclass.optimise.path import solution as path
from tests.optimise.paths import inquiries, linear, narrow, problem, problems, quadratic, violation


@given(problems())
def test_every_solution_of_the_page_is_optimal_exactly(case):
    """Above, at, between and below break points no condition of optimality fails [ESL-12.3.5-sets] [OPT-PATH.P2]."""
    found = hastie.solve(case)
    for lam in inquiries(found):
        at = found.at(lam)
        for alpha0 in {at.alpha0, *at.interval}:
            assert violation(case, lam, at.alpha, alpha0) <= 0


@example(problem([[0], [1], [2], [-1], [0]], [0, 1, 0, 0, 1], quadratic))
@example(problem([[-2, -2], [2, -2], [0, 0], [-1, -1], [2, 0]], [0, 0, 1, 1, 1], linear))
@given(problems())
def test_page_and_engine_have_the_same_break_points_and_segments(case):
    """From the same multipliers at λ = ∞ the break points, and α and α₀ at and between them, agree with == ; from
    others, where those are not unique, the functions do [ESL-12.3.5-path] [OPT-PATH.P1]."""
    page, engine = hastie.solve(case), path.solve(case)
    if page.start == engine.start:
        assert [s.lam for s in page.states] == [s.lam for s in engine.states]
    for lam in inquiries(engine):
        one, other = page.at(lam), engine.at(lam)
        if page.start == engine.start:
            assert one == other
        assert case.K @ one.alpha.times(case.y) == case.K @ other.alpha.times(case.y)


@given(problems())
def test_every_state_of_the_page_has_a_certificate_without_gap(case):
    """As the machine of cost 1/λ each break point is optimal, primal = dual [SVC-DUALITY.P1] [OPT-PATH.P2]."""
    for state in hastie.steps(case):
        state.check()
        costs = (1 / state.lam,) * len(case.y)
        proof = certificate.certify(Machine(case.K, case.y, costs), state.alpha / state.lam, state.alpha0 / state.lam)
        assert (proof.status, proof.gap) == ("optimal", 0)


@given(problems(kernels=(narrow,), kind=float))
def test_in_doubles_the_page_is_optimal_up_to_roundoff_or_refuses(case):
    """No condition fails by more than 1e-9; events that doubles cannot order are refused [OPT-PATH.P2]."""
    try:
        found = hastie.solve(case)
    except NotConverged:
        return
    for lam in inquiries(found):
        at = found.at(lam)
        assert violation(case, lam, at.alpha, at.alpha0) <= 1e-9
