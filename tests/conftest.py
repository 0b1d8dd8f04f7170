"""Sizes: with CI=true everything runs at full size, otherwise reduced; and how many run at once."""

import os

from hypothesis import HealthCheck, settings

FULL = os.environ.get("CI") == "true"

_SLOW_OK = [HealthCheck.too_slow, HealthCheck.data_too_large]
settings.register_profile("full", max_examples=1500, deadline=None, suppress_health_check=_SLOW_OK)
settings.register_profile("quick", max_examples=150, deadline=None, suppress_health_check=_SLOW_OK)
settings.load_profile("full" if FULL else "quick")


def pytest_xdist_auto_num_workers() -> int:
    """Return one more than there are processors: tests of the page wait more than they work."""
    return (os.cpu_count() or 1) + 1
