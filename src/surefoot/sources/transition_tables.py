"""CSV tables of the possible transitions of a distribution over MDPs, as a study's `distributions` names them."""

from pathlib import Path

from surefoot.bayesian.distributions import COLUMNS
from surefoot.errors import HintedError, shortened

PLACES = COLUMNS[:3]
"""The columns that say where a transition leads from and to."""

MOST_NUMBERS = 125_000_000
"""The most that states x actions x states may be: pseudo-counts and rewards are kept dense, and this many float64 are 1
GB."""


def read_transitions(path: Path) -> list[list[float]]:
    """The rows for `surefoot.bayesian.distributions.from_rows`, each with the numbers that `COLUMNS` name.

    Raises
    ------
    ValueError
        one sentence and a hint: a file that is no table, other columns, no numbers, too many states
    """
    import numpy as np

    from surefoot.columns import as_floats, refuse_missing_columns
    from surefoot.sources.table_files import read_table

    table = read_table(path, str(path))
    refuse_missing_columns(str(path), table, COLUMNS)
    values = table[list(COLUMNS)].apply(as_floats)
    for name in COLUMNS:
        bad = ~np.isfinite(values[name])
        if name in PLACES:
            bad |= (values[name] < 0) | (values[name] % 1 != 0)
        for row in np.flatnonzero(bad)[:1]:
            why = "none of the whole numbers from 0 on" if np.isfinite(values[name].iloc[row]) else "no finite number"
            what = f'data row {row + 1}: {name} "{shortened(str(table[name].iloc[row]))}" is {why}'
            raise HintedError(str(path), what, "number states and actions from 0 on, and give finite numbers")
    states = int(values[["state", "next_state"]].to_numpy().max()) + 1
    actions = int(values["action"].max()) + 1
    if states * actions * states > MOST_NUMBERS:
        what = f"{states:.8g} states and {actions:.8g} actions are too many"
        most = f"states x actions x states at most {MOST_NUMBERS:,}, which take 1 GB of memory"
        raise HintedError(str(path), what, f"number them from 0 on without gaps; {most}")
    rows: list[list[float]] = values.to_numpy().tolist()
    return rows
