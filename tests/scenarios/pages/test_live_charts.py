"""Charts with controls: a browser draws them anew when a control moves, and shows a picture without a script."""

import json
import re

import pytest

from surefoot.charts.calculators import how_many_runs, how_many_runs_numbers
from surefoot.charts.draw import pictures
from surefoot.reporting.page import Surroundings, figure, surrounded
from surefoot.reporting.site import page_script
from surefoot.runs.result_tables import read_table
from surefoot.workflow.project import RECORDS

ANSWER = "[...document.querySelectorAll('.picture svg tspan')].map((line) => line.textContent).join(' ')"


@pytest.fixture(scope="module")
def fragment(tmp_path_factory):
    """The chart as a page has it."""
    results = tmp_path_factory.mktemp("results")
    chart = how_many_runs(read_table(RECORDS / "leaderboards" / "standings.csv"))
    folder = results / "draw" / "page"
    folder.mkdir(parents=True)
    spec = chart.to_dict()
    (folder / "chart.json").write_text(json.dumps(spec), encoding="utf-8")
    (folder / "chart.html").write_text(pictures(spec, "chart")[1], encoding="utf-8")
    how_many_runs_numbers().head(3).to_csv(folder / "chart.csv", index=False)
    with surrounded(Surroundings(results, ["draw/page/chart"])):
        return figure("page/chart", title="")


def test_moving_a_control_changes_what_the_chart_says(fragment, tmp_path, chromium):
    path = tmp_path / "page.html"
    path.write_text(f"<main>{fragment}</main><script>{page_script(charts=True, live=True)}</script>", encoding="utf-8")
    chromium.open(path)
    before = chromium.evaluate(ANSWER)
    number = "[...document.querySelectorAll('.vega-bindings input')].at(-1)"
    chromium.evaluate(f"{number}.value = 0.2; {number}.dispatchEvent(new Event('input'))")
    after = chromium.evaluate(f"new Promise((done) => setTimeout(() => done({ANSWER}), 500))")
    assert "detect 0.10" in before and "detect 0.20" in after
    few, many = (int(re.search(r"(\d+) runs of each task", text)[1]) for text in (after, before))
    assert few < many
    assert not [event for event in chromium.events if event.get("method") == "Runtime.exceptionThrown"]
    # Each control has a label.
    labelled = "!document.querySelector('.vega-bindings :is(select, input):not(label *)')"
    assert chromium.evaluate(labelled)


def test_without_a_script_the_first_setting_is_pictured(fragment):
    assert "detect 0.10 with 80 % power" in fragment.partition("<script")[0]
    assert '"bind"' in fragment and fragment.count("<script") == fragment.count("</script>") == 1
