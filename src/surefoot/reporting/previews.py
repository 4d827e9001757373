"""Previews of links to a published site: tags in the head of each page, and a picture and a page for each figure.

A service that shows a preview does not see the part of an address after "#". So each figure also has a small page,
which redirects to the figure.
"""

import re
from collections.abc import Iterator
from html import escape
from typing import NamedTuple

from surefoot.charts.fonts import use_bundled_fonts
from surefoot.reporting.site import plain_text
from surefoot.workflow.runner import Task

FOLDER = "figures"
"""Folder of the pages and pictures of the figures, within the folder of the site."""
SCALE = 2
"""Pixels of a picture per pixel of a chart."""
_CHARSET = '<meta charset="utf-8">'
_PARTS = re.compile(r'\bid="(?P<figure>fig-[\w-]+)"|</figure>|\bdata-source="[^"]*: (?P<drawing>[^"]+)"')
_TITLE = re.compile(r'<p class="title">(.*?)</p>', re.DOTALL)
_CAPTION = re.compile(r"<figcaption[^>]*>(.*?)</figcaption>", re.DOTALL)


class Figure(NamedTuple):
    """A figure of a page.

    name : name of the files of the figure, such as "jordan2020_figure_5"
    identifier : id of the figure in the page
    title, caption : plain texts
    """

    name: str
    identifier: str
    title: str
    caption: str


def file_name(drawing: str) -> str:
    """Return the name of the files of a figure, such as "jordan2020_figure_5" for "jordan2020/figure_5"."""
    return drawing.replace("/", "_")


def figures_of(html: str) -> Iterator[Figure]:
    """Yield the figures of a page that have an id, in order."""
    identifier = ""
    for part in _PARTS.finditer(html):
        if part["drawing"] is None:
            identifier = part["figure"] or ""
        elif identifier:
            content = html[part.end() : html.find("</figure>", part.end())]
            texts = (pattern.search(content) for pattern in (_TITLE, _CAPTION))
            title, caption = (plain_text(found[1]) if found else "" for found in texts)
            yield Figure(file_name(part["drawing"]), identifier, title, caption)


def with_preview(html: str, address: str, name: str) -> str:
    """Add tags to the head of a page, so that previews of links to it show its first figure.

    Parameters
    ----------
    html : the page
    address : address of the site
    name : file name of the page
    """
    first = next(figures_of(html), None)
    tags = _tags(address, name, "" if first is None else first.name)
    return html.replace(_CHARSET, f"{_CHARSET}\n{tags}", 1)


def _tags(address: str, page: str, figure: str) -> str:
    root = address.rstrip("/")
    tags = [f'<meta property="og:url" content="{escape(f"{root}/{page}")}">']
    if figure:
        tags.append(f'<meta property="og:image" content="{escape(f"{root}/{FOLDER}/{figure}.png")}">')
    card = "summary_large_image" if figure else "summary"
    return "\n".join([*tags, f'<meta name="twitter:card" content="{card}">'])


def make_previews(task: Task) -> None:
    """Write a picture (PNG) and a page for each figure, as a job.

    The inputs are pages, by file name, and the SVG files of figures, by the names that `file_name` returns.
    """
    import vl_convert  # not needed without previews

    use_bundled_fonts()
    shown: dict[str, tuple[str, Figure]] = {}
    for page, path in task.inputs.items():
        if page.endswith(".html"):
            for figure in figures_of(path.read_text(encoding="utf-8")):
                shown.setdefault(figure.name, (page, figure))
    for name in (name for name in task.inputs if f"{name}.png" in task.outputs):
        svg = task.inputs[name].read_text(encoding="utf-8")
        task.outputs[f"{name}.png"].write_bytes(vl_convert.svg_to_png(svg, scale=SCALE))
        page, figure = shown.get(name, ("index.html", Figure(name, "", name, "")))
        html = figure_page(task.settings["address"], page, figure)
        task.outputs[f"{name}.html"].write_text(html, encoding="utf-8")


def figure_page(address: str, page: str, figure: Figure) -> str:
    """Return the HTML of the small page of a figure, which redirects to the figure on its page.

    Parameters
    ----------
    address : address of the site
    page : file name of the page with the figure
    """
    title = escape(figure.title or figure.caption)
    place = escape(f"../{page}#{figure.identifier}")
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
{_CHARSET}
{_tags(address, f"{FOLDER}/{figure.name}.html", figure.name)}
<meta property="og:title" content="{title}">
<meta property="og:description" content="{escape(figure.caption)}">
<meta http-equiv="refresh" content="0; url={place}">
<title>{title}</title>
</head>
<body>
<a href="{place}">{title}</a>
</body>
</html>
"""
