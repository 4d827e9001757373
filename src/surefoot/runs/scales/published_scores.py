"""Published scores of single runs as a table of runs: `surefoot.published_scores`."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

from surefoot.errors import InputError, nearest, shown
from surefoot.runs.columns.arguments import types_checked
from surefoot.runs.columns.run_names import refuse_absent
from surefoot.runs.published.collecting import collect_published, download
from surefoot.runs.published.published_run_tables import run_table
from surefoot.runs.published.published_source import Source, files_in, kept_for, sources_of, table_in
from surefoot.runs.result_tables import read_table
from surefoot.runs.scales.reference_tables import read_reference_table
from surefoot.workflow.files import sha256_file
from surefoot.workflow.store import cache_folder

BENCHMARKS: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "atari_100k": ("atari100k_all", ("atari100k/final_scores", "atari100k/curl_final_and_max")),
    "ale_200m": ("ale200m", ("ale200m/final_scores",)),
    "dm_control_100k": ("dm_control_100k", ("dm_control/final_scores",)),
    "dm_control_500k": ("dm_control_500k", ("dm_control/final_scores",)),
    "procgen": ("procgen_all", ("procgen/final_scores",)),
}
"""Run table of each benchmark, and the published tables from which it is made."""
FOLDER = "SUREFOOT_PUBLISHED"
"""Environment variable that names a local folder of published files."""


@types_checked
def published_scores(
    benchmark: str, algorithms: Sequence[str] | None = None, *, folder: str | Path | None = None
) -> pd.DataFrame:
    """Return published scores of single runs, for comparison with yours.

    The runs come from "Deep RL at the Edge of the Statistical Precipice" (Agarwal et al., NeurIPS 2021); runs of
    PlayVirtual and DAAC were added. `config/published/sources.csv` has the address, the mirror and the SHA-256 of each
    file.

    Parameters
    ----------
    benchmark : str
        One of atari_100k, ale_200m, dm_control_100k, dm_control_500k or procgen.
    algorithms : list of str, optional
        Algorithms of the benchmark to return. Default: all.
    folder : str or Path, optional
        Local folder with the public files as `<repository>/<path>`, or a folder that contains it. Default: the folder
        of the environment variable SUREFOOT_PUBLISHED. Missing files are downloaded once and cached.

    Returns
    -------
    DataFrame
        Columns algorithm, environment, run, score, one row per run, with scores in the units of the benchmark, such as
        points of a game.

    Raises
    ------
    HintedError
        If the benchmark or an algorithm is unknown, or if a file cannot be downloaded or differs from the published
        one by its SHA-256.
    """
    if not isinstance(benchmark, str) or benchmark not in BENCHMARKS:
        raise InputError("benchmark", f"unknown benchmark {shown(benchmark)}", nearest(str(benchmark), BENCHMARKS))
    name, tables = BENCHMARKS[benchmark]
    given = folder if folder is not None else os.environ.get(FOLDER)
    kept = kept_for([name])
    collected = {table: _published(table, None if given is None else Path(given)) for table in tables}
    runs = run_table(name, collected | {key: read_table(path) for key, path in kept.items()})
    runs = _in_own_units(runs)[["algorithm", "environment", "run", "score"]]
    if algorithms is None:
        return runs
    refuse_absent("algorithms", "algorithm", algorithms, runs)
    return runs[runs["algorithm"].isin(list(algorithms))].reset_index(drop=True)


def _in_own_units(runs: pd.DataFrame) -> pd.DataFrame:
    """Return scores in points of the game, converting scores that were published human-normalized."""
    if "zero" not in runs:
        return runs
    ends = read_reference_table("atari_human").loc[runs["environment"]].reset_index(drop=True)
    points = ends["zero"] + runs["score"] * (ends["one"] - ends["zero"])
    return runs.assign(score=runs["score"].where(runs["zero"].isna(), points))


def _published(table: str, folder: Path | None) -> pd.DataFrame:
    """Return a published table from a local folder, or download it.

    Raises
    ------
    InputError
        if a file is neither in the folder nor available for download, or differs from the published one
    """
    sources = sources_of(table)
    given: Mapping[str, Path] = {}
    if folder is not None:
        if not folder.is_dir():
            raise InputError(str(folder), "no such folder", "name the folder of the published files")
        tops = (folder, *sorted(filter(Path.is_dir, folder.iterdir())))
        # The files have checksums, so the tables made from them are not checked again.
        found = (find(top, table) for find in (files_in, table_in) for top in tops)
        given = next(filter(None, found), {})
    if not given:
        given = {source.place: _downloaded(source) for source in sources}
    return collect_published(table, Path(), given, sources, None, None)


def _downloaded(source: Source) -> Path:
    """Return the path of a public file in the cache, downloading the file if necessary."""
    path = cache_folder() / "surefoot" / "published" / source.place
    if not (path.is_file() and sha256_file(path) == source.sha256):
        try:
            download(source, path)
        except InputError as error:
            hint = f"connect to the network, or name a folder that has the file (folder=..., or {FOLDER})"
            raise InputError(error.where, error.what, hint) from None
    return path
