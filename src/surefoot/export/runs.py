"""How many runs of what a study has, counted in the tables that its sources made and in the records of larger runs."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

import pandas as pd

from surefoot.result_tables import LEFT_OUT
from surefoot.statistics.reproduction.items import of_quantity, read_item

_NEEDED = ("algorithm", "environment", "run")


class CountedRuns(NamedTuple):
    """What a table of runs holds.

    algorithms, environments : names, in the order of the table
    fewest, most : runs of an algorithm in an environment
    total : runs in all
    left_out : who has no runs in some environment and is left out, in sentences
    """

    algorithms: list[str]
    environments: list[str]
    fewest: int
    most: int
    total: int
    left_out: tuple[str, ...] = ()


def counted_runs(table: pd.DataFrame) -> CountedRuns | None:
    """The runs of a table, each counted once; None of a table that has no runs.

    Where algorithms are played with several parameters, each of these counts as an algorithm, as in ``beb(beta=2.5)``.
    """
    if not {*_NEEDED} <= set(table.columns) or table.empty:
        return None
    kept = [name for name in (*_NEEDED, "parameters", "variant") if name in table.columns]
    runs = table[kept].drop_duplicates().fillna("")
    by = [name for name in kept if name != "run"]
    counts = runs.groupby(by, observed=True, sort=False).size()
    parameters = runs["parameters"] if "parameters" in kept else [""] * len(runs)
    named = [
        (f"{algorithm}({more})" if more else str(algorithm), str(environment))
        for algorithm, more, environment in zip(runs["algorithm"], parameters, runs["environment"], strict=True)
    ]
    return _counted(dict.fromkeys(named), counts)._replace(left_out=tuple(table.attrs.get(LEFT_OUT, ())))


def runs_of_sources(tables: Mapping[str, pd.DataFrame]) -> dict[str, CountedRuns]:
    """The runs of each source, by its name; tables without runs are left out.

    Parameters
    ----------
    tables : by the names of the sources
    """
    found = {name: counted_runs(table) for name, table in tables.items()}
    return {name: runs for name, runs in found.items() if runs is not None}


def runs_of_scales(table: pd.DataFrame) -> dict[str, CountedRuns]:
    """The runs whose scores are on each scale, in a table with a column of the scales' names."""
    if "scores" not in table.columns:
        return {}
    return runs_of_sources({str(name): rows for name, rows in table.groupby("scores", sort=False)})


def recorded_runs(record: pd.DataFrame) -> CountedRuns | None:
    """The runs behind the means of a record of published numbers beside ours; None where it keeps no means.

    Parameters
    ----------
    record : columns item and trials; an algorithm may have parameters, as in ``beb(beta=2.5)``
    """
    if not {"item", "trials"} <= set(record.columns):
        return None
    means = of_quantity(record, "mean").dropna(subset="trials").drop_duplicates("item")
    cells = []
    for item in means["item"]:
        *environment, algorithm = read_item(item).of
        cells.append((algorithm, "/".join(environment)))
    return _counted(cells, means["trials"].astype(int)) if cells else None


def _counted(cells: Iterable[tuple[str, str]], runs: pd.Series) -> CountedRuns:
    algorithms, environments = (list(dict.fromkeys(names)) for names in zip(*cells, strict=True))
    return CountedRuns(algorithms, environments, int(runs.min()), int(runs.max()), int(runs.sum()))
