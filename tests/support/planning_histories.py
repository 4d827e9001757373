"""Histories of actions and states of planning agents in two small problems, and how often they come about."""

from collections import Counter

import numpy as np
from scipy import stats
from support import plain_bayesian_planners as reference_planners

from surefoot.bayesian import bayesian_registry
from surefoot.bayesian.cells import Cell, learn, play, problem_of

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
    made = Cell(**bayesian_registry.cell(agent, parameters, "accurate/gc", variant, seed=8))
    return made._replace(
        environment="accurate/small",
        experiment="small",
        test=test | {"initial_state": 0},
        prior=prior,
        discount=0.9,
        horizon=steps,
    )


def histories(cell, number):
    """Return how often each history comes about in so many trajectories of the compiled agent."""
    record = play(cell, learn(cell)[0], 0, number, transitions=True)
    return Counter(tuple(seen[:, 1:].ravel().tolist()[:-1]) for seen in record.transitions)


def agreement(ours, theirs):
    """Return the p-value of two samples of histories having one distribution; rare histories are counted together."""
    number = theirs.total()
    share = {seen: (ours[seen] + theirs[seen]) / (ours.total() + number) for seen in ours | theirs}
    common = [seen for seen in share if share[seen] * number >= 8]
    table = np.array([[sample[seen] for seen in common] for sample in (ours, theirs)], float)
    rest = np.array([[ours.total()], [number]]) - table.sum(axis=1, keepdims=True)
    table = np.hstack([table, rest]) if rest.sum() >= 8 else table
    assert table.shape[1] >= 6
    return stats.chi2_contingency(table).pvalue


def agreement_with_plain_version(agent, parameters, variant, steps, number, test):
    """Return the p-value of 6,000 histories of an agent and `number` of its plain version having one distribution."""
    cell = cell_of(agent, parameters, test, steps, variant)
    ours = histories(cell, 6_000)
    made = getattr(reference_planners, agent.title())
    random = np.random.default_rng(3)
    theirs = Counter(
        reference_planners.history(lambda *now: made(*now, **cell.arguments), problem_of(cell), random, steps)
        for _ in range(number)
    )
    return agreement(ours, theirs)


def check_independent_trajectories(agent, parameters):
    """Check that trajectories do not depend on each other, on MDPs that the prior takes for impossible too.

    The room for their transitions changes nothing.
    """
    test = {"pseudo_counts": np.ones((3, 2, 3)).tolist(), "rewards": THREE_STATES["rewards"]}
    prior = {"pseudo_counts": THREE_STATES["pseudo_counts"], "rewards": THREE_STATES["rewards"]}
    cell = cell_of(agent, parameters, test, 30, prior=prior)
    learnt, _ = learn(cell)
    together = play(cell, learnt, 0, 4, transitions=True).transitions
    alone = np.concatenate([play(cell, learnt, i, 1, transitions=True).transitions for i in range(4)])
    np.testing.assert_array_equal(together, alone)


def check_learning_of_an_excluded_transition(agent, parameters):
    """Check that an agent learns a transition that its prior excludes.

    Both actions are believed to stay in state 0 and pay nothing; action 0 leads to state 1, pays 9, and back.

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
