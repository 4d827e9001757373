"""Failure rates over kinds of studies that were drawn by a seed: quantiles for the page of trust."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from surefoot.charts.names import METHODS, METRIC_NAMES
from surefoot.charts.selection import METHOD_TITLES
from surefoot.result_tables import Tables
from surefoot.statistics.coverage.kind_quantiles import kind_quantiles, shrunk_rates, significant

RECORD = "trust/drawn_kinds"
_WORST = 10
_TITLES = {"whole profile": "Profile", "iqm differences": "Differences of IQMs", "mean differences": "of means"}
_TITLES |= {"success rate": "Success rate"}
_METHODS = METHODS | METHOD_TITLES | {"simultaneous": "simultaneous band", "default": "default"}


def table_kinds(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """Each interval over all kinds, where it carries no remark, and whatever the remark.

    Of the first, the kinds in which at least half of the data sets have no remark, and these data sets alone.

    Returns
    -------
    columns target, method, title, method_title, remark ("none" or "any"), drawn (all kinds), those of
    `kind_quantiles.KindQuantiles`, datasets (the greatest number of a kind), relative_width (median over the kinds) and
    no_width (data sets without a width)
    """
    rows = []
    for (target, method), part in tables[RECORD].groupby(["target", "method"], sort=False):
        for remark in ("none", "any"):
            failures, datasets = _counts(part, remark)
            known = {"target": target, "method": method, "title": _TITLES.get(target, METRIC_NAMES.get(target, target))}
            known |= {"method_title": _METHODS.get(method, method), "remark": remark, "drawn": len(part)}
            known |= kind_quantiles(failures.to_numpy(), datasets.to_numpy())._asdict()
            known |= {"datasets": int(part["datasets"].max()), "relative_width": part["relative_width"].median()}
            rows.append(known | {"no_width": int(part[_NO_WIDTH[remark]].sum())})
    return None, pd.DataFrame(rows)


_NO_WIDTH = {"none": "no_width_unremarked", "any": "no_width"}


def table_worst_kinds(tables: Tables, settings: Mapping[str, Any]) -> tuple[None, pd.DataFrame]:
    """The ten kinds of each recommended interval that miss most where there is no remark.

    Returns
    -------
    columns target, title, cell, data, tasks, runs, failures, datasets (without a remark), failure_rate, shrunk (the
    rate by empirical Bayes), significant; by descending shrunk rate
    """
    parts = []
    for target, part in tables[RECORD][tables[RECORD]["method"] != "percentile"].groupby("target", sort=False):
        failures, datasets = _counts(part, "none")
        found = part.assign(
            failures=failures, datasets=datasets, title=_TITLES.get(target, METRIC_NAMES.get(target, target))
        )
        found = found[found["datasets"] > 0]
        if found.empty:
            continue
        counts = found["failures"].to_numpy(), found["datasets"].to_numpy()
        found = found.assign(
            failure_rate=counts[0] / counts[1], shrunk=shrunk_rates(*counts), significant=significant(*counts)
        )
        parts.append(found.sort_values("shrunk", ascending=False, kind="stable").head(_WORST))
    columns = ["target", "title", "cell", "data", "tasks", "runs", "failures", "datasets", "failure_rate", "shrunk"]
    return None, pd.concat(parts, ignore_index=True)[[*columns, "significant"]]


def _counts(part: pd.DataFrame, remark: str) -> tuple[pd.Series, pd.Series]:
    """(failures, data sets) of each kind; 0 of 0 where most data sets have a remark that none may have."""
    if remark == "any":
        return part["failures"], part["datasets"]
    bare = (part["datasets"] * (1.0 - part["remarked"])).round().astype(int)
    enough = part["remarked"] <= 0.5
    return part["failures_unremarked"].where(enough, 0), bare.where(enough, 0)
