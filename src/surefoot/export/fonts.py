"""The font of a paper's figures: one like Times where this machine has it, and always one that is embedded.

The converter draws no letters at all in a font that it does not have, and says nothing. So it is asked first: a letter
is drawn, and the PDF must then hold a font.
"""

import functools
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import vl_convert

from surefoot.errors import HintedError

LIKE_TIMES = (
    "Times New Roman",
    "TeX Gyre Termes",
    "Liberation Serif",
    "Nimbus Roman",
    "Tinos",
    "STIX Two Text",
    "FreeSerif",
)
"""Families with the proportions of Times, the first that is there being taken."""
ALWAYS_THERE = "Liberation Sans"
"""The family that the converter brings along, with the proportions of Arial."""
_OF_TEX = "texgyretermes-regular.otf"
"""A file of TeX Gyre Termes, which TeX has in a folder of its own."""
_EMBEDDED = re.compile(rb"/FontName\s*/(?:[A-Z]{6}\+)?([^\s/>]+)")


def font_of_figures(asked: str | None = None, folder: Path | None = None) -> str:
    """The family that figures are drawn in.

    Parameters
    ----------
    asked : a family that must be there; by default the first of `LIKE_TIMES` that is, or else `ALWAYS_THERE`
    folder : with files of fonts (.ttf, .otf) to look into as well

    Raises
    ------
    HintedError
        for a family that is not there, and for a folder without fonts
    """
    if folder is not None:
        if not any(path.suffix.lower() in (".ttf", ".otf") for path in (folder.iterdir() if folder.is_dir() else ())):
            raise HintedError("fonts", f"{folder} holds no fonts", "a folder with files that end in .ttf or .otf")
        vl_convert.register_font_directory(str(folder.absolute()))
    if asked is not None:
        if not is_there(asked):
            there = [family for family in (*LIKE_TIMES, ALWAYS_THERE) if is_there(family)]
            raise HintedError(
                "font", f'"{asked}" is not there', f"there is {', '.join(there)}; a folder may bring more"
            )
        return asked
    _register_those_of_tex()
    return next((family for family in LIKE_TIMES if is_there(family)), ALWAYS_THERE)


def is_there(family: str) -> bool:
    """Whether the converter can draw in a family."""
    quoted = family.replace("&", "").replace('"', "").replace("<", "")
    letter = f'<text x="2" y="12" font-size="10" font-family="{quoted}">a</text>'
    picture = f'<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20">{letter}</svg>'
    return bool(embedded_fonts(vl_convert.svg_to_pdf(picture)))


def embedded_fonts(pdf: bytes) -> list[str]:
    """Names of the fonts whose outlines a PDF of the converter holds, sorted, without the prefix of a subset."""
    return sorted({name.decode("latin-1") for name in _EMBEDDED.findall(pdf)}) if b"/FontFile" in pdf else []


@functools.cache
def _register_those_of_tex() -> None:
    file = _output_of(["kpsewhich", _OF_TEX])
    if file and Path(file).is_file():
        vl_convert.register_font_directory(str(Path(file).parent))


def _output_of(command: Sequence[str]) -> str:
    if shutil.which(command[0]) is None:
        return ""
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
