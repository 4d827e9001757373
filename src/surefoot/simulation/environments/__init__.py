"""Environments, one family per module; the function `environment(**arguments)` of a module creates one."""
