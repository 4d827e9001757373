"""Whether the pool has the runs that its data sets are cut from."""

import pandas as pd

from surefoot.build.errors import InputError
from surefoot.questions.coverage.settings import Settings


def check_runs(table: pd.DataFrame, settings: Settings, where: str) -> None:
    """Raises InputError where data sets cannot be cut in the order of the runs' numbers, which begin with 0."""
    if settings.design != "cut":
        return
    where = f"{where}.design"
    if not pd.api.types.is_integer_dtype(table["run"]):
        what = f"data sets are cut by the numbers of runs, and these have names such as {table['run'].iloc[0]}"
        raise InputError(where, what, "number the runs from 0 on, or choose resample")
    needed = settings.runs_of_all_datasets()
    found = table[table["run"].between(0, needed - 1)].groupby(["algorithm", "environment"], observed=True).size()
    pairs = table[["algorithm", "environment"]].drop_duplicates()
    found = found.reindex(pd.MultiIndex.from_frame(pairs), fill_value=0)
    if found.min() < needed:
        pair = " / ".join(map(str, found.idxmin()))
        what = f"runs 0 to {needed - 1} are needed to cut all data sets, and {pair} has {found.min()} of them"
        raise InputError(where, what, "fewer data sets, or choose resample")
