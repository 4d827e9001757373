"""Catalogue of the figures and tables for the study of this paper. Importing this module is fast."""

from surefoot.charts.drawing import (
    BANDS,
    MEANS,
    POINTS,
    PUBLISHED,
    RECORD,
    RECORD_COMPARED,
    RUN_COMPARED,
    RUNS,
    SCORES,
    TABLE_KINDS,
    Comparison,
    Drawing,
    Need,
    Needs,
    answered,
    any_study,
    figure,
    reproduction,
    shown_by,
    table,
)

LABELS = {
    "mean": "Mean return of {1}, {0}",
    "mean_low": "Lower limit of the mean return of {1}, {0}",
    "mean_high": "Upper limit of the mean return of {1}, {0}",
    "mean_rank": "Rank of {1}, {0}",
    "mean_rank_low": "Worst rank of {1}, {0}",
    "mean_rank_high": "Best rank of {1}, {0}",
    "game_score": "Aggregate score of {0}",
    "game_score_low": "Lower limit of the aggregate score of {1}, {0}",
    "game_score_high": "Upper limit of the aggregate score of {1}, {0}",
    "game_score_rank": "Rank of {1} by its aggregate score, {0}",
    "game_score_rank_low": "Worst rank of {1} by its aggregate score, {0}",
    "game_score_rank_high": "Best rank of {1} by its aggregate score, {0}",
    "coverage": "{2} by {0} with {1} trials",
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
"""Labels of published numbers and claims. If the paper denies a claim, its published value is 0."""
NAMES = {"failure_rate": "rate of failures", "significance": "proportion of pairs separated"}
"""Labels of the rates in a study of coverage."""

_JORDAN2020 = "surefoot.papers.jordan2020"
_COVERAGE = {name: Need("answer", name) for name in ("as_published", "corrected")}
_RECORDED_INTERVALS = Need("kept", "record_intervals")
_RECORDED_COVERAGE = Need("kept", "record_coverage")
_SCORES: dict[str, Needs] = {
    "points": POINTS,
    "published": PUBLISHED,
    "intervals": SCORES,
    "record": _RECORDED_INTERVALS,
}
_COMPARED = {"run": RUN_COMPARED, "record": RECORD_COMPARED}
_EXPLOITS = {"table": Need("first", "exploits")}
_TUNING = {"table": Need("first", "tuning")}

COMPARISONS = {
    "jordan2020": {
        "run": Comparison(
            f"{_JORDAN2020}.comparison:comparison",
            {
                "published": PUBLISHED,
                "runs": RUNS,
                "points": POINTS,
                "intervals": SCORES,
                "means": MEANS,
                "bands": BANDS,
                "coverage": Need("answer", "as_published"),
                "record": RECORD,
                "recorded_rates": _RECORDED_COVERAGE,
                "other_seeds": Need("kept", "record_seeds"),
            },
        ),
        "record": Comparison(
            f"{_JORDAN2020}.comparison:record_comparison",
            {
                "published": PUBLISHED,
                "record": RECORD,
                "intervals": _RECORDED_INTERVALS,
                "coverage": _RECORDED_COVERAGE,
            },
        ),
    }
}
DRAWINGS: dict[str, dict[str, Drawing]] = {
    "jordan2020": {
        "table_seeds": table(
            f"{_JORDAN2020}.score_figures:table_seeds",
            {"published": PUBLISHED, "record": RECORD_COMPARED, "other_seeds": Need("kept", "record_seeds")},
            "Further trials, with other seeds, of a mean far from the printed one",
        ),
        "figure_3": figure(
            f"{_JORDAN2020}.performance_distributions:figure_3",
            {"published": PUBLISHED, "bands": BANDS, "record": Need("kept", "record_distributions")},
        ),
        "figure_4": figure(
            f"{_JORDAN2020}.performance_distributions:figure_4", {"record": Need("kept", "record_distributions")}
        ),
        **{
            f"figure_appendix_{group}": figure(
                f"{_JORDAN2020}.performance_distributions:figure_appendix", {"runs": RUNS, "bands": BANDS}, group=group
            )
            for group in ("classic_control", "pinball", "gridworld", "chain")
        },
        "figure_5": figure(
            f"{_JORDAN2020}.score_figures:figure_5",
            {**_SCORES, "run_compared": RUN_COMPARED, "record_compared": RECORD_COMPARED},
        ),
        "figure_means": figure(f"{_JORDAN2020}.score_figures:figure_means", _COMPARED),
        "table_5": table(
            f"{_JORDAN2020}.score_figures:table_5", {"published": PUBLISHED}, "Environments and episodes (Table 5)"
        ),
        "figure_coverage": figure(
            f"{_JORDAN2020}.score_figures:figure_coverage",
            {"published": PUBLISHED, **_COVERAGE, "record": _RECORDED_COVERAGE},
        ),
        "table_methods": table(
            f"{_JORDAN2020}.score_figures:table_methods", _SCORES, "Width and guarantee of every kind of interval"
        ),
        "figure_normalizations": figure(
            shown_by("exploits"), _EXPLOITS, "This study does not ask how normalizations can be exploited."
        ),
        "table_exploits": table(
            shown_by("exploits", "table"), _EXPLOITS, "Changes of the ranking under each normalization"
        ),
        "figure_procedures": figure(shown_by("tuning"), _TUNING, "This study does not compare tuning procedures."),
        "table_procedures": table(shown_by("tuning", "table"), _TUNING, "Results of three evaluation procedures"),
        "figure_tuning": answered(
            shown_by("best_of_candidates"),
            Need("first", "best_of_candidates"),
            "This study does not report the best of several trials.",
        )._replace(always_finding=True),
        "reproduction": reproduction(LABELS, NAMES),
        "table_kinds": TABLE_KINDS,
        "table_joint": table(
            f"{_JORDAN2020}.score_figures:table_joint", _COMPARED, "Joint tests of all differences of an environment"
        ),
        "table_summary": table(
            f"{_JORDAN2020}.score_figures:table_summary", _COMPARED, "All differences together, in standard errors"
        ),
        **any_study(),
    },
}
