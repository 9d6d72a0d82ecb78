"""Settings for every test: Hypothesis without a clock and with the same examples in every run."""

import gc
import pathlib
import sys

gc.disable()  # until the tests are collected: what collection allocates stays

from hypothesis import HealthCheck, settings  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

every = {"deadline": None, "derandomize": True, "database": None, "suppress_health_check": list(HealthCheck)}
settings.register_profile("package", max_examples=20, **every)
settings.register_profile("thorough", max_examples=500, **every)  # pytest --hypothesis-profile=thorough
settings.load_profile("package")


def pytest_collection_finish():
    """Leave the thousands of tests collected out of every later search for garbage."""
    getattr(gc, "freeze", gc.collect)()
    gc.enable()
