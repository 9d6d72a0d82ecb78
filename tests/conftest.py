"""Settings for every test: the profiles of Hypothesis, the quick run's cases, and garbage searched for when it pays.

The quick run, `-m "not slow"`, tries six examples of a law where the default run tries twelve, and five cases of a
parametrised test, evenly spread; the others are marked slow. Every law and every test function stays in it that is not
marked slow itself. Of a test marked `many` the default run tries ten cases, evenly spread; the others are marked long.
"""

import gc
import itertools
import os
import pathlib
import sys

import pytest

gc.disable()  # until the tests are collected: what collection allocates stays

ROOT = pathlib.Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from tests import strict  # noqa: E402

if os.environ.get("REFCLASS_STRICT"):
    strict.install()

from hypothesis import settings  # noqa: E402

from tests import profiles  # noqa: E402

profiles.register()


def pytest_configure(config):
    """Load the profile of few examples for the quick run, unless another is named; leave the package's asserts alone.

    pytest rewrites every module of a distribution that has a plugin, to say more of a failing assert: of 600 modules
    that takes each process two seconds, and only the tests' own asserts are read.
    """
    getattr(config.pluginmanager.rewrite_hook, "_must_rewrite", set()).discard("refclass")
    if config.option.markexpr == "not slow" and not config.getoption("--hypothesis-profile"):
        settings.load_profile("quick")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Mark long and slow the cases of a parametrised test that the default and the quick run leave out.

    What the default run leaves out the quick run leaves out, too.
    """
    for _, group in itertools.groupby(items, lambda item: (item.fspath, getattr(item, "originalname", item.nodeid))):
        cases = list(group)
        if cases[0].get_closest_marker("many"):
            _leave_out([item for item in cases if not item.get_closest_marker("thorough")], "long", profiles.MANY)
        for item in cases:
            if item.get_closest_marker("thorough") or item.get_closest_marker("long"):
                item.add_marker("slow")
        _leave_out(cases, "slow", profiles.CASES)


def _leave_out(cases, mark, most):
    """Mark those cases that are not among so many of the unmarked ones, evenly spread."""
    unmarked = [item for item in cases if item.get_closest_marker(mark) is None]
    kept = profiles.spread(len(unmarked), most)
    for i, item in enumerate(unmarked):
        if i not in kept:
            item.add_marker(mark)


def pytest_collection_finish():
    """Leave the thousands of tests collected out of every later search for garbage, and search seldom: the syntax
    trees of the architecture tests are millions of objects that stay.
    """
    getattr(gc, "freeze", gc.collect)()
    getattr(gc, "set_threshold", lambda *_: None)(100_000, 20, 100)
    gc.enable()
