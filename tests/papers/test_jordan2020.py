"""Figures and tables of Jordan et al. 2020: published numbers beside ours, and what the records add."""

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import vl_convert
import yaml
from comparing import with_comparisons
from scipy import stats
from stand_in import (
    POINTS,
    coverage_tables,
    printed_deviations,
    published_names,
    published_tables,
    recorded_intervals,
    records,
    settings,
    stand_in_tables,
    subsamples,
)

from surefoot.charts import pictures
from surefoot.charts.coverage import coverage_chart
from surefoot.charts.selection import coverage_rows
from surefoot.papers.jordan2020 import (
    comparison,
    differences,
    distributions,
    means,
    scores,
)
from surefoot.papers.jordan2020.evidence import GROUPS, yardsticks
from surefoot.simulation.registry import ENVIRONMENTS
from surefoot.statistics.intervals.catalogue import RECOMMENDED
from surefoot.statistics.reproduction.comparison import COLUMNS, VERDICTS, items
from surefoot.statistics.reproduction.items import item_text
from surefoot.streams import start_stream, stream_key

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def paper() -> dict[str, pd.DataFrame]:
    return published_tables()


def test_published_values_reproduce_themselves(paper):
    table = comparison.comparison(paper, settings()).set_index("item")
    rows = table[table.index.str.startswith(("mean/", "game_score/"))]
    assert len(rows) == 165 + 11
    testable = rows.index.map(yardsticks(paper["published"]).set_axis(paper["published"]["item"])) >= rows["detectable"]
    assert testable.sum() > 100
    assert (rows["verdict"] == np.where(testable, "reproduced", "not testable")).all()
    assert (rows["z"].dropna() == 0).all()
    assert list(table.index[:165]) == list(items(paper[POINTS].query("aggregate == 'mean'"))["item"])
    assert ["item", *table.columns] == list(COLUMNS)
    assert table["detectable"].notna().all()


def test_a_mean_beyond_four_standard_errors_differs_and_a_rounded_one_does_not(paper):
    mean = item_text("mean", "chain_10_deterministic", "sarsa_parl2")

    def one(shift):
        points = paper[POINTS].copy()
        row = (points["algorithm"] == "sarsa_parl2") & (points["environment"] == "chain_10_deterministic")
        points.loc[row, "value"] += shift
        return comparison.comparison(paper | {POINTS: points}, settings()).set_index("item").loc[mean]

    error = one(0.0)["standard_error"]
    spread = printed_deviations(paper["published"])[mean]
    assert error == pytest.approx(np.hypot(spread * np.sqrt(1 / 250 + 1 / 10_000), 0.05 / np.sqrt(3)))
    assert one(3.99 * error)["verdict"] == "reproduced"
    assert one(4.01 * error)["verdict"] == "differs"


def test_table_2_sets_every_published_rate_beside_ours_and_the_records(paper):
    tables = paper | coverage_tables() | records(paper)
    _, table = differences.table_2(tables, settings())
    assert len(table) == 15
    row = table.set_index(["method", "size"]).loc[("pbp_t", 10)]
    live = tables["cover/as_published"].set_index(["method", "size"]).loc[("pbp_t", 10)]
    assert (row["failure_rate_published"], row["failure_rate"]) == (1.0, live["failure_rate"])
    kept = tables["record_coverage"].set_index(["variant", "method", "size"]).loc[("as_published", "pbp_t", 10)]
    assert row["record_significance"] == kept["significance"]
    assert table.loc[table["size"] == 10_000, "failure_rate"].isna().all()
    _, empty = differences.table_2(paper, settings())
    assert empty["failure_rate"].isna().all()
    assert empty["failure_rate_published"].notna().all()


def test_a_study_of_both_variants_gives_each_its_rows_and_methods_of_one_variant_to_both():
    rows = coverage_tables((10,))["cover/corrected"]
    both = pd.concat(
        [rows[rows["method"] != "pbp_max_t"].assign(variant="as_published"), rows.assign(variant="corrected")]
    )
    tables = {"cover/as_published": both, "cover/corrected": both}
    assert len(coverage_rows(tables, "as_published")) == len(coverage_rows(tables, "corrected")) == 4


def test_the_record_stands_beside_this_run(paper):
    tables = paper | records(paper)
    record = tables["record"].set_index("item")
    _, numbers = differences.figure_record(with_comparisons("jordan2020", tables), settings())
    judged = numbers.set_index("item").loc[record.index]
    assert judged["ours"].equals(record["ours"])
    pd.testing.assert_series_equal(judged["z"], record["z"])
    _, table = means.table_means(tables, settings())
    shown = table.set_index(["environment", "algorithm"]).loc[("acrobot", "ppo")]
    assert (shown["value"], shown["source"], shown["trials"]) == (
        record.loc["mean/acrobot/ppo", "ours"],
        "large run",
        10_000,
    )
    _, counts = differences.table_reproduction(with_comparisons("jordan2020", tables), settings())
    of_means = counts.set_index("kind").loc["mean"]
    assert of_means["record_compared"] == of_means["compared"] == 165
    assert of_means[[f"record_{name.replace(' ', '_')}" for name in VERDICTS]].fillna(0).sum() == 165


def test_without_a_record_the_page_is_of_this_run(paper):
    tables = with_comparisons("jordan2020", paper)
    _, numbers = differences.figure_record(tables, settings())
    assert "trials" not in numbers  # by which the page tells a record's numbers
    assert set(numbers["item"]) == set(comparison.comparison(paper, settings())["item"])
    _, table = means.table_means(tables, settings())
    assert (table["source"] == "this run").all() and (table["trials"] == 250).all()


def test_scores_of_the_record_are_shown_where_they_are_of_the_same_selection_and_of_more_runs(paper):
    intervals = recorded_intervals(paper)
    own = paper["aggregate/game_scores"]["runs"].min()
    _, numbers = scores.figure_5(paper | {"record_intervals": intervals}, settings())
    assert numbers["source"].value_counts().to_dict() == {"the large run": 33, "published": 33}
    assert numbers["method"].iloc[0] == "pbp"
    for other in (
        intervals.assign(environments="acrobot"),
        intervals[intervals["algorithm"] != "ppo"],
        intervals.assign(runs=own),
    ):
        tables = paper | {"record_intervals": other}
        assert set(scores.figure_5(tables, settings())[1]["source"]) == {"this study", "published"}
        assert scores.figure_5_run(tables, settings())[1].empty


def test_ranks_are_those_of_the_interval_to_quote(paper):
    """Also where the paper prints other intervals: what it published has the ticks of its own first method."""
    quoted = paper["estimate/pbp"].assign(method="pbp_u_statistic")
    quoted = quoted.assign(rank_low=quoted["rank"] + 20, rank_high=quoted["rank"] + 10)
    tables = paper | {"estimate/pbp_u_statistic": quoted}
    chart, numbers = scores.figure_5(tables, settings())
    assert list(dict.fromkeys(numbers["method"])) == ["pbp_u_statistic", "pbp", "pbp_t", "bootstrap"]
    picture = vl_convert.vegalite_to_svg(chart.to_dict())
    own = numbers[numbers["method"] == "pbp_u_statistic"]
    ranks = [f">{row.rank:.0f} ({row.rank + 20:.0f}, {row.rank + 10:.0f})</text>" for row in own.itertuples()]
    assert all(rank in picture for rank in ranks)
    assert len(re.findall(r">\d+ \(\d+, \d+\)</text>", picture)) == len(own)
    assert picture.count(">published</text>") == (numbers["source"] == "published").sum() / 3 == 11
    # Nothing but algorithms can be highlighted: neither methods nor what was published.
    marks = pictures.read_descriptions(
        vl_convert.vega_to_svg(pictures.describe_marks(vl_convert.vegalite_to_vega(chart.to_dict())))
    )[1]
    assert set(marks.names) == set(numbers["title"])
    _, table = scores.table_1(tables, settings())
    assert (table["method"] == "pbp_u_statistic").all() and (table["rank_low"] == table["rank"] + 20).all()
    assert table["published_rank_low"].max() <= 11
    assert scores.table_methods(tables, settings())[1]["title"].iloc[0] == "PBP, U-statistic bounds"


def test_figure_3_normalizes_the_returns_by_each_distribution(paper):
    _, numbers = distributions.figure_3(paper, settings())
    dots = numbers[numbers["quantity"] == "cdf"].set_index(["algorithm", "score"])["probability"]
    runs = paper["collect/runs"]
    sample = runs[(runs["algorithm"] == "sarsa") & (runs["environment"] == "cart_pole")]["score"]
    assert dots["sarsa", 400] == (sample <= 400).mean()
    assert len(dots) == 18
    printed = numbers[numbers["quantity"] == "published"].set_index(["algorithm", "score"])["probability"]
    assert printed["sarsa_parl2", 400] == 0.4360 and len(printed) == 12


def recorded_curves(tables, trials=10_000):
    """Curves of a large run, of the pairs and with the columns that `record` keeps."""
    rows = tables["estimate/dkw"]
    rows = rows[rows["environment"].isin(("cart_pole", "acrobot"))].assign(size=trials, runs=trials)
    samples = subsamples(tables).assign(method="subsamples", runs=trials)
    samples["size"] = samples["size"].replace(500, trials)
    return pd.concat([rows, samples], ignore_index=True)


def test_the_curves_of_the_large_run_stand_beside_where_it_has_more_trials(paper):
    tables = paper | {
        "estimate/sample_distributions": subsamples(paper),
        "record_distributions": recorded_curves(paper),
    }
    _, numbers = distributions.figure_3(tables, settings())
    assert (numbers.loc[numbers["quantity"] == "band", "runs"] == 10_000).all()
    _, numbers = distributions.figure_4(tables, settings())
    large = ["50 trials", "100 trials", "all 10,000 trials"]
    assert list(dict.fromkeys(numbers["sample"])) == [*large, "published"]
    tables["record_distributions"] = recorded_curves(paper, trials=250)
    numbers = distributions.figure_3(tables, settings())[1]
    assert "runs" not in numbers or (numbers["runs"].dropna() == 250).all()
    assert "all 500 trials" in set(distributions.figure_4(tables, settings())[1]["sample"])


def test_environments_with_too_few_trials_for_a_curve_are_left_out():
    sizes = {
        (name, place): 49 if place == "acrobot" else 50 for name in ("q", "ac") for place in ("acrobot", "cart_pole")
    }
    tables = stand_in_tables(["q", "ac"], ["acrobot", "cart_pole"], sizes)
    _, numbers = distributions.figure_appendix(tables, settings(group="classic_control"))
    assert set(numbers["environment"]) == {"cart_pole"}
    _, none = distributions.figure_appendix(tables, settings(group="pinball"))
    assert none.empty


def test_the_groups_of_the_appendix_are_all_environments():
    _, environments = published_names()
    grouped = [name for group in GROUPS.values() for name in group]
    assert sorted(grouped) == sorted(environments)


def test_table_5_is_the_printed_one(paper):
    _, table = means.table_5(paper, settings())
    assert list(table["environment"]) == list(ENVIRONMENTS)
    assert (table["episodes"] == table["published"]).all()
    assert (table["trials"] == "250").all()
    fewer = paper | {"collect/runs": paper["collect/runs"].query("environment == 'chain_10_stochastic'").iloc[:260]}
    trials = means.table_5(fewer, settings())[1].set_index("environment")["trials"]
    assert trials["chain_10_stochastic"] == "10 to 250"
    assert trials.isna().sum() == len(trials) - 1


def test_the_trials_of_a_pair_are_its_own():
    sizes = {(name, place): 20 if place == "acrobot" else 300 for name in ("sarsa", "q") for place in ("acrobot", "x")}
    tables = stand_in_tables(["sarsa", "q"], ["acrobot", "x"], sizes)
    points = tables[POINTS]
    tables[POINTS] = points.assign(runs=points["environment"].map({"acrobot": 20, "x": 300}))
    tables["estimate/anderson"] = tables["estimate/anderson"].assign(runs=20)
    _, table = means.table_means(tables, settings())
    assert (table.set_index("environment")["trials"] == [20, 20, 300, 300]).all()
    best = table[table["rank"] == 1].set_index("environment")["value"]
    assert (best == table.groupby("environment")["value"].max()[best.index]).all()


def distribution_of(text: str):
    """The distribution that a cell of Table 4 names, and whether it is that of 1 minus the hyperparameter."""
    low, high = map(float, re.search(r"U\((?:ln )?([\d.]+), (?:ln )?([\d.]+)\)", text).groups())
    drawn = stats.loguniform(low, high) if "ln" in text else stats.uniform(low, high - low)
    return drawn, text.startswith("1 \N{MINUS SIGN} ")


@pytest.mark.parametrize(
    ("definition", "agent", "algorithm", "hyperparameter", "column"),
    [
        ("sarsa", "sarsa", "all", "trace decay λ", "TRACE_DECAY"),
        ("sarsa", "sarsa", "all", "discount \N{GREEK SMALL LETTER GAMMA}", "DISCOUNT"),
        ("sarsa", "sarsa", "Sarsa(λ), Q(λ) and variants", "exploration ε", "EXPLORATION"),
        ("sarsa", "sarsa", "Sarsa(λ), Q(λ)", "step size", "STEP_SIZE"),
        ("actor_critic", "actor_critic", "AC, NAC-TD", "step size of values", "VALUE_STEP_SIZE"),
        ("actor_critic", "actor_critic", "AC, NAC-TD", "step size of the policy", "POLICY_STEP_SIZE"),
        ("ppo", "policy_gradient", "PPO", "clip", "CLIP"),
        ("ppo", "policy_gradient", "PPO", "entropy coefficient", "ENTROPY_WEIGHT"),
        ("ppo", "policy_gradient", "PPO", "Adam: step size", "STEP_SIZE"),
    ],
)
def test_table_4_names_what_the_definitions_draw(definition, agent, algorithm, hyperparameter, column):
    """Kolmogorov-Smirnov tests of 2,000 draws at 1e-6 each."""
    draw = pytest.importorskip(f"surefoot.simulation.definitions.{definition}").draw_tabular
    place = getattr(pytest.importorskip(f"surefoot.simulation.agents.{agent}"), column)
    page = (ROOT / "reports" / "jordan2020.qmd").read_text()
    (text,) = re.findall(rf"^\| {re.escape(algorithm)} \| {re.escape(hyperparameter)} \| (.*?) \|", page, re.MULTILINE)
    key, stream, row = stream_key(5, "table_4"), np.empty(4, np.uint64), np.empty(16)
    values = []
    for number in range(2_000):
        start_stream(key, number, stream)
        draw(row, stream)
        values.append(row[place])
    distribution, from_one = distribution_of(text)
    values = 1.0 - np.array(values) if from_one else np.array(values)
    assert stats.kstest(values, distribution.cdf).pvalue > 1e-6


def test_the_recommended_interval_is_studied_and_table_2_does_without_it(paper):
    """In the study of corrected methods alone: it has no published variant, and Table 2 no number of it."""
    study = yaml.safe_load((ROOT / "config" / "studies" / "jordan2020.yaml").read_text())["studies"]["jordan2020"]
    assert RECOMMENDED in study["questions"]["corrected"]["methods"]
    without = paper | coverage_tables()
    corrected = without["cover/corrected"]
    one = corrected[corrected["method"] == corrected["method"].iloc[0]].assign(method=RECOMMENDED)
    tables = without | {"cover/corrected": pd.concat([corrected, one], ignore_index=True)}
    rows = coverage_rows(tables)
    assert set(rows.loc[rows["method"] == RECOMMENDED, "variant"]) == {"corrected"}
    both = (differences.table_2(given, settings())[1] for given in (tables, without))
    pd.testing.assert_frame_equal(*both)
    for given in (tables, without):
        chart, numbers = coverage_chart(given, settings() | {"source": "run"})
        assert (RECOMMENDED in set(numbers["method"])) == (given is tables) and chart.to_dict()


def test_the_axis_of_the_means_is_named_once(paper):
    chart = means.figure_means(paper, settings())[0].to_dict()
    assert chart["title"]["text"] == "mean return" and chart["title"]["orient"] == "bottom"
    assert all(layer["encoding"]["x"]["title"] is None for layer in chart["spec"]["layer"])
