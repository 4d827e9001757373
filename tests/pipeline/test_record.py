"""The record of a large run grows row by row and never loses a larger number of trials."""

import pandas as pd

from surefoot.pipeline.record import merged, with_origin, with_origin_of_plays


def table(**trials):
    return pd.DataFrame({"item": list(trials), "ours": [float(n) for n in trials.values()], "trials": trials.values()})


def test_rows_with_more_trials_replace_those_with_fewer():
    both = merged(table(a=100, b=500), table(a=200, b=50, c=10), ["item"], ["trials"])
    assert both.to_dict("list") == {"item": ["a", "b", "c"], "ours": [200.0, 500.0, 10.0], "trials": [200, 500, 10]}


def test_a_run_of_the_same_size_made_again_replaces_the_old_one():
    again = table(a=100).assign(ours=7.0)
    assert merged(table(a=100), again, ["item"], ["trials"])["ours"].tolist() == [7.0]


def test_the_first_run_is_the_record():
    assert merged(None, table(a=3), ["item"], ["trials"]).equals(table(a=3))


def test_of_two_studies_of_coverage_that_with_the_larger_pool_stays():
    names, counts = ["method"], ["pool_trials", "replicates", "datasets"]
    large = pd.DataFrame({"method": ["pbp"], "pool_trials": [20_000], "replicates": [1000.0], "datasets": [50]})
    small = pd.DataFrame({"method": ["pbp"], "pool_trials": [100], "replicates": [200.0], "datasets": [1000]})
    more = large.assign(datasets=60)
    assert merged(large, small, names, counts)["datasets"].tolist() == [50]
    assert merged(small, large, names, counts)["datasets"].tolist() == [50]
    assert merged(large, more, names, counts)["datasets"].tolist() == [60]
    without = large.assign(replicates=None)  # a method that does not resample
    assert merged(without, without.assign(datasets=70), names, counts)["datasets"].tolist() == [70]


def test_plays_are_recorded_with_their_mdps_and_the_code_of_their_agent():
    agents = pd.DataFrame(
        {
            "variant": ["", "as_published", "corrected"],
            "environment": "accurate/gc",
            "algorithm": ["random", "beb", "beb"],
            "parameters": [None, "beta=2.5", "beta=2.5"],
            "runs": [500, 100, 50],
        }
    )
    items = ["mean/accurate/gc/random()", "mean/accurate/gc/beb(beta=2.5)", "library/accurate/gc/beb(beta=2.5)"]
    section = {
        "agents": [{"agent": "random"}, {"agent": "beb", "parameters": {"beta": [2.5]}}],
        "environments": ["accurate/gc"],
        "distributions": {},
        "variants": ["as_published"],
        **{"mdps": 500, "discount": 0.95, "horizon": 250},
    }
    rows = with_origin_of_plays(pd.DataFrame({"item": items}), agents, {"seed": 7, "bayesian": section})
    assert rows["trials"].tolist() == [500, 100, 100]
    assert rows["seed"].tolist() == [7, 7, 7]
    assert rows["code"].notna().all()
    assert rows["code"].nunique() == 2


def test_points_of_a_distribution_have_the_trials_of_their_pair():
    points = pd.DataFrame(
        {
            "aggregate": "mean",
            "algorithm": ["sarsa", "sarsa"],
            "environment": ["cart_pole", "acrobot"],
            "value": 1.0,
            "standard_error": 0.1,
            "runs": pd.array([200, 30], dtype="Int64"),
            "rank": 1,
        }
    )
    items = ["mean/cart_pole/sarsa", "cdf/cart_pole/sarsa/200", "quantile/acrobot/sarsa/0.1", "game_score/sarsa"]
    study = {"seed": 1, "simulate": {"algorithms": ["sarsa"], "environments": ["cart_pole", "acrobot"]}}
    rows = with_origin(pd.DataFrame({"item": items}), points, study)
    assert rows["trials"].tolist() == [200, 200, 30, 30]
    assert rows["code"].nunique() == 3
