"""Catalogue of the figures and tables for the study of this paper. Importing this module is fast."""

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
    table,
)

LABELS = {
    "count/figure_r1": "Games counted for {0} at the {1} end of its curve, first figure",
    "count/figure_r2": "Games counted for {0} at the {1} end of its curve, second figure",
}
SHORT_LABELS = {"count/figure_r1": "{0}, {1} end, figure 1", "count/figure_r2": "{0}, {1} end, figure 2"}
"""Labels of the rows of a chart."""
NAMES = {"first": "left", "last": "right"}
"""Labels of the ends of a curve."""

_RECHT2018 = "surefoot.papers.recht2018"
_ANSWERS = answers_of(("figure_r1", "figure_r2", "figure_100m"))


METHODS = ("Blob-PROST 200M", "DQN 200M", "Blob-PROST 100M", "DQN 100M", "DQN 10M")
"""All methods in the figures of the post and its notebook, so that each has the same colour in all of them."""


def _recht_profile(name: str) -> Drawing:
    return answered(shown_by("welch_profile"), Need("answer", name), among=list(METHODS))


COMPARISONS = {
    "recht2018": {
        "run": Comparison(f"{_RECHT2018}.comparison:comparison", {"published": PUBLISHED, "answers": _ANSWERS})
    }
}
DRAWINGS: dict[str, dict[str, Drawing]] = {
    "recht2018": {
        "table_analyses": ANALYSES,
        "table_curves": table(
            f"{_RECHT2018}.comparison:table_curves", {"answers": _ANSWERS}, "How often the curves of each figure cross"
        ),
        "figure_published": figure(
            f"{_RECHT2018}.question_charts:figure_published",
            {"published": PUBLISHED, "answers": _ANSWERS},
            NOT_AT_HAND,
            labels=SHORT_LABELS,
            item_names=NAMES,
        ),
        "figure_r1": _recht_profile("figure_r1"),
        "figure_r2": _recht_profile("figure_r2"),
        "figure_100m": _recht_profile("figure_100m"),
        "figure_all_four": _recht_profile("figure_all_four"),
        "figure_runs": answered(shown_by("rank_profile"), Need("answer", "figure_runs")),
        "table_differences": table(
            shown_by("welch_differences", "table"),
            {"table": Need("answer", "differences")},
            "Games on which the methods differ",
        ),
        "reproduction": reproduction(LABELS, NAMES),
    }
}
