"""The scripts of a page: what makes its charts live, Vega once a page, its tables sortable, the site
searchable, and both light and dark."""

import json
import re
from collections.abc import Sequence
from pathlib import Path

import vl_convert

from surefoot.reporting.packing import packed

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
    """JavaScript that holds Vega, Vega-Lite and vega-embed, packed, and draws the charts of the page as they come near
    the window; needs no network."""
    library = vl_convert.javascript_bundle("globalThis.surefootEmbed = vegaEmbed;", vl_version=version)
    code = (HERE / "charts.js").read_text(encoding="utf-8").replace("<!--library-->", packed(library))
    # In braces, as its names would otherwise be global.
    return f"{{\n{code}}}\n"


def table_script() -> str:
    """JavaScript that sorts and filters the tables of a page."""
    return f"{{\n{(HERE / 'tables.js').read_text(encoding='utf-8')}}}\n"


def theme_script() -> str:
    """JavaScript for the head of a page: it settles whether the page is light or dark before anything is drawn."""
    return f"{{\n{(HERE / 'theme.js').read_text(encoding='utf-8')}}}\n"


def site_script() -> str:
    """JavaScript that searches the site and marks the section that is read in the contents."""
    return f"{{\n{(HERE / 'site.js').read_text(encoding='utf-8')}}}\n"
