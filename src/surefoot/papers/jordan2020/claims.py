"""What the text of the paper claims about its results (sections 6.1 to 6.3, Appendix I), asked of our tables.

A claim is an item of the published numbers, of its kind and of names. Its value is 1 if the paper says so, and 0 if it
says the contrary. Ours is 1 where our point values or intervals say so, else 0. Each answer also says whether the runs
decide it, how large an effect they would have decided, and how large the printed one is: a claim that they leave open,
and could not have decided at its printed size, is not testable; one that they leave open although they could have
decided it is judged by the answer.
"""

from collections.abc import Mapping

import pandas as pd

from surefoot.charts.coverage_rows import coverage_rows
from surefoot.charts.selection import bands, mean_intervals, score_intervals
from surefoot.papers.jordan2020 import coverage_claims, distribution_claims, score_claims
from surefoot.papers.jordan2020.evidence import CLAIM, Evidence
from surefoot.papers.jordan2020.selection import POINTS, has_published_selection, whole_environments
from surefoot.papers.jordan2020.spreads import TRIALS, printed_means
from surefoot.result_tables import Tables
from surefoot.statistics.reproduction.items import item_texts, of_quantity, read_item

KINDS = score_claims.KINDS | distribution_claims.KINDS | coverage_claims.KINDS


def claim_items(evidence: Evidence) -> pd.DataFrame:
    """Columns item, ours (0 or 1), undecided, detectable and matters of the claims that this evidence can be asked."""
    rows = []
    for item in map(read_item, evidence.printed.index):
        if item.quantity != CLAIM:
            continue
        kind, *names = item.of
        answer = KINDS[kind](evidence, *names)
        if answer is not None:
            row = {"item": item.text, "ours": float(answer.holds), "undecided": not answer.decided}
            rows.append(row | {"detectable": float(answer.detectable), "matters": float(answer.matters)})
    return pd.DataFrame(rows, columns=["item", "ours", "undecided", "detectable", "matters"])


def evidence_of_run(tables: Tables, deviations: pd.Series) -> Evidence:
    """The evidence of this run: only what was measured with all that the paper compares.

    `deviations` has the standard deviation of single trials by the item of their mean.
    """
    environments = whole_environments(tables)
    points = tables[POINTS]
    means = points[(points["aggregate"] == "mean") & points["environment"].isin(environments)]
    deviation = item_texts("mean", means["environment"], means["algorithm"]).map(deviations)
    means = means.assign(error=deviation.astype(float) / means["runs"].astype(float) ** 0.5)
    limits = mean_intervals(tables)[["environment", "algorithm", "low", "high"]]
    means = means[["environment", "algorithm", "value", "error", "runs"]].merge(
        limits, on=["environment", "algorithm"], how="left", validate="1:1"
    )
    curves = bands(tables)
    scores = score_intervals(tables).dropna(subset=["low"])
    return Evidence(
        printed=_printed(tables),
        scores=_by_method(scores if has_published_selection(tables) else scores.iloc[:0]),
        means=means.set_index(["environment", "algorithm"]),
        bands=curves[curves["environment"].isin(environments)],
        coverage=coverage_rows(tables, "as_published").set_index(["method", "size"]),
        stored=pd.DataFrame({"ours": [], "trials": []}, dtype=float),
    )


def evidence_of_record(tables: Tables) -> Evidence:
    """The evidence of the record of the large run.

    It keeps means with standard errors, but neither their intervals, which are taken to have the widths of the printed
    ones (wider by the root of the trials), nor the distributions, of which the recorded answers are kept.
    """
    record = tables["record"]
    rows = of_quantity(record, "mean").set_index("item")
    means = printed_means(tables["published"])
    means = means.set_index(item_texts("mean", means["environment"], means["algorithm"]))
    means = means[means.index.isin(rows.index)]
    wider = (TRIALS / rows["trials"].reindex(means.index).astype(float)) ** 0.5
    value = rows["ours"].reindex(means.index)
    # The joint standard error is that of both numbers; the rounding in it is a trifle.
    error = rows["standard_error"].reindex(means.index) / (1.0 + wider**-2) ** 0.5
    means = means.assign(
        value=value,
        error=error,
        runs=rows["trials"].reindex(means.index).astype(float),
        low=value - wider * (means["mean"] - means["mean_low"]),
        high=value + wider * (means["mean_high"] - means["mean"]),
    )
    algorithms = set(means["algorithm"])
    whole = means.groupby("environment")["algorithm"].transform("nunique") == len(algorithms)
    scores = tables.get("record_intervals")
    return Evidence(
        printed=_printed(tables),
        scores=_by_method(pd.DataFrame(columns=["method", "algorithm"]) if scores is None else scores),
        means=means[whole].set_index(["environment", "algorithm"]),
        bands=bands({"estimate/dkw": pd.DataFrame(columns=["method", "environment", "algorithm"])}),
        coverage=coverage_rows(tables, "as_published", record=True).set_index(["method", "size"]),
        stored=of_quantity(record, CLAIM).set_index("item")[["ours", "trials"]],
    )


def _printed(tables: Mapping[str, pd.DataFrame]) -> pd.Series:
    return tables["published"].set_index("item")["published"]


_NARROWEST_LAST = ("pbp", "pbp_t", "bootstrap")


def _by_method(scores: pd.DataFrame) -> pd.DataFrame:
    """Rows by method, those of the paper in the order of `_NARROWEST_LAST`, and algorithm."""
    known = scores[scores["method"].isin(_NARROWEST_LAST)]
    order = {name: place for place, name in enumerate(_NARROWEST_LAST)}
    known = known.sort_values("method", key=lambda names: names.map(order), kind="stable")
    return known.set_index(["method", "algorithm"])
