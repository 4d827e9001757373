"""The pages of the reference in docs/, made of docstrings, models and parsers; `surefoot schemas` writes them."""
