"""Figures and tables of reports. The functions select, join, pivot and format data, and compute no statistics."""
