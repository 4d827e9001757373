"""The script that makes the charts of a page live: Vega once a page, and what embeds each chart with it."""

import json
import re
from collections.abc import Sequence
from pathlib import Path

import vl_convert

HERE = Path(__file__).parent


def vega_lite_version(results: Path, reads: Sequence[str]) -> str | None:
    """Version of Vega-Lite, such as "6.4", that the charts among the read files are written for; None without charts.

    Raises
    ------
    ValueError
        where charts of two versions stand in one page
    """
    versions = set()
    for item in reads:
        path = results / f"{item}.json"
        if path.is_file():
            schema = json.loads(path.read_text(encoding="utf-8")).get("$schema", "")
            found = re.search(r"/vega-lite/v(\d+\.\d+)", schema)
            if not found:
                raise ValueError(f'{path} is not a chart: its $schema is "{schema}"')
            versions.add(found[1])
    if len(versions) > 1:
        raise ValueError(f"charts for Vega-Lite {', '.join(sorted(versions))} in one page: draw them again")
    return versions.pop() if versions else None


def chart_script(version: str) -> str:
    """JavaScript that holds Vega, Vega-Lite and vega-embed and draws every chart of the page; needs no network."""
    embed = (HERE / "charts.js").read_text(encoding="utf-8")
    # In braces, as the bundle's one-letter names would otherwise be global.
    return "{\n" + vl_convert.javascript_bundle(embed, vl_version=version) + "\n}\n"
