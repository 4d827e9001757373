"""BEB against a plain version: every action of its trajectories looked at again."""

import pytest
from support.bayesian_trajectories import check_actions, trajectories


@pytest.mark.parametrize("variant", ["as_published", "corrected"])
@pytest.mark.parametrize("environment", ["accurate/gc", "inaccurate/gdl"])
def test_actions_are_those_of_a_plain_version(variant, environment):
    """80 decisions each; counts of actions within 4.5 standard errors: errs once in 8,000 seeds in all 4 runs."""
    check_actions(*trajectories("beb", {"beta": 2.5}, environment, variant))
