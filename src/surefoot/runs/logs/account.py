"""Record what became of each file in a folder of logs, and of each row with a score."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from surefoot.errors import InputError, counted, listed
from surefoot.runs.columns.arguments import types_checked
from surefoot.runs.columns.run_tables import HYPERPARAMETERS, check_runs

ACCOUNT = "account"
"""Key in the `attrs` of a run table for a JSON list of entries: files and rows that did not become rows of it."""
COLUMNS = ("file", "outcome", "reason", "algorithm", "environment", "run", "kind", "metric", "rows")
USED = "used"
AVERAGED = "averaged"
LEFT_OUT = "left out"
NO_SCORE = "no score"
NOT_ASKED = "not asked for"
SECOND_RECORD = "second record"
OTHER_FILE = "other file"
NOT_LOGGED = "not logged"
HIDDEN = "hidden"
OUTCOMES: Mapping[str, tuple[str, str]] = {
    USED: ("became points of a run", ""),
    LEFT_OUT: ("could have been used, but was not", "Left out"),
    NO_SCORE: ("belongs to a job that began but left no score", "Began and left no score"),
    AVERAGED: (
        "was averaged with other rows of the same run and step",
        "Averaged with other rows of the same run and step",
    ),
    NOT_LOGGED: ("has no value of the score, only of other columns", "Without a value of the score"),
    NOT_ASKED: ("was excluded by an option", "Excluded by options"),
    SECOND_RECORD: ("records a run that was read from another file", "Second records of these runs"),
    OTHER_FILE: ("is not a log of scores", "Other files"),
    HIDDEN: ("is in a hidden folder, or hidden itself, and was not read", "Hidden folders"),
}
"""Meaning of each outcome, and its heading in a summary; used scores come first and need no heading."""
OF_ANOTHER_FORMAT = "of the format "
"""Beginning of the reason for not reading a log of another format."""
CONFIGURATION = "configuration"
"""Recorded reason for reading a file that has no scores."""
WITH_OTHERS = "with other files of the run"
"""Recorded reason for used files that are missing from the column source, which names only one file per run."""
LOSSES = (LEFT_OUT, NO_SCORE)
"""Outcomes that are errors with `--strict`."""
_RUN = ["algorithm", "environment", "run"]
_MOST_RUNS = 10_000
"""Largest number of runs for which left-out rows are listed by run instead of by file."""
_LISTED = 3
_LISTED_ON_PAGES = 20


class Entry(NamedTuple):
    """Outcome of a file, or of some of its rows, as listed by `surefoot.reading_account`.

    file : path below the folder that was read
    outcome : one of `OUTCOMES`
    reason : a short phrase, identical for equal reasons
    place : path of the run below the folder that was read
    rows : number of rows, or None for a whole file; for a hidden folder, the number of its files
    """

    file: str
    outcome: str
    reason: str = ""
    place: str = ""
    algorithm: str = ""
    environment: str = ""
    run: str = ""
    kind: str = ""
    metric: str = ""
    rows: int | None = None

    def of_run(self, name: str, names: Mapping[str, Mapping[str, str]]) -> str:
        """Return the algorithm, environment or run of the entry; if empty, look it up in `names` by path of the run."""
        return str(getattr(self, name)) or names.get(self.place, {}).get(name, "")


@types_checked
def reading_account(runs: pd.DataFrame) -> pd.DataFrame:
    r"""List what became of each file and each row that `surefoot.read_runs` found.

    Parameters
    ----------
    runs : DataFrame
        The table that `surefoot.read_runs` returned, with all its rows and its `attrs`.

    Returns
    -------
    DataFrame
        A table with the columns file, outcome, reason, algorithm, environment, run, kind, metric and rows. The outcome
        is "used", "averaged" (with other rows of the same run and step), "left out", "no score" (a job that began and
        left no score), "not asked for" (excluded by an option), "second record" (a run that was read from another
        file), "not logged" (rows that only have values of other columns), "other file" (not a log of scores) or
        "hidden" (in a hidden folder). rows is missing for whole files; for a hidden folder it is the number of files.
        The name of a run includes its hyperparameters if the runs were read with some, as in "0, lr=0.01".

    Raises
    ------
    HintedError
        If a column is missing.

    Notes
    -----
    Source: the files of the folder, and the rows of the table.

    Examples
    --------
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> from surefoot import read_runs, reading_account
    >>> with TemporaryDirectory() as folder:
    ...     lines = ["algorithm,environment,seed,step,return", "ppo,maze,0,100,1.5", "ppo,maze,0,200,2.5"]
    ...     _ = Path(folder, "scores.csv").write_text("\n".join([*lines, ""]))
    ...     _ = Path(folder, "notes.txt").write_text("Trained on Friday.")
    ...     runs = read_runs(folder)
    >>> reading_account(runs)[["file", "outcome", "run", "rows"]]
             file     outcome run  rows
    0   notes.txt  other file      <NA>
    1  scores.csv        used   0     2
    """
    check_runs("runs", runs)
    others = pd.DataFrame(entries_of(runs), columns=Entry._fields).drop(columns="place")
    settings = [name for name in runs.attrs.get(HYPERPARAMETERS, ()) if name in runs]
    used = _counted(runs, ["source", *_RUN, "kind", "metric", *settings]).rename(columns={"source": "file"})
    for name in settings:  # every setting with the same seed is a separate run
        used["run"] = used["run"].astype(str) + f", {name}=" + used.pop(name).astype(str)
    account = pd.concat([used.assign(outcome=USED), others.astype({"rows": "Int64"})], ignore_index=True)
    missing = [name for name in COLUMNS if name not in account]
    account = account.assign(**dict.fromkeys(missing, ""))[list(COLUMNS)]
    texts = account.drop(columns="rows").fillna("").astype(str)
    if not runs.attrs.get("kind_is_stated", True):  # if not stated, the kind "train" is only a guess
        texts["kind"] = ""
    account = texts.assign(rows=account["rows"].astype("Int64"))
    return account.sort_values(["file", "outcome"], kind="stable", ignore_index=True)


def entries_of(runs: pd.DataFrame) -> list[Entry]:
    """Return the entries stored in the `attrs` of a run table."""
    return [Entry(*entry) for entry in json.loads(runs.attrs.get(ACCOUNT, "[]"))]


def _counted(rows: pd.DataFrame, columns: Sequence[str]) -> pd.DataFrame:
    """Count the rows for each combination of values in some columns, ignoring columns that the table lacks."""
    plain = pd.DataFrame({name: rows[name] for name in columns if name in rows})
    return plain.groupby(list(plain), sort=False, observed=True).size().astype("Int64").rename("rows").reset_index()


def entries_of_rows(rows: pd.DataFrame, outcome: str, reason: str) -> list[Entry]:
    """Return entries for rows that do not become points, one for each run, kind and metric.

    Parameters
    ----------
    rows : columns source, algorithm, environment, run, kind, metric
    """
    by_run = len(rows.drop_duplicates(_RUN)) <= _MOST_RUNS
    counts = _counted(rows, ["source", *(_RUN if by_run else []), "kind", "metric"]).astype({"rows": int})
    records = counts.rename(columns={"source": "file"}).to_dict("records")
    return [Entry(**{name: str(record[name]) for name in record if name != "rows"}, outcome=outcome, reason=reason,
                  rows=record["rows"]) for record in records]  # fmt: skip


def kept_entries(
    entries: Iterable[Entry], names: Mapping[str, Mapping[str, str]], called: Callable[[str], str] = str
) -> str:
    """Return entries as JSON for `attrs`, completed with the names of their runs.

    names : algorithm, environment and run by path of the run, for paths with a single run
    called : function that converts the name of a run to its name in the table
    """
    named: list[list[str | int | None]] = []
    for entry in dict.fromkeys(entries):
        of_run = {name: entry.of_run(name, names) for name in _RUN}
        of_run["run"] = called(of_run["run"])
        named.append(list(Entry(**(entry._asdict() | of_run))))
    return json.dumps(named)


def jobs_without_scores(
    files: Iterable[Path], jobs: Iterable[Path], read: Iterable[Path], named: Iterable[str]
) -> list[Path]:
    """Return the folders of jobs that began and left no score.

    Folders with a configuration count as jobs. Configurations are recognized by the file names that runs with scores
    use.

    Parameters
    ----------
    files : all files of the folder
    jobs : folders that Hydra created for jobs
    read : files from which scores were read, or whose outcome is already recorded
    named : possible names of configurations
    """
    with_scores = {folder for path in read for folder in path.parents}
    beside = {path.parent for path in read}
    of_runs: set[str] = set()
    candidates: list[tuple[Path, str]] = []
    configurations = set(named)
    for path in files:
        if path.name in configurations:
            if path.parent in with_scores or path.parent.parent in beside:
                of_runs.add(path.name)
            else:
                candidates.append((path.parent, path.name))
    began = [folder for folder, name in candidates if name in of_runs]
    began += [folder for folder in jobs if folder not in with_scores]
    return sorted(set(began))


def account_sentence(account: pd.DataFrame, most_files: int = _LISTED) -> str:
    """Summarize the table from `reading_account` in a few sentences.

    Parameters
    ----------
    most_files : maximum number of files listed per reason; 0 lists no files, as in a methods section
    """
    return " ".join(f"{sentence}." for sentence in _sentences(account, most_files))


def _sentences(account: pd.DataFrame, most_files: int) -> list[str]:
    """Return the sentences of `account_sentence` without full stops."""
    used = account[account["outcome"] == USED]
    runs = counted(len(used.drop_duplicates(_RUN)), "run")
    scores = counted(int(used["rows"].sum()), "score")
    files = counted(used["file"].nunique(), "file")
    return [f"{runs} with {scores} were read from {files}", *_other_sentences(account, most_files)]


def _other_sentences(account: pd.DataFrame, most_files: int) -> list[str]:
    """Return one sentence per outcome, except for the outcome "used"."""
    is_whole = not account["outcome"].isin(LOSSES).any()
    sentences = ["Nothing was left out"] if is_whole else []
    others = account[account["outcome"] != USED]
    for outcome, (_, heading) in OUTCOMES.items():
        parts = others[others["outcome"] == outcome].groupby("reason", sort=False)
        texts = [_reason_in_words(str(reason), part, most_files) for reason, part in parts]
        sentences += [f"{heading}: {', '.join(texts)}"] if texts else []
    return sentences


def _reason_in_words(reason: str, part: pd.DataFrame, most_files: int) -> str:
    """Describe the number of files, jobs or rows with the same outcome and reason."""
    files = list(dict.fromkeys(part["file"]))
    number = counted(len(files), "file")
    if (part["outcome"] == HIDDEN).all():
        number = counted(int(part["rows"].sum()), "file")
    elif (part["outcome"] == NO_SCORE).all():
        number = counted(len(part.drop_duplicates(["file", *_RUN])), "job")
    elif part["rows"].notna().all():
        number = f"{counted(int(part['rows'].sum()), 'row')} of {number}"
    details = [text for text in (reason, listed(files, most_files) if most_files else "") if text]
    return f"{number} ({': '.join(details)})" if details else number


def account_lines(account: pd.DataFrame) -> list[str]:
    """Summarize the table from `reading_account` in lines for a terminal."""
    return [f"account: {sentence}" for sentence in _sentences(account, _LISTED)]


def account_summary(account: pd.DataFrame) -> dict[str, Any]:
    """Summarize the table from `reading_account` as plain data for a page and a methods section.

    Returns
    -------
    a dict with the keys "sentence" and "rows"; there is one row per outcome, reason and kind, with the numbers of files
    and rows, and the first files
    """
    rows = []
    order = account["outcome"].map(list(OUTCOMES).index)
    for (outcome, reason, kind), part in account.iloc[order.argsort(kind="stable")].groupby(
        ["outcome", "reason", "kind"], sort=False
    ):
        files = list(dict.fromkeys(part["file"]))
        number = int(part["rows"].sum()) if part["rows"].notna().all() else None
        sizes = {"files": number, "rows": None} if outcome == HIDDEN else {"files": len(files), "rows": number}
        which = listed(files, _LISTED_ON_PAGES if outcome in LOSSES else _LISTED)
        rows.append({"outcome": outcome, "meaning": OUTCOMES[str(outcome)][0], "reason": reason, "kind": kind,
                     **sizes, "which": which})  # fmt: skip
    # Files that are not logs are irrelevant to the scores that a paper reports.
    of_logs = account[~account["outcome"].isin([OTHER_FILE, HIDDEN])]
    return {"sentence": account_sentence(of_logs, 0), "rows": rows}


def refuse_losses(where: str, account: pd.DataFrame) -> None:
    """Raise an InputError if anything was left out, or if a job left no score."""
    losses = account[account["outcome"].isin(LOSSES)]
    if len(losses):
        sentences = "; ".join(_other_sentences(losses, _LISTED))
        hint = "fix or move these files, select with --score-kind, --format or --files, or leave --strict out"
        raise InputError(where, f"--strict: {sentences[:1].lower()}{sentences[1:]}", hint)
