"""Hyperparameters against the distributions of the complete definitions (Jordan et al. 2020, Table 4).

Tests of distributions, means and rank correlations, each at 1e-6: all of them together, about 250, fail a correct
program in 3e-4 of all choices of the seed.
"""

import itertools
import re

import numpy as np
import pytest
from scipy import stats
from support.paths import ROOT

from surefoot.simulation.agents import actor_critic, linear_ppo, nac_td, ppo, ppo_learning, sarsa
from surefoot.streams import start_stream, stream_key

SMALLEST_P = 1e-6
DRAWS = 5_000
DIMENSIONS, ACTIONS = 4, 3
MOST_HYPERPARAMETERS = 12

UNIT = stats.uniform(0, 1)
DISCOUNT = stats.loguniform(1e-4, 0.05)  # of 1 - gamma
EXPLORATION = stats.uniform(0, 0.1)
TABULAR, UNSCALED, SCALED = stats.loguniform(1e-3, 0.1), stats.loguniform(1e-6, 1e-3), stats.loguniform(1e-3, 1.0)


def of_sarsa(step_size):
    return {sarsa.EXPLORATION: EXPLORATION, sarsa.STEP_SIZE: step_size}


def of_actor_critic(policy, value):
    return {actor_critic.POLICY_STEP_SIZE: policy, actor_critic.VALUE_STEP_SIZE: value}


def of_nac_td(step_size):
    columns = nac_td.POLICY_STEP_SIZE, nac_td.VALUE_STEP_SIZE, nac_td.ADVANTAGE_STEP_SIZE
    return dict.fromkeys(columns, step_size)


def of_ppo(step_size):
    laws = {ppo_learning.CLIP: stats.uniform(0.1, 0.2), ppo_learning.ENTROPY_WEIGHT: stats.loguniform(1e-8, 1e-2)}
    return laws | {ppo_learning.EPOCHS: range(1, 11), ppo_learning.STEP_SIZE: step_size}


CASES = {
    "sarsa, q": (sarsa.draw_tabular, of_sarsa(TABULAR), None, {}),
    "sarsa_parl2, q_parl2": (sarsa.draw_tabular_adaptive, of_sarsa(1.0), None, {}),
    "ac": (actor_critic.draw_tabular, of_actor_critic(TABULAR, TABULAR), None, {}),
    "ac_parl2": (actor_critic.draw_tabular_adaptive, of_actor_critic(TABULAR, 1.0), None, {}),
    "nac_td": (nac_td.draw_tabular, of_nac_td(TABULAR), None, {}),
    "ppo": (ppo.draw_tabular, of_ppo(TABULAR), None, {}),
    "linear sarsa, q": (sarsa.draw_linear, of_sarsa(UNSCALED), sarsa, {}),
    "linear sarsa_s, q_s": (sarsa.draw_scaled, of_sarsa(SCALED), sarsa, {sarsa.STEP_SIZE: 1}),
    "linear sarsa_parl2, q_parl2": (sarsa.draw_linear_adaptive, of_sarsa(1.0), sarsa, {}),
    "linear ac": (actor_critic.draw_linear, of_actor_critic(UNSCALED, UNSCALED), actor_critic, {}),
    "linear ac_s": (
        *(actor_critic.draw_scaled, of_actor_critic(SCALED, SCALED), actor_critic),
        {actor_critic.POLICY_STEP_SIZE: ACTIONS, actor_critic.VALUE_STEP_SIZE: 1},
    ),
    "linear ac_parl2": (
        *(actor_critic.draw_linear_adaptive, of_actor_critic(SCALED, 1.0), actor_critic),
        {actor_critic.POLICY_STEP_SIZE: ACTIONS},
    ),
    "linear nac_td": (nac_td.draw_linear, of_nac_td(UNSCALED), nac_td, {}),
    "linear ppo": (ppo.draw_linear, of_ppo(UNSCALED), linear_ppo, {}),
}


def drawn(draw, *shape):
    """float64[DRAWS, MOST_HYPERPARAMETERS], each row from a stream of its own, NaN where nothing is drawn."""
    key, stream = stream_key(1, "definitions"), np.empty(4, np.uint64)
    rows = np.full((DRAWS, MOST_HYPERPARAMETERS), np.nan)
    for number, row in enumerate(rows):
        start_stream(key, number, stream)
        draw(row, *shape, stream)
    return rows


@pytest.mark.parametrize("name", CASES)
def test_distributions(name):
    """A law is a distribution, a range of integers that are equally likely, or a constant.

    Each p-value fails a correct program with a probability of SMALLEST_P, and there are fewer than 1,000.
    """
    draw, laws, basis, scales = CASES[name]
    rows = drawn(draw, *((DIMENSIONS, ACTIONS) if basis else ()))
    rows[:, sarsa.DISCOUNT] = 1.0 - rows[:, sarsa.DISCOUNT]
    laws = {sarsa.DISCOUNT: DISCOUNT, sarsa.TRACE_DECAY: UNIT, **laws}
    if basis:
        laws |= {basis.DEPENDENT_ORDER: range(10), basis.INDEPENDENT_ORDER: range(1, 10)}
        dependent, independent = rows[:, basis.DEPENDENT_ORDER], rows[:, basis.INDEPENDENT_ORDER]
        features = (dependent + 1) ** 4 + 4 * np.maximum(0, independent - dependent)
        for column, scale in scales.items():
            rows[:, column] *= scale * features
    for column, law in laws.items():
        sample = rows[:, column]
        if isinstance(law, float):
            assert (sample == law).all(), column
        elif isinstance(law, range):
            assert set(sample) == set(law), column
            assert stats.chisquare([(sample == value).sum() for value in law]).pvalue > SMALLEST_P, column
        else:
            low, high = law.support()
            assert (sample >= low * (1 - 1e-12)).all() and (sample <= high * (1 + 1e-12)).all(), column
            assert stats.kstest(sample, law.cdf).pvalue > SMALLEST_P, column
            # The KS test is weak in the tails, where step sizes decide: the mean by its exact variance.
            z = (sample.mean() - law.mean()) / (law.std() / np.sqrt(DRAWS))
            assert abs(z) < stats.norm.isf(SMALLEST_P / 2), column
    for one, other in itertools.combinations([column for column, law in laws.items() if not isinstance(law, float)], 2):
        assert stats.spearmanr(rows[:, one], rows[:, other]).pvalue > SMALLEST_P, (one, other)


def test_table_4_of_the_page_names_these_laws():
    """Those over tables and over a basis."""
    page = (ROOT / "reports" / "jordan2020_appendix.qmd").read_text()
    clip, entropy = (of_ppo(None)[column] for column in (ppo_learning.CLIP, ppo_learning.ENTROPY_WEIGHT))
    for row, laws in {
        "all | trace decay λ": (UNIT, UNIT),
        "all | discount \N{GREEK SMALL LETTER GAMMA}": (DISCOUNT, DISCOUNT),
        "Sarsa(λ), Q(λ) and variants | exploration ε": (EXPLORATION, EXPLORATION),
        "Sarsa(λ), Q(λ) | step size": (TABULAR, UNSCALED),
        "Sarsa(λ)-s, Q(λ)-s | step size": (TABULAR, SCALED),
        "AC, NAC-TD | step size of values": (TABULAR, UNSCALED),
        "AC, NAC-TD | step size of the policy": (TABULAR, UNSCALED),
        "AC-s, AC-Parl2 | step size of the policy": (TABULAR, SCALED),
        "PPO | clip": (clip, clip),
        "PPO | entropy coefficient": (entropy, entropy),
        "PPO | Adam: step size": (TABULAR, UNSCALED),
    }.items():
        (cells,) = re.findall(rf"^\| {re.escape(row)} \| (.*?) \| (.*?) \|", page, re.MULTILINE)
        for cell, law in zip(cells, laws, strict=True):
            assert ("exp U(ln " in cell) == (law.dist.name == "loguniform"), cell
            assert [float(end) for end in re.findall(r"[\d.]+", cell.partition("U(")[2])] == pytest.approx(
                law.support()
            )


@pytest.mark.parametrize(("column", "low", "high"), [(ppo_learning.BUFFER, 6, 8), (ppo_learning.MINIBATCH, 4, 6)])
def test_lengths_are_rounded_powers_of_two(column, low, high):
    """The number n has the probability that a uniform exponent lies between log2(n - 1/2) and log2(n + 1/2)."""
    lengths = drawn(ppo.draw_tabular)[:, column]
    numbers = np.arange(2**low, 2**high + 1)
    assert set(lengths) <= set(numbers)
    bounds = np.clip(np.log2(np.append(numbers - 0.5, numbers[-1] + 0.5)), low, high)
    counts = np.bincount(lengths.astype(int), minlength=2**high + 1)[2**low :]
    assert stats.chisquare(counts, DRAWS * np.diff(bounds) / (high - low)).pvalue > SMALLEST_P
