"""Gridworlds step by step against plain Python."""

import pytest
from support.discrete_steps import check_every_state_and_action
from support.plain_environments import gridworld_step

from surefoot.simulation.environments import gridworld


@pytest.mark.parametrize("slip", [None, 0.0, 0.1, 0.25])
def test_every_state_and_action_as_in_plain_python(slip):
    check_every_state_and_action(gridworld, gridworld_step, slip, size=5)
