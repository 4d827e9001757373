"""Public function `surefoot.normalize_scores`."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from surefoot.errors import HintedError, InputError, nearest
from surefoot.runs.columns.arguments import types_checked
from surefoot.runs.columns.numbers import numbers
from surefoot.runs.columns.run_names import refuse_absent
from surefoot.runs.columns.run_tables import HYPERPARAMETERS, check_runs, directed
from surefoot.runs.given.given_arrays import scores_table
from surefoot.runs.result_tables import SCALE, read_tables
from surefoot.runs.scales.reference_tables import usual_scale
from surefoot.runs.scales.scale_settings import SCALES, ScoreScale
from surefoot.runs.scales.scaling import scale_section, scaled
from surefoot.runs.setting_errors import SettingError, validated

_OF_STUDIES = ("kind", "source", "runs", "algorithms", "environments", "max_runs", "min_runs", HYPERPARAMETERS)
"""Settings of scales that only studies use."""
_OTHER_SCALES = ("method", "mode", "normalization", "scheme", "metrics_to_normalize")
"""Names under which other libraries choose a scale."""


@types_checked
def normalize_scores(
    runs: pd.DataFrame | Mapping[str, Any],
    scale: str | None = None,
    lower_is_better: bool | str | Sequence[str] = False,
    **settings: Any,
) -> pd.DataFrame:
    """Normalize scores, so that scores from different environments can be compared.

    Parameters
    ----------
    runs : DataFrame or dict
        Columns algorithm, environment, run and score, with one row per run; or a dict {algorithm: array of runs x
        tasks}.
    scale : str, optional
        One of min_max, none, ratio, reference_scores, or the name of a table of reference scores, such as atari_human.
        Environment names may have any common spelling (`ALE/Breakout-v5`, `BreakoutNoFrameskip-v4`, `Breakout`).
        Default: the table with reference scores for all environments; if there is no such table, none if all scores are
        0 or 1, otherwise min_max.
    lower_is_better : bool or list of str, default False
        True if lower scores are better in all environments, or the names of the environments where they are better.
        Scores in these environments are negated.
    **settings : optional
        Settings of the scale, as in a study, such as `baseline` for ratio, and `file` or `reference_scores` for
        reference_scores.

    Returns
    -------
    DataFrame
        The same rows with normalized scores; higher is better.

    Raises
    ------
    ValueError
        If the scale or a setting is unknown, or an environment has no reference scores or only equal scores.

    Notes
    -----
    Source: each table of reference scores names its own source (docs/scales.md); min_max and ratio as in "Deep RL at
    the Edge of the Statistical Precipice" (Agarwal et al., NeurIPS 2021) and "Benchmarking optimization software with
    performance profiles" (Dolan and Moré, Mathematical Programming 91, 2002).

    Examples
    --------
    >>> import numpy as np
    >>> from surefoot import normalize_scores
    >>> ppo = np.array([[120.0, 3.0], [200.0, 5.0]])  # runs x tasks
    >>> sac = np.array([[160.0, 4.0], [180.0, 9.0]])
    >>> normalize_scores({"ppo": ppo, "sac": sac}, "min_max")
      algorithm  environment  run     score
    0       ppo            0    0  0.000000
    1       ppo            0    1  1.000000
    2       ppo            1    0  0.000000
    3       ppo            1    1  0.333333
    4       sac            0    0  0.500000
    5       sac            0    1  0.750000
    6       sac            1    0  0.166667
    7       sac            1    1  1.000000
    """
    runs = scores_table(runs)
    check_runs("runs", runs)
    runs = runs.assign(score=numbers("runs", runs["score"]))
    if scale is None:
        scale = usual_scale(runs, bool(lower_is_better or settings))
    kept = {HYPERPARAMETERS: runs.attrs[HYPERPARAMETERS]} if HYPERPARAMETERS in runs.attrs else {}
    section = scale_section(scale) | kept | settings
    if isinstance(lower_is_better, str):
        lower_is_better = [lower_is_better]
    if not isinstance(lower_is_better, bool):
        refuse_absent("lower_is_better", "environment", lower_is_better, runs)
    model = SCALES.complete()[section["kind"]]
    for unknown in (key for key in settings if key not in model.model_fields):
        others = [name for name in model.model_fields if name not in _OF_STUDIES]
        hint = 'scale="min_max"' if unknown in _OTHER_SCALES else nearest(unknown, ["lower_is_better", *others])
        raise TypeError(f'surefoot.normalize_scores: unknown argument "{unknown}" for the scale {scale}. Hint: {hint}')
    try:
        chosen = validated(model, section, in_python=True)
        if not isinstance(chosen, ScoreScale):
            what = f"{scale} does not give scores to single runs"
            raise HintedError("scale", what, "use min_max, or a table such as atari_human")
        normalized = scaled({"runs": directed(runs, lower_is_better)} | read_tables(chosen.kept()), {"runs": chosen})
    except SettingError as error:
        where = error.where.removeprefix("scales.runs").removeprefix(".")
        raise InputError(f"{scale}: {where}" if where else scale, error.what, error.hint) from None
    normalized = normalized.drop(columns="scores")
    normalized.attrs = runs.attrs | normalized.attrs | ({} if chosen.kind == "none" else {SCALE: scale})
    return normalized
