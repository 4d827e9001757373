"""Published numbers next to ours on a page: either those that are not reproduced, or all of them as a ledger."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from surefoot.errors import conjugated
from surefoot.reporting.page import Fragment, download, rows
from surefoot.reporting.table import Column, table_html
from surefoot.rounding import joined, written
from surefoot.statistics.reproduction.verdicts import (
    EXCEPTIONS,
    OTHERS,
    contradictions,
    verdict_counts,
    verdict_in_words,
)

_HEADINGS = {
    "Claim or number": "label",
    "Verdict": "verdict",
    "Published": "published",
    "Ours": "ours",
    "Tolerance": "tolerance",
    "Why": "why",
}
FEW = 12
"""Largest number of rows of a table that is not collapsed."""
LEDGER = "home/ledger"


def published_table(name: str, ledger: str = "") -> Fragment:
    """Return a table of published numbers, ours, and verdicts: contradicted claims first, then other exceptions.

    Parameters
    ----------
    name : a table with the columns of `surefoot.charts.published_numbers.table_reproduction`
    ledger : address of the study's rows in the ledger. A link to them replaces reproduced and undecided numbers, which
        are otherwise in a collapsible block
    """
    records = [_shown(row) for row in rows(name)]
    by_verdict = {verdict: [row for row in records if row["judged"] == verdict] for verdict in (*EXCEPTIONS, *OTHERS)}
    first, others = ([row for verdict in verdicts for row in by_verdict[verdict]] for verdicts in (EXCEPTIONS, OTHERS))
    if len(records) <= FEW:
        first = first + others
        others = []
    parts = (
        [table_html(first, _columns(first))]
        if first
        else ["<p>No claim is contradicted, no number differs, and none has to be explained.</p>"]
    )
    if others:
        counts = ", ".join(f"{len(by_verdict[name]):,} {name}" for name in OTHERS if by_verdict[name])
        if ledger:
            parts.append(f'<p><a href="{ledger}">{counts}: in the ledger</a></p>')
        else:
            table = table_html(others, _columns(others))
            parts.append(f'<details class="fold"><summary>{counts}</summary>\n{table}</details>')
    return Fragment("\n".join([*parts, download(name)]))


def ledger_table() -> Fragment:
    """Return a table of every judged number and claim of all papers, in which each row has an address."""
    records = [_shown(row) for row in rows(LEDGER)]
    columns = [Column(heading, key, format="figures") for heading, key in _HEADINGS.items()]
    columns[0] = columns[0]._replace(link="#{address}")
    columns.insert(-1, Column("Paper", "study", link="{study}.html"))
    return Fragment(f"{table_html(records, columns, anchor='{address}')}\n{download(LEDGER)}")


def contradicted_claims() -> str:
    """Report how many claims of each paper are contradicted, and how many numbers are reproduced."""
    claims: dict[str, list[str]] = {}
    for row in rows(LEDGER, claim=True):
        claims.setdefault(row["paper"], []).append(row["verdict"])
    against = {paper: verdicts.count("contradicted") for paper, verdicts in claims.items()}
    counts = [
        f"{against[paper]} of {len(claims[paper]):,} in {paper}"
        for paper in sorted(claims, key=lambda paper: against[paper], reverse=True)
    ]
    sentences = []
    if claims:
        total = sum(map(len, claims.values()))
        are = conjugated("are", sum(against.values()))
        of_all = f"{sum(against.values()):,} of {total:,} printed claims {are} contradicted by our numbers"
        sentences.append(f"{of_all}: {joined(counts)}.")
    if numbers := [row["verdict"] for row in rows(LEDGER, claim=False)]:
        sentences.append(f"Of {len(numbers):,} printed numbers: {_counts(numbers)}.")
    return " ".join(sentences)


def reversed_orders(records: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return a sentence with both scores for each contradicted claim that one of two algorithms scores higher."""
    by_item = {row["item"]: row for row in records}
    sentences = []
    for item, row in by_item.items():
        is_reversed = item.startswith("claim/higher_score/") and row["verdict"] == "contradicted"
        names = [f"game_score/{name}" for name in item.split("/")[2:]]
        if is_reversed and by_item.keys() >= set(names):
            scores = [by_item[name] for name in names]
            here, printed = (" and ".join(f"{score[side]:.3f}" for score in scores) for side in ("ours", "published"))
            sentences.append(
                f"the claim “{row['label']}” is reversed: the printed scores are {printed}, and ours {here}"
            )
    return sentences


def counted_verdicts(name: str, /, **where: Any) -> str:
    """Return the counts of verdicts in a table, for example "54 reproduced, 17 undecided, none differ".

    Sentences on contradicted claims come first, with reasons.

    Parameters
    ----------
    where : values that select rows, by column
    """
    records = rows(name, **where)
    columns = {key: [row[key] or "" for row in records] for key in ("item", "verdict", "reason")}
    against = contradictions(columns)
    counts = _counts(columns["verdict"])
    return f"{against} The other verdicts: {counts}" if against else counts


def _counts(verdicts: Iterable[str]) -> str:
    """Return the counts of all verdicts except contradictions, such as "54 reproduced, 17 undecided, none differ"."""
    counts = verdict_counts(verdicts)
    differs = f"{counts['differs'] or 'none'} {'differs' if counts['differs'] == 1 else 'differ'}"
    others = [
        f"{counts[verdict]:,} {verdict_in_words(verdict)}"
        for verdict in ("reproduced", "explained", "undecided")
        if counts[verdict]
    ]
    return ", ".join([*others, differs])


def _shown(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row as displayed to readers.

    `judged` is the original verdict, and `verdict` the same in words.
    """
    is_undecided = row["verdict"] == "undecided"
    shown = {
        **row,
        "judged": row["verdict"],
        "verdict": verdict_in_words(row["verdict"], (row["undecided_by"] or "") if is_undecided else ""),
        "why": _missed(row) if is_undecided else row["reason"],
    }
    if row["claim"]:  # published and ours are 1 or 0
        shown |= {key: bool(row[key]) for key in ("published", "ours") if row[key] in (0, 1)} | {"tolerance": None}
    elif row["allowed"] is not None:
        most = written(row["allowed"], "figures")
        shown["why"] = f"{row['reason'] or 'a known cause'} (explains differences up to {most})"
    return shown


def _missed(row: Mapping[str, Any]) -> str:
    """State the difference that would have been detected in an undecided row, and the difference that matters."""
    if row["detectable"] is None or row["detectable"] == float("inf"):
        return "a difference of any size could have been missed"
    missed = f"a difference of up to {written(row['detectable'], 'figures')} could have been missed"
    if row["matters"] is None:
        return missed
    least = f"one of {written(row['matters'], 'figures')}" if row["matters"] > 0 else "any"
    return f"{missed}, and {least} would matter"


def _columns(records: Sequence[Mapping[str, Any]]) -> list[Column]:
    """Return the columns in which at least one row has a value."""
    return [
        Column(heading, key, format="figures")
        for heading, key in _HEADINGS.items()
        if any(row[key] not in (None, "") for row in records)
    ]
