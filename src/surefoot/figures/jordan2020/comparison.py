"""Every published number beside ours: this run's, and those of the large run that is kept as a record."""

from collections.abc import Mapping

import altair as alt
import pandas as pd

from surefoot.figures import theme
from surefoot.figures.coverage import coverage_rows
from surefoot.figures.jordan2020.claims import claim_items
from surefoot.figures.jordan2020.selection import POINTS, has_published_selection
from surefoot.figures.selection import with_titles
from surefoot.figures.z_values import z_chart
from surefoot.statistics.reproduction import (
    STANDARD_ERRORS,
    compare,
    distribution_items,
    items,
    recorded_deviations,
)
from surefoot.statistics.verdicts import verdict_counts

Tables = Mapping[str, pd.DataFrame]
KINDS = {
    "mean": "mean returns (Appendix I)",
    "game_score": "aggregate scores (Table 1)",
    "cdf": "points of the distributions of Figure 3",
    "quantile": "points of the distribution of Figure 4",
    "coverage": "failure and significance rates (Table 2)",
    "claim": "claims of the text (sections 6.1 to 6.3, Appendix I)",
}


def comparison(tables: Tables) -> pd.DataFrame:
    """Published numbers beside ours, means first and in our order, as `reproduction.compare` makes it.

    What this study did not run or ask for is left out; scores depend on which algorithms and environments take part,
    so they are compared only where these are the published ones.
    """
    claims = claim_items(tables)
    ours = pd.concat([part for part in _ours(tables, claims) if len(part)], ignore_index=True)
    published = tables["published"]
    if "record" in tables:
        published = recorded_deviations(tables["record"], published, ours)
    order = {name: position for position, name in enumerate(ours["item"])}
    return compare(published, ours).sort_values("item", key=lambda names: names.map(order), ignore_index=True)


def _ours(tables, claims):
    points = tables[POINTS]
    yield items(points[points["aggregate"] == "mean"])
    yield _scores(tables)
    yield distribution_items(tables["collect/runs"], distribution_points(tables["published"]))
    yield coverage_items(coverage_rows(tables, "as_published"))
    # TODO in this branch: each claim computes its detectable difference.
    open_ = claims["reason"] != ""
    yield claims.drop(columns="reason").assign(
        standard_error=float("nan"), runs=float("nan"), undecided=open_, detectable=open_ * 1.0, matters=0.0
    )


def _scores(tables):
    """Aggregate scores with the standard errors of the bootstrap, where it gives them."""
    if "estimate/bootstrap" not in tables or not has_published_selection(tables):
        return pd.DataFrame()
    bootstrap = tables["estimate/bootstrap"]
    return items(bootstrap[bootstrap["aggregate"] == "game_score"])


def distribution_points(published: pd.DataFrame) -> pd.DataFrame:
    """The published points of distributions: columns item, quantity, environment, algorithm, at."""
    names = published["item"].str.split("/", expand=True)
    rows = names[0].isin(("cdf", "quantile"))
    names = names.loc[rows, range(4)].set_axis(["quantity", "environment", "algorithm", "at"], axis=1)
    return names.assign(item=published["item"], at=names["at"].astype(float))


def coverage_items(rows: pd.DataFrame) -> pd.DataFrame:
    """Rates of a study of coverage as our side of a comparison; `runs` are data sets.

    The standard error of a rate of 0 or 1 is taken for that of one data set more.
    """
    parts = [
        pd.DataFrame(
            {
                "item": [f"coverage/{row.method}/{row.size}/{rate}" for row in rows.itertuples()],
                "ours": rows[rate].to_numpy(float),
                "standard_error": rows[f"{rate}_error"].astype(float).fillna(0).clip(lower=1 / rows["datasets"]),
                "runs": rows["datasets"].to_numpy(float),
            }
        )
        for rate in ("failure_rate", "significance")
    ]
    return pd.concat(parts, ignore_index=True)


def reproduction(tables: Tables, settings: Mapping) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Every published number beside ours, and a chart of the differences of the means in standard errors."""
    numbers = comparison(tables)
    return _chart(numbers, settings, "No pair has enough trials to say how far it is off."), numbers


def figure_record(tables: Tables, settings: Mapping) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """The same of the large run that is kept as a record; no rows where there is none."""
    numbers = tables.get(
        "record", pd.DataFrame(columns=["item", "published", "ours", "standard_error", "z", "verdict"])
    )
    return _chart(numbers, settings, "No record of a large run is here."), numbers


def distinct_means(numbers: pd.DataFrame) -> pd.DataFrame:
    """The rows of means that have a z. A number that the paper prints for two names of one sample (an algorithm and its
    scaled variant, on discrete environments) is one row."""
    rows = numbers[numbers["item"].str.startswith("mean/") & numbers["z"].notna()]
    return rows.drop_duplicates(["published", "ours", "standard_error"])


def _chart(numbers: pd.DataFrame, settings: Mapping, empty: str) -> alt.TopLevelMixin:
    points = distinct_means(numbers)
    if points.empty:
        chart = theme.message(empty)
    else:
        names = points["item"].str.split("/", expand=True)
        points = points.assign(environment=names[1], algorithm=names[2])
        order = {name: place for place, name in enumerate(settings["environment_titles"])}
        points = points.sort_values("environment", key=lambda column: column.map(order), kind="stable")
        chart = z_chart(with_titles(points, settings), STANDARD_ERRORS)
    return theme.finish(chart, "Differences between our and the published means in standard errors")


def table_reproduction(tables: Tables, settings: Mapping) -> tuple[None, pd.DataFrame]:
    """How many published numbers of each kind are reproduced, explained and not, by this run and by the record.

    Columns kind, title, published (how many there are), and compared, reproduced, explained, differs of this run and
    with the prefix `record_` of the record.
    """
    published = _kind(tables["published"]["item"])
    sides = {"": comparison(tables), "record_": record_comparison(tables)}
    rows = []
    for kind, title in KINDS.items():
        row = {"kind": kind, "title": title, "published": int((published == kind).sum())}
        for prefix, numbers in sides.items():
            verdicts = numbers.loc[_kind(numbers["item"]) == kind, "verdict"]
            row[f"{prefix}compared"] = len(verdicts)
            row |= {prefix + name: count for name, count in verdict_counts(verdicts).items()}
        rows.append(row)
    return None, pd.DataFrame(rows)


def record_comparison(tables: Tables) -> pd.DataFrame:
    """The record of the large run, and of its study of coverage (whose trials are those of the pool).

    Columns item, published, ours, z, verdict, reason, trials.
    """
    columns = ["item", "published", "ours", "z", "verdict", "reason", "trials"]
    parts = [tables["record"]] if "record" in tables else []
    coverage = coverage_rows(tables, "as_published", record=True)
    if len(coverage):
        ours = coverage_items(coverage)
        ours = ours[ours["item"].isin(tables["published"]["item"])]
        kept = tables["record_coverage"]
        pool = kept.loc[kept["variant"] == "as_published", "pool_trials"].min()
        parts.append(compare(tables["published"], ours).assign(trials=pool))
    parts = [part for part in parts if len(part)]
    if not parts:
        return pd.DataFrame({name: pd.Series(dtype=float) for name in columns}).astype({"item": str, "verdict": str})
    return pd.concat([part[columns] for part in parts], ignore_index=True)


def table_numbers(tables: Tables, settings: Mapping) -> tuple[None, pd.DataFrame]:
    """Every published number with this run's and the record's.

    Columns item, published, ours, standard_error, z, tolerance, verdict, reason, and of the record record,
    record_z, record_trials, record_verdict and record_reason.
    """
    columns = {"ours": "record", "z": "record_z", "trials": "record_trials"}
    columns |= {"verdict": "record_verdict", "reason": "record_reason"}
    record = record_comparison(tables)[["item", "published", *columns]].rename(columns=columns)
    return None, comparison(tables).merge(record, on=["item", "published"], how="outer", sort=False)


def _kind(names: pd.Series) -> pd.Series:
    return names.map(lambda name: name.partition("/")[0])
