"""Check the options for names and files, and raise errors for options without effect."""

from collections.abc import Mapping, Sequence

from surefoot.errors import InputError, listed, nearest, shown
from surefoot.runs.logs.curves import Curve, Reading
from surefoot.runs.logs.naming import NAMES, Naming, compiled, is_name

_OF_ARRAYS = ("rliable", "run_arrays")
"""Formats whose files do not name tasks, so that the user must name them."""


def given_names(pattern: str | None, keys: Mapping[str, str] | None, given: Mapping[str, object]) -> Naming:
    """Return the names and patterns that the user specifies.

    Raises
    ------
    InputError
        if a key or the pattern is invalid, or a name is specified twice
    """
    names = {{"seed": "run"}.get(name, name): key for name, key in (keys or {}).items()}
    for name in names.keys() - set(NAMES):
        raise InputError("names_from", f'"{name}" does not identify runs', nearest(name, NAMES))
    fixed = {name: value for name, value in given.items() if isinstance(value, str)}
    in_pattern = compiled(pattern)[1] if pattern is not None else ()
    for name in NAMES:
        ways = [f"--{name} {fixed[name]}"] if name in fixed else []
        ways += [f'--pattern "{pattern}"'] if name in in_pattern else []
        ways += [f"--name-from {name}={names[name]}"] if name in names else []
        if len(ways) > 1:
            what = f"the {name} is given twice, by {ways[0]} and by {ways[1]}"
            raise InputError(
                "pattern" if name in in_pattern else "names_from", what, f"leave out {ways[1]} or {ways[0]}"
            )
    return Naming(pattern, names, fixed)


def refuse_without_effect(of_formats: Mapping[str, Sequence[Curve]], reading: Reading) -> None:
    """Raise an InputError for an option that has no effect on the curves of the formats."""
    formats = " and ".join(of_formats)
    if len(reading.tasks) > 1 and not set(of_formats) & set(_OF_ARRAYS):
        what = f"{len(reading.tasks)} environments are named, but runs of the format {formats} have one each"
        hint = "use --environment with one name for all runs; several names are only for arrays"
        raise InputError("environment", what, hint)
    if reading.wide is not None and "table" not in of_formats:
        what = f"it is for tables, but the runs have the format {formats}"
        raise InputError("wide", what, "leave --wide out, or use --format table")
    read_metrics = {curve.metric for curves in of_formats.values() for curve in curves}
    for metric in reading.asked or ():
        if metric not in read_metrics and reading.wide is None:
            there = sorted(reading.metrics | read_metrics)
            raise InputError(str(reading.root), f"no scores under {metric}", nearest(metric, there))


def refuse_unused_keys(configurations: Sequence[Mapping[str, object]], reading: Reading) -> None:
    """Raise an InputError for a key that is missing from all configurations, which `naming.flat` has flattened."""
    for name, key in reading.keys.items():
        if not any(is_name(config.get(key)) for config in configurations):
            there = list(dict.fromkeys(name for config in configurations for name in config if is_name(config[name])))
            hint = (
                nearest(key, there) if there else "there is no configuration in the folders of the runs; see --pattern"
            )
            raise InputError("names_from", f'no configuration of a run has a name under "{key}" ({name})', hint)


def refuse_one_name_of_several(stated: Sequence[Mapping[str, str]], reading: Reading) -> None:
    """Raise an InputError if the user specifies one name for all runs, but the files state several names.

    Parameters
    ----------
    stated : names that the files of each run state
    """
    for name, name_for_all in reading.fixed.items():
        several = list(dict.fromkeys(names[name] for names in stated if name in names))
        if len(several) > 1:
            what = f"all runs should have the {name} {shown(name_for_all)}, but their files state {listed(several)}"
            raise InputError(str(reading.root), what, f"leave --{name} out: the files contain it")
