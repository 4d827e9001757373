"""The account of a folder that was read: what became of each file and of each row with a score."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import pandas as pd

from surefoot.build.errors import InputError
from surefoot.columns import check_runs
from surefoot.errors import listed
from surefoot.rounding import counted

ACCOUNT = "account"
"""The key of a table's `attrs` under which the entries of what did not become a row of it are kept, as JSON."""
COLUMNS = ("file", "outcome", "reason", "algorithm", "environment", "run", "kind", "metric", "rows")
USED, AVERAGED, LEFT_OUT, NO_SCORE = "used", "averaged", "left out", "no score"
NOT_ASKED, SECOND_RECORD, OTHER_FILE = "not asked for", "second record", "other file"
OUTCOMES: Mapping[str, str] = {
    USED: "became points of a run",
    AVERAGED: "was averaged with other rows of the same run and step",
    LEFT_OUT: "could have been used, and was not",
    NO_SCORE: "belongs to a job that began and left no score",
    NOT_ASKED: "was excluded by an option",
    SECOND_RECORD: "records a run again that was read from another file",
    OTHER_FILE: "is no log of scores",
}
LOSSES = (LEFT_OUT, NO_SCORE)
"""Outcomes that `--strict` refuses."""
_RUN = ["algorithm", "environment", "run"]
_MOST_RUNS = 10_000
"""Runs up to which rows that are left out are listed run by run, and not file by file."""
_LISTED = 3


class Entry(NamedTuple):
    """What became of a file, or of some of its rows, that are not points of the table.

    file : path below the folder that was read
    outcome : one of `OUTCOMES`
    reason : in a few words; the same words for the same reason
    place : the path of the run, by which its names are looked up
    rows : how many rows with a score, or None for a whole file
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
        """Return the algorithm, environment or run: its own, else that of its place among `names`, else ""."""
        return str(getattr(self, name)) or names.get(self.place, {}).get(name, "")


def reading_account(runs: pd.DataFrame) -> pd.DataFrame:
    """Return what became of each file and each row that `surefoot.read_runs` found.

    Parameters
    ----------
    runs : the table that `surefoot.read_runs` returned, with all its rows and its `attrs`

    Returns
    -------
    a table with the columns file, outcome, reason, algorithm, environment, run, kind, metric and rows. The outcome is
    "used", "averaged" (with other rows of the same run and step), "left out", "no score" (a job that began and left
    none), "not asked for" (excluded by an option), "second record" (of a run that another file has) or "other file"
    (no log of scores). rows counts rows with a score; it is missing for whole files

    Raises
    ------
    HintedError : the table lacks a column

    Source: the files of the folder, and the rows of the table.
    """
    check_runs("runs", runs)
    entries = [Entry(*entry) for entry in json.loads(runs.attrs.get(ACCOUNT, "[]"))]
    others = pd.DataFrame(entries, columns=Entry._fields).drop(columns="place")
    used = _counted(runs, ["source", *_RUN, "kind", "metric"]).rename(columns={"source": "file"})
    found = pd.concat([used.assign(outcome=USED), others.astype({"rows": "Int64"})], ignore_index=True)
    missing = [name for name in COLUMNS if name not in found]
    found = found.assign(**dict.fromkeys(missing, ""))[list(COLUMNS)]
    texts = found.drop(columns="rows").fillna("").astype(str)
    found = texts.assign(rows=found["rows"].astype("Int64"))
    return found.sort_values(["file", "outcome"], kind="stable", ignore_index=True)


def _counted(rows: pd.DataFrame, columns: Sequence[str]) -> pd.DataFrame:
    """Return the number of rows for each combination of these columns, as far as there are such columns."""
    plain = pd.DataFrame({name: rows[name] for name in columns if name in rows})
    return plain.groupby(list(plain), sort=False, observed=True).size().astype("Int64").rename("rows").reset_index()


def entries_of_rows(rows: pd.DataFrame, outcome: str, reason: str) -> list[Entry]:
    """Return an entry for each run, kind and metric of some rows that do not become points.

    Parameters
    ----------
    rows : columns source, algorithm, environment, run, kind, metric
    """
    by_run = len(rows.drop_duplicates(_RUN)) <= _MOST_RUNS
    counts = _counted(rows, ["source", *(_RUN if by_run else []), "kind", "metric"]).astype({"rows": int})
    records = counts.rename(columns={"source": "file"}).to_dict("records")
    return [Entry(**{name: str(record[name]) for name in record if name != "rows"}, outcome=outcome, reason=reason,
                  rows=record["rows"]) for record in records]  # fmt: skip


def kept_entries(entries: Iterable[Entry], names: Mapping[str, Mapping[str, str]]) -> str:
    """Return entries as `attrs` keep them, with the names of the runs at their places.

    names : algorithm, environment and run by place, where all that is read there is of one run
    """
    named: list[list[str | int | None]] = []
    for entry in dict.fromkeys(entries):
        of_run = {name: entry.of_run(name, names) for name in _RUN}
        named.append(list(Entry(**(entry._asdict() | of_run))))
    return json.dumps(named)


def jobs_without_scores(
    files: Iterable[Path], jobs: Iterable[Path], read: Iterable[Path], named: Iterable[str]
) -> list[Path]:
    """Return the folders of jobs that began and left no score.

    A job has a folder with a configuration. Which files are configurations is known from the runs that have scores.

    Parameters
    ----------
    files : all files of the folder
    jobs : folders that Hydra made for jobs
    read : files that scores were read from, or that are accounted for already
    named : names of files that are configurations
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


def account_sentence(account: pd.DataFrame) -> str:
    """Return the summary of an account in a sentence or two, for a page and for a section on methods."""
    of = {outcome: account[account["outcome"] == outcome] for outcome in OUTCOMES}
    used, left_out = of[USED], of[LEFT_OUT]
    runs = len(used.drop_duplicates(_RUN))
    points = int(used["rows"].sum())
    text = f"{counted(runs, 'run')} with {counted(points, 'score')} from {counted(used['file'].nunique(), 'file')}."
    parts = [_losses(left_out)] if len(left_out) else []
    if len(of[NO_SCORE]):
        jobs = list(dict.fromkeys(of[NO_SCORE]["file"]))
        began = "job began and left no score" if len(jobs) == 1 else "jobs began and left no score"
        parts.append(f"{len(jobs):,} {began} ({listed(jobs, _LISTED)})")
    return f"{text} {'; '.join(parts)}." if parts else f"{text} Nothing was left out."


def _losses(left_out: pd.DataFrame) -> str:
    """Return how many files and rows were left out for each reason."""
    texts = []
    for reason, part in left_out.groupby("reason", sort=False):
        files = list(dict.fromkeys(part["file"]))
        rows = part["rows"]
        number = counted(len(files), "file") if rows.isna().any() else f"{counted(int(rows.sum()), 'row')} of "
        number += "" if rows.isna().any() else counted(len(files), "file")
        texts.append(f"{number} ({reason}: {listed(files, _LISTED)})")
    return f"Left out: {', '.join(texts)}"


def account_lines(account: pd.DataFrame) -> list[str]:
    """Return the summary of an account as lines for a terminal."""
    first, _, rest = account_sentence(account).partition(". ")
    others = [
        f"{account.loc[account['outcome'] == outcome, 'file'].nunique():,} {said}"
        for outcome, said in ((SECOND_RECORD, "second records of these runs"), (OTHER_FILE, "other files"))
        if (account["outcome"] == outcome).any()
    ]
    return [f"account: {'; '.join([first, *others])}", *(f"account: {part}" for part in rest.split("; "))]


def refuse_losses(where: str, account: pd.DataFrame) -> None:
    """Raise an InputError where something was left out, or a job left no score."""
    losses = account[account["outcome"].isin(LOSSES)]
    if len(losses):
        said = account_sentence(account).partition(". ")[2].rstrip(".")
        hint = "mend or move these files, choose by --kind, --format or --files, or leave --strict out"
        raise InputError(where, f"--strict: {said[:1].lower()}{said[1:]}", hint)
