"""Drawings of the three distributions (Figures 3 to 5): states, what may follow them, and what pays."""

from collections.abc import Mapping
from typing import Any

import altair as alt
import numpy as np
import pandas as pd

from surefoot.bayesian import distributions
from surefoot.charts import theme
from surefoot.result_tables import Tables
from surefoot.statistics.arrays import Floats

_GDL_PLACES = [(0, 0), (1, 1), (2, 1.4), (2, 0.6), (1, 0.3), (-1, 0.3), (-2, 0.6), (-2, 1.4), (-1, 1)]
_STRAIGHT = {("gdl", 7, 0)}
"""Arrows that are not bent, since they would pass under a state."""

_GRID_GOAL = distributions.GRID_SIZE**2 - 1
"""No trajectory stays there, as it leads back to the first cell at once; arrows that pay are drawn to it."""

POINTS, HEAD, REWARD, MIDDLE = 33, 20, 8, 16
"""How many points a line has, and at which of them its head and its reward are, and that of a short line."""
_BENDS = {"gc": (0.05, 0.12)}
_BEND = (0.08, 0.05)
"""How far a line bends, and how much further for each unit of its length: more where many lead to one state."""
_HEIGHTS = {"gc": 210}
_HEIGHT = 330
_WIDTH, _PADDING = theme.WIDTH - 40, 25
_OFF = 5  # pixels between a line and its reward
_DIGIT, _HALF_LINE = 7.2, 5  # pixels of a digit, and of half the height of one


def figure_distribution(tables: Tables, settings: Mapping[str, Any]) -> tuple[alt.TopLevelMixin, pd.DataFrame]:
    """The possible transitions of the distribution `settings["distribution"]` as arrows, with their rewards."""
    name = settings["distribution"]
    distribution = getattr(distributions, name)()
    places = _places(name, len(distribution.pseudo_counts))
    numbers = _transitions(distribution)
    reachable = sorted({0, *numbers["state"][numbers["state"] != numbers["next_state"]], *numbers["next_state"]})
    reachable = [state for state in reachable if _reached(distribution)[state]]
    numbers = numbers[numbers["state"].isin(reachable)].reset_index(drop=True)
    arrows = numbers[numbers["state"] != numbers["next_state"]].assign(straight=False)
    arrows["straight"] = [(name, row.state, row.next_state) in _STRAIGHT for row in arrows.itertuples()]
    if name == "grid":
        arrows.loc[arrows["reward"] > 0, "next_state"] = _GRID_GOAL
        reachable.append(_GRID_GOAL)
    for end, column in (("", "state"), ("2", "next_state")):
        for axis, place in enumerate("xy"):
            arrows[f"{place}{end}"] = [places[state][axis] for state in arrows[column]]
    # Both directions between two states, and arrows over others, must be told apart: each bends to its own right.
    bend, height = _BENDS.get(name, _BEND), _HEIGHTS.get(name, _HEIGHT)
    curves = pd.concat([_bent(row, *bend) for row in arrows.itertuples()], ignore_index=True)
    states = pd.DataFrame([{"state": str(state), "x": places[state][0], "y": places[state][1]} for state in reachable])
    no_axis: dict[str, Any] = {"axis": None, "title": None}
    x = alt.X("x:Q", scale=alt.Scale(zero=False, padding=_PADDING), **no_axis)
    y = alt.Y("y:Q", scale=alt.Scale(zero=False, padding=_PADDING), **no_axis)
    pays = alt.condition("datum.pays", alt.value("#d7500f"), alt.value("#9fb0c3"))
    lines = alt.Chart(curves).mark_line(strokeWidth=1.3).encode(x=x, y=y, detail="arrow:N", order="order:Q", color=pays)
    heads = alt.Chart(curves[curves["order"] == HEAD]).mark_point(shape="triangle-up", filled=True, size=45, opacity=1)
    heads = heads.encode(
        x=x, y=y, color=pays, angle=alt.Angle("angle:Q", scale=alt.Scale(domain=[0, 360], range=[0, 360]))
    )
    paid = _beside_lines(curves, MIDDLE if name == "grid" else REWARD, height)
    labels = alt.Chart(paid).mark_text(
        fontSize=theme.TEXT, color="#a33a06", baseline="middle", dx={"expr": "datum.dx"}, dy={"expr": "datum.dy"}
    )
    circles = alt.Chart(states).mark_circle(size=620, color="#eef2f7", stroke="#7f93a8", opacity=1).encode(x=x, y=y)
    texts = alt.Chart(states).mark_text(fontSize=theme.TEXT, color=theme.INK).encode(x=x, y=y, text="state:N")
    chart = alt.layer(lines, heads, labels.encode(x=x, y=y, text="reward:N"), circles, texts)
    chart = chart.properties(width=_WIDTH, height=height)
    return theme.finish(chart, f"The possible transitions of {name}"), numbers


def _transitions(distribution: distributions.Distribution) -> pd.DataFrame:
    """Columns state, next_state, actions (that can lead there), reward (the greatest)."""
    counts = distribution.pseudo_counts
    rows = [
        {
            "state": int(state),
            "next_state": int(successor),
            "actions": int((counts[state, :, successor] > 0).sum()),
            "reward": float(distribution.rewards[state, :, successor].max()),
        }
        for state, successor in np.argwhere(counts.sum(axis=1) > 0)
    ]
    return pd.DataFrame(rows)


def _reached(distribution: distributions.Distribution) -> Floats:
    """Whether each state can be reached from the initial one."""
    follows = distribution.pseudo_counts.sum(axis=1) > 0
    reached = np.zeros(len(follows), bool)
    reached[distribution.initial_state] = True
    for _ in range(len(follows)):
        reached |= reached @ follows
    return reached


def _places(name: str, states: int) -> list[tuple[float, float]]:
    if name == "gc":
        return [(state, 0.0) for state in range(states)]
    if name == "gdl":
        return [(-x, y) for x, y in _GDL_PLACES]
    size = distributions.GRID_SIZE
    return [(state % size, -(state // size)) for state in range(states)]


def _bent(row: Any, bend: float, more: float) -> pd.DataFrame:
    """Points of a bent line between two states, and the direction of its head in degrees."""
    start, end = np.array([row.x, row.y]), np.array([row.x2, row.y2])
    along = end - start
    length = float(np.hypot(*along))
    aside = np.array([along[1], -along[0]]) / length * (0.0 if row.straight else bend + more * length)
    steps = np.linspace(0.0, 1.0, POINTS)
    points = start + steps[:, None] * along + 4.0 * (steps * (1.0 - steps))[:, None] * aside
    angle = float(np.degrees(np.arctan2(*(points[HEAD + 1] - points[HEAD - 1]))) % 360.0)
    curve = pd.DataFrame({"x": points[:, 0], "y": points[:, 1], "order": range(POINTS)})
    text = f"{row.reward:g}"
    return curve.assign(arrow=f"{row.state}-{row.next_state}", angle=angle, reward=text, pays=row.reward > 0)


def _beside_lines(curves: pd.DataFrame, order: int, height: float) -> pd.DataFrame:
    """That point of each line that pays, and how many pixels (dx, dy) from it the reward is written: beside the line,
    on the side to which it bends, so far that the digits do not touch it."""
    sizes = np.array([_WIDTH, height]) - 2 * _PADDING
    per_unit = sizes / np.ptp(curves[["x", "y"]].to_numpy(), axis=0) * (1, -1)
    rows = []
    for _, line in curves[curves["pays"]].groupby("arrow", sort=False):
        points = line[["x", "y"]].to_numpy() * per_unit
        along = points[order + 1] - points[order - 1]
        side = np.array([-along[1], along[0]]) / np.hypot(*along)
        row = line.iloc[order]
        half = np.array([_DIGIT * len(row["reward"]) / 2, _HALF_LINE])
        dx, dy = side * (_OFF + float(np.abs(side) @ half))
        rows.append(row[["x", "y", "arrow", "reward"]].to_dict() | {"dx": round(dx, 1), "dy": round(dy, 1)})
    return pd.DataFrame(rows)
