"""Faults in trials of ours that the comparison with Jordan et al. 2020 has to notice, and other seeds that it must not.

The "paper" is made here, 10,000 trials of known distributions with the printed decimals; so the truth is known.
"""

import numpy as np
import pandas as pd
import pytest
from support.drawings import compared
from support.stand_in_tables import published_names

from surefoot.charts.published_numbers import table_kinds
from surefoot.papers.jordan2020.comparison import limit_items, with_other_seeds
from surefoot.papers.jordan2020.evidence import deviation_ranges, printed_half_width, with_spreads
from surefoot.papers.jordan2020.score_figures import table_seeds
from surefoot.statistics.intervals.distribution_bands import band_half_width, limits_at
from surefoot.statistics.reproduction.items import item_text, quantities
from surefoot.statistics.reproduction.published_comparison import compare
from surefoot.statistics.reproduction.verdicts import TOO_FEW, VERDICTS

ENVIRONMENTS = {"chain_10_deterministic": (-199.0, -8.0), "gridworld_5_stochastic": (-500.0, -8.0)}
ALGORITHMS, _ = published_names()


def trials(count: int, seed: int) -> pd.DataFrame:
    """Trials of the paper's algorithms: bounded, skewed, and of some one in fifty at the lowest return."""
    parts = []
    draw = np.random.default_rng(seed)
    for environment, (least, greatest) in ENVIRONMENTS.items():
        for place, algorithm in enumerate(ALGORITHMS):
            score = least + (greatest - least) * draw.beta(4.0 + place, 2.0, count)
            if place % 3 == 0:
                score[draw.uniform(size=count) < 0.02] = least
            parts.append(pd.DataFrame({"algorithm": algorithm, "environment": environment, "score": score}))
    return pd.concat(parts, ignore_index=True)


def means_of(runs: pd.DataFrame) -> pd.DataFrame:
    table = runs.groupby(["environment", "algorithm"], sort=False)["score"].agg(["mean", "sem", "size"]).reset_index()
    table.insert(0, "item", "mean/" + table["environment"] + "/" + table["algorithm"])
    return table.rename(columns={"mean": "ours", "sem": "standard_error", "size": "runs"})


@pytest.fixture(scope="module")
def published() -> pd.DataFrame:
    runs = trials(10_000, 1)
    rows = []
    for environment, (least, greatest) in ENVIRONMENTS.items():
        here = runs[runs["environment"] == environment]
        ends = here["score"].min(), here["score"].max()
        for algorithm, score in here.groupby("algorithm", sort=False)["score"]:
            low, high = limits_at(np.sort(score.to_numpy()), *ends, band_half_width(score.size, 0.05 / 165))
            numbers = {"mean": score.mean(), "mean_low": low, "mean_high": high}
            rows += [(f"{name}/{environment}/{algorithm}", round(value, 1)) for name, value in numbers.items()]
            assert least <= low <= high <= greatest
    return pd.DataFrame(rows, columns=["item", "published"]).assign(runs=10_000, rounding=0.05)


def judged(published: pd.DataFrame, runs: pd.DataFrame) -> pd.DataFrame:
    ours = pd.concat([means_of(runs), limit_items(runs, list(ENVIRONMENTS))], ignore_index=True)
    table = compare(with_spreads(published, ours, None), ours)
    return table.assign(kind=quantities(table["item"]))


def test_printed_intervals_bound_the_spread_of_their_trials(published):
    """The deviation of 10,000 trials errs by about 1 %, far less than the bounds are apart."""
    deviation = trials(10_000, 1).groupby(["environment", "algorithm"])["score"].std()
    deviation.index = [item_text("mean", *pair) for pair in deviation.index]
    bound = deviation_ranges(published)
    assert len(bound) == 2 * len(ALGORITHMS)
    deviation = deviation[bound.index]
    assert ((bound["least"] <= deviation) & (deviation <= bound["greatest"])).all()
    # And not by so much that they say nothing: the range alone would allow 2 to 4 times the deviation here.
    assert (bound["greatest"] < 2.5 * deviation).all() and (bound["least"] > 0.3 * deviation).all()


@pytest.mark.parametrize("count", [201, 500])
def test_other_seeds_raise_no_alarm(published, count):
    """20 data sets of 66 numbers, of which Holm's procedure lets at most one in 20 have an alarm: more than 4 have a
    chance of 0.3 %. The spread of z has a standard error of about 4 % (the numbers of a pair depend on each other), and
    a bound that is too large makes it smaller: from 0.6 to 1.2 fails in fewer than one of 1,000 cases."""
    tables = [judged(published, trials(count, 100 + number)) for number in range(20)]
    table = pd.concat(tables)
    assert sum((table["verdict"] == "differs").any() for table in tables) <= 4
    for kind in ("mean", "mean_low", "mean_high"):
        z = table.loc[table["kind"] == kind, "z"]
        assert 0.6 < z.std() < 1.2, (kind, z.std())
        assert abs(z.mean()) < 0.5, (kind, z.mean())


@pytest.mark.parametrize("share", [0.01, 0.05])
def test_broken_trials_are_noticed_at_201_trials(published, share):
    """Their spread is 1,000 times the true one, so by it the mean would lie within 1.5 standard errors."""
    runs = trials(201, 200)
    for (environment, algorithm), rows in runs.groupby(["environment", "algorithm"], sort=False):
        spoiled = runs.copy()
        spoiled.loc[rows.index[: max(1, round(share * len(rows)))], "score"] = -1e5
        table = judged(published, spoiled).set_index("item")
        for kind in ("mean", "mean_low"):
            assert table.loc[f"{kind}/{environment}/{algorithm}", "verdict"] == "differs"


def test_the_record_holds_the_verdicts_of_todays_rule(recorded):
    today = compared("jordan2020", recorded, side="record").set_index("item")
    kept = recorded["record"].set_index("item")
    today = today.loc[today.index.isin(kept.index)]
    kept = kept.loc[today.index]
    assert len(kept) == 624 and kept["verdict"].tolist() == today["verdict"].tolist()
    for name in ("z", "tolerance", "detectable", "matters", "allowed"):
        np.testing.assert_allclose(kept[name].astype(float), today[name].astype(float), rtol=1e-8)
    assert (kept["reason"].astype(object).fillna("") == today["reason"]).all()


def test_our_limits_estimate_those_of_ten_thousand_trials(published):
    """The estimate from 10,000 trials is the published number itself; half-width by hand: sqrt(ln(6600)/20000)."""
    assert printed_half_width() == pytest.approx(np.sqrt(np.log(2 * 165 / 0.05) / 20_000))
    found = limit_items(trials(10_000, 1), list(ENVIRONMENTS)).set_index("item")["ours"]
    printed = published.set_index("item")["published"]
    assert (found - printed[found.index]).abs().max() <= 0.05 + 1e-9
    assert limit_items(trials(199, 1), list(ENVIRONMENTS)).empty


def test_the_record_explains_only_what_its_trials_show(recorded):
    """Claims of separation by PBP, whose intervals at 201 trials are wider than any difference of the scores."""
    table = compared("jordan2020", recorded, side="record").set_index("item")
    separated = table[table.index.str.startswith("claim/separated/pbp/")]
    assert len(separated) == 18 and (separated["verdict"] == "contradicted").all()
    assert separated["reason"].str.startswith(TOO_FEW).all()
    assert (separated["detectable"] > 0.4).all()  # the largest score of all is 0.46
    explained = table[table["verdict"] == "explained"]
    assert (explained["allowed"] >= (explained["ours"] - explained["published"]).abs()).all()
    assert explained.index.str.startswith("coverage/bootstrap/").all()
    assert table["detectable"].notna().all()


def test_what_is_judged_of_each_kind_is_counted(recorded):
    table = table_kinds(recorded["published"], compared("jordan2020", recorded, side="record"))
    kinds = table.set_index("quantity")
    assert kinds["published"].sum() == len(recorded["published"])
    assert (kinds[list(VERDICTS)].sum(axis=1) == kinds["judged"]).all()
    assert (
        kinds.loc[["mean", "episodes", "claim"], "judged"] == kinds.loc[["mean", "episodes", "claim"], "published"]
    ).all()
    assert (kinds.loc[kinds.index.str.contains("rank"), "judged"] == 0).all()


def test_trials_of_other_seeds_count_for_their_mean(recorded):
    """By hand: 10,000 trials with a mean of -450 and 40,000 with one of -458.015725 (the record of other seeds)."""
    item, twin = "mean/chain_50_stochastic/ac", "mean/chain_50_stochastic/ac_s"
    ours = pd.DataFrame({"item": [item, twin, "mean/e/a"], "ours": [-450.0, -450.0, 1.0]})
    ours = ours.assign(standard_error=2.0, runs=10_000)
    pooled = with_other_seeds(ours, recorded["record_seeds"])
    assert pooled["ours"].tolist() == pytest.approx([-0.2 * 450.0 - 0.8 * 458.015725] * 2 + [1.0])
    assert pooled["standard_error"].tolist() == pytest.approx([2.0 / np.sqrt(5.0)] * 2 + [2.0])
    assert pooled["runs"].tolist() == [50_000, 50_000, 10_000]
    few = ours.assign(runs=9_999)
    assert with_other_seeds(few, recorded["record_seeds"])["ours"].equals(few["ours"])


def test_the_page_says_what_other_seeds_alone_and_with_ours_say(recorded):
    today = compared("jordan2020", recorded, side="record")
    table = table_seeds(recorded["published"], today, recorded["record_seeds"])
    (row,) = table.to_dict("records")
    judged = today.set_index("item").loc["mean/chain_50_stochastic/ac"]
    assert (row["trials"], row["runs"], row["z"]) == (40_000, judged["runs"], judged["z"])
    assert row["runs"] == 50_000 and row["distance"] < row["z"]
