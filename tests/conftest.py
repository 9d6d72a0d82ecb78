"""Settings for every test: Hypothesis without a clock and with the same examples in every run."""

import pathlib
import sys

from hypothesis import HealthCheck, settings

ROOT = pathlib.Path(__file__).resolve().parent.parent
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

settings.register_profile(
    "house", deadline=None, derandomize=True, max_examples=50, database=None, suppress_health_check=list(HealthCheck)
)
settings.load_profile("house")
