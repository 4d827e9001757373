"""Algorithms in plain Python and an environment of Gymnasium, in one file.

A configuration names it:

studies:
  mine:
    title: Search on CartPole
    sources:
      runs:
        kind: trials
        algorithms: [hill_climbing, random_search]
        environments: [cart_pole_v1]
        trials: 20
        block: 5
        user_defined:
          algorithms:
            hill_climbing: {file: config/example_gymnasium.py, arguments: {spread: 0.3}}
            random_search: {file: config/example_gymnasium.py, arguments: {spread: 1.0, local: false}}
          environments:
            cart_pole_v1:
              file: config/example_gymnasium.py
              arguments: {name: CartPole-v1}
              kind: python
              episodes: 30
              returns: [0, 500]
"""

import gymnasium
import numpy as np


def environment(name: str) -> gymnasium.Env:
    """Return a new environment for each trial; any object will do that `run_trial` below can play with."""
    return gymnasium.make(name)


def run_trial(
    environment: gymnasium.Env, episodes: int, rng: np.random.Generator, spread: float, local: bool = True
) -> float:
    """Return the mean return over all episodes of searching for the weights of a linear policy.

    All random numbers are from `rng`, so that a trial can be repeated.
    """
    best, weights = -np.inf, np.zeros(environment.observation_space.shape)
    total = 0.0
    for _ in range(episodes):
        tried = weights * local + spread * rng.normal(size=weights.shape)
        state, _ = environment.reset(seed=int(rng.integers(2**31)))
        earned, over = 0.0, False
        while not over:
            state, reward, terminated, truncated, _ = environment.step(int(tried @ state > 0.0))
            earned, over = earned + float(reward), terminated or truncated
        if earned > best:
            best, weights = earned, tried
        total += earned
    return total / episodes
