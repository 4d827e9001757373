"""Catalogue of the figures and tables for the study of this paper. Importing this module is fast."""

from surefoot.charts.drawing import (
    ANALYSES,
    PUBLISHED,
    Comparison,
    Drawing,
    Need,
    answered,
    answers_of,
    reproduction,
    shown_by,
    table,
)

ANSWERS = ("sensitivity", "dimension", "selection")
COMPARISONS = {
    "adkins2024": {
        "run": Comparison(
            "surefoot.papers.adkins2024.comparison:comparison",
            {"published": PUBLISHED, "answers": answers_of(("sensitivity",))},
        )
    }
}
DRAWINGS: dict[str, dict[str, Drawing]] = {
    "adkins2024": {
        "table_analyses": ANALYSES,
        "reproduction": reproduction({}),
        "sensitivity": answered(
            shown_by("hyperparameter_sensitivity"), Need("answer", "sensitivity"), baseline="lambda_ac"
        ),
        "dimension": answered(shown_by("effective_dimension"), Need("answer", "dimension")),
        "table_variants": table(
            shown_by("hyperparameter_sensitivity", "algorithms_table"),
            {"sensitivity": Need("answer", "sensitivity"), "dimension": Need("answer", "dimension")},
            "Sensitivity and dimension of each variant",
        ),
        "table_selection": table(
            shown_by("hyperparameter_sensitivity", "selection_table"),
            {
                **{f"{one}_few": Need("answer", f"{one}_few") for one in ANSWERS},
                **{f"{one}_fresh": Need("largest", f"{one}_fresh") for one in ANSWERS},
            },
            "Estimates of tuning from few runs and from fresh runs",
        ),
    },
}
