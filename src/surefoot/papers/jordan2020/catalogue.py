"""What can be drawn of the study of this paper; light, as the catalogue is."""

from surefoot.charts.drawing import (
    ALPHA,
    ANSWER,
    ANY_STUDY,
    BANDS,
    BEST,
    COMPARED,
    COMPARED_WHERE_ASKED,
    COVER,
    EXPLOITS,
    MEANS,
    PERCENTILES,
    POINTS,
    RECORD,
    RUN,
    RUNS,
    TUNING,
    Comparison,
    Drawing,
    figure,
    shown_by,
    table,
)

_JORDAN2020 = "surefoot.papers.jordan2020"
_GROUPS = ("classic_control", "pinball", "gridworld", "chain")
_ON_TRUST = {"published/jordan2020": "published", "record/jordan2020": "record"}
"""What the page of trust calls this paper's tables, and what its functions do."""


def _appendix_figure(group: str) -> Drawing:
    title = f"Distributions of performance, {group.replace('_', ' ')} (Appendix I)"
    return figure(f"{_JORDAN2020}.distributions:figure_appendix", (RUNS,), title, BANDS, {"group": group})


COMPARISONS = {
    "jordan2020": {
        "run": Comparison(f"{_JORDAN2020}.comparison:comparison", COMPARED, COMPARED_WHERE_ASKED),
        "record": Comparison(
            f"{_JORDAN2020}.comparison:record_comparison",
            ("published",),
            ("record", "record_coverage", "record_intervals"),
        ),
    }
}
DRAWINGS: dict[str, dict[str, Drawing]] = {
    "jordan2020": {
        "table_seeds": table(
            f"{_JORDAN2020}.differences:table_seeds",
            ("published", RECORD),
            "What trials of other seeds say of the largest difference",
            ("record_seeds",),
        ),
        "figure_3": figure(
            f"{_JORDAN2020}.distributions:figure_3",
            (RUNS, "published"),
            "Distribution functions in cart-pole (Figure 3)",
            (*BANDS, "record_distributions"),
        ),
        "figure_4": figure(
            f"{_JORDAN2020}.distributions:figure_4",
            (RUNS, "published"),
            "Distributions of AC in acrobot by number of trials (Figure 4)",
            (*BANDS, "estimate/sample_distributions", "record_distributions"),
        ),
        "figure_5": figure(
            f"{_JORDAN2020}.scores:figure_5",
            (POINTS, "published"),
            "Aggregate scores with three kinds of intervals (Figure 5)",
            ANSWER,
        ),
        "figure_5_run": figure(
            f"{_JORDAN2020}.scores:figure_5_run",
            (POINTS, "published"),
            "The same of this run, where Figure 5 is of the large one",
            ANSWER,
        ),
        "table_1": table(
            f"{_JORDAN2020}.scores:table_1", (POINTS, "published"), "Aggregate scores and ranks (Table 1)", ANSWER
        ),
        "table_2": table(
            f"{_JORDAN2020}.differences:table_2",
            ("published",),
            "Failure and significance rates of intervals (Table 2)",
            (*COVER, "record_coverage"),
        ),
        "table_5": table(f"{_JORDAN2020}.means:table_5", (RUNS, "published"), "Environments and episodes (Table 5)"),
        **{f"figure_appendix_{group}": _appendix_figure(group) for group in _GROUPS},
        "figure_means": figure(
            f"{_JORDAN2020}.means:figure_means",
            (POINTS, "published"),
            "Mean returns in every environment (Appendix I)",
            (*MEANS, "record"),
        ),
        "table_means": table(
            f"{_JORDAN2020}.means:table_means",
            (POINTS, "published"),
            "Mean returns and ranks in every environment (Appendix I)",
            (*MEANS, "record"),
        ),
        "figure_coverage": figure(
            f"{_JORDAN2020}.differences:figure_coverage",
            (POINTS,),
            "Failures, separated pairs and width of intervals",
            (*COVER, "record_coverage"),
        ),
        "figure_methods": figure(
            f"{_JORDAN2020}.scores:figure_methods",
            (POINTS, "published"),
            "Aggregate scores with every kind of intervals",
            ANSWER,
        ),
        "table_methods": table(
            f"{_JORDAN2020}.scores:table_methods",
            (POINTS, "published"),
            "Width and guarantee of every kind of intervals",
            ANSWER,
        ),
        "figure_normalizations": figure(shown_by("exploits"), (), "Ranks under each normalization", (EXPLOITS,)),
        "table_exploits": table(shown_by("exploits", "table"), (), "What can move the ranking under each", (EXPLOITS,)),
        "table_scenarios": table(
            shown_by("exploits", "scenarios_table"), (), "Pairs turned round in each scenario", (EXPLOITS,)
        ),
        "figure_alpha_rank": figure(shown_by("alpha_rank"), (), "Scores at finite alpha (Appendix B)", (ALPHA,)),
        "figure_tuning": figure(
            shown_by("best_of_candidates"),
            (),
            "What a report of the best trial would claim",
            (BEST,),
            {"answer": BEST},
        ),
        "figure_procedures": figure(shown_by("tuning"), (), "What tuned results would have claimed", (TUNING,)),
        "table_procedures": table(
            shown_by("tuning", "table"), (), "What three procedures of evaluation report", (TUNING,)
        ),
        "figure_run_percentiles": figure(
            shown_by("run_percentiles"),
            (),
            "Percentiles of single runs (Definition 2)",
            (PERCENTILES,),
        ),
        "figure_record": figure(
            f"{_JORDAN2020}.differences:figure_record",
            (RUN, RECORD),
            "Published numbers beside ours, and their differences",
        ),
        "table_reproduction": table(
            f"{_JORDAN2020}.differences:table_reproduction",
            ("published", RUN, RECORD),
            "Published numbers reproduced, by kind",
        ),
        "table_judged": table(
            f"{_JORDAN2020}.differences:table_judged",
            ("published", RUN, RECORD),
            "Which published numbers are judged, and why others are not",
        ),
        "table_joint": table(
            f"{_JORDAN2020}.differences:table_joint", (RUN, RECORD), "Joint tests of all differences of an environment"
        ),
        "table_numbers": table(
            f"{_JORDAN2020}.differences:table_numbers",
            (RUN, RECORD),
            "Every published number beside this run's and the record's",
        ),
        **ANY_STUDY,
    },
    "trust": {
        "table_mutations": table(
            f"{_JORDAN2020}.differences:table_mutations", tuple(_ON_TRUST), "Faults that the comparison would notice"
        )._replace(known_as=_ON_TRUST),
        "table_wrong_cells": table(
            f"{_JORDAN2020}.differences:table_wrong_cells",
            tuple(_ON_TRUST),
            "In how many rows one wrong number would be noticed",
        )._replace(known_as=_ON_TRUST),
    },
}
