"""A LaTeX document that includes all that was exported, to look at, and to copy lines from."""

from collections.abc import Mapping, Sequence

from surefoot.export.latex import escaped
from surefoot.export.venues import VENUES, Venue


def document(title: str, place: Venue, figures: Mapping[str, str], tables: Sequence[str]) -> str:
    """The document, which pdfLaTeX and BibTeX take with what TeX Live's recommended packages have.

    Parameters
    ----------
    place : whose width the text has, or each of its two columns, so that figures and text are as wide as each other
    figures : captions by name, of figures/<name>.pdf
    tables : names, of tables/<name>.tex
    """
    lines = [
        f"\\documentclass[10pt{',twocolumn' if place.wider else ''}]{{article}}",
        f"\\usepackage[{_size(place)}]{{geometry}}",
        r"\usepackage[utf8]{inputenc}",
        r"\usepackage{amsmath,amssymb,booktabs,graphicx}",
        r"\usepackage[numbers]{natbib}",
        r"\setlength{\emergencystretch}{3em}",
        f"\\title{{{escaped(title)}}}",
        r"\author{}",
        r"\date{}",
        r"\begin{document}",
        r"\maketitle",
        r"\input{methods}",
    ]
    for name, caption in figures.items():
        lines += [
            r"\begin{figure}[tb]",
            r"\centering",
            f"\\includegraphics{{figures/{name}.pdf}}",
            f"\\caption{{{escaped(caption)}.}}",
            f"\\label{{fig:{name}}}",
            r"\end{figure}",
        ]
        if list(figures).index(name) % 8 == 7:
            lines.append(r"\clearpage")
    lines.append(r"\clearpage")
    for place_of_table, name in enumerate(tables):
        lines.append(f"\\input{{tables/{name}}}")
        if place_of_table % 8 == 7:
            lines.append(r"\clearpage")
    lines += [r"\clearpage", r"\bibliographystyle{plainnat}", r"\bibliography{references}", r"\end{document}", ""]
    return "\n".join(lines)


def _size(place: Venue) -> str:
    """The size of the text, for the package geometry; of a venue of columns, two of them stand on a page."""
    height = f"textheight={place.text_height:g}in"
    if not place.wider:
        return f"textwidth={place.width:g}in,{height}"
    wide = VENUES[place.wider].width
    return f"textwidth={wide:g}in,columnsep={wide - 2 * place.width:g}in,{height}"
