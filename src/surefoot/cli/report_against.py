"""Read the other runs of a comparison in a report: logs, a table, an earlier report, or published scores."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from surefoot.cli.report_choices import Choices
from surefoot.cli.report_files import STUDY_FILE, source_of_runs
from surefoot.cli.report_study import SAID, scores_of
from surefoot.errors import InputError, listed, nearest
from surefoot.rounding import joined as joined_names
from surefoot.runs.columns.run_names import RUN, refuse_absent
from surefoot.runs.columns.run_tables import UNFINISHED, UNNAMED_JOBS
from surefoot.runs.given_files import guarded
from surefoot.runs.logs.account import ACCOUNT, COLUMNS, NOT_ASKED, USED, reading_account
from surefoot.runs.logs.folder_runs import read_runs
from surefoot.runs.logs.protocol_in_logs import protocols_in_logs
from surefoot.runs.scales.published_scores import BENCHMARKS, published_scores
from surefoot.runs.scales.reference_tables import reference_tables, rows_meant
from surefoot.workflow.configuration.configuration_files import read_yaml

WHERE = "command line: --against"
_LOGS = "logs_of_algorithms"
"""Key in the `attrs` of joined runs under which the protocol of each algorithm, from its logs, is stored."""
_OF_CURVES = ("step", "episodes", "kind")


def joined_with(
    own: pd.DataFrame, runs: Path, against: Sequence[str], choices: Choices, reading: Mapping[str, Any]
) -> tuple[pd.DataFrame, Choices, pd.DataFrame]:
    """Join runs with other runs; return the joined runs, the remaining choices, and the outcomes of the other files.

    The `attrs` of the joined runs describe the other runs. Curves remain curves if all runs have curves; otherwise each
    run gets one score by the chosen rule. Environments are named as in the first runs, and environments that the first
    runs do not have are left out.

    Parameters
    ----------
    own, runs : the runs, and the path from which they were read
    against : folders, tables, reports or benchmarks, optionally with algorithms, such as atari_100k:SPR,DER
    reading : arguments of `read_runs` with which `own` was read

    Raises
    ------
    InputError
        if a name is unknown, runs are unavailable, or an algorithm occurs twice
    """
    parts = [own]
    sentences = []
    accounts = [pd.DataFrame(columns=list(COLUMNS))]
    for text in against:
        other, account = _chosen(text, reading)
        for part in parts:
            _refuse_shared_names(part, other, str(runs) if part is own else text, text)
        other, lacking = _with_own_environments(own, other)
        accounts.append(
            _excluded(account, account["environment"].isin(lacking), "not one of the compared environments")
        )
        sentences.append(_compared_with(text, other, lacking, runs.name))
        parts.append(other)
    logs = {name: log for part in parts for name, log in logs_of(part, "error").items()}
    columns = [*RUN, "score"]
    if all("step" in part for part in parts):
        columns += [name for name in _OF_CURVES if all(name in part for part in parts)]
    else:
        parts, of_rules = _scored(parts, choices, runs)
        sentences += of_rules
        choices = choices._replace(rule=None, rule_argument=None, short_runs=None)
    joined = pd.concat([part[columns].astype(dict.fromkeys(RUN, str)) for part in parts], ignore_index=True)
    joined.attrs = own.attrs | {_LOGS: logs, SAID: [*own.attrs.get(SAID, ()), *sentences]} | _unfinished(parts)
    return joined, choices, _together(accounts)


def _unfinished(parts: Sequence[pd.DataFrame]) -> dict[str, list[Any]]:
    """Combine the attributes of all tables on unfinished runs and unnamed jobs, omitting empty lists."""
    found = {key: [one for part in parts for one in part.attrs.get(key, ())] for key in (UNFINISHED, UNNAMED_JOBS)}
    return {key: of_all for key, of_all in found.items() if of_all}


def _together(accounts: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Concatenate tables from `reading_account`, if possible without empty ones, whose columns have no types."""
    return pd.concat([account for account in accounts if len(account)] or accounts, ignore_index=True)


def _compared_with(text: str, other: pd.DataFrame, lacking: Sequence[str], name: str) -> str:
    """Return a sentence on the other runs, and on their environments that are left out.

    Parameters
    ----------
    text : the user's name for the other runs
    name : name of the first runs
    """
    names = joined_names(list(map(str, other["algorithm"].unique())))
    place = text.partition(":")[0]
    origin = ", as they were published" if place in BENCHMARKS else ""
    left = f" Left out, since {name} has no such environment: {listed(lacking)}." if lacking else ""
    return f"Compared with {names} of {place}{origin}.{left}"


def _scored(parts: Sequence[pd.DataFrame], choices: Choices, runs: Path) -> tuple[list[pd.DataFrame], list[str]]:
    """Return the tables with one score per run, and a sentence for each rule by which curves were scored."""
    settled = choices._replace(rule=choices.rule or "window", short_runs=choices.short_runs or "worst_score")
    scored = []
    rules: dict[str, list[str]] = {}
    for part in parts:
        scores, rule = scores_of(part, settled, str(runs))
        scored.append(scores)
        rules.setdefault(rule, []).extend(map(str, part["algorithm"].unique()))
    rules.pop("", None)
    sentences = [f"Scores of {joined_names(names)}: {rule} of the learning curve." for rule, names in rules.items()]
    return scored, sentences


def logs_of(table: pd.DataFrame, short_runs: str) -> dict[str, dict[str, Any]]:
    """Return the protocol in the logs of each algorithm; for joined runs, as determined before they were joined."""
    kept = table.attrs.get(_LOGS)
    if kept is None:
        return protocols_in_logs(table, short_runs)
    return {name: kept[name] for name in map(str, table["algorithm"].unique())}


def _chosen(text: str, reading: Mapping[str, Any]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the runs that a name refers to: all algorithms, or only the algorithms listed after a colon.

    The second table lists what became of their files; it is empty for published scores and reports.
    """
    place, _, names = (text, "", "") if Path(text).exists() else text.rpartition(":") if ":" in text else (text, "", "")
    if place in BENCHMARKS and not Path(place).exists():
        other = published_scores(place)
    elif Path(place).exists():
        other = _of_report(Path(place)) if (Path(place) / STUDY_FILE).is_file() else _read(place, reading)
    else:
        what = f'there is no folder, table or report "{place}", and there are no published scores with this name'
        raise InputError(WHERE, what, nearest(place, BENCHMARKS))
    chosen = [name.strip() for name in names.split(",") if name.strip()]
    refuse_absent(WHERE, "algorithm", chosen, other)
    account = reading_account(other) if "source" in other else pd.DataFrame(columns=list(COLUMNS))
    folder = Path(place).parent if Path(place).is_file() else Path(place)
    account = account.assign(file=[(folder / file).as_posix() for file in account["file"]])
    other.attrs.pop(ACCOUNT, None)
    if not chosen:
        return other, account
    kept = other[other["algorithm"].astype(str).isin(chosen)].reset_index(drop=True)
    kept.attrs = other.attrs
    return kept, _excluded(account, ~account["algorithm"].isin(chosen), "not one of the compared algorithms")


def _read(place: str, reading: Mapping[str, Any]) -> pd.DataFrame:
    """Read the runs of another folder, in which the option `continued` may have no effect."""
    try:
        return read_runs(place, **reading)
    except InputError as error:
        if error.where != "continued":
            raise
        return read_runs(place, **{**reading, "continued": None})


def _excluded(account: pd.DataFrame, rows: pd.Series, reason: str) -> pd.DataFrame:
    """Mark used rows of a table from `reading_account` as excluded by an option.

    rows : mask of the rows
    """
    rows = rows & (account["outcome"] == USED)
    changed = {"outcome": NOT_ASKED, "reason": reason}
    return account.assign(**{name: account[name].mask(rows, value) for name, value in changed.items()})


def _of_report(folder: Path) -> pd.DataFrame:
    """Return the runs stored by an earlier report."""
    content: Any = read_yaml(folder / STUDY_FILE)
    studies = list((content.get("studies") or {}).values())
    source = source_of_runs(studies[0]) if len(studies) == 1 else {}
    path = folder / str(source.get("file"))
    if path.suffix != ".parquet" or not path.is_file():
        what = "it is not a report with a single study of runs"
        raise InputError(f"{WHERE}: {folder}", what, "name its table of runs, or the folder of the logs")
    with guarded(str(path), "make the report again"):
        return pd.read_parquet(path).dropna(subset="score").reset_index(drop=True)


def _refuse_shared_names(own: pd.DataFrame, other: pd.DataFrame, where: str, text: str) -> None:
    """Raise an InputError for an algorithm that is in both tables."""
    names = set(own["algorithm"].astype(str))
    shared = [name for name in map(str, other["algorithm"].unique()) if name in names]
    if shared:
        rest = [name for name in map(str, other["algorithm"].unique()) if name not in names]
        hint = "rename one of the two"
        hint += (
            f", or compare with the others only: --against {text.partition(':')[0]}:{','.join(rest)}" if rest else ""
        )
        are = "is the name of an algorithm" if len(shared) == 1 else "are names of algorithms"
        raise InputError(WHERE, f"{listed(shared)} {are} in {where} and in {text}", hint)


def _with_own_environments(own: pd.DataFrame, other: pd.DataFrame) -> tuple[pd.DataFrame, list[str]]:
    """Return the other runs in environments of the first runs, and the names of the environments that are left out.

    Environments are named as in the first runs. Different spellings of a game or task in a table of reference scores
    are equivalent, such as Breakout and ALE/Breakout-v5.

    Raises
    ------
    InputError
        if no environment is common
    """
    names = list(map(str, own["environment"].unique()))
    called = {name: name for name in map(str, other["environment"].unique())}
    for table in reference_tables():
        own_names = {row: name for name, row in rows_meant(names, table).items()}
        for name, row in rows_meant(called, table).items():
            if name not in names and row in own_names:
                called[name] = own_names[row]
    lacking = [name for name, meant in called.items() if meant not in names]
    kept = other.assign(environment=other["environment"].astype(str).map(called))
    kept = kept[kept["environment"].isin(names)].reset_index(drop=True)
    kept.attrs = other.attrs
    if kept.empty:
        what = f"no environment in common: {listed(names)} in the one, {listed(lacking)} in the other"
        raise InputError(WHERE, what, "use runs in the same environments, with the same names")
    return kept, lacking
