"""How charts look: colours that can be told apart by everybody, pictures that scale, and any number of algorithms."""

from itertools import combinations
from xml.etree import ElementTree

import altair as alt
import numpy as np
import pandas as pd
import pytest

from surefoot.charts import theme
from surefoot.charts.draw import pictures
from surefoot.charts.names import ALGORITHMS as PUBLISHED
from surefoot.charts.theme import DARK, PAPER, styles

ALGORITHMS = [f"mine_{number:02}" for number in range(11)]

# Machado, Oliveira and Fernandes (2009), severity 1, for linear RGB.
SIGHT = {
    "normal": np.eye(3),
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
}
RGB_TO_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.180437], [0.2126729, 0.7151522, 0.072175], [0.0193339, 0.119192, 0.9503041]]
)


def linear(colour: str) -> np.ndarray:
    """Linear RGB of an sRGB colour "#rrggbb"."""
    encoded = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4)


def lab(colour: str, sight: str) -> np.ndarray:
    """CIELAB (D65) of a colour as somebody with that sight sees it."""
    xyz = RGB_TO_XYZ @ np.clip(np.array(SIGHT[sight]) @ linear(colour), 0, 1) / (RGB_TO_XYZ @ np.ones(3))
    f = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def ciede2000(first, second) -> float:
    """Colour difference, after Sharma, Wu and Dalal (2005)."""
    (l1, a1, b1), (l2, a2, b2) = first, second
    mean_chroma = (np.hypot(a1, b1) + np.hypot(a2, b2)) / 2
    stretch = 1.5 - 0.5 * np.sqrt(mean_chroma**7 / (mean_chroma**7 + 25.0**7))
    c1, c2 = np.hypot(a1 * stretch, b1), np.hypot(a2 * stretch, b2)
    h1, h2 = (np.degrees(np.arctan2(b, a * stretch)) % 360 for a, b in ((a1, b1), (a2, b2)))
    gray = c1 * c2 == 0
    turn = 0.0 if gray else (h2 - h1 + 180) % 360 - 180
    mean_hue = h1 + h2 if gray else (h1 + turn / 2) % 360
    d_l, d_c, d_h = l2 - l1, c2 - c1, 2 * np.sqrt(c1 * c2) * np.sin(np.radians(turn / 2))
    mean_l, mean_c = (l1 + l2) / 2, (c1 + c2) / 2
    t = (
        1
        - 0.17 * np.cos(np.radians(mean_hue - 30))
        + 0.24 * np.cos(np.radians(2 * mean_hue))
        + 0.32 * np.cos(np.radians(3 * mean_hue + 6))
        - 0.2 * np.cos(np.radians(4 * mean_hue - 63))
    )
    d_l /= 1 + 0.015 * (mean_l - 50) ** 2 / np.sqrt(20 + (mean_l - 50) ** 2)
    d_c /= 1 + 0.045 * mean_c
    d_h /= 1 + 0.015 * mean_c * t
    rotation = 2 * np.sqrt(mean_c**7 / (mean_c**7 + 25.0**7))
    rotation *= -np.sin(np.radians(60 * np.exp(-(((mean_hue - 275) / 25) ** 2))))
    return float(np.sqrt(d_l**2 + d_c**2 + d_h**2 + rotation * d_c * d_h))


@pytest.mark.parametrize("sight", SIGHT)
@pytest.mark.parametrize("shade", [str, DARK.get], ids=["light", "dark"])
def test_colours_differ_for_every_sight(sight, shade):
    colours = {name: lab(shade(style.colour), sight) for name, style in styles(ALGORITHMS).items()}
    closest = min((ciede2000(colours[a], colours[b]), a, b) for a, b in combinations(ALGORITHMS, 2))
    assert closest[0] > (14 if sight in ("protanopia", "deuteranopia") else 10.5), closest


@pytest.mark.parametrize("name", ALGORITHMS)
def test_colours_stand_out_from_the_dark_page(name):
    dark, paper = (RGB_TO_XYZ[1] @ linear(DARK[colour]) for colour in (styles(ALGORITHMS)[name].colour, PAPER))
    assert (dark + 0.05) / (paper + 0.05) > 2.9


@pytest.mark.parametrize("together", [*PUBLISHED, ALGORITHMS], ids=lambda names: names[0])
def test_curves_differ_in_grey_by_dash_or_lightness(together):
    shown = styles(together)
    for first, second in combinations(together, 2):
        if shown[first].dash == shown[second].dash:
            for shade in (str, DARK.get):
                lightness = [lab(shade(shown[name].colour), "normal")[0] for name in (first, second)]
                assert abs(lightness[0] - lightness[1]) >= 15, (first, second)


def test_an_algorithm_has_one_colour_whatever_is_shown_with_it():
    for together in PUBLISHED:
        shown = styles(together)
        for name in together:
            assert styles(["mine", name.upper(), "yours"])[name.upper()] == shown[name] == styles([name])[name]
    assert len({style.colour for style in styles(["spr", "SPR", "DreamerV2", "mine", "PPO"]).values()}) == 5


def test_a_part_of_a_study_has_the_colours_of_the_whole():
    study = ["mine_a", "mine_b", "mine_c"]
    with theme.styled_for(study):
        part, others = styles(["mine_c"]), styles(["a lift", "mine_c"])
    assert part["mine_c"] == styles(study)["mine_c"] != styles(["mine_c"])["mine_c"]
    assert others == styles(["a lift", "mine_c"])


def test_no_two_of_thirty_algorithms_look_the_same():
    assert len(set(styles(f"mine_{number}" for number in range(30)).values())) == 30


def test_tooltips_leave_out_what_is_missing():
    names = ["Alpha, the first", 'B "two"; <b>']
    rows = pd.DataFrame({"title": names, "estimate": [1 / 3, 2e-5], "low": [0.1, None]})
    rows = theme.with_tooltips(rows, {"title": "algorithm", "estimate": "score", "low": "low"})
    points = alt.Chart(rows).mark_point(aria=True).encode(x="estimate:Q", y="title:N", **theme.TOOLTIP)
    lines = alt.Chart(rows).mark_line().encode(x="estimate:Q", y="low:Q")
    _, fragment = pictures(theme.finish(alt.layer(points, lines), "x").to_dict(), "name")
    told = [part.get("data-tooltip") for part in ElementTree.fromstring(fragment).iter() if part.get("data-tooltip")]
    assert told == [f"algorithm: {names[0]}; score: 0.3333; low: 0.1", f"algorithm: {names[1]}; score: 2e-5"]


def rows(chart):
    return [row for values in chart.to_dict()["datasets"].values() for row in values]


def test_charts_hold_any_number_of_rows():
    points = pd.DataFrame({"x": np.arange(6000), "y": 1})
    chart = alt.Chart(theme.chart_data(points)).mark_point().encode(x="x:Q", y="y:Q")
    assert len(rows(theme.finish(alt.vconcat(alt.layer(chart, chart.mark_line()), chart), "points"))) == 6000
    with pytest.raises(alt.MaxRowsError):
        alt.Chart(points).mark_point().to_dict()
