"""Venues of figures: widths of their style files, and columns that fit into their pages."""

import subprocess
import sys

from support.paths import ROOT

from surefoot.reporting.export.venues import VENUES


def test_two_columns_and_a_gap_fit_into_the_page_of_a_venue():
    """At least 0.2 inches apart, and the gap is at most a tenth of the page."""
    columns = {name: venue for name, venue in VENUES.items() if venue.wider}
    assert set(columns) == {name for name in VENUES if name.endswith("_column")}
    for name, venue in columns.items():
        page = VENUES[venue.wider]
        assert venue.wider == name.replace("_column", "_page") and not page.wider
        assert 0.2 <= page.width - 2 * venue.width <= 0.1 * page.width


def test_labels_can_be_read_beside_the_text():
    """Texts of papers have 9 to 10 points; labels of figures at most as many."""
    assert all(7.0 < venue.label_size <= 9.0 for venue in VENUES.values())


def test_the_command_line_knows_the_venues_without_slow_imports():
    code = "import surefoot.reporting.export.venues, sys; print(*{name.partition('.')[0] for name in sys.modules})"
    command = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(ROOT / 'src')!r}); {code}"]
    imported = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert not {"altair", "numpy", "pandas", "vl_convert", "pydantic"} & set(imported)
