"""Published numbers beside ours on a page: what is not reproduced first, and the rest in folds below it."""

from collections.abc import Mapping, Sequence
from typing import Any

from surefoot.reporting.page import Fragment, export_menu, rows
from surefoot.reporting.table import Column, table_html

_OPEN = ("differs", "explained")
_FOLDED = ("not testable", "reproduced")
_HEADINGS = {
    "Published number or claim": "label",
    "Verdict": "verdict",
    "Published": "published",
    "Ours": "ours",
    "Tolerance": "tolerance",
    "Detectable from": "detectable",
    "Explains up to": "allowed",
    "Reason": "reason",
}
_TEXTS = ("label", "verdict", "reason")
FEW = 12
"""Rows: so few are shown as one table without a fold."""


def published_table(name: str, ours: str = "") -> Fragment:
    """Every published number with its verdict, ours, what would have been noticed, and the reason of a difference.

    Parameters
    ----------
    name : a table with the columns label, claim and published, and, after the prefix `ours`, those named ours, verdict,
        tolerance, detectable, reason and allowed of a comparison; rows without a verdict are left out
    ours : "record_" for what the large run says where the table has both
    """
    records = [_shown(row, ours) for row in rows(name) if row[f"{ours}verdict"] is not None]
    by_verdict = {verdict: [row for row in records if row["verdict"] == verdict] for verdict in (*_OPEN, *_FOLDED)}
    first = [row for verdict in _OPEN for row in by_verdict[verdict]]
    if len(records) <= FEW:
        first, by_verdict = [row for group in by_verdict.values() for row in group], {}
    parts = [table_html(first, _columns(first))] if first else ["<p>None differs, and none has to be explained.</p>"]
    for verdict in _FOLDED:
        if group := by_verdict.get(verdict):
            summary = f"<summary>{len(group):,} {verdict}</summary>"
            parts.append(f'<details class="fold">{summary}\n{table_html(group, _columns(group))}</details>')
    return Fragment("\n".join([*parts, export_menu(name)]))


def counted_verdicts(name: str, ours: str = "") -> str:
    """How many published numbers of a table have each verdict: "54 reproduced, 17 not testable, 1 differs"."""
    verdicts = [row[f"{ours}verdict"] for row in rows(name)]
    counts = {verdict: verdicts.count(verdict) for verdict in ("reproduced", "explained", "not testable", "differs")}
    words = {"differs": "differs" if counts["differs"] == 1 else "differ"}
    return ", ".join(f"{count:,} {words.get(verdict, verdict)}" for verdict, count in counts.items() if count) or "none"


def _shown(row: Mapping[str, Any], ours: str) -> dict[str, Any]:
    shown = {
        key: row.get(f"{ours}{key}") for key in ("ours", "verdict", "tolerance", "detectable", "reason", "allowed")
    }
    shown |= {"label": row["label"], "published": row["published"]}
    if row["claim"]:  # whose answers are 1 and 0
        shown |= {key: bool(shown[key]) for key in ("published", "ours") if shown[key] in (0, 1)}
        shown |= {"tolerance": None, "detectable": None, "allowed": None}
    return shown


def _columns(records: Sequence[Mapping[str, Any]]) -> list[Column]:
    """The columns of which these rows have something."""
    return [
        Column(heading, key, format="" if key in _TEXTS else "figures")
        for heading, key in _HEADINGS.items()
        if any(row[key] not in (None, "") for row in records)
    ]
