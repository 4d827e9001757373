"""Draw every figure and table of a study; each is a separate cache entry.

A figure is an SVG file and an HTML fragment for pages. Vega renders the figure once, and a second time for narrow pages
if it is too wide for them. On a page it fills the available width, and every colour has a counterpart for dark pages;
the CSS property `color-scheme` of the page selects one of the two. Vega writes the tooltip of a mark
(`surefoot.charts.theme.TOOLTIP`) into the SVG as its description; on a page, it becomes the attribute `data-tooltip`,
which a script shows on hover.
"""

import functools
import inspect
import json
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd
from altair.utils.schemapi import debug_mode

from surefoot.charts import theme
from surefoot.charts.drawing import FINDING_FUNCTION, drawing_suffixes, modules_of
from surefoot.charts.fonts import use_bundled_fonts
from surefoot.charts.input_tables import files_of, in_own_units, read_arguments
from surefoot.charts.names import SCORES, named
from surefoot.charts.narrow import narrow_picture
from surefoot.charts.theme import FINDING
from surefoot.registry import function_named
from surefoot.runs.result_tables import read_table
from surefoot.workflow.files import canonical_json, sha256_file
from surefoot.workflow.fingerprint import fingerprint
from surefoot.workflow.job import versions
from surefoot.workflow.runner import Task

_PAPER = re.compile(r'<rect width="[\d.]+" height="[\d.]+" fill="white" ?/>')
_WITHOUT_EFFECT = re.compile(
    r' (?:aria-hidden|aria-roledescription|role|class|pointer-events)="[^"]*"| opacity="1"|<path d=""[^>]*/>'
)
_TITLE_TEXT = re.compile(r""" aria-label="Title text '[^"]*\"""")
"""Description that Vega writes for the heading of a panel. Without it, screen readers read the heading itself."""
_PLACES = re.compile(r'(?<= )(?:d|transform)="[^"]*"')
_COLOUR = re.compile(r'(?<= )(fill|stroke)="(white|black|#[0-9a-f]{3,6}|rgb\([\d, ]+\))"')
_ASKED = re.compile(r" Ask `\w+` which differ\.")
"""Advice to callers in a finding. Pages omit it, since it does not apply to their readers."""
_FRACTION = re.compile(r"-?\d*\.\d{2,}(?:e-?\d+)?")


def draw(task: Task) -> None:
    """Write the files of each figure and table: numbers (CSV), and for figures Vega-Lite (JSON), SVG and HTML."""
    use_bundled_fonts()
    hashes = {name: sha256_file(path) for name, path in task.inputs.items()}
    read = functools.cache(read_table)
    algorithms = _algorithms([task.inputs[name] for name in task.settings.get("algorithms", ())])
    for name, planned in task.settings["drawings"].items():
        drawing = planned | {"algorithms": algorithms} if planned["kind"] == "figure" else planned
        compute = functools.partial(_draw, drawing, task.inputs, read)
        folder = task.outputs[f"{name}.csv"].parent
        bundle = folder / f"{name}.bundle"
        of_tables = {place: hashes[file] for place, file in files_of(drawing["tables"])}
        task.unit("draw.drawing", unit_settings(name, drawing), of_tables, compute, bundle)
        texts = json.loads(bundle.read_text(encoding="utf-8"))
        for suffix in drawing_suffixes(drawing["kind"]):
            (folder / f"{name}.{suffix}").write_text(texts[suffix], encoding="utf-8")


def _algorithms(paths: Iterable[Path]) -> list[str]:
    """Return the algorithms of some tables of runs, sorted, without reading the other columns."""
    columns = (pd.read_parquet(path, columns=["algorithm"])["algorithm"] for path in paths)
    return sorted({str(name) for column in columns for name in column.unique()})


def unit_settings(name: str, drawing: Mapping[str, Any]) -> dict[str, Any]:
    """Return everything that determines a figure or table, except for the bytes of its input tables."""
    code = (*modules_of(drawing), __name__, in_own_units.__module__, narrow_picture.__module__)
    return {
        "drawing": {"name": name} | {key: value for key, value in drawing.items() if key != "tables"},
        "code": {module: fingerprint(module) for module in code},
        "versions": versions("draw"),
    }


def _draw(
    drawing: Mapping[str, Any], paths: Mapping[str, Path], read: Callable[[Path], pd.DataFrame], path: Path
) -> None:
    """Write all files of a figure or table into one JSON file.

    Parameters
    ----------
    drawing : entry of the figure or table in the settings of the job
    paths : file of each input table, by name
    read : function that reads a table
    path : the JSON file
    """
    tables = read_arguments(drawing["tables"], paths, read)
    for argument, kind in drawing.get("negated", {}).items():
        tables[argument] = in_own_units(tables[argument], kind)
    function = function_named(drawing["function"])
    keywords = drawing["keywords"]
    is_table = drawing["kind"] == "table"
    numbers = function(**tables, **keywords) if is_table else numbers_of(function, tables, keywords)
    bundle = {"csv": numbers.to_csv(index=False)}
    if not is_table:
        # Validating each part of a chart is slow; tests validate charts.
        with debug_mode(False), theme.styled_for(drawing.get("algorithms", ())):
            chart = theme.chart_by(function, **tables, **keywords)
        vega_lite = chart.to_dict(validate=False)
        describe(vega_lite, drawing, tables)
        picture, fragment = pictures(vega_lite, path.stem)
        if not vega_lite.get("params"):  # a chart with controls is sized in the page itself
            narrow = functools.partial(pictures, name=f"{path.stem}-narrow")
            fragment += narrow_picture(vega_lite, picture, narrow)
        bundle |= {"json": canonical_json(vega_lite), "svg": picture, "html": fragment}
    path.write_text(json.dumps(bundle), encoding="utf-8")


def numbers_of(draw: Callable[..., Any], tables: Mapping[str, Any], keywords: Mapping[str, Any]) -> pd.DataFrame:
    """Return the numbers of a chart, which are saved beside it.

    They are the first table that the chart takes, unless the same module has a function that computes them: the numbers
    of `exploits_chart` are what `exploits_numbers` returns, and those of `figure_5` what `figure_5_numbers` returns.
    Such a function gets those tables and keywords of the chart that it declares.

    Parameters
    ----------
    draw : function that returns the chart
    tables, keywords : its arguments
    """
    compute = getattr(sys.modules[draw.__module__], f"{draw.__name__.removesuffix('_chart')}_numbers", None)
    if compute is None:
        first: pd.DataFrame = next(tables[name] for name in inspect.signature(draw).parameters if name in tables)
        return first
    declared = inspect.signature(compute).parameters
    numbers: pd.DataFrame = compute(**{key: value for key, value in {**tables, **keywords}.items() if key in declared})
    return numbers


def describe(vega_lite: dict[str, Any], drawing: Mapping[str, Any], tables: Mapping[str, Any]) -> None:
    """Add the finding to the metadata of a chart.

    If the result comes from a record, also add the date of the record to the description.
    """
    if finding := _title_of(drawing, tables, vega_lite.get("usermeta", {}).get(FINDING, "")):
        vega_lite["usermeta"] = vega_lite.get("usermeta", {}) | {FINDING: finding}
    if day := drawing.get("recorded"):
        vega_lite["description"] += f" (from the record of {day}, not computed in this run)"


def _title_of(drawing: Mapping[str, Any], tables: Mapping[str, Any], title: str) -> str:
    """Return the finding of the drawn result; "" to leave the title of the chart unchanged.

    Pages of studies show the finding instead of a shorter title.
    """
    told = drawing.get("finding")
    if told is None or (title and not told["always"]):
        return ""
    answer = tables[told["table"]]
    if answer.empty:
        return ""
    if "scores" in answer:  # the finding has one sentence per set of scores, which begins with the name of the set
        answer = answer.assign(scores=named(SCORES, answer["scores"]))
    finding = str(function_named(FINDING_FUNCTION)(told["function"], answer, told["keywords"]))
    return _ASKED.sub("", finding)


def pictures(vega_lite: dict[str, Any], name: str) -> tuple[str, str]:
    """Render a chart.

    Parameters
    ----------
    vega_lite : the chart, with its data
    name : name of the figure, used as prefix of ids in the picture

    Returns
    -------
    The SVG file, with a white background, and the SVG element for HTML, without background.
    """
    import vl_convert  # not needed for tables

    picture = with_own_ids(vl_convert.vegalite_to_svg(vega_lite), name)
    picture = _TITLE_TEXT.sub("", _WITHOUT_EFFECT.sub("", picture))
    tenth = functools.partial(_FRACTION.sub, lambda number: f"{round(float(number[0]), 1) + 0.0:g}")
    picture = _PLACES.sub(lambda place: tenth(place[0]), picture)
    picture = picture.replace(f' font-family="{theme.FONT}"', "").replace("<svg", f'<svg font-family="{theme.FONT}"', 1)
    in_page = re.sub(r' xmlns(:\w+)?="[^"]*"', "", _PAPER.sub("", picture, count=1))
    return picture, in_both_colours(in_page.replace(" aria-label=", " data-tooltip="))


def in_both_colours(picture: str) -> str:
    """Return the SVG with a counterpart for dark pages added to each of its colours.

    Colours of the theme have a predefined counterpart. For other colours, such as the shade of a table cell, the
    lightness is inverted and the hue kept.
    """

    def both(paint: re.Match[str]) -> str:
        light = {"white": theme.PAPER}.get(paint[2], paint[2].replace(" ", ""))
        dark = theme.DARK.get(light, f"hsl(from {light} h s calc(90 - 0.8 * l))")
        return f'{paint[1]}="light-dark({light}, {dark})"'

    return _COLOUR.sub(both, picture)


def with_own_ids(picture: str, name: str) -> str:
    """Return the SVG with ids numbered from 1 and prefixed with the name of the figure.

    The converter continues its numbering from one drawing to the next, so the bytes would otherwise depend on earlier
    drawings.
    """
    ids = dict.fromkeys(re.findall(r'\bid="([^"]+)"', picture))
    numbered = {old: f"{name}-{number}" for number, old in enumerate(ids, 1)}
    picture = re.sub(r'\bid="([^"]+)"', lambda part: f'id="{numbered[part[1]]}"', picture)
    return re.sub(r"url\(#([^)]+)\)", lambda part: f"url(#{numbered.get(part[1], part[1])})", picture)
