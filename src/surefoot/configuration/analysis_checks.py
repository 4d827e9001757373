"""Whether analyses are asked for as their kinds need it: told from the configuration alone, before there are scores.

What only a table of scores can tell is in `table_checks`.
"""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from surefoot.build.errors import InputError, nearest, what_and_hint
from surefoot.sources.published.sources import sources_of, table_in

REQUIRED = {
    "welch_profile": ("algorithms", "thresholds"),
    "welch_differences": ("algorithms",),
    "rank_profile": ("thresholds",),
    "aggregates": ("metrics",),
    "published_intervals": (),
    "profiles": ("thresholds",),
    "sample_efficiency": ("metrics",),
    "gap_curve": ("thresholds",),
    "improvement": (),
    "ranks": (),
    "run_effects": ("sizes",),
    "histograms": ("bins",),
    "subsamples": ("metrics", "sizes", "datasets"),
    "subsample_densities": ("metrics", "algorithms", "sizes_of", "datasets"),
    "differences": ("metrics", "pairs", "sizes", "datasets"),
    "lifts": ("metrics", "lifts", "sizes", "datasets"),
    "trimmed_errors": ("fractions", "sizes", "datasets"),
    "protocols": ("metrics", "sizes", "settings", "runs_of_setting", "datasets"),
    "coverages": ("metrics", "methods", "sizes", "replacement", "datasets"),
    "task_coverages": ("sizes", "datasets"),
}
"""The keys without which there is no analysis of a kind, beside kind and scores."""
_EXAMPLES = {
    "algorithms": "[a, b], names of algorithms",
    "metrics": "[iqm, median]",
    "thresholds": "{from: 0.1, to: 2, count: 96}",
    "bins": "20",
    "sizes": "[10], numbers of runs",
    "sizes_of": "[5, 10], numbers of runs, one for each of the algorithms",
    "pairs": "[[a, b]], names of algorithms",
    "lifts": "[0, 25], in percent",
    "fractions": "[0, 0.25, 0.5]",
    "settings": "8",
    "runs_of_setting": "3",
    "methods": "[percentile]",
    "replacement": "[true]",
    "datasets": "1000",
}

_SEVERAL_SETS = ("aggregates", "published_intervals", "profiles", "improvement", "ranks")
_RANKING = ("improvement", "ranks")
ONE_ALGORITHM = ("histograms", "coverages", "task_coverages")
_ONE_OF = {"run_effects": "sizes", "trimmed_errors": "sizes", "subsample_densities": "metrics"}
"""The kinds that take one entry of what is a list for others."""
_FEWER_RUNS = ("subsamples", "subsample_densities", "differences", "lifts", "trimmed_errors", "protocols")
_CURVES = ("scores at several numbers of frames", ("ale200m_curves",))
_MEANS = (
    "published means with their deviations",
    ("machado2018", "dm_control_published_100k", "dm_control_published_500k"),
)
_RUNS = {
    "sample_efficiency": (*_CURVES, "the library's surefoot.sample_efficiency takes your own curves"),
    "published_intervals": (*_MEANS, "aggregates is of runs"),
    "welch_profile": (*_MEANS, "rank_profile is of runs"),
    "welch_differences": (*_MEANS, "rank_profile is of runs"),
}
"""What kinds need that a table of runs has not, the published runs that have it, and what there is for others."""


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
        _check_keys(analysis, stands)
        _check_sets(analysis["kind"], sets, stands)
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


def _check_keys(analysis, stands):
    kind = analysis["kind"]
    for key in REQUIRED[kind]:
        if key not in analysis:
            raise InputError(stands(), f'{kind} needs the key "{key}"', f"{key}: {_EXAMPLES[key]}")
    single = _ONE_OF.get(kind)
    if single and len(analysis[single]) > 1:
        raise InputError(
            stands(single), f"{kind} takes one of them, and {analysis[single]} are more", "an analysis each"
        )
    if kind in ONE_ALGORITHM and len(analysis.get("algorithms", [""])) > 1:
        what = f"{kind} is of one algorithm, and {', '.join(analysis['algorithms'])} are more"
        raise InputError(stands("algorithms"), what, "an analysis each")


def _check_sets(kind, sets, stands):
    if len(sets) > 1 and kind not in _SEVERAL_SETS:
        raise InputError(
            stands("scores"), f"{kind} is of one set of scores, and {', '.join(sets)} are more", "one of them"
        )
    if kind in _RUNS:
        needed, published, other = _RUNS[kind]
        for name, chosen in sets.items():
            if chosen.get("runs") not in published:
                hint = f"scores whose runs are {' or '.join(published)}; {other}"
                raise InputError(stands("scores"), f'{kind} needs {needed}, and "{name}" has none', hint)


def _check_values(analysis, stands):
    kind, grid = analysis["kind"], analysis.get("thresholds")
    if grid and not grid["from"] < grid["to"]:
        raise InputError(stands("thresholds"), f"from {grid['from']} to {grid['to']} they do not ascend", "from < to")
    if kind == "gap_curve" and grid["from"] <= 0:
        what = f"a gap is a fraction of its target, which cannot be {grid['from']}"
        raise InputError(stands("thresholds", "from"), what, "more than 0, such as 0.1")
    if "decimals" in analysis and kind not in _RANKING:
        what = f"{kind} does not ask which scores tie"
        raise InputError(stands("decimals"), what, f"leave it out; it is a key of {' and '.join(_RANKING)}")
    check_metrics(analysis.get("metrics", []), stands("metrics"))
    for x, y in analysis.get("pairs", []):
        if x == y:
            raise InputError(stands("pairs"), f'"{x}" is compared with itself', "two algorithms")
    if kind == "subsample_densities" and len(analysis["sizes_of"]) != len(analysis["algorithms"]):
        what = f"{len(analysis['sizes_of'])} sizes of {len(analysis['algorithms'])} algorithms"
        raise InputError(stands("sizes_of"), what, "one number of runs for each of the algorithms")
    if kind in _FEWER_RUNS and analysis.get("resampled") == "tasks_and_runs":
        what = "tasks_and_runs draws as many runs of a task as it has, and sizes ask for other numbers"
        raise InputError(stands("resampled"), what, "runs, or whole_runs")


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
        except ValueError as error:
            what, hint = what_and_hint(error)
            raise InputError(where, what, hint) from None
