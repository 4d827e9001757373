"""The scale and the direction of a report's scores, as the command line names them."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from surefoot.build.errors import InputError, nearest
from surefoot.errors import HintedError
from surefoot.scales.references.catalogue import REFERENCE_TABLES
from surefoot.scales.references.names import reference_of, tables_with_all
from surefoot.scales.registry import scales
from surefoot.scales.scaling import check_environments, directed, read_files, scale_section, scaled
from surefoot.scales.settings import ScoreScale

_SIMPLE = ("min_max", "none")
_PLACE = "command line: --scale"


def chosen_scale(name: str | None, scores: pd.DataFrame, lower: bool | Sequence[str] = False) -> dict[str, Any]:
    """A study's entry for the scale of the command line; without one the reference scores that are known of all
    environments, else min_max or, of a single environment, none.

    Parameters
    ----------
    scores : columns environment, score
    lower : where lower scores are better, for which no reference scores are known

    Raises
    ------
    InputError
        for an unknown name
    """
    if name is None:
        if scores["environment"].nunique() == 1:
            return {"kind": "none"}
        return scale_section((not lower and reference_of(scores)) or "min_max")
    allowed = [*_SIMPLE, *REFERENCE_TABLES]
    if name not in allowed:
        raise InputError(_PLACE, f'there is no scale "{name}"', nearest(name, allowed))
    return scale_section(name)


def lower_environments(
    given: str | bool | list[str], runs: pd.DataFrame, metric: str = "", metrics: Sequence[str] = ()
) -> bool | list[str]:
    """The environments in which lower is better, as a study names them.

    Parameters
    ----------
    given : True for all, False for none, or names in a list or separated by commas; the name of a metric stands for all
        environments of that metric
    metric, metrics : the runs' own, and all, where there are several

    Raises
    ------
    InputError
        for an environment without runs
    """
    if isinstance(given, bool):
        return given
    names = [name.strip() for name in given.split(",") if name.strip()] if isinstance(given, str) else given
    if metric and metric in names:
        return True
    names = [name for name in names if name not in metrics]
    try:
        check_environments("command line: --lower-is-better", names, runs)
    except HintedError as error:
        raise InputError(error.where, error.what, error.hint) from None
    return names


def thresholds(runs: pd.DataFrame, section: Mapping[str, Any], lower: bool | Sequence[str]) -> dict[str, float]:
    """The grid of the profiles of scores on a scale, from the least to the greatest of them and at least from 0 to 1.

    Parameters
    ----------
    runs : columns algorithm, environment, run, score
    section : the scale, as a study names it
    lower : where lower scores are better; see `lower_environments`

    Raises
    ------
    InputError
        for runs that are not on the scale, so that no study with it is written
    """
    scale = scales()[section["kind"]].model_validate(section)
    assert isinstance(scale, ScoreScale)
    try:
        scores = scaled({"runs": directed(runs, lower)} | read_files(scale), {"runs": scale})["score"]
    except InputError as error:
        raise InputError(_PLACE, error.what, error.hint) from None
    least, greatest = (round_outwards(score) for score in (scores.min(), scores.max()))
    return {"from": min(0.0, least), "to": max(1.0 if least >= 0 else 0.0, greatest), "count": 101}


def round_outwards(score: float) -> float:
    """The nearest number of two digits that is not nearer to 0."""
    if score == 0:
        return 0.0
    unit = 10.0 ** (math.floor(math.log10(abs(score))) - 1)
    return float(f"{math.copysign(math.ceil(abs(score) / unit - 1e-9) * unit, score):.2g}")


def other_scales(environments: Sequence[str], chosen: Mapping[str, Any]) -> str:
    """A sentence on the tables of reference scores that have all of these environments, the one of the chosen scale
    apart; "" where none has."""
    found = [name for name in tables_with_all(environments) if name != chosen.get("references")]
    if not found:
        return ""
    which = "a table" if len(found) == 1 else "tables"
    options = " or ".join(f"--scale {name}" for name in found)
    return (
        f"all environments are in {which} of reference scores: {options} (and another folder, -o) takes these instead"
    )
