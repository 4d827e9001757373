"""The plan: which jobs a configuration asks for."""
