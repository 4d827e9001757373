"""Limits of tuning in simulated studies."""

import pytest
from scipy.special import bdtrc

from surefoot.validation.sensitivity_coverage import tuning as trust

SURE = 1e-4
CASES = [("equal", "normal", 64, 5, 3), ("unequal noise", "skewed", 4, 5, 3)]


@pytest.mark.parametrize(("pattern", "law", "settings", "environments", "runs"), CASES)
def test_limits_miss_in_at_most_5_percent(pattern, law, settings, environments, runs):
    """Also of equal settings, which the percentiles of resampled means nearly always miss."""
    cell = {"name": "test", "pattern": pattern, "law": law, "settings": settings, "environments": environments}
    counts = trust.cover(cell | {"runs": runs}, 40, 30, 5).set_index("method")["failures"]
    for target in ("sensitivity", "dimension"):
        assert bdtrc(counts[f"{target}, held out"] - 1, 40, 0.05) > SURE
    if pattern == "equal":
        assert counts["sensitivity, percentile"] > 35
