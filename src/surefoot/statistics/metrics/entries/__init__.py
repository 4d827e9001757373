"""The metrics, each described in a module of this folder; light, since planning imports it."""

from surefoot.entries import entries

METRICS = entries(__name__, __path__, "METRICS")
"""By name."""
