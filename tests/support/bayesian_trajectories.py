"""Actions of compiled agents in their trajectories, and the probabilities that a plain version gives them."""

import numpy as np
from support import plain_bayesian_agents as reference_agents

from surefoot.bayesian import bayesian_registry
from surefoot.bayesian.cells import Cell, learn, play, problem_of

STEPS = 40


def trajectories(agent, parameters, environment, variant="as_published", number=2):
    """Return the probabilities of all actions by the plain version, float64[decisions, actions], and those played."""
    cell = Cell(**bayesian_registry.cell(agent, parameters, environment, variant, seed=11))._replace(horizon=STEPS)
    problem = problem_of(cell)
    record = play(cell, learn(cell)[0], 0, number, transitions=True)
    reference = getattr(reference_agents, agent)
    distributions, actions = [], []
    for transitions in record.transitions.tolist():
        counts = problem.prior.tolist()
        for state, action, successor in transitions:
            distributions.append(reference(problem, counts, state, **cell.arguments))
            actions.append(action)
            counts = reference_agents.with_transition(counts, state, action, successor)
    return np.array(distributions), np.array(actions)


def check_actions(distributions, actions):
    """Check that no action was impossible, and that the number of each is within 4.5 standard errors."""
    played = np.eye(distributions.shape[1])[actions]
    assert (distributions[np.arange(len(actions)), actions] > 0.0).all()
    variance = (distributions * (1.0 - distributions)).sum(axis=0)
    difference = np.abs((played - distributions).sum(axis=0))
    assert (difference <= 4.5 * np.sqrt(variance) + 1e-9).all()
