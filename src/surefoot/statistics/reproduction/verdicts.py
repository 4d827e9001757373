"""Verdicts on published numbers, and descriptions of verdicts for readers.

This module is imported by pages, so it does not import other libraries.
"""

from collections import Counter
from collections.abc import Iterable, Mapping

VERDICTS = ("contradicted", "differs", "reproduced", "explained", "undecided")
EXCEPTIONS = ("contradicted", "differs", "explained")
"""Verdicts that pages list first, in this order."""
OTHERS = ("undecided", "reproduced")
TOO_FEW = "too few runs or samples to decide it"
"""Beginning of the reason if a claim is contradicted, but by too few runs or samples to be sure."""

_IN_WORDS = {"explained": "cause known", "the paper": "the paper's runs"}


def verdict_in_words(verdict: str, undecided_by: str = "") -> str:
    """Return a verdict in words; for an undecided number, with the side that has too few runs.

    Examples
    --------
    >>> verdict_in_words("undecided", "our runs")
    'undecided: our runs'
    """
    return ": ".join(_IN_WORDS.get(word, word) for word in (verdict, undecided_by) if word)


def verdict_counts(verdicts: Iterable[str]) -> dict[str, int]:
    """Count each of VERDICTS."""
    counts = Counter(verdicts)
    return {verdict: counts[verdict] for verdict in VERDICTS}


def contradictions(table: Mapping[str, Iterable[str]]) -> str:
    """Describe how many claims are contradicted, and why; empty if none are.

    Parameters
    ----------
    table : columns item, verdict and reason, as a DataFrame or a dict of lists

    Examples
    --------
    >>> table = {"item": ["claim/a", "claim/b"], "verdict": ["contradicted", "reproduced"]}
    >>> contradictions(table | {"reason": ["our runs decide against it", ""]})
    '1 of 2 claims came out the other way (our runs decide against it: 1)'
    """
    claims = sum(item.startswith("claim/") for item in table["item"])
    pairs = zip(table["verdict"], table["reason"], strict=True)
    reasons = [reason for verdict, reason in pairs if verdict == "contradicted"]
    causes = Counter(TOO_FEW if reason.startswith(TOO_FEW) else reason for reason in reasons)
    if not causes:
        return ""
    why = "; ".join(f"{cause}: {count}" for cause, count in causes.most_common())
    return f"{len(reasons)} of {claims} claims came out the other way ({why})"
