"""What the published numbers and claims of the paper are called."""

_LIMITS = {"": "", "_low": "Lower limit of the ", "_high": "Upper limit of the "}
_RANKS = {"_rank": "", "_rank_low": "worst ", "_rank_high": "best "}


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


LABELS = {
    **{f"mean{end}": _capital(f"{limit}mean return of {{1}}, {{0}}") for end, limit in _LIMITS.items()},
    **{f"mean{end}": _capital(f"{which}rank of {{1}}, {{0}}") for end, which in _RANKS.items()},
    "game_score": "Aggregate score of {0}",
    "game_score_low": "Lower limit of the aggregate score of {1}, {0}",
    "game_score_high": "Upper limit of the aggregate score of {1}, {0}",
    **{
        f"game_score{end}": _capital(f"{which}rank of {{1}} by its aggregate score, {{0}}")
        for end, which in _RANKS.items()
    },
    "coverage": "{2} of {0} with {1} trials",
    "cdf": "Proportion of returns of at most {2}: {1}, {0}",
    "quantile": "{2} quantile of the returns of {1}, {0}",
    "episodes": "Episodes of a trial, {0}",
    "claim/best": "{1} has the highest mean return, {0}",
    "claim/near_optimal": "The best trials of all algorithms are near the optimum, {0}",
    "claim/low_end": "{0} rarely diverges: in most environments its low end is no lower than that of {1}",
    "claim/higher_score": "{0} has a higher aggregate score than {1}",
    "claim/separated": "{1} is above {2} by {0}",
    "claim/unique_ranking": "The trials suffice for a unique ranking by {0}",
    "claim/narrower": "{0} has a narrower interval for {1} than PBP",
    "claim/separates_more": "{0} separates more pairs than PBP",
    "claim/fails_too_often": "{0} fails too often, {1} trials",
    "claim/narrowest": "{0} has the narrowest intervals, {1} trials",
    "claim/never_fails": "{0} never fails, {1} trials",
    "claim/fails_rarely": "{0} fails in at most 5 % of data sets, {1} trials",
    "claim/fails_less": "{0} fails less with {2} trials than with {1}",
    "claim/separates_some": "{0} separates some pairs, {1} trials",
    "claim/separates_all": "{0} separates all pairs that differ, {1} trials",
    "claim/overlap": "The intervals of {1} and {2} overlap, {0}",
    "claim/reliable_everywhere": "Some algorithm solves every environment reliably",
}
"""Of a claim that the paper denies the published answer is no."""
NAMES = {"failure_rate": "rate of failures", "significance": "proportion of pairs separated"}
"""The rates of a study of coverage."""
