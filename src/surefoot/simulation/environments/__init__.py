"""Environments, one family a module; `environment(**arguments)` of a module makes one of them."""
