"""Times of methods on problems as people have them: a table, or a dict of columns; read and checked."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from surefoot.errors import HintedError
from surefoot.sources.given.columns import named_by_text
from surefoot.sources.given.labelled_arrays import pandas_table
from surefoot.statistics.runs.score_pool import as_array, refuse_masked_or_complex


def read_times(times: pd.DataFrame | Mapping[str, Any], checked: bool = False) -> pd.DataFrame:
    """Read and check times.

    Parameters
    ----------
    times : a table of problems x methods, or a dict {method: times of the problems, the same of all methods}; positive,
        infinite or NaN where a method does not solve a problem
    checked : changes nothing, since problems are no repetitions

    Returns
    -------
    columns algorithm (the method), environment (the number of the problem), run (0), score (the time)

    Raises
    ------
    ValueError : methods with different numbers of problems; times that are no numbers, masked or complex
    """
    table = pandas_table(times)
    if not isinstance(table, pd.DataFrame | Mapping):
        raise HintedError("times", f"a {type(times).__name__}", "a table of problems x methods, or {method: times}")
    given = {name: as_array(of_method) for name, of_method in named_by_text("times", table).items()}
    if len({np.size(of_method) for of_method in given.values()}) != 1:
        sizes = ", ".join(f"{name} {np.size(of_method)}" for name, of_method in given.items()) or "none"
        raise HintedError("times", f"numbers of problems differ: {sizes}", "NaN where a method solves none")
    parts = []
    for name, of_method in given.items():
        values = of_method.to_numpy() if isinstance(of_method, pd.Series) else of_method
        refuse_masked_or_complex(f"times: {name}", values)
        try:
            score = np.asarray(values, np.float64)
        except (TypeError, ValueError):
            raise HintedError(
                "times", "not all of them are numbers", "one time a problem, NaN where there is none"
            ) from None
        columns = {"environment": np.arange(score.size), "run": 0, "score": score.ravel()}
        parts.append(pd.DataFrame({"algorithm": name} | columns))
    return pd.concat(parts, ignore_index=True)
