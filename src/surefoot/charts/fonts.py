"""Fonts with which charts are measured and pictures are drawn: those of the converter, not those of the machine."""

import os
from pathlib import Path

_SETTINGS = Path(__file__).with_name("fonts.conf")


def use_bundled_fonts() -> None:
    """Make the converter use only its bundled fonts, so that no result depends on the fonts of the machine.

    Font files are then not reopened for each string either. The converter reads this fontconfig variable once per
    process, when it first needs a font (on Linux; elsewhere it uses the fonts of the machine).
    """
    os.environ["FONTCONFIG_FILE"] = str(_SETTINGS)
