"""The drawings of a study's protocol: the card and its sentences."""

from typing import Any

from surefoot.charts.drawing import Drawing, table
from surefoot.charts.entries import RUNS
from surefoot.configuration.models import Study

SENTENCES, CARD = "protocol", "table_protocol"
PROTOCOL_DRAWINGS = (SENTENCES, CARD)
"""Their names, which no question's drawing may have."""


def protocol_of_study(study: Study) -> dict[str, Any]:
    """What the study says of its scores; the rule is that of its source, where this makes scores of curves."""
    if study.protocol is None:
        return {}
    rules = (rule for source in study.sources.values() if (rule := source.rule_of_scores()))
    rule = next(rules, study.protocol.rule)
    return study.protocol.plain() | ({} if rule is None else {"rule": rule})


def protocol_drawings(study: Study) -> dict[str, Drawing]:
    """Those of a study that says what its scores are; none of another."""
    if study.protocol is None:
        return {}
    setting = {"protocol": protocol_of_study(study)}
    shown_by = "surefoot.charts.protocol_card"
    return {
        SENTENCES: table(f"{shown_by}:sentences", (), "What a score is, in sentences", (RUNS,), setting),
        CARD: table(f"{shown_by}:table", (), "What a score is: the protocol card", (RUNS,), setting),
    }
