"""Catalogue of the drawings for the study of this paper, and labels of its published numbers.

This module imports nothing heavy.
"""

from surefoot.charts.drawing import ANALYSES, Comparison, Drawing, analysed, figure, numbers_of, reproduction, shown_by

_TRIMMED = "By how many % cutting 10 to 30 % misses the least error: {0}, "

LABELS = {
    "median": "Median of {0}, Atari 100k",
    "mean": "Mean of {0}, Atari 100k",
    "rank_percent": "Probability of rank {2}, %: {1}, DM Control, {0} steps",
    "improvement": "Probability that {0} improves on {1}",
    "bias": "Bias of the {0} of {1} with 5 runs",
    "bias_percent_of_improvement": "That bias of {0} in % of its gain over DrQ(eps)",
    "runs_needed": "Runs that tell a lift of {1} % by the {0}",
    "lift_low": "Lower end of the observed lift by the {0}, %: true lift {1} %, {2} runs",
    "lift_percent_possible": "Lift that the {0} of {1} runs can show where there is none, %",
    "protocol": "Expected {0} of {1}, 100 runs",
    "difference_of_5": "Difference of medians of 5 runs, {0} less {1}: {2} end of its range",
    "best/difficulty_progress": "Highest difficulty progress, Atari 200M",
    "best/probability_above": "Highest superhuman probability, Atari 200M",
    "excess_error_percent/whole_runs": f"{_TRIMMED}whole runs drawn",
    "excess_error_percent/runs": f"{_TRIMMED}runs drawn game by game",
}
"""Labels of published numbers, by item. The label of a claim is in the table of published numbers."""

_AGARWAL2021 = "surefoot.papers.agarwal2021"
_HUMAN = "human-normalized score"
_AGARWAL2021_NUMBERS = numbers_of(
    *("all_runs", "coverage", "figure_10_left", "figure_11a", "figure_11b", "figure_11c", "figure_12_right"),
    *("figure_2_left", "figure_4", "figure_5", "figure_7", "figure_9", "figure_a15", "figure_a16", "figure_a18"),
    *("figure_a20", "figure_a22", "figure_a25", "figure_a29", "figure_a30", "figure_a31", "figure_a32", "run_effects"),
    "subsamples",
)

COMPARISONS = {
    "agarwal2021": {"run": Comparison(f"{_AGARWAL2021}.comparison:comparison", ("published",), _AGARWAL2021_NUMBERS)}
}
DRAWINGS: dict[str, dict[str, Drawing]] = {
    "agarwal2021": {
        "figure_published": figure(
            f"{_AGARWAL2021}.question_charts:figure_published", ("published",), numbers_of("all_runs")
        ),
        "figure_first_runs": figure(
            f"{_AGARWAL2021}.question_charts:figure_first_runs",
            (),
            numbers_of("figure_a30", "run_effects", "subsamples"),
        ),
        "figure_2_left": analysed(
            shown_by("subsample_densities"),
            "figure_2_left",
            axis=f"median {_HUMAN}",
            description="Densities of the median score of few runs of each algorithm",
        ),
        "figure_2_right": analysed(shown_by("subsamples"), "subsamples"),
        "figure_4": analysed(shown_by("lifts"), "figure_4"),
        "figure_5": analysed(
            shown_by("protocols"),
            "figure_5",
            axis=_HUMAN,
            description="DER and CURL by protocols that report the final evaluation or a maximum",
        ),
        "figure_7": analysed(shown_by("profiles"), "figure_7", axis=_HUMAN, pointwise=True),
        "figure_9": analysed(shown_by("aggregates"), "figure_9"),
        "figure_10_left": analysed(shown_by("profiles"), "figure_10_left", axis=_HUMAN, pointwise=True),
        "figure_11a": figure(f"{_AGARWAL2021}.question_charts:figure_11a", (), numbers_of("figure_11a", "figure_a31")),
        "figure_11b": analysed(
            shown_by("profiles"), "figure_11b", axis="score, in thousands,", step=True, pointwise=True
        ),
        "figure_11c": analysed(shown_by("ranks"), "figure_11c"),
        "figure_12_right": analysed(shown_by("improvement", "pairs_chart"), "figure_12_right"),
        "figure_a15": analysed(shown_by("differences"), "figure_a15"),
        "figure_a16": analysed(shown_by("trimmed_errors"), "figure_a16"),
        "figure_a18": analysed(
            shown_by("task_coverages"),
            "figure_a18",
            description="Coverage of nominal 95 % intervals of the mean of each of 26 games",
        ),
        "figure_a19": analysed(shown_by("coverages"), "coverage"),
        "figure_a20": analysed(shown_by("sample_efficiency"), "figure_a20", axis=_HUMAN),
        "figure_a22": analysed(shown_by("aggregates"), "figure_a22"),
        "figure_a29": analysed(shown_by("improvement"), "figure_a29"),
        "figure_a30": analysed(shown_by("aggregates"), "figure_a30"),
        "figure_a32": analysed(shown_by("aggregates"), "figure_a32"),
        "figure_12_left": analysed(
            shown_by("profiles"), "figure_12_left", axis="score in units of PPO's mean", pointwise=True
        ),
        "figure_a14": analysed(
            shown_by("histograms"),
            "figure_a14",
            description=f"Histograms of the {_HUMAN}s of 100 runs of DER in each of 26 games",
        ),
        "figure_a21": analysed(shown_by("profiles"), "figure_a21", axis="min-max-normalized score", pointwise=True),
        "figure_a26": analysed(shown_by("gap_curve"), "figure_a26", axis=_HUMAN),
        "figure_a27": analysed(shown_by("profiles"), "figure_a27", axis="record-normalized score", pointwise=True),
        "figure_a28": analysed(shown_by("improvement"), "figure_a28"),
        "figure_a25": analysed(shown_by("aggregates"), "figure_a25"),
        "figure_a31": analysed(shown_by("aggregates"), "figure_a31"),
        "table_analyses": ANALYSES,
        "reproduction": reproduction(LABELS),
    }
}
