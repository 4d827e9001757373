"""The choices for scoring and comparing the runs of a report."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, get_args

import pandas as pd

from surefoot.errors import InputError, listed, nearest
from surefoot.runs.scales.reference_tables import ReferenceName, absent_from, usual_scale
from surefoot.runs.scales.scale_settings import SCALES, ScoreScale
from surefoot.runs.scales.scaling import scale_section


class Choices(NamedTuple):
    """Choices for scoring and comparing runs; None stands for the default, or the value in an existing study.

    rule, rule_argument, short_runs : arguments of `surefoot.score_curves`
    missing_cells : policy for algorithms without runs in an environment, as in a source of a study
    scale : min_max, none, or a table of reference scores
    lower_is_better : True if lower scores are better, or a list of the environments where they are better; the name of
        a metric stands for all environments of the metric
    allow_mixed_protocols : True to compare algorithms with different protocols
    baseline : algorithm with which the other algorithms are compared; None to compare all pairs
    """

    rule: str | None = None
    rule_argument: float | None = None
    short_runs: str | None = None
    missing_cells: str | None = None
    scale: str | None = None
    lower_is_better: bool | Sequence[str] = False
    allow_mixed_protocols: bool = False
    baseline: str | None = None


def chosen_scale(name: str | None, scores: pd.DataFrame, lower: bool | Sequence[str] = False) -> dict[str, Any]:
    """Return a study's entry for a scale.

    The default is "none" for a single environment, otherwise the result of `usual_scale`.

    Parameters
    ----------
    scores : columns environment, score
    lower : environments in which lower scores are better; with them, no table of reference scores is the default

    Raises
    ------
    InputError
        if the name is unknown, or a table lacks an environment
    """
    if name is None:
        if scores["environment"].nunique() == 1:
            return {"kind": "none"}
        return scale_section(usual_scale(scores, bool(lower)))
    allowed = ["min_max", "none", *get_args(ReferenceName)]
    if name not in allowed:
        raise InputError("command line: --scale", f'unknown scale "{name}"', nearest(name, allowed))
    names = list(map(str, scores["environment"].unique()))
    if name in get_args(ReferenceName) and (missing := absent_from(names, name)):
        usual = chosen_scale(None, scores, lower)
        hint = f"use another scale, such as --scale {usual.get('reference_table', usual['kind'])}"
        raise InputError("command line: --scale", f"{name} has no scores for {listed(missing)}", hint)
    return scale_section(name)


def scale_lines(section: Mapping[str, Any]) -> list[str]:
    """Return a line for the terminal with the scale on which a study compares scores.

    There is no line if there is no scale, or if the scale of an edited study is invalid; the workflow then reports the
    error.
    """
    try:
        scales = list((section.get("scales") or {}).values())
        if not scales:
            return []
        scale = scales[0]
        described = SCALES.complete()[scale["kind"]].model_validate(scale)
    except (AttributeError, KeyError, TypeError, ValueError):
        return []
    assert isinstance(described, ScoreScale)
    name = scale.get("reference_table", scale["kind"])
    why = (
        " All environments have names of this table; if they are other environments, use --scale min_max."
        if "reference_table" in scale
        else ""
    )
    return [f"scale {name}: {described.described()}{why}"]
