"""Descriptions of questions, interval methods, metrics and scales, collected from their modules."""
