"""The drawings of a study's protocol: the card and its sentences."""

from surefoot.charts.drawing import Drawing, table
from surefoot.charts.entries import RUNS
from surefoot.configuration.models import Study

SENTENCES, CARD = "protocol", "table_protocol"
PROTOCOL_DRAWINGS = (SENTENCES, CARD)
"""Their names, which no question's drawing may have."""


def protocol_drawings(study: Study) -> dict[str, Drawing]:
    """Those of a study that says what its scores are; none of another."""
    if study.protocol is None:
        return {}
    setting = {"protocol": study.protocol.plain()}
    shown_by = "surefoot.charts.protocol_card"
    return {
        SENTENCES: table(f"{shown_by}:sentences", (), "What a score is, in sentences", (RUNS,), setting),
        CARD: table(f"{shown_by}:table", (), "What a score is: the protocol card", (RUNS,), setting),
    }
