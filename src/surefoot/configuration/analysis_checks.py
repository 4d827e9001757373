"""Whether analyses are asked for as their kinds need it: told from the configuration alone, before there are scores.

What only a table of scores can tell is in `table_checks`.
"""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from surefoot.build.errors import InputError, nearest
from surefoot.errors import HintedError
from surefoot.questions.registry import questions
from surefoot.sources.published.sources import sources_of, table_in

_RUNS_WITH = {
    "curves": ("scores at several numbers of frames", ("ale200m_curves",)),
    "means": (
        "published means with their deviations",
        ("machado2018", "dm_control_published_100k", "dm_control_published_500k"),
    ),
}
"""What questions need that a table of runs does not have, and the published runs that have it."""


def check_analyses(study: Mapping, where: Callable[..., str]) -> None:
    """Whether the sets of scores and what they name exist, and whether each analysis can be made of its keys.

    Parameters
    ----------
    study : its section of the configuration, with defaults
    where : where(keys) says in which file a key of the study stands

    Raises
    ------
    InputError
    """
    collect, scores = study["collect"], study["normalize"]["scores"]
    _check_published(collect, where)
    known = [*collect["published"], *collect["studies"], *(["runs"] if "file" in collect else [])]
    for key, chosen in scores.items():
        if chosen["collected"] not in known:
            what = f'"{chosen["collected"]}" is not collected in this study'
            raise InputError(where("normalize", "scores", key), what, nearest(chosen["collected"], known))
    for key, analysis in study["estimate"]["analyses"].items():

        def stands(*keys: str, key: str = key) -> str:
            return where("estimate", "analyses", key, *keys)

        for chosen in analysis["scores"]:
            if chosen not in scores:
                raise InputError(stands(), f'there are no scores "{chosen}"', nearest(chosen, scores))
        sets = {chosen: scores[chosen] for chosen in analysis["scores"]}
        if len({chosen["collected"] for chosen in sets.values()}) > 1:
            raise InputError(
                stands(), "its scores are not collected together", "scores of one entry of collect.published"
            )
        _check_sets(questions()[analysis["kind"]], analysis, sets, stands)
        _check_values(analysis, stands)


def _check_published(collect, where):
    for part, tables in collect["published"].items():
        for table in tables:
            try:
                sources_of(table)
            except InputError as error:
                raise InputError(where("collect", "published", part), error.what, error.hint) from None
    if collect["folder"] is not None:
        folder = Path(collect["folder"])
        if not folder.is_dir():
            hint = f"paths are relative to {Path.cwd()}, where the workflow runs"
            raise InputError(where("collect", "folder"), f'no folder "{folder}"', hint)
        if not any(table_in(folder, table) for tables in collect["published"].values() for table in tables):
            what = f'"{folder}" holds none of the published tables of this study, nor all files of one'
            tables = ", ".join(table for group in collect["published"].values() for table in group)
            raise InputError(
                where("collect", "folder"), what, f"{tables}, as CSV or Parquet, or the files of the source"
            )


def _check_sets(question, analysis, sets, stands):
    kind = analysis["kind"]
    if question.one_algorithm and len(analysis.get("algorithms", [""])) > 1:
        what = f"{kind} is of one algorithm, and {', '.join(analysis['algorithms'])} are more"
        raise InputError(stands("algorithms"), what, "an analysis each")
    if len(sets) > 1 and not question.several_sets:
        raise InputError(
            stands("scores"), f"{kind} is of one set of scores, and {', '.join(sets)} are more", "one of them"
        )
    if question.needs in _RUNS_WITH:
        needed, published = _RUNS_WITH[question.needs]
        for name, chosen in sets.items():
            if chosen.get("runs") not in published:
                hint = f"scores whose runs are {' or '.join(published)}; {question.instead}"
                raise InputError(stands("scores"), f'{kind} needs {needed}, and "{name}" has none', hint)


def _check_values(analysis, stands):
    kind, grid = analysis["kind"], analysis.get("thresholds")
    if grid and not grid["from"] < grid["to"]:
        raise InputError(stands("thresholds"), f"from {grid['from']} to {grid['to']} they do not ascend", "from < to")
    if kind == "gap_curve" and grid["from"] <= 0:
        what = f"a gap is a fraction of its target, which cannot be {grid['from']}"
        raise InputError(stands("thresholds", "from"), what, "more than 0, such as 0.1")
    check_metrics(analysis.get("metrics", []), stands("metrics"))
    for x, y in analysis.get("pairs", []):
        if x == y:
            raise InputError(stands("pairs"), f'"{x}" is compared with itself', "two algorithms")
    if kind == "subsample_densities" and len(analysis["sizes_of"]) != len(analysis["algorithms"]):
        what = f"{len(analysis['sizes_of'])} sizes of {len(analysis['algorithms'])} algorithms"
        raise InputError(stands("sizes_of"), what, "one number of runs for each of the algorithms")


def check_metrics(asked: Iterable[str], where: str) -> None:
    """Whether all are metrics.

    Raises
    ------
    InputError
    """
    from surefoot.statistics.metrics import metric

    for written in asked:
        try:
            metric(written)
        except HintedError as error:
            raise InputError(where, error.what, error.hint) from None
