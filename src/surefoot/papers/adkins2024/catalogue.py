"""Catalogue of the drawings for the study of this paper; it imports nothing heavy."""

from surefoot.charts.drawing import ANALYSES, Comparison, Drawing, analysed, numbers_of, shown_by, table

ANSWERS = ("sensitivity", "dimension", "selection")
COMPARISONS: dict[str, dict[str, Comparison]] = {}
DRAWINGS: dict[str, dict[str, Drawing]] = {
    "adkins2024": {
        "table_analyses": ANALYSES,
        "sensitivity": analysed(shown_by("hyperparameter_sensitivity"), "sensitivity"),
        "dimension": analysed(shown_by("effective_dimension"), "dimension"),
        "table_variants": table(
            shown_by("hyperparameter_sensitivity", "algorithms_table"),
            (),
            "Sensitivity and dimension of each variant",
            numbers_of("sensitivity", "dimension"),
        ),
        "table_selection": table(
            shown_by("hyperparameter_sensitivity", "selection_table"),
            (),
            "What few runs say of tuning, beside fresh runs",
            (
                *numbers_of(*(f"{one}_{which}" for one in ANSWERS for which in ("few", "fresh"))),
                *(f"recorded/{one}_fresh" for one in ANSWERS),
            ),
        ),
    },
}
