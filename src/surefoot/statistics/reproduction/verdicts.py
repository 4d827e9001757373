"""Verdicts on published numbers, and descriptions of verdicts for readers.

This module is imported by pages, so it does not import other libraries.
"""

from collections import Counter
from collections.abc import Iterable, Mapping

from surefoot.errors import conjugated

VERDICTS = ("contradicted", "differs", "reproduced", "explained", "undecided")
EXCEPTIONS = ("contradicted", "differs", "explained")
"""Verdicts that pages list first, in this order."""
OTHERS = ("undecided", "reproduced")
TOO_FEW = "our runs or samples are too few to decide it"
"""Beginning of the reason if a claim is contradicted, but by too few runs or samples to be sure."""

_IN_WORDS = {"explained": "cause known"}
_UNDECIDED_BY = {"our runs": "our runs are too few", "the paper": "the paper's numbers are too uncertain"}


def verdict_in_words(verdict: str, undecided_by: str = "") -> str:
    """Return a verdict in words; for an undecided number, also why it is undecided.

    Examples
    --------
    >>> verdict_in_words("undecided", "our runs")
    'undecided, since our runs are too few'
    """
    why = f", since {_UNDECIDED_BY[undecided_by]}" if undecided_by else ""
    return f"{_IN_WORDS.get(verdict, verdict)}{why}"


def verdict_counts(verdicts: Iterable[str]) -> dict[str, int]:
    """Count each of VERDICTS."""
    counts = Counter(verdicts)
    return {verdict: counts[verdict] for verdict in VERDICTS}


def contradictions(table: Mapping[str, Iterable[str]]) -> str:
    """Return one sentence on how many claims are contradicted, and one for each reason; empty if none are.

    Parameters
    ----------
    table : columns item, verdict and reason, as a DataFrame or a dict of lists

    Examples
    --------
    >>> table = {"item": ["claim/a", "claim/b"], "verdict": ["contradicted", "reproduced"]}
    >>> contradictions(table | {"reason": ["our runs decide against it", ""]})
    '1 of 2 claims is contradicted by our numbers. Our runs decide against it.'
    """
    claims = sum(item.startswith("claim/") for item in table["item"])
    pairs = zip(table["verdict"], table["reason"], strict=True)
    reasons = [reason for verdict, reason in pairs if verdict == "contradicted"]
    causes = Counter(TOO_FEW if reason.startswith(TOO_FEW) else reason for reason in reasons)
    if not causes:
        return ""
    number = len(reasons)
    sentences = [f"{number} of {claims} claims {conjugated('are', number)} contradicted by our numbers."]
    for cause, count in causes.most_common():
        sentences.append(f"{_cases(count, number)}{cause}.")
    return " ".join(f"{sentence[0].upper()}{sentence[1:]}" for sentence in sentences)


def _cases(count: int, number: int) -> str:
    """Return the beginning of a sentence about some of the contradictions; empty if there is only one."""
    if number == 1:
        return ""
    if count == number:
        return "in both cases, " if number == 2 else f"in all {number} cases, "
    return "in one case, " if count == 1 else f"in {count} cases, "
