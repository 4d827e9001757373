"""Pictures are measured in the converter's own fonts, and in the machine's only what those lack."""

import json
import os
import re
import subprocess
import sys

import pytest

from surefoot import letters
from surefoot.charts.fonts import has_wide_letters

NARROW, WIDE = "il", "WM"
DRAWN = """
import json, sys
from surefoot.charts.fonts import measure_in_own_fonts
from surefoot.charts.page_pictures import pictures

name, own = json.loads(sys.argv[1])
if own:
    measure_in_own_fonts()
rows = [{"algorithm": name, "score": 1.0}]
encoding = {"y": {"field": "algorithm", "type": "nominal"}, "x": {"field": "score", "type": "quantitative"}}
chart = {"data": {"values": rows}, "mark": "point", "encoding": encoding, "width": 100}
font = {"config": {"font": "Liberation Sans, Arial"}}
print(pictures(chart | font, "figure")[0])
"""


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """Variables of a machine whose Liberation Sans is another one: its "i" and "l" have the outlines and widths of "W"
    and "M", and it has one Chinese letter, as wide as "W"."""
    monkeypatch.setattr(letters, "_name", lambda _, name=letters._name: name("Liberation Sans"))
    monkeypatch.setattr(letters, "_glyphs", lambda cmap, glyphs=letters._glyphs: _exchanged(glyphs(cmap)))
    ((font, characters),) = letters.fonts_of_letters(WIDE, "Liberation Sans")
    assert [chr(character) for character in characters] == ["i", "l", "\u8a9e"]
    (tmp_path / "fonts").mkdir()
    (tmp_path / "fonts" / "font.ttf").write_bytes(font)
    (tmp_path / "fonts.conf").write_text(f"<fontconfig><dir>{tmp_path / 'fonts'}</dir></fontconfig>")
    return os.environ | {"FONTCONFIG_FILE": str(tmp_path / "fonts.conf")}


def _exchanged(glyphs):
    first, second = (glyphs[ord(letter)] for letter in WIDE)
    return {ord("i"): first, ord("l"): second, 0x8A9E: first}


def drawn(name, variables, own=True):
    command = [sys.executable, "-c", DRAWN, json.dumps([name, own])]
    return subprocess.run(command, env=variables, capture_output=True, text=True, check=True).stdout


def width(svg):
    return float(re.search(r'<svg[^>]* width="([\d.]+)"', svg)[1])


def test_fonts_of_the_machine_change_no_picture(machine):
    name = NARROW * 8
    there = drawn(name, machine)
    assert width(drawn(name, machine, own=False)) > width(there) + 50, "the machine has another font"
    assert there == drawn(name, os.environ)


def test_letters_that_the_converter_lacks_are_measured_in_the_fonts_of_the_machine(machine, tmp_path):
    chinese = "\u8a9e" * 8
    (tmp_path / "without.conf").write_text(f"<fontconfig><dir>{tmp_path / 'nowhere'}</dir></fontconfig>")
    without = os.environ | {"FONTCONFIG_FILE": str(tmp_path / "without.conf")}
    assert width(drawn(chinese, machine)) > width(drawn(chinese, without)) + 10


@pytest.mark.parametrize(
    ("name", "wide"),
    [("DQN", False), ("Q(\u03bb)", False), ("\u8a9e", True), ("\ud55c", True), ("\u2212\u00e9\u0416", False)],
)
def test_wide_letters_are_found_wherever_they_stand(name, wide):
    assert has_wide_letters({"layer": [{"datasets": {"runs": [{"algorithm": name}]}}]}) is wide
