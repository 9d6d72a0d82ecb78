"""The figure of a planted outlier: hinges turn, ramps stay, exactly, and what is drawn is what the models have."""

from fractions import Fraction as Q

import pytest

from refclass import KernelClassifier
from refclass.report.figures import robustness
from tests.report.drawings import drawn


def panels():
    return {panel.title.replace(" ", "_"): panel for panel in drawn("outlier").panels}


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge", "ramp", "squared_ramp"])
def test_the_boundaries_drawn_are_the_models_own(loss):
    """Both ends of each boundary have f = 0 in fractions, by the model fitted here anew  [M-ISML-F27.17]."""
    X, y = robustness.data()
    lines = {mark.name: mark for mark in panels()[loss].marks}
    for name, n in (("f = 0 without the outlier", len(X) - 1), ("f = 0 with it", len(X))):
        model = KernelClassifier(loss=loss, penalty=1, arithmetic="exact").fit(X[:n], y[:n])
        (line,) = lines[name].lines
        assert model.decision_function([list(p) for p in line]) == [0, 0] and line[0] != line[1]
        assert all(type(v) is Q for p in line for v in p)


@pytest.mark.parametrize(("convex", "bounded"), robustness.PAIRS)
def test_the_ramps_ignore_the_outlier_that_turns_the_hinges(convex, bounded):
    """The same boundary with the outlier as without, exactly, at the ramps; another one at the hinges, which then get
    points of the clouds wrong  [M-ISML-F27.17] [LOSS-ROBUST-COMPARE.P1] [RAMP-FIT.P1]."""
    X, y = robustness.data()
    hinge, ramp = (robustness.moved(loss) for loss in (convex, bounded))
    assert ramp.still and ramp.turned == 0 and ramp.spoilt.predict(X[:-1]) == y[:-1]
    assert ramp.spoilt.objective_ == ramp.clean.objective_ + 1 and ramp.spoilt.certificate_.status == "stationary"
    assert not hinge.still and hinge.turned > 40 and hinge.spoilt.predict(X[:-1]) != y[:-1]
    assert hinge.clean.predict(X[:-1]) == y[:-1] and hinge.spoilt.certificate_.status == "optimal"
    without, including = (panels()[bounded].marks[k].lines for k in (0, 1))
    assert without == including
    without, including = (panels()[convex].marks[k].lines for k in (0, 1))
    assert without != including
