"""Fonts of pictures: the same on every machine, in each job that measures or draws letters."""

import os
import subprocess
import sys

import pytest

SETTINGS = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
<dir>/nonexistent</dir>
<alias><family>serif</family><prefer><family>Liberation Sans</family></prefer></alias>
</fontconfig>
"""
"""Settings of a machine that has a font for `serif`. The converter itself has none, and does not draw such letters."""
PROGRAM = """
import sys
import vl_convert
from surefoot.charts.draw import draw
from surefoot.reporting.previews import make_previews
from surefoot.workflow.runner import Task

jobs = {"draw": draw, "make_previews": make_previews}
if sys.argv[1] in jobs:
    jobs[sys.argv[1]](Task({"drawings": {}, "address": ""}, {}, {}, 1, None, None, {}))
letter = '<text x="2" y="12" font-size="10" font-family="serif">a</text>'
pdf = vl_convert.svg_to_pdf(f'<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20">{letter}</svg>')
print(b"/FontFile" in pdf)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the converter uses the fonts of the machine")
@pytest.mark.parametrize(("job", "drawn"), [("none", True), ("draw", False), ("make_previews", False)])
def test_jobs_do_not_use_the_fonts_of_the_machine(tmp_path, job, drawn):
    """Each in a process of its own, as the converter looks for fonts once."""
    settings = tmp_path / "fonts.conf"
    settings.write_text(SETTINGS)
    program = [sys.executable, "-c", PROGRAM, job]
    paths = os.environ | {"FONTCONFIG_FILE": str(settings)}
    done = subprocess.run(program, env=paths, capture_output=True, text=True, check=False)
    assert (done.stdout.strip(), done.stderr) == (str(drawn), "")
