"""Facts about a study as keyword arguments of drawings; a drawing receives the arguments that its function declares."""

from collections.abc import Iterable, Mapping
from typing import Any

from surefoot.charts.drawing import OTHER_RUNS
from surefoot.charts.own_units import VALUES
from surefoot.runs.scales.settings import ScoreScale
from surefoot.runs.sources.settings import CURVES, EVALUATIONS
from surefoot.workflow.configuration.models import Study
from surefoot.workflow.planning.drawing_tables import StudyTables, record_index

ALONG_TRAINING = (CURVES, EVALUATIONS)
"""Kinds of tables of curves, which also contain the runs that are left out of tables of scores."""


def protocol_of_study(study: Study) -> dict[str, Any]:
    """Return the protocol of a study, with the rule of a source that converts curves to scores."""
    if study.protocol is None:
        return {}
    rules = (rule for source in study.sources.values() if (rule := source.rule_of_scores()))
    rule = next(rules, study.protocol.rule)
    return study.protocol.plain() | ({} if rule is None else {"rule": rule})


def study_facts(name: str, study: Study, tables: StudyTables, answered: Iterable[str]) -> dict[str, Any]:
    """Return facts about a study as keyword arguments; a drawing uses the arguments that its function declares.

    Parameters
    ----------
    answered : names of the answered questions about scores
    """
    estimated = (q for q in study.questions.values() if q.stage == "estimate" and hasattr(q, "variant"))
    wanted = {scale for question in study.questions.values() for scale in question.scales()}
    scales = {key: one for key, one in study.scales.items() if key in wanted and isinstance(one, ScoreScale)}
    return {
        "question": study.question,
        "confidence_level": study.confidence_level,
        "n_resamples": study.n_resamples,
        "variant": next((q.variant for q in estimated), "corrected"),
        "scales": {key: scale.described() for key, scale in scales.items()},
        "protocol": protocol_of_study(study),
        "analyses": _analyses(name, study, tables, answered),
        **_titles_and_directions(study),
        **_settings_of_sources(study),
    }


def _titles_and_directions(study: Study) -> dict[str, Any]:
    """Return the titles of algorithms and environments, and whether lower scores are better."""
    titles: dict[str, str] = {}
    environment_titles: dict[str, str] = {}
    for source in study.sources.values():
        of_algorithms, of_environments = source.titles()
        titles |= of_algorithms
        environment_titles |= of_environments
    all_lower = any(getattr(source, "lower_is_better", False) is True for source in study.sources.values())
    negated = [environment for source in study.sources.values() for environment in source.negated_environments()]
    return {
        "titles": titles | study.titles,
        "environment_titles": environment_titles | study.titles,
        "directions": [source.direction() for source in study.sources.values() if source.direction()],
        "lower_is_better": True if all_lower else negated,
    }


def _settings_of_sources(study: Study) -> dict[str, Any]:
    """Return the settings that drawings state about sources, such as the treatment of short runs."""
    sources = {key: source.plain() for key, source in study.sources.items()}
    played = next((source for source in sources.values() if source["kind"] == "plays"), {})
    return {
        "hyperparameters": sources.get("runs", {}).get("hyperparameters") or [],
        "short_runs": _treatment(sources.get("runs", {})),
        "other_short_runs": _treatment(sources.get(OTHER_RUNS, {})),
        "steps_in_percent": any(source.get("along") == "percent" for source in sources.values()),
        **{key: played[key] for key in ("discount", "horizon") if key in played},
    }


def _treatment(source: Mapping[str, Any]) -> str:
    """Return the treatment of runs that ended early or left no score in a source, such as "drop"."""
    return str(source.get("short_runs", source.get("failed_runs", "error")))


def _analyses(name: str, study: Study, tables: StudyTables, answered: Iterable[str]) -> list[list[Any]]:
    """Return [name, day of the record, number of resamples, number of subsamples] of each answered question."""
    record = record_index(name)
    rows: list[list[Any]] = []
    for key in answered:
        question = study.questions[key]
        counts: Mapping[str, Any] = question.plain()
        if question.kind == "aggregate_metrics":  # uses the study's number of resamples unless it sets its own
            counts = {"n_resamples": study.n_resamples, **counts}
        drawn = [count for count in ("n_resamples", "datasets") if count in counts]
        if key in tables.recorded:
            counts = record[key]
        numbers = [int(counts[count]) if count in drawn else None for count in ("n_resamples", "datasets")]
        rows.append([key, tables.recorded.get(key), *numbers])
    return rows


def negated_kind(study: Study, question: str) -> str:
    """Return the kind of a question if its result has the unit of scores that are negated and not normalized, or ""."""
    asked = study.questions[question]
    scales = [study.scales[scale] for scale in asked.scales() if scale in study.scales]
    lower = (
        scale.kind == "none" and getattr(study.sources.get(scale.source), "lower_is_better", False) is True
        for scale in scales
    )
    has_values = asked.kind in VALUES and getattr(asked, "metric", "") != "probability_of_improvement"
    return asked.kind if scales and has_values and all(lower) else ""
