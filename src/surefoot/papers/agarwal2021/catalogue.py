"""Catalogue of the figures and tables for the study of this paper, and labels of its published numbers.

Importing this module is fast.
"""

from surefoot.charts.drawing import (
    ANALYSES,
    NOT_AT_HAND,
    PUBLISHED,
    Comparison,
    Drawing,
    Need,
    answered,
    answers_of,
    figure,
    reproduction,
    shown_by,
)

_TRIMMED = "Error of cutting 10 to 30 %, above the least error, in %: {0}, "

LABELS = {
    "median": "Median of {0}, Atari 100k",
    "mean": "Mean of {0}, Atari 100k",
    "rank_percent": "Probability of rank {2}, %: {1}, DM Control, {0} steps",
    "probability_of_improvement": "Probability that {0} improves on {1}",
    "bias": "Bias of the {0} of {1} with 5 runs",
    "bias_percent_of_improvement": "Bias of {0} in % of its gain over DrQ(eps)",
    "runs_needed": "Runs that show a lift of {1} % by the {0}",
    "lift_low": "Lower end of the observed lift by the {0}, %: true lift {1} %, {2} runs",
    "lift_percent_possible": "Lift in % that the {0} of {1} runs can show if there is none",
    "protocol": "Expected {0} of {1}, 100 runs",
    "difference_of_5": "Difference of medians of 5 runs, {0} minus {1}: {2} end of its range",
    "best/difficulty_progress": "Highest difficulty progress, Atari 200M",
    "best/probability_above": "Highest superhuman probability, Atari 200M",
    "excess_error_percent/whole_runs": f"{_TRIMMED}whole runs drawn",
    "excess_error_percent/runs": f"{_TRIMMED}runs drawn game by game",
}
"""Labels of published numbers, by item. Labels of claims are in the table of published numbers."""

_AGARWAL2021 = "surefoot.papers.agarwal2021"
_HUMAN = "human-normalized score"
_COMPARED = (
    *("all_runs", "coverage", "figure_10_left", "figure_11a", "figure_11b", "figure_11c", "figure_12_right"),
    *("figure_2_left", "figure_4", "figure_5", "figure_7", "figure_9", "figure_a15", "figure_a16", "figure_a18"),
    *(
        "figure_a20",
        "figure_a22",
        "figure_a25",
        "figure_a29",
        "figure_a30",
        "figure_a31",
        "figure_a32",
        "shared_run_test",
    ),
    "subsample_metrics",
)
"""Questions whose results are compared with published numbers."""

COMPARISONS = {
    "agarwal2021": {
        "run": Comparison(
            f"{_AGARWAL2021}.comparison:comparison", {"published": PUBLISHED, "answers": answers_of(_COMPARED)}
        )
    }
}
DRAWINGS: dict[str, dict[str, Drawing]] = {
    "agarwal2021": {
        "figure_published": figure(
            f"{_AGARWAL2021}.question_charts:figure_published",
            {"published": PUBLISHED, "table": Need("answer", "all_runs")},
            NOT_AT_HAND,
        ),
        "figure_first_runs": figure(
            f"{_AGARWAL2021}.question_charts:figure_first_runs",
            {
                "effects": Need("answer", "shared_run_test"),
                "first": Need("answer", "figure_a30"),
                "subsamples": Need("answer", "subsample_metrics"),
            },
            NOT_AT_HAND,
        ),
        "figure_2_left": answered(
            shown_by("subsample_densities"),
            Need("answer", "figure_2_left"),
            axis=f"median {_HUMAN}",
            description="Densities of the median score of few runs of each algorithm",
        ),
        "figure_2_right": answered(shown_by("subsample_metrics"), Need("answer", "subsample_metrics")),
        "figure_4": answered(shown_by("lifts"), Need("answer", "figure_4")),
        "figure_5": answered(
            shown_by("protocols"),
            Need("answer", "figure_5"),
            axis=_HUMAN,
            description="DER and CURL by protocols that report the final evaluation or a maximum",
        ),
        "figure_7": answered(shown_by("performance_profiles"), Need("answer", "figure_7"), axis=_HUMAN, pointwise=True),
        "figure_9": answered(shown_by("aggregate_metrics"), Need("answer", "figure_9")),
        "figure_10_left": answered(
            shown_by("performance_profiles"), Need("answer", "figure_10_left"), axis=_HUMAN, pointwise=True
        ),
        "figure_11a": figure(
            f"{_AGARWAL2021}.question_charts:figure_11a",
            {"published": Need("answer", "figure_11a"), "runs": Need("answer", "figure_a31")},
            NOT_AT_HAND,
        ),
        "figure_11b": answered(
            shown_by("performance_profiles"),
            Need("answer", "figure_11b"),
            axis="score, in thousands,",
            step=True,
            pointwise=True,
        ),
        "figure_11c": answered(shown_by("rank_probabilities"), Need("answer", "figure_11c")),
        "figure_12_right": answered(
            shown_by("probability_of_improvement", "pairs_chart"), Need("answer", "figure_12_right")
        ),
        "figure_a15": answered(shown_by("differences"), Need("answer", "figure_a15")),
        "figure_a16": answered(shown_by("trimmed_errors"), Need("answer", "figure_a16")),
        "figure_a18": answered(
            shown_by("task_coverages"),
            Need("answer", "figure_a18"),
            description="Coverage of nominal 95 % intervals of the mean of each of 26 games",
        ),
        "figure_a19": answered(shown_by("interval_coverage"), Need("answer", "coverage")),
        "figure_a20": answered(shown_by("sample_efficiency"), Need("answer", "figure_a20"), axis=_HUMAN),
        "figure_a22": answered(shown_by("aggregate_metrics"), Need("answer", "figure_a22")),
        "figure_a29": answered(shown_by("probability_of_improvement"), Need("answer", "figure_a29")),
        "figure_a30": answered(shown_by("aggregate_metrics"), Need("answer", "figure_a30")),
        "figure_a32": answered(shown_by("aggregate_metrics"), Need("answer", "figure_a32")),
        "figure_12_left": answered(
            shown_by("performance_profiles"),
            Need("answer", "figure_12_left"),
            axis="score in units of PPO's mean",
            pointwise=True,
        ),
        "figure_a14": answered(
            shown_by("histograms"),
            Need("answer", "figure_a14"),
            description=f"Histograms of the {_HUMAN}s of 100 runs of DER in each of 26 games",
        ),
        "figure_a21": answered(
            shown_by("performance_profiles"),
            Need("answer", "figure_a21"),
            axis="min-max-normalized score",
            pointwise=True,
        ),
        "figure_a26": answered(shown_by("gap_curve"), Need("answer", "figure_a26"), axis=_HUMAN),
        "figure_a27": answered(
            shown_by("performance_profiles"),
            Need("answer", "figure_a27"),
            axis="record-normalized score",
            pointwise=True,
        ),
        "figure_a28": answered(shown_by("probability_of_improvement"), Need("answer", "figure_a28")),
        "figure_a25": answered(shown_by("aggregate_metrics"), Need("answer", "figure_a25")),
        "figure_a31": answered(shown_by("aggregate_metrics"), Need("answer", "figure_a31")),
        "table_analyses": ANALYSES,
        "reproduction": reproduction(LABELS),
    }
}
