"""BFS3 against a plain version: how often each history of actions and states comes about, and what it learns."""

import pytest
from support.planning_histories import (
    THREE_STATES,
    TWO_STATES,
    agreement_with_plain_version,
    check_independent_trajectories,
    check_learning_of_an_excluded_transition,
)


@pytest.mark.parametrize("test", [TWO_STATES, THREE_STATES])
def test_histories_come_about_as_often_as_with_a_plain_version(test):
    """Chi-square at 1e-4 for each of two pairs: errs once in 5,000 seeds."""
    parameters = {"rollouts": 12, "samples": 3, "depth": 3}
    assert agreement_with_plain_version("bfs3", parameters, "as_published", 2, 300, test) > 1e-4


def test_trajectories_do_not_depend_on_each_other():
    check_independent_trajectories("bfs3", {"rollouts": 4, "samples": 2, "depth": 3})


def test_a_transition_that_the_prior_excludes_is_learnt():
    check_learning_of_an_excluded_transition("bfs3", {"rollouts": 20, "samples": 4, "depth": 3})
