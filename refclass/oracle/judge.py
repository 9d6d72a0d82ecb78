"""Judging somebody else's answer: how many digits of it are right, what is wrong, and where.

A machine is judged by its multipliers and intercept, or by its hyperplane; machines of many classes one by one. What
else is reported, and the predictions, must follow from what was proven. Gaussian rules, least squares and likelihoods
are judged by their defining equations, solved in fractions by the oracle's own few lines. Only the methods that are
left are fitted anew, by the package's own code, and the verdict says so.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Optional

from refclass.errors import InvalidInput, NoAnswer, NotConverged, NotExact, Refusal, quoted
from refclass.estimators.margins import svc
from refclass.estimators.margins.crammer_singer import CrammerSingerSVC
from refclass.estimators.margins.lee_lin_wahba import LeeLinWahbaSVC
from refclass.estimators.protocol.multiclass import Several
from refclass.margins.reduction import certificate as joint
from refclass.oracle import alignment, answer, reading
from refclass.oracle.judging import (
    ballots,
    bounds,
    claims,
    joint_machine,
    planes,
    quadratic,
    refused,
    trusted,
    verdict,
)
from refclass.oracle.judging import ceiling as highest
from refclass.oracle.judging.answers import machine, shares
from refclass.oracle.judging.answers.machine import Judged
from refclass.oracle.judging.comparison import forms
from refclass.oracle.judging.comparison.attributes import DECIMALS, SEMIPARAMETRIC, Reference
from refclass.oracle.judging.consistency import EQUATIONS, REFITTED, agreement, claimed, consistent, own, refitted
from refclass.oracle.judging.paths import completeness
from refclass.oracle.leaves import leaves
from refclass.oracle.problem import Problem, decode, made
from refclass.oracle.references import likelihood, scoring, smoothing, textbook
from refclass.sample import data

DIGITS = 6  # that an answer must have unless another number is asked
CLAIMED = ("svr", "huber", "kernel_ridge", "kernel_classifier", "mda", "network", *SEMIPARAMETRIC)

read = reading.read


def verify(
    problem: Problem, given: Mapping[str, Any], digits: float = DIGITS, *, ceiling: bool = False
) -> dict[str, Any]:
    """Return the verdict on an answer: accepted or not, how many digits of what are right, and the proof.

    digits     that are asked for, of the objective and of each attribute on the scale of its data; inf: all of them
    ceiling    whether to compute the digits that the exact optimum has, rounded to the numbers of the answer

    Raises    InvalidInput if the answer lacks what is needed, or if its form does not fit the problem
    """
    if problem.programme is not None:
        return quadratic.verify(problem, given, digits)
    problem.check_range()
    reported = reading.exact(problem, reading.formed(dict(given), "answer"))
    found = claims.head(problem, reported)
    if found is None and "refusal" in reported:
        found = refused.judge(problem, reported["refusal"])
    if found is None:
        found = _answered(problem, reported, digits, ceiling)
        if found["accepted"] and "certificate" in reported:
            own = found.get("certificate") or bounds.of(problem, reported)
            checked = claims.certificate(reported["certificate"], own, digits, problem)
            found = verdict.joined(found, {**checked, "digits": {}})
    left = {**found.get("not_judged", {}), **{name: "words" for name in ("decimal", "left_out") if name in reported}}
    return {
        **({"name": problem.name} if problem.name else {}),
        **found,
        "asked": verdict.plain({"": digits})[""],
        "not_judged": left,
    }


def verify_line(line: str, source: str, digits: float = DIGITS, *, ceiling: bool = False) -> dict[str, Any]:
    """Return the verdict on a line of JSON that holds a problem and an answer to it.  Raises InvalidInput."""
    given = decode(line, source)
    if not isinstance(given, dict) or set(given) != {"problem", "answer"}:
        raise InvalidInput(source, need="an object with problem and answer", got=type(given).__name__)
    return verify(made(given["problem"], source), reading.formed(given["answer"], source), digits, ceiling=ceiling)


def _answered(problem: Problem, reported: dict[str, Any], asked: float, ceiling: bool) -> dict[str, Any]:
    """Return the verdict on fitted values and predictions."""
    estimator = problem.estimator()
    kind, classes = type(estimator), []
    if kind.takes_labels:
        classes = list(data.labels(problem.y)[0])
    told = {"classes": classes, **reported["fitted"]}
    order = alignment.order(told["classes"], classes)
    if classes and not order:
        raise InvalidInput("verify", need=f"the labels {quoted(classes)} in classes, in any order", got=told["classes"])
    # Premise: the machines of several are found by the answer's own order of classes.
    several = isinstance(estimator, Several) or (isinstance(estimator, svc.SVC) and len(classes) > 2)
    if classes and several and "classes" in reported["fitted"]:
        labels = [label for _, label in sorted(zip(order, classes), key=operator.itemgetter(0))]
        reported = {**reported, "fitted": {**reported["fitted"], "classes": labels}}
    elif classes and not several:
        fitted = alignment.reordered(reported["fitted"], order, problem.method)
        if "classes" in fitted:
            fitted["classes"] = classes
        reported = {**reported, "fitted": fitted}
        reported["predictions"] = alignment.reordered(reported.get("predictions", {}), order, problem.method)
    if not (set(reported["fitted"]) - {"classes"}) and not reported.get("predictions"):
        names = ", ".join(sorted(n.rstrip("_") for n in kind.fitted if n not in (*kind.history, "classes_")))
        need = f"predictions, or fitted values among {names}" if names else "predictions"
        raise InvalidInput("verify", need=need, got=", ".join(reported["fitted"]))
    try:
        return _judged(problem, reported, asked, ceiling)
    except (TypeError, IndexError, KeyError, ZeroDivisionError, OverflowError) as error:
        # Premise: an answer of another form fails in many ways; what the own answer fails in, too, is a defect.
        if not _own_is_judged(problem, reported, asked):
            raise
        raise InvalidInput("verify", need=f"fitted values in the form of {problem.method}", got="another") from error
    except (NoAnswer, NotConverged, NotExact) as refusal:
        if isinstance(refusal, NoAnswer) and not isinstance(refusal, AttributeError):
            return verdict.wrong("answer", "one", f"none: {refusal}")
        return {"accepted": False, "verdict": "not judged", "reason": f"the oracle's own answer is missing: {refusal}"}


def _own_is_judged(problem: Problem, reported: Mapping[str, Any], asked: float) -> bool:
    """Return whether the package's own answer is judged without a bare error.  Raises InvalidInput with the cause."""
    try:
        try:
            fitted = answer.tree(answer.fitted(machine.alone(problem).fitted()))
        except NotExact:
            fitted = answer.tree(answer.fitted(problem.fitted()))
        own = {name: reading.in_doubles(v) for name, v in fitted.items() if name in reported["fitted"]}
        forms.alike(reported["fitted"], own)
        _judged(problem, reading.exact(problem, {"fitted": own, "predictions": {}}), asked, False)
    except (TypeError, IndexError, KeyError, ZeroDivisionError, OverflowError):
        return False
    except InvalidInput:
        raise
    except Refusal:
        return True
    return True


def _judged(problem: Problem, reported: dict[str, Any], asked: float, ceiling: bool) -> dict[str, Any]:
    held = completeness.on_matrix(problem, reported) if problem.method == "svm_path" else problem
    found = trusted.seconded(_believed(problem, reported, asked, ceiling), held, reported, asked)
    words = ballots.predicted(problem, reported, asked) if found["accepted"] else None
    return found if words is None else {**found, "accepted": False, "verdict": f"wrong: {words}", "reason": words}


def _believed(problem: Problem, reported: dict[str, Any], asked: float, ceiling: bool) -> dict[str, Any]:
    found = _proven(problem, reported, asked)
    if found is None:
        return _compared(problem, reported, asked)
    fewer = not found["accepted"] and found["digits_proven"] is not None and not found.get("wrong")
    rounded = reported.get("arithmetic", "float") != "exact"
    if ceiling or (fewer and rounded):
        most = highest.of(problem, reported, asked, lambda own: _proven(problem, own, asked))
        if most is not None:
            found = _proven(problem, reported, asked, most if rounded else None) or found
            found["ceiling"] = verdict.plain({"": most})[""]
            # Premise: less than a digit says nothing of an attribute that is a tenth off.
            open_still = not found["accepted"] and "final" not in found
            if rounded and most < 1 and open_still and (found["digits_proven"] or 0) >= most:
                found = {**found, **_compared(problem, reported, asked)}
    for key in ("digits_proven", "final"):
        found.pop(key, None)
    return verdict.capped(found, MULTIPLIERS) if problem.method in PROVEN else found


def _proven(
    problem: Problem, reported: dict[str, Any], asked: float, ceiling: Optional[float] = None
) -> Optional[dict[str, Any]]:
    """Return the verdict on an answer of a method that proves any answer; None for other methods, or none reported."""
    estimator = machine.alone(problem).estimator()
    if isinstance(estimator, (svc.SVC, Several)):
        names = list(data.labels(problem.y)[0])
        if not (set(reported["fitted"]) - {"classes"}):
            return None
        if isinstance(estimator, Several) or len(names) > 2:
            return _several(problem, estimator, names, reported, asked)
        return _two(problem, estimator, reported, asked, ceiling)
    if isinstance(estimator, (CrammerSingerSVC, LeeLinWahbaSVC)):
        told = set(reported["fitted"]) - {"classes"}
        return joint_machine.judge(problem, estimator, reported, asked, ceiling) if told else None
    if problem.method in CLAIMED:
        return _claimed(problem, reported, asked, ceiling)
    return None


def _two(
    problem: Problem, estimator: svc.SVC, reported: dict[str, Any], asked: float, ceiling: Optional[float] = None
) -> dict[str, Any]:
    """Return the verdict on a two-class machine: the proof, and whether all else that is reported follows from it."""
    given = machine.given_exactly(estimator, problem.x)
    judged = machine.judge(estimator, given, problem.y, problem.weights, reported["fitted"], asked)
    return _following(problem, estimator, reported, asked, judged, ceiling)


def _following(
    problem: Problem,
    estimator: svc.SVC,
    reported: dict[str, Any],
    asked: float,
    judged: Judged,
    ceiling: Optional[float],
) -> dict[str, Any]:
    found = verdict.of_certificate(judged.certificate, asked, judged.violation, ceiling, verdict.in_words(reported))
    if not found["accepted"]:
        return found
    if judged.alpha is None:
        return _by_hyperplane(found, problem, judged, reported, asked)
    fitted = reported["fitted"]
    found, settled = machine.ends(found, estimator, problem, reported, asked, judged)
    if not found["accepted"]:
        return found
    proven = [*settled, *(n for n in machine.PROVEN if "alpha" not in fitted or n not in ("dual_coef", "support"))]
    rest = {name: v for name, v in fitted.items() if name not in proven}
    reference = Reference(lambda name: machine.take(estimator, name, problem, judged), own(reported))
    whole = consistent(found, problem, reference, {**reported, "fitted": rest}, asked, fitted)
    return planes.second(whole, found, problem, reported, rest, asked, reference)


def _by_hyperplane(
    found: dict[str, Any], problem: Problem, judged: Judged, reported: dict[str, Any], asked: float
) -> dict[str, Any]:
    """Return the verdict with what follows from the hyperplane that was proven."""
    rest = {**reported, "fitted": {n: v for n, v in reported["fitted"].items() if n not in ("coef", "intercept")}}
    if judged.best is not None:
        w, b = (reading.numbers(reported["fitted"].get(n, [0]), False) for n in ("coef", "intercept"))
        w, b = machine.numbers("coef", w), machine.number("intercept", b)
        words = ballots.plane(problem, w, b, judged.best, judged.certificate.primal, asked)
        if words:
            return {**found, "accepted": False, "verdict": f"wrong: {words}", "reason": words}
    plane = machine.Plane(list(data.labels(problem.y)[0]), reported["fitted"], judged.certificate)
    how = Reference.how if judged.best is None else machine.MEASURED
    return consistent(found, problem, Reference(lambda name: plane, own(reported), how), rest, asked)


def _several(problem: Problem, estimator: Any, names: Any, reported: dict[str, Any], asked: float) -> dict[str, Any]:
    """Return the verdict on several machines: accepted if each is, and the proof of all as one problem."""
    fitted, given = reported["fitted"], estimator.given(problem.x)
    tasks = estimator.tasks(given, problem.y, problem.weights)
    verdicts: list[dict[str, Any]] = []
    each: list[Judged] = []
    left: dict[str, str] = {}
    for task, share in zip(tasks, shares.shares(tasks, names, len(given), fitted)):
        single = machine.of_task(task, problem.arithmetic)
        values = {n: v for n, v in share.fitted.items() if n != "classes"}
        both = list(data.labels(single.y)[0])
        order = alignment.order(share.fitted.get("classes", both), both)
        if not order:
            raise InvalidInput("verify", need=f"classes {both} of {task.name}", got=share.fitted["classes"])
        part = {**reported, "fitted": alignment.reordered(values, order, single.method), "predictions": {}}
        if isinstance(task.estimator, svc.SVC):
            exact: Any = single.estimator()
            judged = machine.judge(
                exact, machine.given_exactly(exact, single.x), single.y, single.weights, part["fitted"], asked
            )
            each.append(judged)
            found = _following(single, exact, part, asked, judged, None)
            found = found if found["accepted"] else _believed(single, part, asked, False)
            found = trusted.seconded(found, single, part, asked)
            each[-1] = judged._replace(beta=planes.coefficients(single, exact, part["fitted"], judged, asked))
        else:
            found = _judged(single, part, asked, False)
        good, reason = found["accepted"] and not share.stray, share.stray or found["reason"]
        verdicts.append({"machine": task.name, "accepted": good, "reason": reason, "digits": found.get("digits", {})})
        open_still = found.get("not_judged", {}).items()
        left.update({f"{name}, {task.name}": why for name, why in open_still if name in shares.ENTRIES})
    found = _together(problem, estimator, names, reported, asked, verdicts, each)
    return {**found, "not_judged": {**left, **found.get("not_judged", {})}} if left else found


def _together(
    problem: Problem,
    estimator: Any,
    names: Any,
    reported: dict[str, Any],
    asked: float,
    verdicts: list[dict[str, Any]],
    each: list[Judged],
) -> dict[str, Any]:
    """Return the verdict on the whole of several machines, each of them judged."""
    fitted, tasks = reported["fitted"], estimator.tasks(estimator.given(problem.x), problem.y, problem.weights)
    refuted = next((v for v in verdicts if not v["accepted"]), None)
    found: dict[str, Any] = {"digits_proven": None, "digits": {}, "verdict": "right"}
    found["reason"] = "every machine is right"
    if each:
        whole = joint.certify([(task.name, own.certificate) for task, own in zip(tasks, each)])
        found = verdict.of_certificate(whole, asked)
    found = {**found, "accepted": refuted is None, "machines": verdicts}
    if refuted is not None:
        words = f"{refuted['machine']}: {refuted['reason']}"
        # Premise: each machine has been judged to its own ceiling.
        return {**found, "verdict": f"refuted: {refuted['machine']}", "reason": words, "final": True}
    if each and not found["verdict"].startswith(("optimal", "stationary")):
        held = ", or to its ceiling" if any("ceiling" in v["reason"] for v in verdicts) else ""
        found["verdict"] = found["reason"] = f"every machine is optimal to the digits asked for{held}"
    proven = ["estimators", "alpha", "intercept", "coef", *(() if "alpha" in fitted else ("dual_coef", "support"))]
    proven += shares.ENTRIES if each else []
    rest = {**reported, "fitted": {name: v for name, v in fitted.items() if name not in proven}}
    order, told = alignment.order(fitted.get("classes", names), names), dict(reported.get("predictions", {}))
    if order != list(range(len(names))):  # Premise: which machine has which decision value, and its sign, is left open
        left = [*(n for n in rest["fitted"] if n != "classes"), *(n for n in told if n == "decision")]
        found["not_judged"] = dict.fromkeys(left, "the classes stand in another order")
        told = {n: v for n, v in told.items() if n != "decision"}
        rest = {**rest, "fitted": {}, "predictions": alignment.reordered(told, order, problem.method)}
    if not (set(rest["fitted"]) - {"classes"}) and not rest.get("predictions"):
        return found
    if (each and any(own.alpha is None for own in each)) or not each:
        how = Reference(lambda name: replace(problem, arithmetic=name).fitted(), own(reported), REFITTED)
        return consistent(found, problem, how, rest, asked)

    return planes.of_several(found, problem, estimator, each, rest, asked, fitted)


def _claimed(
    problem: Problem, reported: dict[str, Any], asked: float, ceiling: Optional[float]
) -> Optional[dict[str, Any]]:
    """Return the verdict on an answer taken as it is reported and then proven; None if too little is reported."""
    taken: list[bool] = []
    reference = claimed(problem, reported, taken)
    reference.read(lambda estimator: None)
    if not taken[-1]:
        return None
    try:
        certificate, _ = reference.read(lambda estimator: verdict.certified(estimator.proven, asked))
    except NoAnswer:
        return None  # Premise: what a certificate needs and the data do not have is said by the fit
    found = verdict.of_certificate(certificate, asked, None, ceiling, verdict.in_words(reported))
    found, rest = machine.claimed_ends(found, problem, reference, certificate, reported, asked)
    if not found["accepted"]:
        return found

    def following(given: dict[str, Any]) -> dict[str, Any]:
        return consistent(found, problem, reference, given, asked, reported["fitted"])

    second = planes.second(following(rest), found, problem, reported, rest["fitted"], asked, reference)
    return trusted.or_by_gram(second, problem, rest, asked, following)


def _compared(problem: Problem, reported: dict[str, Any], asked: float) -> dict[str, Any]:
    """Return the verdict on an answer that is the only one: by its equations, or by a fit where there are none."""
    exact = textbook.reference(problem) or scoring.reference(problem)
    exact = exact or likelihood.reference(problem, reported["fitted"])
    if isinstance(exact, textbook.Normal):
        exact = exact.taken(reported["fitted"])
    if exact is not None:
        return agreement(problem, Reference(lambda name: exact, own(reported), EQUATIONS), reported, asked)
    if problem.method == "svm_path":
        return completeness.judge(problem, reported, asked)
    chosen = smoothing.choice(problem, reported["fitted"], asked)
    if chosen is not None and chosen.digits >= min(asked, chosen.needed):
        found = agreement(problem, Reference(chosen.make, own(reported), smoothing.HOW), reported, asked)
        found = verdict.limited(found, "penalty", chosen.digits)
        return {**found, "not_judged": {**found["not_judged"], **({"penalty": chosen.left} if chosen.left else {})}}
    if chosen is not None and chosen.digits < min(smoothing.SHOWN, chosen.needed):
        want = f"an allowed one of lowest GCV: its own has {verdict.shown(chosen.digits)} of that"
        got = ", ".join(map(forms.short, leaves(reported["fitted"]["penalty"])))
        return {**verdict.wrong("penalty", got, want), "digits": {"penalty": chosen.digits}}
    reference = Reference(lambda name: replace(problem, arithmetic=name).fitted(), own(reported), REFITTED)
    if problem.method in PROVEN and (words := _unproven(problem, reference)):
        return {"accepted": False, "verdict": "not judged", "reason": words}

    def compare(given: dict[str, Any]) -> dict[str, Any]:
        return refitted(problem, reference, given, asked)

    found = compare(reported)
    if problem.method != "kernel_ridge":
        return found
    found = trusted.or_by_gram(found, problem, reported, asked, compare)
    return found if found["accepted"] else highest.of_kernel_ridge(problem, reported, asked, compare) or found


def _unproven(problem: Problem, reference: Reference) -> str:
    """Return why the oracle's own optimum, which predictions alone are compared with, is not to be believed."""
    values, spacing = reference.read(answer.fitted)
    fitted = {name: v for name, v in answer.tree(values).items() if name in FUNCTIONS}
    name = DECIMALS if spacing else "exact"
    reported = reading.exact(problem, {"fitted": fitted, "predictions": {}, "arithmetic": name})
    found = _proven(problem, reported, DIGITS) or {"accepted": True, "verdict": "fitted anew"}
    said, _ = reference.read(lambda estimator: answer.predictions(estimator, problem.query))
    reported = reading.exact(problem, {"fitted": fitted, "predictions": answer.tree(said), "arithmetic": name})
    found = trusted.seconded(found, problem, reported, DIGITS)
    words = found["reason"] if not found["accepted"] else ballots.predicted(problem, reported, DIGITS)
    return f"the oracle's own answer is refuted: {words}" if words else ""


PROVEN = ("svc", "one_vs_one", "one_vs_rest", "crammer_singer", "lee_lin_wahba", *CLAIMED)
MULTIPLIERS = ("alpha", "alpha_star", "intercept", "coefficients")
FUNCTIONS = (*MULTIPLIERS, "estimators", "classes")
