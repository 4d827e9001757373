"""The fonts that pictures are measured in: the converter's own, whatever a machine has.

In a machine's fonts the bytes of a picture would depend on the machine; and the converter opens the file of such a font
again for each text that it measures, which takes longer than all the rest of a drawing. It looks for fonts once a
process, before it draws for the first time, by what a variable of fontconfig names (on Linux; elsewhere it finds the
machine's fonts all the same).
"""

import json
import os
import subprocess
import sys
import unicodedata
from pathlib import Path
from typing import Any

_VARIABLE = "FONTCONFIG_FILE"
_OF_THE_MACHINE = "SUREFOOT_FONTCONFIG_FILE"
_NONE = Path(__file__).with_name("fonts.conf")
_CONVERT = "import json, sys, vl_convert; sys.stdout.write(vl_convert.vega_to_svg(json.load(sys.stdin)))"


def measure_in_own_fonts() -> None:
    """Let this process, which has not drawn yet, find no font of the machine."""
    if os.environ.get(_VARIABLE) != str(_NONE):
        os.environ[_OF_THE_MACHINE] = os.environ.get(_VARIABLE, "")
        os.environ[_VARIABLE] = str(_NONE)


def has_wide_letters(vega_lite: dict[str, Any]) -> bool:
    """Whether a chart has letters of the width of two, such as Chinese ones: the converter has no font with them."""
    text = json.dumps(vega_lite, ensure_ascii=False)
    return not text.isascii() and any(unicodedata.east_asian_width(letter) in "WF" for letter in set(text))


def svg_in_fonts_of_the_machine(vega: dict[str, Any]) -> str:
    """The picture of a Vega specification, drawn by a process of its own, which finds the machine's fonts."""
    variables = dict(os.environ)
    if _OF_THE_MACHINE in variables:
        variables[_VARIABLE] = variables.pop(_OF_THE_MACHINE)
    asked = [sys.executable, "-c", _CONVERT]
    drawn = subprocess.run(
        asked, input=json.dumps(vega), env=variables, capture_output=True, encoding="utf-8", check=True
    )
    return drawn.stdout
