"""Plain, slow versions of the agents, written from their formulas, which return the probability of each action.

`counts`, `prior` and `rewards` are nested as [state][action][next state]; sums run over increasing next states.
"""

import itertools
import math


def with_transition(counts, state, action, successor):
    """Return the counts with one more observation."""
    copy = [[list(row) for row in rows] for rows in counts]
    copy[state][action][successor] += 1.0
    return copy


def means(counts):
    """Return the posterior means."""
    return [[[count / sum(row) for count in row] for row in rows] for rows in counts]


def backup(row, rewards, discount, values):
    """Return the expected reward plus discounted value of one row."""
    total = 0.0
    for successor, probability in enumerate(row):
        if probability != 0.0:
            total += probability * (rewards[successor] + discount * values[successor])
    return total


def q_iteration(counts, rewards, discount, horizon):
    """Return Q[state][action] after at most horizon + 1 sweeps from zero, until no change exceeds 0.01."""
    mdp = means(counts)
    q = [[0.0] * len(rows) for rows in mdp]
    for _ in range(horizon + 1):
        values = [max(row) for row in q]
        new = [
            [backup(mdp[x][u], rewards[x][u], discount, values) for u in range(len(mdp[x]))] for x in range(len(mdp))
        ]
        change = max(abs(a - b) for row, old in zip(new, q, strict=True) for a, b in zip(row, old, strict=True))
        q = new
        if change <= 0.01:
            break
    return q


def value_iteration(counts, rewards, discount):
    """Return Q[state][action] after sweeps from zero, until the squared changes add up to at most 1e-8."""
    mdp = means(counts)
    values = [0.0] * len(mdp)
    while True:
        q = [[backup(mdp[x][u], rewards[x][u], discount, values) for u in range(len(mdp[x]))] for x in range(len(mdp))]
        new = [max(row) for row in q]
        change = sum((a - b) ** 2 for a, b in zip(new, values, strict=True))
        values = new
        if change <= 1e-8:
            return q


def evenly(values):
    """Return the probability of each action if an action with the largest value is chosen uniformly."""
    best = [value == max(values) for value in values]
    return [chosen / sum(best) for chosen in best]


def e_greedy(problem, counts, state, epsilon):
    """Return the probabilities of the actions."""
    q = q_iteration(counts, problem.rewards.tolist(), problem.discount, problem.horizon)[state]
    return [epsilon / len(q) + (1.0 - epsilon) * chosen for chosen in evenly(q)]


def soft_max(problem, counts, state, tau, variant):
    """Return the probabilities of the actions."""
    q = q_iteration(counts, problem.rewards.tolist(), problem.discount, problem.horizon)[state]
    if variant == "as_published":
        bounds = [0.0]
        for value in q:
            bounds.append(min(1.0, bounds[-1] + math.exp(value / tau)))
        return [high - low for low, high in itertools.pairwise(bounds)]
    weights = [math.exp((value - max(q)) / tau) for value in q]
    return [weight / sum(weights) for weight in weights]


def beb(problem, counts, state, beta, variant):
    """Return the probabilities of the actions, one of which is 1."""
    rewards = [
        [
            [
                reward + (beta / count if count else 0.0)
                if variant == "corrected"
                else reward + math.floor(beta) / (1.0 + sum(row))
                for reward, count in zip(paid, row, strict=True)
            ]
            for paid, row in zip(all_paid, rows, strict=True)
        ]
        for all_paid, rows in zip(problem.rewards.tolist(), counts, strict=True)
    ]
    q = value_iteration(counts, rewards, problem.discount)[state]
    return [float(action == q.index(max(q))) for action in range(len(q))]


def evaluate(formula, features):
    """Evaluate a formula in reverse Polish notation; raise ValueError for a domain error."""
    stack = []
    for token in formula.split():
        if token.startswith("X"):
            stack.append(features[int(token[1])])
        elif token in ("ABS", "LN", "SQRT", "INV", "OPP"):
            a = stack.pop()
            if (token == "LN" and a <= 0.0) or (token == "SQRT" and a < 0.0) or (token == "INV" and a == 0.0):
                raise ValueError(token)
            one = {"ABS": abs, "LN": math.log, "SQRT": math.sqrt, "INV": lambda x: 1.0 / x, "OPP": lambda x: -x}
            stack.append(one[token](a))
        else:
            b, a = stack.pop(), stack.pop()
            if token == "DIV" and b == 0.0:
                raise ValueError(token)
            two = {
                "SUB": lambda x, y: x - y,
                "DIV": lambda x, y: x / y,
                "ADD": lambda x, y: x + y,
                "MUL": lambda x, y: x * y,
                "MIN": min,
                "MAX": max,
            }
            stack.append(two[token](a, b))
    (value,) = stack
    return value


def first_counts(prior):
    """Return the initial counts of the three models in formulas: prior, staying, uniform."""
    states, actions = len(prior), len(prior[0])
    staying = [[[float(y == x) for y in range(states)] for _ in range(actions)] for x in range(states)]
    return prior, staying, [[[1.0] * states for _ in range(actions)] for _ in range(states)]


def formula(problem, counts, state, formula):
    """Return the probabilities of the actions; raise ValueError for a domain error."""
    prior = problem.prior.tolist()
    seen = [
        [[a - b for a, b in zip(row, old, strict=True)] for row, old in zip(rows, olds, strict=True)]
        for rows, olds in zip(counts, prior, strict=True)
    ]
    features = []
    for feature, first in enumerate(first_counts(prior)):
        if f"X{feature}" not in formula:
            features.append([0.0] * len(counts[0]))
            continue
        model = [
            [[a + b for a, b in zip(row, new, strict=True)] for row, new in zip(rows, news, strict=True)]
            for rows, news in zip(first, seen, strict=True)
        ]
        features.append(q_iteration(model, problem.rewards.tolist(), problem.discount, problem.horizon)[state])
    return evenly([evaluate(formula, values) for values in zip(*features, strict=True)])
