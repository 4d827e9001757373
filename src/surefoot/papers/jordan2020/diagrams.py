"""Figures 1 and 2: how runs are collected by tune-and-report, and with complete definitions."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import pandas as pd

from surefoot.charts import theme
from surefoot.charts.diagrams import Arrow, Box, diagram
from surefoot.result_tables import Tables


def figure_1(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Tune-and-report: many runs find the hyperparameters, and only the runs after that are reported (Figure 1)."""
    boxes = [
        Box(106, 8, 290, 184, "Tuning phase", "frame"),
        Box(446, 8, 226, 184, "Testing phase", "frame"),
        Box(6, 66, 84, 66, "algorithm and\nenvironment", "input"),
        Box(118, 66, 112, 66, "choose\nhyperparameters"),
        Box(272, 66, 112, 66, "run the algorithm,\nmeasure\nperformance"),
        Box(460, 66, 102, 66, "run with them\nonce for\neach seed"),
        Box(602, 66, 60, 66, "report", "result"),
    ]
    arrows = [
        Arrow([(90, 99), (118, 99)]),
        Arrow([(230, 99), (272, 99)]),
        Arrow([(328, 132), (328, 162), (174, 162), (174, 132)], "again, N iterations", (251, 180)),
        Arrow([(384, 99), (460, 99)], "the best", (421, 88)),
        Arrow([(562, 99), (602, 99)]),
    ]
    description = "Tune-and-report: a tuning phase of N iterations picks hyperparameters, a testing phase reports runs"
    return theme.finish(diagram(boxes, arrows, 200), description), _numbers(boxes)


def figure_2(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """Complete data collection: each trial draws its own hyperparameters, and every trial is reported (Figure 2)."""
    boxes = [
        Box(128, 8, 420, 184, "One trial", "frame"),
        Box(6, 66, 104, 66, "complete\nalgorithm and\nenvironment", "input"),
        Box(146, 66, 150, 66, "the definition draws\nthe hyperparameters"),
        Box(352, 66, 180, 66, "run the algorithm,\nmeasure performance"),
        Box(580, 66, 92, 66, "report\nall trials", "result"),
    ]
    arrows = [
        Arrow([(110, 99), (146, 99)]),
        Arrow([(296, 99), (352, 99)]),
        Arrow([(532, 99), (580, 99)]),
        Arrow([(442, 132), (442, 162), (221, 162), (221, 132)], "again, for each trial", (332, 180)),
    ]
    description = (
        "Complete data collection: the definition draws hyperparameters for each trial, all trials are reported"
    )
    return theme.finish(diagram(boxes, arrows, 200), description), _numbers(boxes)


def _numbers(boxes: list[Box]) -> pd.DataFrame:
    return pd.DataFrame({"kind": [box.kind for box in boxes], "text": [box.text.replace("\n", " ") for box in boxes]})
