"""The methods of intervals, each described in a module of this folder; light, since planning imports it."""

from surefoot.entries import entries

INTERVAL_METHODS = entries(__name__, __path__, "INTERVAL_METHODS")
"""In the order in which tables and legends list them."""
