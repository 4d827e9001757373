"""The algorithms and environments, each described in a module of this folder; light, since planning imports it."""

from surefoot.entries import entries

ALGORITHMS = entries(__name__, __path__, "ALGORITHMS")
ENVIRONMENTS = entries(__name__, __path__, "ENVIRONMENTS")
"""By name."""
