"""Environments, one family per module; a module's `environment(**arguments)` creates one of them."""
