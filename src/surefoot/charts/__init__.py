"""Figures and tables of the reports: they select, join, pivot and format, and compute no statistic."""
