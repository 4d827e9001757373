"""What the published numbers of the post are called."""

LABELS = {
    "count/figure_r1": "Games counted for {0} at the {1} end of its curve, first figure",
    "count/figure_r2": "Games counted for {0} at the {1} end of its curve, second figure",
    "claim/figure_r1": "The curves of the first figure cross several times",
    "claim/figure_r2": "In the second figure Blob-PROST is above everywhere",
}
NAMES = {"first": "left", "last": "right"}
"""The ends of a curve."""
