"""report, as a function: from a table of runs in a notebook to a page."""

import argparse
import re
import shlex
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import pandas as pd

from surefoot.build.errors import InputError
from surefoot.build.files import whole_file
from surefoot.errors import HintedError, listed, shown
from surefoot.result_tables import SCALE
from surefoot.sources.given.columns import refuse_missing_columns, refuse_missing_names
from surefoot.sources.given.labelled_arrays import pandas_table

_COLUMNS = ("algorithm", "environment", "run", "score")
_FROM_READING = ("format", "metrics", "returns", "kind_is_stated", "points_are_numbered")
"""What `surefoot.read_runs` keeps of a table beside its rows, and is read again from a file."""
_LISTED = 3
_LINES = 20
"""How many of the last lines of a failed run an error quotes."""


def report(
    runs: Any,
    folder: str | Path = "surefoot-report",
    *,
    rule: str | None = None,
    amount: float | None = None,
    short_runs: str | None = None,
    missing_cells: str | None = None,
    scale: str | None = None,
    lower_is_better: bool | Sequence[str] = False,
    unlike_protocols: Literal["error", "remark"] = "error",
    cores: int | None = None,
) -> Path:
    """A page on runs, as the command `surefoot report` makes it, with a study that can be edited and made again.

    The table is kept in the folder as runs.parquet. Another call with the same folder renews the scores and keeps the
    study, in which arguments that are given change their keys; runs of other environments, or of none of the earlier
    algorithms, are other runs, and are refused there.

    Parameters
    ----------
    runs : columns algorithm, environment, run, score, one row per run, or with a column step one per run and step, such
        as `surefoot.read_runs` and `surefoot.normalized_scores` give
    folder : of the report; new, empty, or that of an earlier report on a table
    rule, amount, short_runs : how a learning curve becomes a score; see `surefoot.scores_of_curves`
    missing_cells : what becomes of algorithms without runs in an environment: error, drop_algorithm or drop_environment
    scale : min_max, none, or a table of reference scores; by default none for what `surefoot.normalized_scores` made,
        else the table that has all environments, else min_max, or none if there is a single environment
    lower_is_better : whether lower scores are better, in all environments or in those listed
    unlike_protocols : "error", or "remark", which compares algorithms whose scores were made in different ways
    cores : number of cores to use; by default all

    Returns
    -------
    the path of the page

    Raises
    ------
    HintedError : a table that is not one of runs, an argument that is not known, a folder that holds something else, or
        a page that cannot be made

    Source: the questions that the page asks; their functions name theirs.
    """
    from surefoot.cli.kept_studies import refuse_other_runs
    from surefoot.cli.reporting import RUNS_FILE, STUDY_FILE, check_folder, write_study

    output = Path(folder)
    table = pandas_table(runs)
    if not isinstance(table, pd.DataFrame):
        hint = "a table; surefoot.normalized_scores(arrays) makes one of a dict of arrays of scores"
        raise HintedError("runs", shown(type(runs).__name__), hint)
    refuse_missing_columns("runs", table, _COLUMNS)
    refuse_missing_names("runs", table, _COLUMNS[:3])
    names = table["algorithm"].unique()
    if len(names) < 2:
        what = f'a comparison needs two algorithms, and there is only "{names[0]}"'
        raise HintedError("runs", what, "a table with the runs of several")
    if scale is None and SCALE in table.attrs:
        scale = "none"
    options = argparse.Namespace(
        folder=output / RUNS_FILE,
        output=output,
        words=None,
        format="table",
        pattern=None,
        step=None,
        kind=None,
        metric=list(dict.fromkeys(table["metric"].astype(str))) if "metric" in table else None,
        algorithm=None,
        environment=None,
        key=[],
        invalid_scores="error",
        rule=rule,
        amount=amount,
        short_runs=short_runs,
        missing_cells=missing_cells,
        scale=scale,
        lower_is_better=lower_is_better if isinstance(lower_is_better, bool) else list(lower_is_better),
        unlike_protocols=unlike_protocols,
        cores=cores,
    )
    try:
        check_folder(output)
        if (output / STUDY_FILE).is_file():
            refuse_other_runs(output / STUDY_FILE, options.folder)
            _refuse_other_names(table, options.folder)
        _keep(table, options.folder)
        command = write_study(options)
    except InputError as error:
        raise HintedError(_as_argument(error.where), error.what, _as_argument(error.hint)) from None
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        said = "\n".join([*done.stdout.splitlines(), *done.stderr.splitlines()][-_LINES:])
        raise HintedError(str(output / STUDY_FILE), f"its page is not made:\n{said}", f"try {shlex.join(command)}")
    return Path(done.stdout.splitlines()[-1])


def _refuse_other_names(table: pd.DataFrame, file: Path) -> None:
    """Raise a HintedError where an earlier report's table is of other runs, to which its study belongs."""
    if not file.is_file():
        return
    kept = pd.read_parquet(file, columns=list(_COLUMNS[:2])).astype(str)
    new = table[list(_COLUMNS[:2])].astype(str)
    environments, algorithms = ([set(one[name]) for one in (kept, new)] for name in ("environment", "algorithm"))
    if environments[0] == environments[1] and not algorithms[0].isdisjoint(algorithms[1]):
        return
    earlier = f"{listed(sorted(algorithms[0]), _LISTED)} in {listed(sorted(environments[0]), _LISTED)}"
    what = f"{file.parent} has the report of other runs ({earlier})"
    raise HintedError("folder", what, f'folder="{file.parent}-2", or any other, keeps both')


def _keep(table: pd.DataFrame, file: Path) -> None:
    """Write the table, with names that may be numbers in one row and texts in another as texts."""
    mixed = [name for name in _COLUMNS[:3] if table[name].dtype == object]
    kept = table.astype(dict.fromkeys(mixed, str)).reset_index(drop=True)
    kept.attrs = {name: table.attrs[name] for name in _FROM_READING if name in table.attrs}
    file.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(file) as temporary:
        kept.to_parquet(temporary, index=False)


def _as_argument(text: str) -> str:
    """What the command says of its options, as it is for the arguments of the function."""
    text = re.sub(r"^command line: ", "", text)
    text = re.sub(r"(?<![\w-])-o(?![\w-])", "folder", text)
    text = re.sub(r"--([a-z-]+) (\w+)", lambda found: f'{found[1].replace("-", "_")}="{found[2]}"', text)
    return re.sub(r"--([a-z-]+)", lambda found: found[1].replace("-", "_"), text)
