"""Published numbers next to ours on a page: numbers that are not reproduced first, the rest in a fold below."""

from collections.abc import Mapping, Sequence
from typing import Any

from surefoot.reporting.page import Fragment, download, rows
from surefoot.reporting.table import Column, table_html
from surefoot.statistics.reproduction.verdicts import contradictions, verdict_counts

_OPEN = ("contradicted", "differs", "explained")
_FOLDED = ("undecided", "reproduced")
_HEADINGS = {
    "Published number or claim": "label",
    "Verdict": "verdict",
    "Published": "published",
    "Ours": "ours",
    "Tolerance": "tolerance",
    "Detectable from": "detectable",
    "Undecided by": "undecided_by",
    "Explains up to": "allowed",
    "Reason": "reason",
}
FEW = 12
"""Most rows of a table that is shown without a fold."""


def published_table(name: str) -> Fragment:
    """Return every published number with its verdict, ours, the detectable difference, and the reason of a difference.

    Parameters
    ----------
    name : a table with the columns label and claim, and those of a comparison
    """
    records = [_shown(row) for row in rows(name)]
    by_verdict = {verdict: [row for row in records if row["verdict"] == verdict] for verdict in (*_OPEN, *_FOLDED)}
    first, others = ([row for verdict in verdicts for row in by_verdict[verdict]] for verdicts in (_OPEN, _FOLDED))
    if len(records) <= FEW:
        first = first + others
        others = []
    parts = (
        [table_html(first, _columns(first))]
        if first
        else ["<p>No claim is contradicted, no number differs, and none has to be explained.</p>"]
    )
    if others:
        counts = ", ".join(f"{len(by_verdict[name]):,} {name}" for name in _FOLDED if by_verdict[name])
        table = table_html(others, _columns(others))
        parts.append(f'<details class="fold"><summary>{counts}</summary>\n{table}</details>')
    return Fragment("\n".join([*parts, download(name)]))


def counted_verdicts(name: str) -> str:
    """Return how many published numbers of a table have each verdict: "54 reproduced, 17 undecided, none differs".

    Claims that came out the other way come first, with why.
    """
    records = rows(name)
    columns = {key: [row[key] or "" for row in records] for key in ("item", "verdict", "reason")}
    counts = verdict_counts(columns["verdict"])
    differs = f"{counts['differs'] or 'none'} {'differ' if counts['differs'] > 1 else 'differs'}"
    others = [
        f"{counts[verdict]:,} {verdict}" for verdict in ("reproduced", "explained", "undecided") if counts[verdict]
    ]
    numbers = ", ".join([*others, differs])
    return "; ".join(filter(None, [contradictions(columns), numbers]))


def _shown(row: Mapping[str, Any]) -> dict[str, Any]:
    shown = {key: row[key] for key in _HEADINGS.values()}
    if row["claim"]:  # published and ours are 1 or 0
        shown |= {key: bool(shown[key]) for key in ("published", "ours") if shown[key] in (0, 1)}
        shown |= {"tolerance": None, "detectable": None, "allowed": None}
    return shown


def _columns(records: Sequence[Mapping[str, Any]]) -> list[Column]:
    """Return the columns in which some row has a value."""
    return [
        Column(heading, key, format="figures")
        for heading, key in _HEADINGS.items()
        if any(row[key] not in (None, "") for row in records)
    ]
