"""Comparisons that may be looked at before the last run: by bets after every round, exactly and by simulation; of
several algorithms after every group of runs, by brute force; of success rates after every pair, by definition."""

import math
from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from support.paths import SHARED

import surefoot
from surefoot.errors import HintedError
from surefoot.runs.result_tables import read_table
from surefoot.statistics.comparison.group_sequential import group_sequential
from surefoot.statistics.comparison.sequential import (
    false_alarms,
    log_capital,
    round_bets,
    round_outcomes,
)
from surefoot.statistics.comparison.success_rates import pair_evidence
from surefoot.statistics.runs.shared_run_test import running_inflation
from surefoot.workflow.planning.drawing_jobs import TRUST_RECORDS


def test_outcomes_are_wins_ties_and_losses():
    x, y = np.array([[1.0, 2.0, 3.0, 0.1 + 0.2]]), np.array([[0.0, 2.0, 4.0, 0.3]])
    assert round_outcomes(x, y).tolist() == [[1.0, 0.5, 0.0, 0.5]]
    assert round_bets(round_outcomes(x, y), True).tolist() == [[1.0, 0.5, 0.0, 0.5]]
    assert round_bets(round_outcomes(x, y), False)[0, 0] == 0.5
    assert np.isnan(round_bets(round_outcomes(x, y), False)[0, 1:]).all()


def test_the_capital_is_a_fair_game_at_the_mean():
    """Over all outcomes of four rounds of one task with three values, weighted by their probabilities."""
    values, probabilities = np.array([0.0, 0.3, 1.0]), np.array([0.2, 0.5, 0.3])
    mean, expected = values @ probabilities, np.zeros((2, 4))
    for outcome in product(range(3), repeat=4):
        weight, outcomes = probabilities[list(outcome)].prod(), values[list(outcome)][:, None]
        expected += weight * np.exp([log_capital(outcomes, mean), log_capital(1 - outcomes, 1 - mean)])
    assert expected == pytest.approx(np.ones((2, 4)))


def test_two_kinds_of_rounds_are_a_fair_game():
    """Over all outcomes of four rounds of two independent tasks with the mean 0.55: the third and the fourth round are
    bet on task by task where the first was won by one task alone."""
    chances, expected = np.array([0.8, 0.3]), np.zeros((2, 4))
    for outcome in product((0.0, 1.0), repeat=8):
        outcomes = np.reshape(outcome, (4, 2))
        weight = np.where(outcomes == 1.0, chances, 1 - chances).prod()
        bets = round_bets(outcomes, False)
        if outcomes[0].sum() == 1:
            bets[2:] = outcomes[2:]
        expected += weight * np.exp([log_capital(bets, 0.55), log_capital(1 - bets, 0.45)])
    assert (expected <= 1.0 + 1e-12).all() and (expected[:, 2:] < 1.0).all()


def test_tasks_are_told_apart_by_earlier_rounds_alone():
    random = np.random.default_rng(5)
    outcomes = (random.random((200, 6)) < 0.6).astype(float)
    bets = round_bets(outcomes)
    apart = np.isfinite(bets).all(axis=1)
    assert not apart[:10].any() and apart[100:].mean() > 0.8
    assert apart[10:].tolist() == (running_inflation(outcomes)[2][9:-1] <= 1.25).tolist()
    np.testing.assert_array_equal(bets[apart], outcomes[apart])
    assert bets[~apart, 0] == pytest.approx(outcomes[~apart].mean(axis=1)) and np.isnan(bets[~apart, 1:]).all()
    np.testing.assert_array_equal(round_bets(outcomes[:40]), bets[:40])
    together = np.repeat(outcomes[:, :1], 6, axis=1)
    assert np.isnan(round_bets(together)[:, 1:]).all()


def test_looking_often_breaks_intervals_and_not_sequences():
    """300 experiments of 8 rounds on 4 tasks without a difference, 90 %. The ordinary interval has ever excluded 0.5 in
    more than 17 % of them (four standard errors above its level; 30 % in 900 others), the sequence in no more than
    that: fails falsely less than once in 10,000 times. A single look is less misleading."""
    scores = np.random.default_rng(2).lognormal(size=(200, 4))
    found = false_alarms(scores, 8, 300, 200, 0.9, seed=3)
    last = found[found["round"] == 8].set_index("method")
    assert last.loc["percentile", "cumulative_rate"] > 0.17 >= last.loc["betting", "cumulative_rate"]
    assert last.loc["percentile", "false_alarm_rate"] < last.loc["percentile", "cumulative_rate"]
    assert (
        found["cumulative_rate"].between(0, 1).all() and (found["cumulative_rate"] >= found["false_alarm_rate"]).all()
    )


ADASTOP = SHARED / "data" / "adastop2023"


def test_the_second_look_at_two_is_exact():
    """Beside brute force over 20 x 20 assignments of three runs a look, level 30 % over two looks."""
    rng = np.random.default_rng(2)
    decided = 0
    for _ in range(30):
        scores = rng.normal(size=(2, 2, 3)) + np.array([0.8, 0.0])[:, None, None]
        sums = []
        for look in range(2):
            pool = scores[:, look].ravel()
            sums.append([2 * pool[list(own)].sum() - pool.sum() for own in combinations(range(6), 3)])
        first = np.abs(np.repeat(sums[0], 20))
        both = np.abs(np.add.outer(sums[0], sums[1]).ravel())
        boundary = np.sort(first)[-1 - 60]
        alive = first <= boundary + 1e-9
        wanted = 0 if alive[0] else 1
        if not wanted:
            left = 120 - int((~alive).sum())
            wanted = 2 if both[0] > np.sort(both[alive])[-1 - left] + 1e-9 else 0
        found = group_sequential(scores, 2, 0.7)
        assert found.separated[0] == wanted
        decided += wanted == 2
    assert decided > 0


def test_a_better_third_does_not_separate_equal_ones():
    """60 draws, at most 5 % and four standard errors."""
    rng, false, power = np.random.default_rng(4), 0, 0
    for draw in range(60):
        scores = rng.normal(size=(3, 3, 5))
        scores[2] += 3.0
        found = group_sequential(scores, 3, seed=draw)
        false += bool(found.separated[0])
        power += bool(found.separated[1] and found.separated[2])
    assert false <= 3 + 4 * np.sqrt(2.85) and power > 50


def test_equal_means_of_different_distributions_may_be_separated():
    """What is shown is that the distributions differ, as documented: of 40 pairs with means of 0.8, where one algorithm
    collapses in 20 % of runs, about 12 are separated. At a level of 5 % 8 or more would be once in 1,500 times."""
    rng = np.random.default_rng(12)
    separated = 0
    for draw in range(40):
        steady = 0.8 + 0.05 * rng.normal(size=(5, 5))
        collapsing = np.where(rng.random((5, 5)) < 0.2, 0.0, 1.0) + 0.05 * rng.normal(size=(5, 5))
        separated += bool(group_sequential(np.stack([steady, collapsing]), 5, seed=draw).separated[0])
    assert separated >= 8
    found = surefoot.group_sequential({"a": np.linspace(0.7, 0.9, 5)[:, None], "b": np.zeros((5, 1))}, skip_checks=True)
    assert "Their distributions differ. So far, a has a higher mean than b." in found.finding()


def test_what_no_design_has_is_refused():
    rng = np.random.default_rng(7)
    with pytest.raises(ValueError, match="3 groups of runs, 2 planned"):
        surefoot.group_sequential({name: rng.normal(size=(15, 2)) for name in "ab"}, looks=2, skip_checks=True)
    with pytest.raises(ValueError, match=r"2 runs of a task, and a group 5\. Hint: collect more runs$"):
        surefoot.group_sequential({name: np.zeros((2, 1)) for name in "ab"}, skip_checks=True)
    with pytest.raises(ValueError, match="4 runs of a task, and a group 5"):
        surefoot.group_sequential({name: rng.normal(size=(4, 2)) for name in "ab"}, skip_checks=True)


@pytest.mark.skipif(not ADASTOP.is_dir(), reason="the folder ../shared with AdaStop's batches is not there")
def test_walker2d_is_decided_as_in_the_paper():
    """All pairs are separated after two looks but for DDPG and TRPO, which 30 runs do not separate."""
    names = ["PPO", "DDPG", "SAC", "TRPO"]
    scores = np.full((4, 6, 5), np.nan)
    for look in range(6):
        batch = pd.read_csv(ADASTOP / f"walker{look + 1}.csv", index_col=0)
        for place, name in enumerate(names):
            if name in batch:
                scores[place, look] = batch[name]
    for seed in range(3):
        found = group_sequential(scores, 6, seed=seed)
        undecided = [(names[x], names[y]) for x, y, at in zip(found.x, found.y, found.separated, strict=True) if not at]
        assert undecided == [("DDPG", "TRPO")]
        assert dict(zip(names, 5 * found.groups, strict=True)) == {"PPO": 10, "SAC": 10, "DDPG": 30, "TRPO": 30}


RNG = np.random.default_rng


def table_of(**outcomes):
    rows = [(name, "maze", trial, one) for name, each in outcomes.items() for trial, one in enumerate(each)]
    return pd.DataFrame(rows, columns=["algorithm", "environment", "run", "score"])


def written_out(x, y):
    """The evidence that x succeeds more often, pair by pair, as the formula of the question has it."""
    ways = [0.4 * 15 ** (step / 7) for step in range(8)]
    capital, found, successes = [1.0] * 8, [], 0
    for number, (u, v) in enumerate(zip(x, y, strict=True)):
        rate = (successes + 1) / (2 * number + 2)
        odds = math.log(rate / (1 - rate))
        for place, way in enumerate(ways):
            a, b = (1 / (1 + math.exp(-(odds + sign * way / 2))) for sign in (1, -1))
            m = (a + b) / 2
            capital[place] *= (a / m if u else (1 - a) / (1 - m)) * (b / m if v else (1 - b) / (1 - m))
        successes += u + v
        found.append(sum(capital) / 8)
    return found


def test_evidence_is_as_it_is_written():
    rng = RNG(0)
    x, y = (rng.random(60) < 0.7).astype(int), (rng.random(60) < 0.4).astype(int)
    assert pair_evidence(x, y) == pytest.approx(written_out(x, y), rel=1e-10)
    found = surefoot.sequential_success_rates(table_of(x=x, y=y)).table().iloc[0]
    best = max(*written_out(x, y), *written_out(y, x))
    assert found["p_value"] == pytest.approx(min(2 / best, 1), rel=1e-10) and found["trials"] == 60
    both = np.maximum(written_out(x, y), written_out(y, x))
    assert found["decided"] == np.argmax(both >= 40) + 1 and found["separated"]


@pytest.mark.parametrize(("rate", "other"), [(0.5, 0.5), (0.05, 0.05), (0.97, 0.97), (0.3, 0.5)])
def test_evidence_is_at_most_1_on_average_after_any_pair(rate, other):
    """Exactly, over all outcomes of four pairs, where x has no higher rate; so it is the first step of a theorem."""
    numbers = np.arange(256)
    bits = (numbers[:, None] >> np.arange(8)) & 1
    x, y = bits[:, :4], bits[:, 4:]
    chance = np.prod(np.where(x, rate, 1 - rate), axis=1) * np.prod(np.where(y, other, 1 - other), axis=1)
    assert ((chance @ pair_evidence(x, y)) <= 1 + 1e-12).all()


def test_several_policies_hold_together():
    rng = RNG(1)
    outcomes = {name: (rng.random(40) < rate).astype(int) for name, rate in (("a", 0.1), ("b", 0.9), ("c", 0.9))}
    pair = surefoot.sequential_success_rates(table_of(**outcomes), algorithms=["a", "b"]).table().iloc[0]
    outcomes["c"] = outcomes["c"][:25]
    answer = surefoot.sequential_success_rates(table_of(**outcomes))
    table = answer.table().set_index(["algorithm", "baseline"])
    assert table.loc[("a", "b"), "p_value"] == pytest.approx(3 * pair["p_value"])
    assert table["separated"].tolist() == [True, True, False]
    assert table["left_out"].tolist() == [0, 15, 15] and pd.isna(table.loc[("b", "c"), "decided"])
    assert "2 of 3 pairs decided" in answer.finding()


def test_runs_of_several_trials_are_refused():
    rows = pd.DataFrame([("a", "maze", 0, 3, 5), ("b", "maze", 0, 4, 5)])
    rows.columns = ["algorithm", "environment", "run", "successes", "trials"]
    with pytest.raises(HintedError, match="a run has 5 trials"):
        surefoot.sequential_success_rates(rows)
    with pytest.raises(HintedError, match="no environment has trials of two"):
        surefoot.sequential_success_rates(rows.assign(environment=["maze", "cliff"]))


@pytest.mark.parametrize("name", ["sequential_success_rates", "group_sequential"])
def test_recorded_decisions_hold_their_level(name):
    """Over all cases, and each alone at 1 % divided by their number."""
    table = read_table(TRUST_RECORDS / f"{name}.csv")
    table = table[table["recommended"]]
    assert stats.binom.sf(table["failures"].sum() - 1, table["datasets"].sum(), 0.05) > 0.01
    assert (stats.binom.sf(table["failures"] - 1, table["datasets"], 0.05) > 0.01 / len(table)).all()
