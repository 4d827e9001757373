"""What can be drawn of the study of this paper; light, as the catalogue is."""

from surefoot.charts.drawing import Comparison, Drawing, table
from surefoot.charts.entries import RUN, analysed, numbers_of, shown_by

_RECHT2018 = "surefoot.papers.recht2018"
_RECHT2018_NUMBERS = numbers_of(
    "figure_r1", "figure_r2", "figure_100m", "figure_all_four", "differences", "figure_runs"
)


METHODS = ("Blob-PROST 200M", "DQN 200M", "Blob-PROST 100M", "DQN 100M", "DQN 10M")
"""All that the figures of the post and of its notebook show, so that each has one colour in all of them."""


def _recht_profile(name: str, title: str) -> Drawing:
    return analysed(shown_by("welch_profile"), name, title, among=list(METHODS))


COMPARISONS = {"recht2018": {"run": Comparison(f"{_RECHT2018}.compare:run", ("published",), _RECHT2018_NUMBERS)}}
DRAWINGS: dict[str, dict[str, Drawing]] = {
    "recht2018": {
        "verdict": table(
            f"{_RECHT2018}.verdict:verdict", ("published", RUN), "Sentences and counts of the page", _RECHT2018_NUMBERS
        ),
        "figure_r1": _recht_profile("figure_r1", "Blob-PROST and DQN after 200 million frames (first figure)"),
        "figure_r2": _recht_profile(
            "figure_r2", "Blob-PROST after 200 and DQN after 10 million frames (second figure)"
        ),
        "figure_100m": _recht_profile("figure_100m", "Both after 100 million frames (notebook)"),
        "figure_all_four": _recht_profile("figure_all_four", "Both after 100 and 200 million frames (notebook)"),
        "figure_runs": analysed(shown_by("rank_profile"), "figure_runs", "The profile from runs, by a rank test"),
        "table_differences": table(
            shown_by("welch_differences", "table"),
            (),
            "Games on which the methods differ",
            numbers_of("differences"),
            {"analysis": "differences"},
        ),
        "reproduction": table(f"{_RECHT2018}.verdict:reproduction", (RUN,), "Published numbers beside ours"),
        "table_not_judged": table(
            f"{_RECHT2018}.verdict:table_not_judged",
            ("published", RUN),
            "Published numbers that have no counterpart here, and why",
        ),
    },
}
