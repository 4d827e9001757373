"""Forward search sparse sampling over beliefs: the tree of BFS3 (Castronovo et al. 2016, section 4.6).

Every node draws a fixed number of next states for each action from the mean model of the belief that led to it; a
rollout follows the best upper bounds and the widest gaps, and tightens the bounds on its way back.
"""

from collections.abc import Callable

from numba import njit

from surefoot.bayesian.sampling import best, successes
from surefoot.streams import below, uniform


@njit(inline="always")
def _sample(plan, row, number, samples, node, action, width, cumulative, stream):
    """Draw entries of a row independently, with the probabilities of the mean model; count them in `samples`."""
    if width == 2:
        first = successes(number, plan[row, 1] / plan[row, 0], stream)
        samples[node, action, 0] = first
        samples[node, action, 1] = number - first
    else:
        total = 0.0
        last = 0
        for entry in range(width):
            samples[node, action, entry] = 0
            total += plan[row, 1 + entry]
            cumulative[entry] = total
            last = entry if plan[row, 1 + entry] > 0.0 else last
        for _ in range(number):
            chance = uniform(stream) * total
            drawn = 0
            for entry in range(width):
                drawn += cumulative[entry] <= chance
            samples[node, action, min(drawn, last)] += 1


@njit(inline="always")
def _back_up(rewards, row, samples, children, uppers, lowers, node_bounds, node, action, width, number, discount):
    """Bounds of an action's value from those of its children.

    In this order of operations: which of two actions is better, or whether they tie, may hang on rounding.
    """
    upper = 0.0
    lower = 0.0
    absent = node_bounds.shape[0] - 1
    for entry in range(width):
        drawn = samples[node, action, entry]
        child = children[node, action, entry]
        child = absent if child == 0 else child
        reward = rewards[row, entry]
        upper += ((reward + discount * node_bounds[child, 0]) * drawn) / number
        lower += ((reward + discount * node_bounds[child, 1]) * drawn) / number
    uppers[node, action] = upper
    lowers[node, action] = lower


@njit(inline="always")
def _create(rewards, row, samples, children, uppers, lowers, node_bounds, node, action, width, number, discount):
    """Bounds of an action's value in a new node, without children: the same as of `_back_up`."""
    upper = 0.0
    lower = 0.0
    absent = node_bounds.shape[0] - 1
    highest = discount * node_bounds[absent, 0]
    lowest = discount * node_bounds[absent, 1]
    for entry in range(width):
        drawn = samples[node, action, entry]
        children[node, action, entry] = 0
        reward = rewards[row, entry]
        upper += ((reward + highest) * drawn) / number
        lower += ((reward + lowest) * drawn) / number
    uppers[node, action] = upper
    lowers[node, action] = lower


@njit(inline="always")
def _back_up_node(uppers, lowers, node_bounds, node, lowest):
    upper = lowest
    lower = lowest
    for action in range(uppers.shape[1]):
        upper = uppers[node, action] if uppers[node, action] > upper else upper
        lower = lowers[node, action] if lowers[node, action] > lower else lower
    node_bounds[node, 0] = upper
    node_bounds[node, 1] = lower


@njit(inline="always")
def _next_entry(samples, children, node_bounds, node, action, width, stream):
    """The sampled next state whose bounds are farthest apart, weighted with its frequency; any of several by chance."""
    absent = node_bounds.shape[0] - 1
    greatest = -1.0
    chosen = 0
    ties = 0
    for entry in range(width):
        drawn = samples[node, action, entry]
        if drawn > 0:
            child = children[node, action, entry]
            child = absent if child == 0 else child
            gap = (node_bounds[child, 0] - node_bounds[child, 1]) * drawn
            if gap > greatest:
                greatest = gap
                chosen = entry
                ties = 1
            elif gap == greatest:
                ties += 1
                if below(stream, ties) == 0:
                    chosen = entry
    return chosen


def _compile_upper_bound(fixed_width: int) -> Callable:
    """The search of a tree, compiled for rows of this width, or of any for 0: a constant saves a fifth of the time."""

    @njit(error_model="numpy")
    def upper_bound(
        successors,
        rewards,
        plan,
        samples,
        children,
        uppers,
        lowers,
        node_bounds,
        trail,
        before,
        cumulative,
        state,
        rollouts,
        number,
        lowest,
        discount,
        stream,
    ):
        """Upper bound of the value of `state` under the belief in `plan`, after these rollouts in a new tree."""
        actions = uppers.shape[1]
        width = fixed_width if fixed_width > 0 else samples.shape[2]
        depth = trail.shape[1]
        size = 0
        for _ in range(rollouts):
            x = state
            node = 0
            create = size == 0
            for d in range(depth):
                if create:
                    for action in range(actions):
                        row = x * actions + action
                        _sample(plan, row, number, samples, size, action, width, cumulative, stream)
                        _create(
                            rewards,
                            row,
                            samples,
                            children,
                            uppers,
                            lowers,
                            node_bounds,
                            size,
                            action,
                            width,
                            number,
                            discount,
                        )
                    node = size
                    size += 1
                action = best(uppers, node, stream)
                entry = _next_entry(samples, children, node_bounds, node, action, width, stream)
                row = x * actions + action
                trail[0, d] = node
                trail[1, d] = row
                trail[2, d] = action
                trail[3, d] = entry
                before[0, d] = plan[row, 0]
                before[1, d] = plan[row, 1 + entry]
                plan[row, 0] += 1.0
                plan[row, 1 + entry] += 1.0
                x = successors[row, entry]
                child = children[node, action, entry]
                create = child == 0
                if create and d + 1 < depth:
                    children[node, action, entry] = size
                node = child
            for d in range(depth - 1, -1, -1):
                node, row, action = trail[0, d], trail[1, d], trail[2, d]
                plan[row, 0] = before[0, d]
                plan[row, 1 + trail[3, d]] = before[1, d]
                _back_up(
                    rewards, row, samples, children, uppers, lowers, node_bounds, node, action, width, number, discount
                )
                _back_up_node(uppers, lowers, node_bounds, node, lowest)
        return node_bounds[0, 0]

    return upper_bound


upper_bound = _compile_upper_bound(0)
upper_bound_of_two = _compile_upper_bound(2)
