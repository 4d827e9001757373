"""Figures and tables of "Benchmarking Machine Learning with Performance Profiles" (Recht 2018)."""
