"""Determine the protocol of scores from the logs in a table of runs, and from defaults of the tools."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from surefoot.errors import InputError
from surefoot.runs.columns.arguments import types_checked
from surefoot.runs.columns.run_tables import UNFINISHED, check_runs, trainings_apart
from surefoot.runs.curves.alignment import LONG_GAP, ends_early
from surefoot.runs.curves.rules import TOLERANCE
from surefoot.runs.logs.run_formats import RUN_FORMATS, Logged
from surefoot.runs.protocol_card import MOST, NOT_COMPARED, TITLES, cards, differences, told_value, unlike_fields

COMPARE_NEVERTHELESS = "use --allow-mixed-protocols to compare them nevertheless; this is then stated everywhere"

RETURN = "return"
_OTHERS_THAN_RETURNS = ("score", "success_rate", "normalized_score")
"""Common names of scores that may be something other than returns."""


@types_checked
def protocol_card(table: pd.DataFrame) -> pd.DataFrame:
    r"""Return the protocol card: how the scores of each algorithm were obtained, as far as logs and tools determine it.

    Parameters
    ----------
    table : DataFrame
        As returned by `surefoot.read_runs`, with its `attrs`: one row per run and step.

    Returns
    -------
    DataFrame
        A table with one row per algorithm and field of the card: algorithm, field, title, value (in words; empty if
        unknown) and origin (the logs, a default of the tool, or not stated).

    Raises
    ------
    HintedError
        If a column is missing.

    Notes
    -----
    Source: the rows, and the documentation of the tools on what they log.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from surefoot import protocol_card, read_runs
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "scores.csv")
    ...     lines = ["algorithm,environment,run,step,score,kind", "ppo,maze,0,100,1.5,eval"]
    ...     _ = path.write_text("\n".join([*lines, ""]))
    ...     runs = read_runs(path)
    >>> card = protocol_card(runs)
    >>> card.loc[card["field"] == "kind", ["algorithm", "field", "value", "origin"]]
      algorithm field       value              origin
    0       ppo  kind  evaluation  read from the logs
    """
    rows = [
        (name, field, TITLES[field], told_value(card, field), card[field].origin)
        for name, card in cards({"logs": protocols_in_logs(table)}).items()
        for field in TITLES
    ]
    return pd.DataFrame(rows, columns=["algorithm", "field", "title", "value", "origin"])


def protocols_in_logs(table: pd.DataFrame, short_runs: str = "error") -> dict[str, dict[str, Any]]:
    """Return the protocol of each algorithm's scores, in the form of a study's `protocol.logs`.

    Parameters
    ----------
    short_runs : treatment of runs that ended early or left no score; if all are cut to the shortest, its length is the
        length of training
    """
    check_runs("table", table)
    table = trainings_apart(table)
    early = _ended_early(table) if "step" in table.columns else None
    ends = None if early is None else _ends(early, short_runs)
    short = {} if early is None else early.loc[early["short"]].groupby("algorithm", sort=False, observed=True).size()
    attrs = table.attrs
    without_score = Counter(str(algorithm) for algorithm, *_ in attrs.get(UNFINISHED, ()))
    table = pd.DataFrame(dict(table.items()))  # without attrs, which pandas copies for each group
    metrics = attrs.get("metrics", {})
    protocols = {}
    for name, part in table.groupby("algorithm", sort=False, observed=True):
        counts = {"ended_early": int(short[name])} if name in short else {}
        if str(name) in without_score:
            counts["no_score"] = without_score[str(name)]
        treatment = {"short_runs": short_runs} if counts else {}
        read = _read(part, metrics.get(str(name)), attrs, None if ends is None else ends.loc[name])
        protocols[str(name)] = read | counts | treatment
    return protocols


def _ended_early(table: pd.DataFrame) -> pd.DataFrame:
    """Return the last step of each run, and whether it ended before the longest run of its environment.

    Runs that are shorter but do not count as ended early get the last step of the longest run. The index is
    algorithm, environment, run.
    """
    run = ["algorithm", "environment", "run"]
    steps = table.drop_duplicates([*run, "step"]).sort_values("step")
    steps["gap"] = steps.groupby(run, sort=False, observed=True)["step"].diff()
    of_runs = steps.groupby(run, sort=False, observed=True)
    ends = of_runs["step"].max().to_frame("last")
    ends["interval"] = of_runs["gap"].quantile(LONG_GAP, interpolation="lower")
    longest = ends.groupby("environment", observed=True)["last"].transform("max")
    ends["short"] = ends_early(ends["last"], ends["interval"], longest, TOLERANCE)
    lacks_much = ends["last"] < longest * (1.0 - TOLERANCE)
    ends["last"] = ends["last"].mask(lacks_much & ~ends["short"], longest)
    return ends


def _ends(runs: pd.DataFrame, short_runs: str) -> pd.Series:
    """Return the last step of training of each algorithm in each environment.

    If there are environments common to all algorithms, only these are used, since the others are not compared.
    """
    last = runs["last"]
    if short_runs == "truncate_to_shortest":
        by_environment = runs.groupby("environment", observed=True)
        last = last.mask(by_environment["short"].transform("any"), by_environment["last"].transform("min"))
    ends = last.groupby(["algorithm", "environment"], sort=False, observed=True).max()
    having = ends.groupby("environment", observed=True).transform("size")
    common = having == runs.index.get_level_values("algorithm").nunique()
    return ends[common] if common.any() else ends


def _read(part: pd.DataFrame, metric: str | None, attrs: Mapping[str, Any], ends: pd.Series | None) -> dict[str, Any]:
    """Return the protocol of the scores of one algorithm.

    Parameters
    ----------
    part : rows of the algorithm
    metric : name under which the algorithm's score is logged, if the table states it
    attrs : attributes of the table
    ends : last step of training in each environment; None for scores without steps
    """
    kind = _single(part["kind"]) if "kind" in part.columns and attrs.get("kind_is_stated", True) else None
    if metric is None and "metric" in part.columns:
        metric = _single(part["metric"])
    logged = _logged(kind, metric, attrs)
    counted = _counted_episodes(part, logged)
    defaults = {"deterministic": logged.deterministic, "episodes": None if counted else logged.episodes}
    defaults = {name: value for name, value in defaults.items() if value is not None}
    protocol: dict[str, Any] = {
        "kind": kind,
        "logged": logged.logged,
        "metric": metric,
        "tool": logged.tool,
        "quantity": RETURN if attrs.get("returns") and metric not in _OTHERS_THAN_RETURNS else metric,
        **counted,
        **defaults,
    }
    if ends is not None:
        if not attrs.get("points_are_numbered"):
            protocol |= _range("steps", ends) | {"unit": attrs.get("unit")}
        protocol |= _range("evaluations", part.groupby(["environment", "run"], sort=False, observed=True).size())
    if defaults:
        protocol["defaults"] = list(defaults)
    return {key: value for key, value in protocol.items() if value is not None}


def _logged(kind: str | None, metric: str | None, attrs: Mapping[str, Any]) -> Logged:
    """Return the meaning of a score in the format of a table, for its metric or, if unknown, for its kind."""
    reader = RUN_FORMATS.complete().get(attrs.get("logged_as") or attrs.get("format", ""))
    stated = reader.logged if reader is not None else {}
    of_all = stated.get("", Logged())
    return stated.get(metric or "", stated.get(kind or "", of_all))


def _counted_episodes(part: pd.DataFrame, logged: Logged) -> dict[str, Any]:
    """Return the protocol fields for the number of episodes that a score averages, if the files state the number.

    Readers return 1 if the files do not state it, so greater numbers come from the files.
    """
    if "episodes" not in part:
        return {}
    is_unknown = logged == Logged()
    if logged.counted or (is_unknown and bool((part["episodes"] > 1).any())):
        return {"logged": "mean"} | _range("episodes", part["episodes"])
    return {}


def _range(field: str, values: pd.Series) -> dict[str, int]:
    fewest = int(values.min())
    most = int(values.max())
    return {field: fewest} | ({MOST[field]: most} if most > fewest else {})


def _single(values: pd.Series) -> str | None:
    names = values.unique()
    return str(names[0]) if len(names) == 1 else None


def unlike_in_logs(table: pd.DataFrame, only: Sequence[str]) -> str:
    """Describe the protocol fields, among `only`, in which algorithms differ; empty if they agree."""
    by_algorithm = cards({"logs": protocols_in_logs(table)})
    unlike = [field for field in unlike_fields(list(by_algorithm.values())) if field in only]
    return differences(by_algorithm, unlike) if unlike else ""


def refuse_unlike(where: str, protocol: Mapping[str, Any]) -> None:
    """Raise an InputError if algorithms have different protocols."""
    by_algorithm = cards(protocol)
    unlike = unlike_fields(list(by_algorithm.values()))
    if unlike:
        steps = (
            ["use --short-runs truncate_to_shortest to cut all runs at the end of the shortest"]
            if unlike == ["steps"]
            else []
        )
        what = f"{NOT_COMPARED}: {differences(by_algorithm, unlike)}"
        raise InputError(where, what, " or ".join([*steps, COMPARE_NEVERTHELESS]))
