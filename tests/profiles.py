"""How many examples a test tries, by the profile: few in the quick run, 25 times as many as usual in the thorough."""

from __future__ import annotations

from hypothesis import HealthCheck, Phase, settings

USUAL = 20  # what a test requires is relative to this
SIZES = {"quick": 6, "package": 12, "thorough": 500}
CASES = 5  # of a parametrised test that the quick run tries
MANY = 10  # of a parametrised test marked `many` that the default run tries


def register() -> None:
    """Register the profiles, Hypothesis without a clock and with the same examples in every run; load the default."""
    every = {"deadline": None, "derandomize": True, "database": None, "suppress_health_check": list(HealthCheck)}
    for name, count in SIZES.items():
        settings.register_profile(name, max_examples=count, **every)
    found = [Phase.explicit, Phase.generate]  # of a mutant no smallest example is wanted
    settings.register_profile("mutants", max_examples=SIZES["quick"], phases=found, **every)
    settings.load_profile("package")


def examples(count: int) -> int:
    """Return how many examples the loaded profile tries of a law that requires so many, USUAL being the usual."""
    return max(2, count * settings().max_examples // USUAL)


def spread(count: int, most: int) -> set[int]:
    """Return at most so many of the numbers below the count, evenly spread, the first and the last among them."""
    return {i * (count - 1) // (most - 1) for i in range(most)} if count > most else set(range(count))


def thorough() -> bool:
    """Return whether the thorough profile is loaded."""
    return settings().max_examples >= SIZES["thorough"]
