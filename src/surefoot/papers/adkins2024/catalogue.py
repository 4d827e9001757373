"""What can be drawn of the study of this paper; light, as the catalogue is."""

from surefoot.charts.drawing import ANALYSES, Comparison, Drawing, analysed, numbers_of, shown_by, table

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
    }
}
