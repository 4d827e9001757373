"""Charts of results combine and restyle: what is drawn is read back from the picture."""

import functools
import json
import re

import altair as alt
import numpy as np
import pytest
import vl_convert

import surefoot

RNG = np.random.default_rng(0)
SCORES = {name: RNG.normal(mean, 0.3, (5, 4)) for name, mean in (("ours", 1.0), ("ppo", 0.4), ("sac", 0.7))}


@functools.cache
def profiles():
    return surefoot.performance_profiles(SCORES, n_resamples=40)


@functools.cache
def metrics():
    return surefoot.aggregate_metrics(SCORES, n_resamples=40)


def drawn(chart):
    """Return the picture of a chart, as SVG."""
    return vl_convert.vegalite_to_svg(chart.to_dict())


def size(chart):
    width, height = re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', drawn(chart)).groups()
    return float(width), float(height)


def texts(chart):
    return re.findall(r"<text[^>]*>([^<]*)</text>", drawn(chart))


@pytest.mark.parametrize("result", [profiles, metrics])
def test_a_panel_has_the_size_that_is_asked_for(result):
    small, large = (size(result().chart(width=width, height=100)) for width in (150, 250))
    panels = max(1, (large[0] - small[0]) // 100)
    assert large[0] - small[0] == pytest.approx(100 * panels, abs=40) and large[1] == pytest.approx(small[1], abs=30)
    assert size(result().chart().properties(width=150, height=100)) == small


@functools.cache
def standings():
    return surefoot.multiple_comparisons(SCORES)


@pytest.mark.parametrize("result", [profiles, metrics, standings])
def test_algorithms_have_the_colours_that_are_asked_for(result):
    for colors in ({"ours": "#ff00ff"}, ["#ff00ff", "#00ff00", "#0000ff"]):
        assert "#ff00ff" not in drawn(result().chart())
        assert "#ff00ff" in drawn(result().chart(colors=colors))


def test_rows_stand_in_the_order_that_is_asked_for():
    for order in (["ppo", "sac", "ours"], ["sac", "ours", "ppo"]):
        found = [text for text in texts(metrics().chart(order=order)) if text in SCORES]
        assert found[:3] == order
    assert next(text for text in texts(metrics().chart(order=["ppo"])) if text in SCORES) == "ppo"


def test_titles_and_sizes_of_letters_are_drawn():
    chart = profiles().chart(titles={"ours": "Our method"}, font_size=21)
    assert "Our method" in texts(chart) and "ours" not in texts(chart)
    sizes = set(re.findall(r'font-size="([\d.]+)px"', drawn(chart)))
    assert sizes == {"21"}


def test_charts_combine_as_those_of_altair():
    one = profiles().chart(width=100, height=100)
    wide, high = size(one)
    beside = size(one | one)
    below = size(one & metrics().chart(width=100))
    assert beside[0] > wide + 100 and beside[1] < 1.5 * high and below[1] > 1.5 * high
    rule = alt.Chart(alt.InlineData(values=[{}])).mark_rule(color="#ff00ff").encode(x=alt.datum(0.5))
    assert "#ff00ff" in drawn(one + rule)
    for whole in (one | one, one & one, one + rule):
        assert whole.to_dict()["config"]["font"] == one.to_dict()["config"]["font"]
    with pytest.raises(TypeError, match="layer the charts before faceting"):
        metrics().chart() + metrics().chart()


def test_altairs_own_changes_take_effect():
    chart = profiles().chart()
    assert "A title" in texts(chart.properties(title="A title"))
    assert "share of runs" in texts(chart.encode(y=alt.Y("estimate:Q", title="share of runs")))
    grids = [json.dumps(one.to_dict()["config"]) for one in (chart, chart.configure_axis(grid=False))]
    assert grids[0] != grids[1] and '"grid": false' in grids[1]
    lines = [
        drawn(one).count("<line") + drawn(one).count("role-axis-grid")
        for one in (chart, chart.configure_axis(grid=False))
    ]
    assert lines[1] < lines[0]


@pytest.mark.parametrize(("ending", "start"), [("pdf", b"%PDF"), ("svg", b"<svg"), ("png", b"\x89PNG")])
def test_a_chart_is_saved_in_each_format(ending, start, tmp_path):
    (metrics().chart() & profiles().chart()).save(tmp_path / f"chart.{ending}")
    assert (tmp_path / f"chart.{ending}").read_bytes().startswith(start)


def test_means_of_tasks_have_a_panel_each():
    found = texts(surefoot.task_means(SCORES).chart())
    assert {"0", "1", "2", "3"} <= set(found) and {"ours", "ppo", "sac"} <= set(found)


@pytest.mark.parametrize(
    ("style", "message"),
    [
        ({"colours": {"ours": "red"}}, r'chart: unknown argument "colours"\. Hint: did you mean "colors"'),
        ({"figsize": (3, 4)}, r'unknown argument "figsize"\. Hint: width=300, height=200'),
        ({"title": "x"}, r"Hint: chart\(\)\.properties\(title="),
        ({"colors": "red"}, r"chart: colors: 'red' is not allowed\. Hint: use a dict or a list"),
        ({"order": "ours"}, r"chart: order: 'ours' is not allowed\. Hint: use a list"),
        ({"titles": ["a"]}, r"chart: titles: \['a'\] is not allowed\. Hint: use a dict"),
        ({"width": "wide"}, r"chart: width: 'wide' is not allowed\. Hint: use a number of pixels"),
        ({"font_size": True}, "chart: font_size: True is not allowed"),
        ({"order": ["our"]}, r"chart: order: the result has no algorithm 'our'\. Hint: did you mean \"ours\""),
        ({"colors": {"nobody": "red"}}, r"chart: colors: the result has no algorithm 'nobody'\. Hint: use one of"),
    ],
)
def test_wrong_styles_are_answered(style, message):
    with pytest.raises((TypeError, ValueError), match=message):
        metrics().chart(**style)


def test_colours_may_name_algorithms_of_other_results():
    assert "#ff00ff" in drawn(metrics().chart(colors={"ours": "#ff00ff", "nobody": "red"}))
