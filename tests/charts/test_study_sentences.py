"""Sentences on the page of a study: they follow its tables, and claim no more than the intervals show."""

import pandas as pd
import pytest
from support.drawings import drawn
from support.stand_in_tables import published_names, settings, sharper, stand_in_tables

from surefoot.charts.drawing import OTHER_RUNS, OTHERWISE, POINTS, Need
from surefoot.charts.drawing_catalogue import CATALOGUE
from surefoot.charts.selection import METHOD_TITLES
from surefoot.statistics.intervals.interval_catalogue import INTERVAL_METHODS

SETTINGS = {"question": "", "confidence_level": 0.9, "titles": {"sac": "SAC"}, "environment_titles": {}}


def texts(tables: dict, settings: dict) -> dict[str, str]:
    """The sentences of a study's page."""
    return drawn("study", "verdict", tables, settings)[1].set_index("item")["text"].to_dict()


def aggregate_metrics(*rows):
    columns = ["algorithm", "metric", "method", "estimate", "low", "high"]
    return pd.DataFrame(rows, columns=columns).assign(runs=5, tasks=3, n_resamples=100)


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        (
            [("a", "optimality_gap", "bca", 0.3, 0.2, 0.4), ("b", "optimality_gap", "bca", 0.6, 0.5, 0.7)],
            "The optimality gap is 0.300 (0.200 to 0.400) for a and 0.600 (0.500 to 0.700) for b. "
            "Ask `multiple_comparisons` which differ.",
        ),
        (
            [
                ("a", "iqm", "bca", 0.1 + 0.2, 0.2, 0.4),
                ("b", "iqm", "bca", 0.3, 0.2, 0.4),
                ("c", "iqm", "bca", 0, -0.1, 0.1),
            ],
            "The IQM is 0.300 (0.200 to 0.400) for a and 0.000 (\N{MINUS SIGN}0.100 to 0.100) for c. "
            "The other one is in between. Ask `multiple_comparisons` which differ.",
        ),
    ],
)
def test_metrics_alone_name_none_as_the_best(rows, sentence):
    assert texts({"numbers/aggregate_metrics": aggregate_metrics(*rows)}, SETTINGS)["metrics_best"] == sentence


def test_the_caption_names_intervals_below_their_level():
    table = aggregate_metrics(("a", "iqm", "percentile", 0.3, 0.2, 0.4), ("a", "iqm", "bca", 0.3, 0.2, 0.4))
    for remarks, end in ((["with 3 runs", "b"], "resamples. With 3 runs."), (["", ""], "resamples.")):
        assert texts({"numbers/aggregate_metrics": table.assign(remark=remarks)}, SETTINGS)["metrics_caption"].endswith(
            end
        )


def test_the_caption_counts_the_runs_of_all_tasks():
    """The table of intervals has the fewest runs of a task of an algorithm."""
    table = aggregate_metrics(("a", "iqm", "student", 0.3, 0.2, 0.4)).assign(runs=2)
    cells = [("a", "x")] * 2 + [("a", "y")] * 7 + [("left out", "y")] * 9
    runs = pd.DataFrame(cells, columns=["algorithm", "environment"]).assign(run=range(len(cells)), score=1.0, cell="c")
    caption = texts({"numbers/aggregate_metrics": table, "collect/runs": runs}, SETTINGS)["metrics_caption"]
    assert caption.startswith("2 to 7 runs of each algorithm on each of ")


@pytest.mark.parametrize("method", INTERVAL_METHODS)
def test_a_study_of_one_method_describes_its_intervals(method):
    """Whatever the method: what the plan hands to the pages' drawings holds its table, and they speak of it."""
    tables = stand_in_tables(["sarsa_parl2", "q_parl2"], ["acrobot"])
    tables |= sharper(tables)
    tables = {key: table for key, table in tables.items() if key == f"estimate/{method}" or "estimate/" not in key}
    for page, entries in CATALOGUE.items():
        for name in ("verdict", "scores", "answer", "figure_5", "table_ranks", "figure_methods"):
            if name in entries and POINTS in entries[name].tables.values():
                assert Need("estimate", method) in entries[name].tables["intervals"], (page, name)
    said = texts(tables, settings())
    assert not any("asks for no intervals" in text or "Without intervals" in text for text in said.values())
    assert METHOD_TITLES[method] in said["lead"] and METHOD_TITLES[method] in said["score_caption"]
    assert METHOD_TITLES[method] == drawn("jordan2020", "table_methods", tables, settings())[1]["title"].iloc[0]


def test_pages_lead_with_the_recommended_interval():
    """The study's page and the paper's claim quote the recommended method, also where PBP says something else."""
    tables = stand_in_tables(*published_names(), 3)
    tables |= sharper(tables)
    apart = {"sarsa_parl2": 0.9, "q_parl2": 0.8}
    recommended = tables["estimate/pbp_matchings"]
    value = recommended["algorithm"].map(apart).fillna(0.1)
    tables["estimate/pbp_matchings"] = recommended.assign(
        estimate=value, low=value - 0.01, high=value + 0.01, rank=value.rank(ascending=False, method="min").astype(int)
    )
    lead = "The interval of Sarsa-Parl2 (matching-based PBP) lies above those of 10 of 10 others."
    assert texts(tables, settings())["lead"] == lead
    first = drawn("jordan2020", "table_methods", tables, settings())[1].iloc[0]
    assert first["method"] == "pbp_matchings" and first["claim_above"] == first["claim_pairs"]


def test_methods_out_of_their_range_carry_a_remark():
    tables = stand_in_tables(["a", "b"], ["x"], 30)
    tables |= sharper(tables)
    caption = texts(tables, settings(variant="corrected"))["score_caption"]
    assert "fewer than 100 runs (here 30)" in caption.partition("PBP-t: ")[2]
    assert "matching-based PBP: " not in caption and " PBP: " not in caption
    remark = drawn("study", "scores", tables, settings(variant="corrected"))[1].groupby("method")["remark"].first()
    assert "fewer than 100 runs (here 30)" in remark["pbp_t"]
    assert (remark[["pbp_matchings", "pbp"]] == "").all()
    assert "PBP: without a guarantee as published" in texts(tables, settings())["score_caption"]


RUNS = [(name, environment, run) for name in ("sac", "ppo") for environment in ("x", "y") for run in range(3)]


def standings(*tied):
    """What comparisons with the best say: which of the two may be best."""
    rows = {
        "algorithm": ["sac", "ppo"],
        "estimate": [0.9, 0.4],
        "tied_with_best": [name in tied for name in ("sac", "ppo")],
        "verdict": [("tied" if len(tied) > 1 else "best") if name in tied else "worse" for name in ("sac", "ppo")],
        "group_letters": ["a", "a" if len(tied) > 1 else "b"],
    }
    facts = {"metric": "iqm", "tasks": "fixed", "detectable": 0.2, "within_margin": None, "runs": 3, "remark": ""}
    return pd.DataFrame(rows).assign(**facts, shared_runs="excluded")


BOTH, ONE = ("sac", "ppo"), ("sac",)


def of_short_runs(policy, short, own, other):
    """What a page says of short runs where these were treated by a policy, and what the verdict is by either."""
    whole = pd.DataFrame(RUNS, columns=["algorithm", "environment", "run"]).assign(score=1.0, cell="c")
    left = whole[[run not in short for run in RUNS]]
    tables = {"collect/runs": whole, f"collect/{OTHER_RUNS}": left}
    if policy == "drop":
        tables = dict(zip(tables, reversed(tables.values()), strict=True))
    tables["collect/runs"].attrs["unfinished"] = [list(map(str, run)) for run in short]
    tables |= {"numbers/multiple_comparisons": own, f"numbers/{OTHERWISE}": other}
    other = "drop" if policy == "worst_score" else "worst_score"
    return texts(tables, SETTINGS | {"short_runs": policy, "other_short_runs": other}).get("short_runs", "")


@pytest.mark.parametrize(
    ("policy", "became", "otherwise"),
    [
        ("worst_score", "each has the worst score of any run in its environment", "With these left out"),
        ("drop", "they are left out", "With the worst score of the environment in their place"),
        (
            "carry_forward",
            "their last scores are kept to the end",
            "With the worst score of the environment in their place",
        ),
    ],
)
def test_both_verdicts_are_said(policy, became, otherwise):
    short = [("sac", "y", 1)]
    same = of_short_runs(policy, short, standings(*ONE), standings(*ONE))
    assert same.startswith("1 of 12 runs ended early (SAC in y, run 1); ") and became in same
    assert same.endswith(f"{otherwise}, the verdict is the same.")
    other = of_short_runs(policy, short, standings(*ONE), standings(*BOTH))
    assert f"{otherwise}, the verdict is another: " in other and "tied" in other


def test_many_short_runs_are_counted_and_none_is_not_told():
    short = [run for run in RUNS if run[0] == "ppo"]
    text = of_short_runs("drop", short, standings(*ONE), standings(*ONE))
    assert text.startswith("6 of 12 runs ended early (ppo in x, run 0; ") and "and 1 more); they are left out" in text
    assert of_short_runs("drop", [], standings(*ONE), standings(*BOTH)) == ""
