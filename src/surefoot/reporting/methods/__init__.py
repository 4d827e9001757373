"""Descriptions of questions, interval methods, metrics and scales, gathered from their modules."""
