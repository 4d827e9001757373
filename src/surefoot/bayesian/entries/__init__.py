"""Agents and distributions over MDPs, each described in a module of this folder; light, since planning imports it."""

from surefoot.entries import entries

AGENTS = entries(__name__, __path__, "AGENTS")
EXPERIMENTS = entries(__name__, __path__, "EXPERIMENTS")
"""By name."""
