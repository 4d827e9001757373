"""Widths and font sizes that venues require for figures. The command line imports this module, so it imports little."""

from typing import NamedTuple


class Venue(NamedTuple):
    """Requirements of a venue for a figure.

    width : inches
    label_size : size of axis titles in points
    wider : name of the venue entry for wider figures in the same paper; empty if there is none
    """

    width: float
    label_size: float = 9.0
    wider: str = ""


VENUES = {
    "neurips": Venue(5.5),
    "iclr": Venue(5.5),
    "icml_column": Venue(3.25, 8.0, "icml_page"),
    "icml_page": Venue(6.75, 8.0),
    "aistats_column": Venue(3.25, 9.0, "aistats_page"),
    "aistats_page": Venue(6.75),
    "aaai_column": Venue(3.3, 9.0, "aaai_page"),
    "aaai_page": Venue(6.975),
    "tmlr": Venue(6.5),
    "jmlr": Venue(6.0),
}
"""Venues by name, with values from their style files."""
