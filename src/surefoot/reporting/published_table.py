"""Published numbers beside ours on a page: what is not reproduced first, and the rest in folds below it."""

from collections.abc import Mapping, Sequence
from math import floor, isfinite, log10
from typing import Any

from surefoot.reporting.page import Fragment, export_menu, rows
from surefoot.reporting.table import Column, table_html
from surefoot.rounding import DIGITS, figures

_OPEN = ("differs", "explained")
_FOLDED = ("not testable", "reproduced")
FEW = 12
"""Rows: so few are shown as one table without a fold."""
MOST_DIGITS = DIGITS + 1
"""Significant digits of a number that stands in line with others of its kind."""
_LOSS = 0.05
"""Part of a tolerance that rounding it may change."""


def published_table(name: str, ours: str = "") -> Fragment:
    """Every published number with its verdict, ours, what would have been noticed, and the reason of a difference.

    Parameters
    ----------
    name : a table with the columns label, claim and published, and, after the prefix `ours`, those named ours, verdict,
        tolerance, detectable, reason and allowed of a comparison; rows without a verdict are left out
    ours : "record_" for what the large run says where the table has both
    """
    records = [_shown(row, ours) for row in rows(name) if row[f"{ours}verdict"] is not None]
    _in_line(records)
    by_verdict = {verdict: [row for row in records if row["verdict"] == verdict] for verdict in (*_OPEN, *_FOLDED)}
    told = [row for verdict in _OPEN for row in by_verdict[verdict]]
    if len(records) <= FEW:
        told, by_verdict = [row for found in by_verdict.values() for row in found], {}
    parts = [table_html(told, _columns(told))] if told else ["<p>None differs, and none has to be explained.</p>"]
    for verdict in _FOLDED:
        found = by_verdict.get(verdict)
        if found:
            summary = f"<summary>{len(found):,} {verdict}</summary>"
            parts.append(f'<details class="fold">{summary}\n{table_html(found, _columns(found))}</details>')
    return Fragment("\n".join([*parts, export_menu(name)]))


def _shown(row: Mapping[str, Any], ours: str) -> dict[str, Any]:
    shown = {
        key: row.get(f"{ours}{key}") for key in ("ours", "verdict", "tolerance", "detectable", "reason", "allowed")
    }
    shown |= {"label": row["label"], "published": row["published"]}
    if row["claim"]:  # whose answers are 1 and 0
        shown |= {key: bool(shown[key]) for key in ("published", "ours") if shown[key] in (0, 1)}
        shown |= {"tolerance": None, "detectable": None, "allowed": None}
    return shown


def _decimals(shown: Mapping[str, Any]) -> int | None:
    """Decimals of the published number and of ours: those of the published one, or more where the tolerance needs
    them for its second digit; none where a number is too large or too small for decimals.

    No more than give the larger of the two `DIGITS` significant digits, as nothing else on a page has.
    """
    pair = [shown[key] for key in ("published", "ours") if _is_finite(shown[key])]
    if not _is_finite(shown["published"]) or any("e" in figures(number) for number in pair):
        return None
    if all(number == round(number) for number in pair):
        return 0
    decimals = len(figures(shown["published"]).partition(".")[2])
    tolerance = shown["tolerance"]
    needed = 1 - floor(log10(tolerance)) if _is_finite(tolerance) and tolerance > 0 else decimals + 1
    most = DIGITS - 1 - floor(log10(max(map(abs, pair))))
    return max(decimals, min(needed, most))


def _is_finite(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


def _in_line(records: Sequence[dict[str, Any]]) -> None:
    """Add how many decimals each number has: as many in a row, and in all rows of one kind of quantity where none of
    its numbers would have more than `MOST_DIGITS` significant digits."""
    kinds: dict[tuple[str, str], list[tuple[dict[str, Any], int]]] = {}
    for row in records:
        decimals = _decimals(row)
        if decimals is not None:
            kinds.setdefault(_kind(row["label"]), []).append((row, decimals))
    for rows_of_kind in kinds.values():
        most = max(decimals for _, decimals in rows_of_kind)
        pairs = [row[key] for row, _ in rows_of_kind for key in ("published", "ours") if _is_finite(row[key])]
        largest = max(map(abs, pairs))
        fits = largest == 0 or floor(log10(largest)) + 1 + most <= MOST_DIGITS
        for row, own in rows_of_kind:
            decimals = most if fits else own
            row |= {f"{key} decimals": decimals for key in ("published", "ours")}
            for key in ("tolerance", "detectable", "allowed"):
                if _is_finite(row[key]):
                    lost = abs(round(row[key], decimals) - row[key]) > _LOSS * abs(row[key])
                    row |= {f"{key} decimals": None if lost else decimals}
                    row[key] = float(f"{row[key]:.2g}") if lost else row[key]


def _kind(label: str) -> tuple[str, str]:
    """What is measured, and where: ("Mean return", "Acrobot") of "Mean return of PPO, Acrobot"."""
    return label.partition(" of ")[0], label.rpartition(", ")[2] if ", " in label else ""


def _columns(records: Sequence[Mapping[str, Any]]) -> list[Column]:
    """The columns of these rows; reasons only where there are some."""
    numbers = [("Published", "published"), ("Ours", "ours")]
    limits = [("Tolerance", "tolerance"), ("Detectable from", "detectable"), ("Explains up to", "allowed")]
    numbers += [(heading, key) for heading, key in limits if any(row[key] is not None for row in records)]
    columns = [Column("Published number or claim", "label"), Column("Verdict", "verdict")]
    columns += [Column(heading, key, format="figures", decimals=f"{key} decimals") for heading, key in numbers]
    reasons = [Column("Reason", "reason")] if any(row["reason"] for row in records) else []
    return [*columns, *reasons]
