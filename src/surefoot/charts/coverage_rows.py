"""Rows of studies of coverage, of this run and of the record."""

import pandas as pd

from surefoot.result_tables import Tables

VARIANTS = {"as_published": "as published", "corrected": "corrected"}


MEASURES = {
    "failure_rate": "failures (pairs)",
    "failure_rate_truth": "failures (truth)",
    "significance": "pairs separated",
    "mean_width": "mean width",
}
COLUMNS = ("variant", "method", "size", "datasets")


def coverage_rows(tables: Tables, variant: str | None = None, record: bool = False) -> pd.DataFrame:
    """Rows of the coverage studies, of the large run's record or of this run, of one variant or all of VARIANTS.

    Methods that have only one variant stand in the study of the other one as well, since both studies ask for them.

    Returns
    -------
    columns variant, method, size, datasets, and failure_rate, failure_rate_truth, significance, mean_width with the
    standard error of each as `<name>_error`; no rows where there is no such study
    """
    if record:
        found = [tables["record_coverage"]] if "record_coverage" in tables else []
    else:
        found = [_of_variant(tables[f"cover/{name}"], name) for name in VARIANTS if f"cover/{name}" in tables]
    columns = [*COLUMNS, *(name + end for name in MEASURES for end in ("", "_error"))]
    table = pd.concat(found, ignore_index=True).reindex(columns=columns) if found else pd.DataFrame(columns=columns)
    wanted = list(VARIANTS) if variant is None else [variant]
    return table[table["variant"].isin(wanted)].reset_index(drop=True)


def _of_variant(table: pd.DataFrame, name: str) -> pd.DataFrame:
    if "variant" in table:
        both = set(table.loc[table["variant"] == name, "method"])
        table = table[(table["variant"] == name) | ~table["method"].isin(both)]
    return table.assign(variant=name)
