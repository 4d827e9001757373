"""BAMCP, BFS3 and SBOSS against plain versions: how often each history of actions and states comes about."""

from collections import Counter

import numpy as np
import pytest
from scipy import stats
from support import plain_bayesian_planners as reference_planners

from surefoot.bayesian import registry
from surefoot.bayesian.agents import sboss
from surefoot.bayesian.cells import Cell, learn, play, problem_of
from surefoot.bayesian.posteriors import forget_observations, new_rows
from surefoot.bayesian.registry import VARIANTS
from surefoot.streams import start_stream, stream_key

TWO_STATES = {
    "pseudo_counts": [[[1.0, 1.0], [2.0, 0.5]], [[1.0, 1.0], [0.0, 3.0]]],
    "rewards": [[[0.0, 2.0], [0.5, 0.0]], [[4.0, 0.0], [0.0, 1.0]]],
}
THREE_STATES = {
    "pseudo_counts": [[[1.0, 0.5, 1.0], [0.0, 2.0, 1.0]], [[3.0, 0.0, 0.0], [1.0, 1.0, 1.0]], [[1.0, 1.0, 0.0]] * 2],
    "rewards": [
        [[0.0, 0.0, 1.0], [0.2, 0.0, 0.0]],
        [[2.0, 0.0, 0.0], [0.0, 0.5, 0.0]],
        [[0.0, 3.0, 0.0], [1.0, 0.0, 0.0]],
    ],
}


def cell_of(agent, parameters, test, steps, variant="as_published", prior=None):
    made = Cell(**registry.cell(agent, parameters, "accurate/gc", variant, seed=8))
    return made._replace(
        environment="accurate/small",
        experiment="small",
        test=test | {"initial_state": 0},
        prior=prior,
        discount=0.9,
        horizon=steps,
    )


def histories(cell, number):
    """How often each history comes about in so many trajectories of the compiled agent."""
    record = play(cell, learn(cell)[0], 0, number, transitions=True)
    return Counter(tuple(seen[:, 1:].ravel().tolist()[:-1]) for seen in record.transitions)


def agreement(ours, theirs):
    """p-value that two samples of histories have one distribution; rare histories are thrown together."""
    number = theirs.total()
    share = {seen: (ours[seen] + theirs[seen]) / (ours.total() + number) for seen in ours | theirs}
    common = [seen for seen in share if share[seen] * number >= 8]
    table = np.array([[sample[seen] for seen in common] for sample in (ours, theirs)], float)
    rest = np.array([[ours.total()], [number]]) - table.sum(axis=1, keepdims=True)
    table = np.hstack([table, rest]) if rest.sum() >= 8 else table
    assert table.shape[1] >= 6
    return stats.chi2_contingency(table).pvalue


@pytest.mark.parametrize(
    ("agent", "parameters", "variant", "steps", "number", "test"),
    [
        ("bamcp", {"simulations": 12, "depth": 4}, "as_published", 3, 400, TWO_STATES),
        ("bamcp", {"simulations": 12, "depth": 4}, "as_published", 3, 400, THREE_STATES),
        ("bfs3", {"rollouts": 12, "samples": 3, "depth": 3}, "as_published", 2, 300, TWO_STATES),
        ("bfs3", {"rollouts": 12, "samples": 3, "depth": 3}, "as_published", 2, 300, THREE_STATES),
        ("sboss", {"epsilon": 0.03, "delta": 0.7}, "as_published", 4, 300, TWO_STATES),
        ("sboss", {"epsilon": 0.03, "delta": 0.7}, "corrected", 4, 300, THREE_STATES),
        ("sboss", {"epsilon": 0.03, "delta": 0.7}, "half_copied", 4, 300, THREE_STATES),
    ],
)
def test_histories_come_about_as_often_as_with_a_plain_version(agent, parameters, variant, steps, number, test):
    """Chi-square at 1e-4 for each of seven pairs: errs once in 1,400 seeds."""
    cell = cell_of(agent, parameters, test, steps, variant)
    ours = histories(cell, 6_000)
    made = getattr(reference_planners, agent.title())
    random = np.random.default_rng(3)
    theirs = Counter(
        reference_planners.history(lambda *now: made(*now, **cell.arguments), problem_of(cell), random, steps)
        for _ in range(number)
    )
    assert agreement(ours, theirs) > 1e-4


def rows_of(problem):
    rows = new_rows(problem.prior, problem.rewards, np.empty((0, *problem.prior.shape)))
    forget_observations(rows)
    return rows


@pytest.mark.parametrize("seed", range(6))
def test_plans_are_those_of_plain_value_iteration(seed):
    """Leaving out draws that cannot be the best changes no decision; with and without rows that are not drawn."""
    random = np.random.default_rng(seed)
    states, actions = random.integers(2, 6), random.integers(1, 4)
    shape = (states, actions, states)
    prior = random.integers(0, 2, shape) * random.uniform(0.2, 3.0, shape)
    prior[:, :, 0] += 0.5
    rewards = random.normal(size=shape)
    problem = problem_of(cell_of("random", {}, {"pseudo_counts": prior.tolist(), "rewards": rewards.tolist()}, 1))
    rows = rows_of(problem)
    draws = random.integers(0 if seed % 2 else 1, 9, states * actions)
    draws[random.integers(states * actions)] = 9
    stream = np.empty(4, np.uint64)
    start_stream(stream_key(seed, "plans"), 0, stream)
    first, models = sboss.draw_models(rows.counts, draws, stream)
    policy = np.empty(states, np.int64)
    sboss.solve(models, first, rows.entries, rows.successors, rows.rewards, policy, 0.95)
    merged = np.full((states, draws.max(), actions, states), np.nan)
    for row, number in enumerate(draws):
        for k in range(number):
            full = np.zeros(states)
            np.add.at(full, rows.successors[row, : rows.entries[row]], models[first[row] + k, : rows.entries[row]])
            merged[row // actions, k, row % actions] = full
    expected = reference_planners.merged_policy(merged, sboss.RUIN, rewards, 0.95)
    assert policy.tolist() == expected


@pytest.mark.parametrize("environment", ["accurate/gc", "accurate/gdl", "accurate/grid"])
def test_sboss_as_published_never_plans_again(environment):
    """One action a state for a whole trajectory; the corrected one changes its mind."""
    changed = {}
    for variant in VARIANTS:
        cell = Cell(**registry.cell("sboss", {"epsilon": 0.01, "delta": 0.1}, environment, variant, seed=1))
        seen = play(cell, learn(cell)[0], 0, 5, transitions=True).transitions
        changed[variant] = sum(
            len(np.unique(one[one[:, 0] == state, 1])) > 1 for one in seen for state in np.unique(one[:, 0])
        )
    assert changed["as_published"] == 0
    assert changed["corrected"] > 0


@pytest.mark.parametrize(
    ("agent", "parameters"),
    [
        ("bamcp", {"simulations": 20, "depth": 6}),
        ("bfs3", {"rollouts": 4, "samples": 2, "depth": 3}),
        ("sboss", {"epsilon": 0.05, "delta": 1}),
    ],
)
def test_trajectories_do_not_depend_on_each_other(agent, parameters):
    """On MDPs that the prior takes for impossible too: the room for their transitions changes nothing."""
    test = {"pseudo_counts": np.ones((3, 2, 3)).tolist(), "rewards": THREE_STATES["rewards"]}
    prior = {"pseudo_counts": THREE_STATES["pseudo_counts"], "rewards": THREE_STATES["rewards"]}
    cell = cell_of(agent, parameters, test, 30, prior=prior)
    learnt, _ = learn(cell)
    together = play(cell, learnt, 0, 4, transitions=True).transitions
    alone = np.concatenate([play(cell, learnt, i, 1, transitions=True).transitions for i in range(4)])
    np.testing.assert_array_equal(together, alone)


@pytest.mark.parametrize(
    ("agent", "parameters"),
    [("bamcp", {"simulations": 200, "depth": 4}), ("bfs3", {"rollouts": 20, "samples": 4, "depth": 3})],
)
def test_a_transition_that_the_prior_excludes_is_learnt(agent, parameters):
    """Both actions are believed to stay in state 0 and pay nothing; action 0 leads to state 1, pays 9, and back.

    Of some 400 decisions an agent that learns nothing would choose it in half: 0.9 is 16 standard errors away.
    """
    test = {
        "pseudo_counts": [[[0.0, 1.0], [1.0, 0.0]], [[1.0, 0.0]] * 2],
        "rewards": [[[0.0, 9.0], [0.0, 0.0]], [[0.0] * 2] * 2],
    }
    prior = test | {"pseudo_counts": [[[1.0, 0.0], [1.0, 0.0]], [[1.0, 0.0]] * 2]}
    cell = cell_of(agent, parameters, test, 40, prior=prior)
    late = play(cell, learn(cell)[0], 0, 20, transitions=True).transitions[:, 20:]
    chosen = late[late[:, :, 0] == 0][:, 1]
    assert (chosen == 0).mean() > 0.9
