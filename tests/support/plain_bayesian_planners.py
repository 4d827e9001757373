"""BAMCP, BFS3 and SBOSS in plain Python, written directly from their definitions, with NumPy's random numbers.

Nothing is lazy or incremental: whole MDPs are drawn, every next state is drawn separately, and trees are dictionaries.
The compiled agents use other random numbers, so only the distributions of histories must agree.
"""

import bisect
import math

import numpy as np


def uniformly(values, random):
    """Return the index of the greatest value, with random choice among ties."""
    greatest = max(values)
    ties = [i for i, value in enumerate(values) if value == greatest]
    return ties[int(random.integers(len(ties)))]


def drawn_mdp(counts, random):
    """Draw one MDP from the posterior: float64[states, actions, states]."""
    gammas = random.standard_gamma(counts)
    return gammas / gammas.sum(axis=2, keepdims=True)


class Bamcp:
    def __init__(self, problem, random, simulations, depth):
        self.problem, self.random, self.simulations, self.depth = problem, random, simulations, depth
        self.counts = problem.prior.copy()
        self.q = np.zeros(problem.prior.shape[:2])

    def act(self, x):
        root = self.node()
        for _ in range(self.simulations):
            self.simulate(root, x, 0, drawn_mdp(self.counts, self.random).cumsum(axis=2).tolist())
        return uniformly(root["mean"], self.random)

    def observe(self, x, u, y):
        self.counts[x, u, y] += 1
        target = self.problem.rewards[x, u, y] + self.problem.discount * self.q[y].max()
        self.q[x, u] += 0.2 * (target - self.q[x, u])

    def node(self):
        actions = self.q.shape[1]
        return {"visits": 0, "tries": [0] * actions, "mean": [0.0] * actions, "children": {}}

    def successor(self, mdp, x, u):
        return bisect.bisect_right(mdp[x][u], self.random.random() * mdp[x][u][-1])

    def simulate(self, node, x, d, mdp):
        if d == self.depth:
            return 0.0
        scores = [
            mean + 3 * math.sqrt(math.log(node["visits"] + 1) / tries) if tries else math.inf
            for mean, tries in zip(node["mean"], node["tries"], strict=True)
        ]
        u = uniformly(scores, self.random)
        y = self.successor(mdp, x, u)
        if (u, y) not in node["children"] and node["tries"][u] >= 1:
            node["children"][u, y] = self.node()
        child = node["children"].get((u, y))
        later = self.simulate(child, y, d + 1, mdp) if child else self.roll_out(y, d + 1, mdp)
        value = self.problem.rewards[x, u, y] + self.problem.discount * later
        node["visits"] += 1
        node["tries"][u] += 1
        node["mean"][u] += (value - node["mean"][u]) / node["tries"][u]
        return value

    def roll_out(self, x, d, mdp):
        if d == self.depth:
            return 0.0
        explore = self.random.random() < 0.5
        u = int(self.random.integers(self.q.shape[1])) if explore else uniformly(self.q[x].tolist(), self.random)
        y = self.successor(mdp, x, u)
        return self.problem.rewards[x, u, y] + self.problem.discount * self.roll_out(y, d + 1, mdp)


class Bfs3:
    def __init__(self, problem, random, rollouts, samples, depth):
        self.problem, self.random, self.samples, self.depth = problem, random, samples, depth
        self.rollouts = max(1, rollouts // samples)
        self.counts = problem.prior.copy()
        self.highest = problem.rewards.max() / (1.0 - problem.discount)

    def observe(self, x, u, y):
        self.counts[x, u, y] += 1

    def act(self, x):
        values = []
        for u in range(self.counts.shape[1]):
            total = 0.0
            for y in self.successors(self.counts, x, u, self.samples):
                total += self.problem.rewards[x, u, y] + self.problem.discount * self.fsss(x, u, y)
            values.append(total / self.samples)
        return uniformly(values, self.random)

    def successors(self, counts, x, u, number):
        bounds = counts[x, u].cumsum()
        return bounds.searchsorted(self.random.random(number) * bounds[-1], side="right").tolist()

    def fsss(self, x, u, y):
        tree = {}
        for _ in range(self.rollouts):
            belief = self.counts.copy()
            belief[x, u, y] += 1
            self.roll_out(tree, (), y, belief)
        return tree[()]["U"]

    def roll_out(self, tree, path, s, belief):
        if len(path) == self.depth:
            return
        actions = belief.shape[1]
        if path not in tree:
            drawn = [self.successors(belief, s, v, self.samples) for v in range(actions)]
            node = tree[path] = {"c": [[seen.count(y) for y in range(len(belief))] for seen in drawn]}
            node["Uv"], node["Lv"] = [0.0] * actions, [0.0] * actions
            for v in range(actions):
                self.back_up(tree, path, s, v)
        node = tree[path]
        v = uniformly(node["Uv"], self.random)
        gaps = [-1.0] * len(belief)
        for y, c in enumerate(node["c"][v]):
            if c:
                gaps[y] = (self.bound(tree, path, v, y, "U") - self.bound(tree, path, v, y, "L")) * c
        y = uniformly(gaps, self.random)
        belief[s, v, y] += 1
        self.roll_out(tree, (*path, (v, y)), y, belief)
        self.back_up(tree, path, s, v)

    def bound(self, tree, path, v, y, side):
        child = tree.get((*path, (v, y)))
        return child[side] if child else (self.highest if side == "U" else 0.0)

    def back_up(self, tree, path, s, v):
        node = tree[path]
        for side in "UL":
            total = 0.0
            for y, c in enumerate(node["c"][v]):
                later = self.problem.discount * self.bound(tree, path, v, y, side)
                total += ((self.problem.rewards[s, v, y] + later) * c) / self.samples
            node[side + "v"][v] = total
            node[side] = max(0.0, *node[side + "v"])


def merged_policy(models, padding, rewards, discount):
    """Compute the policy by value iteration over merged actions.

    models : float64[states, numbers, actions, states], where models[x, k, u] is the k-th drawn row of (x, u), or NaN if
        fewer rows were drawn
    """
    states, _, actions, _ = models.shape
    values = np.zeros(states)
    while True:
        q = np.zeros(models.shape[:3])
        for y in range(states):  # from the first to the last state: rounding decides ties
            q += models[..., y] * (rewards[:, None, :, y] + discount * values[y])
        q = np.where(np.isnan(q), padding + discount * values[:, None, None], q).reshape(states, -1)
        new = q.max(axis=1)
        done = ((new - values) ** 2).sum() <= 1e-8
        values = new
        if done:
            return [int(place) % actions for place in q.argmax(axis=1)]


class Sboss:
    def __init__(self, problem, random, epsilon, delta, variant):
        self.problem, self.random, self.epsilon, self.delta = problem, random, epsilon, delta
        self.corrected, self.half_copied = variant == "corrected", variant == "half_copied"
        self.counts = problem.prior.copy()
        self.policy = None

    def act(self, x):
        if self.policy is None:
            self.plan()
        return self.policy[x]

    def plan(self):
        self.planned = self.counts.copy()
        if self.half_copied:
            flat = self.planned.reshape(-1, self.planned.shape[2])
            flat[len(flat) // 2 :] = 0
        totals = self.counts.sum(axis=2, keepdims=True)
        variances = self.counts * (totals - self.counts) / (totals**2 * (totals + 1))
        draws = np.ceil(variances / self.epsilon).max(axis=2).astype(int)
        draws = np.maximum(draws, int(self.corrected))
        numbers = range(max(1, draws.max()))
        models = np.stack([drawn_mdp(self.counts, self.random) for _ in numbers], axis=1)
        for k in numbers:
            models[:, k][k >= draws] = np.nan
        self.policy = merged_policy(models, -2147483648.0, self.problem.rewards, self.problem.discount)

    def observe(self, x, u, y):
        self.counts[x, u, y] += 1
        b, a = self.planned[x, u], self.counts[x, u]
        with np.errstate(all="ignore"):
            sigma = np.sqrt(b * (b.sum() - b) / (b.sum() ** 2 * (b.sum() + 1)))
            terms = abs(b / b.sum() - a / a.sum()) / sigma
        change = terms[sigma > 0].sum() if self.corrected else terms.sum()
        if change > self.delta:
            self.policy = None


def history(make, problem, random, steps):
    """Return (action, next state, ..., action) of one trajectory on an MDP drawn from the prior."""
    agent, x = make(problem, random), problem.initial_state
    mdp = drawn_mdp(problem.prior, random)
    seen = []
    for _ in range(steps):
        u = agent.act(x)
        y = int(random.choice(len(mdp), p=mdp[x, u]))
        agent.observe(x, u, y)
        seen += [u, y]
        x = y
    return tuple(seen[:-1])
