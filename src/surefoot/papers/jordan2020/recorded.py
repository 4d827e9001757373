"""The record of the large run beside the published numbers, judged by today's rule, and both runs in one table."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from surefoot.charts.coverage_rows import coverage_rows
from surefoot.papers.jordan2020.claims import claim_items, evidence_of_record
from surefoot.papers.jordan2020.comparison import (
    coverage_items,
    exact,
    with_resamples,
)
from surefoot.papers.jordan2020.spreads import deviation_ranges, with_spreads
from surefoot.result_tables import Tables
from surefoot.statistics.coverage.trust.mutations import mutation_table, one_wrong_cell
from surefoot.statistics.reproduction.comparison import COLUMNS, compare
from surefoot.statistics.reproduction.items import item_parts, of_quantity

KINDS = {
    "mean": "mean returns (Appendix I)",
    "mean_low": "lower limits of mean returns (Appendix I)",
    "mean_high": "upper limits of mean returns (Appendix I)",
    "game_score": "aggregate scores (Table 1)",
    "cdf": "points of the distributions of Figure 3",
    "quantile": "points of the distribution of Figure 4",
    "coverage": "failure and significance rates (Table 2)",
    "episodes": "episodes of a trial (Table 5)",
    "claim": "claims of the text (sections 6.1 to 6.3, Appendix I)",
}


def record_comparison(tables: Tables, settings: Mapping[str, Any]) -> pd.DataFrame:
    """The numbers of the record, and of its study of coverage (whose trials are those of the pool), judged today.

    Nothing is simulated again: a verdict follows from the recorded number, its standard error and its trials.

    Returns
    -------
    the columns of `reproduction.comparison.compare`, and trials
    """
    if "record" not in tables:
        return pd.DataFrame({name: pd.Series(dtype=float) for name in (*COLUMNS, "trials")}).astype(
            {"item": str, "verdict": str, "reason": str}
        )
    record = tables["record"]
    sampled = record[record["standard_error"].notna()]
    ours = _sampled(sampled, tables["published"])
    coverage = coverage_rows(tables, "as_published", record=True)
    rates = with_resamples(coverage_items(coverage), tables) if len(coverage) else pd.DataFrame({"item": []})
    rates = rates[rates["item"].isin(tables["published"]["item"])]
    claims = exact(claim_items(evidence_of_record(tables)))
    asked = claims["item"].isin(record["item"])
    ours = pd.concat([part for part in (ours, rates, claims[asked]) if len(part)], ignore_index=True)
    published = with_spreads(tables["published"], ours, None)
    table = compare(published, ours)
    known = record.set_index("item")["trials"]
    pool = tables["record_coverage"]["pool_trials"].min() if len(coverage) else np.nan
    return table.assign(trials=table["item"].map(known).fillna(pool))


def record_means(tables: Tables) -> pd.DataFrame:
    """The record's means: columns item, ours, standard_error (of ours alone) and runs; no rows without a record."""
    if "record" not in tables:
        return pd.DataFrame({name: pd.Series(dtype=float) for name in ("item", "ours", "standard_error", "runs")})
    return _sampled(of_quantity(tables["record"], "mean"), tables["published"])


def _sampled(record: pd.DataFrame, published: pd.DataFrame) -> pd.DataFrame:
    """Means, scores and points of distributions: item, ours, standard_error (of ours alone) and runs."""
    known = published.set_index("item")
    runs = record["trials"].astype(float)
    numbers = {name: record["item"].map(known[name]).astype(float) for name in ("runs", "rounding", "standard_error")}
    sampling = (record["standard_error"] ** 2 - numbers["rounding"].fillna(0.0) ** 2 / 3.0).clip(lower=0.0)
    shared = sampling / (1.0 + runs / numbers["runs"])
    beside = (sampling - numbers["standard_error"] ** 2).clip(lower=0.0)
    error = np.sqrt(shared.where(numbers["standard_error"].isna(), beside))
    return record[["item", "ours"]].assign(standard_error=error, runs=runs)


def record_mutations(tables: Tables, repeats: int = 100) -> pd.DataFrame:
    """`mutations.mutation_table` of the means of the record: which faults in them the comparison would notice.

    Parameters
    ----------
    tables : published and record
    repeats : draws of another seed
    """
    means, ours, judge = _judged_means(tables)
    groups = item_parts(ours.set_index("item", drop=False)["item"], "environment", "algorithm")["environment"]
    return mutation_table("jordan2020", means, ours, judge, groups, repeats=repeats)


def record_wrong_cells(tables: Tables) -> pd.DataFrame:
    """`mutations.one_wrong_cell` of the means of the record; tables : published and record."""
    return one_wrong_cell(*_judged_means(tables))


def _judged_means(tables: Tables) -> tuple[pd.DataFrame, pd.DataFrame, Callable[[pd.DataFrame], pd.DataFrame]]:
    """The published means, the record's, and what judges such means."""
    published = tables["published"]
    ours = _sampled(of_quantity(tables["record"], "mean"), published)
    means = published[published["item"].isin(ours["item"])].reset_index(drop=True)
    ranges = deviation_ranges(published)

    def judge(mutated: pd.DataFrame) -> pd.DataFrame:
        return compare(with_spreads(means, mutated, None, ranges), mutated)

    return means, ours, judge
