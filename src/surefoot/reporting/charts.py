"""The scripts of a page: what its charts tell, its tables sortable, the site searchable, and both light and dark; and
the font of its charts."""

import base64
from collections.abc import Sequence
from pathlib import Path

HERE = Path(__file__).parent


def has_charts(results: Path, reads: Sequence[str]) -> bool:
    """Whether a page that reads these has charts."""
    return any((results / f"{item}.json").is_file() for item in reads)


def font_faces() -> str:
    """CSS of the font of charts, for readers who have none with the widths of Arial."""
    faces = []
    for weight, name in (("normal", "regular"), ("bold", "bold")):
        font = base64.b64encode((HERE / "fonts" / f"chart_sans_{name}.woff2").read_bytes()).decode()
        source = f"url(data:font/woff2;base64,{font})"
        faces.append(f'@font-face {{ font-family: "Chart Sans"; font-weight: {weight}; src: {source}; }}\n')
    return "".join(faces)


def chart_script() -> str:
    """JavaScript that tells of the marks of charts and highlights an algorithm in all of them; needs no network."""
    return _in_braces("charts")


def table_script() -> str:
    """JavaScript that sorts and filters the tables of a page."""
    return _in_braces("typed", "tables")


def export_script() -> str:
    """JavaScript that offers figures and tables in other forms than numbers; after those of charts and tables."""
    return _in_braces("export")


def theme_script() -> str:
    """JavaScript for the head of a page: it settles whether the page is light or dark before anything is drawn."""
    return _in_braces("theme")


def site_script() -> str:
    """JavaScript that searches the site and marks the section that is read in the contents."""
    return _in_braces("typed", "site")


def _in_braces(*names: str) -> str:
    """The scripts as one, in braces, as their names would otherwise be global."""
    return f"{{\n{''.join((HERE / f'{name}.js').read_text(encoding='utf-8') for name in names)}}}\n"
