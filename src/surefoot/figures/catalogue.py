"""What can be drawn: for each kind of study the names of its figures and tables, and what they are drawn from.

Light on purpose: it is imported whenever the workflow is parsed, so the functions are named, not imported.
"""

from typing import NamedTuple


class Drawing(NamedTuple):
    """One figure or table.

    kind : "figure" (a chart and its numbers) or "table" (numbers alone)
    function : "module:function"; called as function(tables, settings), returns (chart or None, DataFrame)
    needs : keys of `tables` that must be there: a stage and a table of it such as "collect/runs", or "published",
        or "durations" (of all jobs)
    title : one line for lists of targets
    optional : keys of `tables` that are handed over where there are such, so that a page can be made for a study that
        does not ask for every interval; "reproduction" is of all studies
    setting : (key, value) put into `settings` for this drawing, where one function makes several
    """

    kind: str
    function: str
    needs: tuple[str, ...]
    title: str
    optional: tuple[str, ...] = ()
    setting: tuple[str, str] | None = None


_JORDAN2020 = "surefoot.figures.jordan2020"
_STUDY = "surefoot.figures.study"
_HOME = "surefoot.figures.home"

_RUNS = "collect/runs"
_POINTS = "aggregate/performance_percentile"
_WEIGHTS = "aggregate/performance_percentile_weights"
_SCORES = ("estimate/pbp", "estimate/pbp_t", "estimate/bootstrap")
_MEANS = ("estimate/anderson",)
_BANDS = ("estimate/dkw",)


def _figure(function: str, needs: tuple[str, ...], title: str, optional: tuple[str, ...] = (), setting=None) -> Drawing:
    return Drawing("figure", function, needs, title, optional, setting)


def _table(function: str, needs: tuple[str, ...], title: str, optional: tuple[str, ...] = (), setting=None) -> Drawing:
    return Drawing("table", function, needs, title, optional, setting)


def _environment_table(name: str, title: str) -> Drawing:
    title = f"Mean returns and ranks in {title} (Appendix I)"
    return _table(f"{_JORDAN2020}:table_environment", (_POINTS, "published"), title, _MEANS, ("environment", name))


def _appendix_figure(group: str, title: str) -> Drawing:
    title = f"Distributions of performance in the {title} (Appendix I)"
    return _figure(f"{_JORDAN2020}:figure_appendix", (_RUNS,), title, _BANDS, ("group", group))


_ANY_STUDY = {
    "weights": _figure(f"{_STUDY}:weights", (_WEIGHTS,), "Weight of each environment and opponent in the score"),
    "table_runs": _table(f"{_STUDY}:table_runs", (_RUNS,), "Number of runs of each algorithm in each environment"),
}

CATALOGUE: dict[str, dict[str, Drawing]] = {
    "jordan2020": {
        "verdict": _table(
            f"{_JORDAN2020}:verdict",
            (_RUNS, _POINTS, "published"),
            "Sentences and counts of the page",
            (*_SCORES, *_MEANS, *_BANDS),
        ),
        "figure_5": _figure(
            f"{_JORDAN2020}:figure_5",
            (_POINTS, "published"),
            "Aggregate scores with three kinds of intervals (Figure 5)",
            _SCORES,
        ),
        "table_1": _table(
            f"{_JORDAN2020}:table_1", (_POINTS, "published"), "Aggregate scores and ranks (Table 1)", _SCORES
        ),
        "figure_appendix_chain": _appendix_figure("chain", "chains"),
        "figure_appendix_gridworld": _appendix_figure("gridworld", "gridworlds"),
        "table_chain_10_deterministic": _environment_table("chain_10_deterministic", "Chain 10 deterministic"),
        "table_chain_10_stochastic": _environment_table("chain_10_stochastic", "Chain 10 stochastic"),
        "table_chain_50_deterministic": _environment_table("chain_50_deterministic", "Chain 50 deterministic"),
        "table_chain_50_stochastic": _environment_table("chain_50_stochastic", "Chain 50 stochastic"),
        "table_gridworld_5_deterministic": _environment_table("gridworld_5_deterministic", "Gridworld 5 deterministic"),
        "table_gridworld_5_stochastic": _environment_table("gridworld_5_stochastic", "Gridworld 5 stochastic"),
        "table_gridworld_10_deterministic": _environment_table(
            "gridworld_10_deterministic", "Gridworld 10 deterministic"
        ),
        "table_gridworld_10_stochastic": _environment_table("gridworld_10_stochastic", "Gridworld 10 stochastic"),
        "reproduction": _figure(
            f"{_JORDAN2020}:reproduction", (_POINTS, "published"), "Published means beside ours, and their differences"
        ),
        **_ANY_STUDY,
    },
    "study": {
        "verdict": _table(
            f"{_STUDY}:verdict", (_RUNS, _POINTS), "Sentences and counts of the page", (*_SCORES, *_MEANS, *_BANDS)
        ),
        "scores": _figure(f"{_STUDY}:scores", (_POINTS,), "Aggregate scores with their intervals", _SCORES),
        "table_ranks": _table(
            f"{_STUDY}:table_ranks", (_POINTS,), "Aggregate scores and ranks by every method", _SCORES
        ),
        "means": _figure(f"{_STUDY}:means", (_POINTS,), "Mean scores in each environment with intervals", _MEANS),
        "distributions": _figure(
            f"{_STUDY}:distributions", (_RUNS,), "Distributions of scores in each environment", _BANDS
        ),
        **_ANY_STUDY,
    },
    "home": {
        "verdict": _table(
            f"{_HOME}:verdict", (_RUNS, _POINTS, "durations"), "Sentences and counts of the page", _SCORES
        ),
        "answer": _figure(f"{_HOME}:answer", (_POINTS,), "Aggregate scores of the main study", _SCORES),
        "table_verdicts": _table(
            f"{_HOME}:table_verdicts", (), "Published numbers reproduced, by study", ("reproduction",)
        ),
        "durations": _figure(f"{_HOME}:durations", ("durations",), "What took how long"),
    },
}
