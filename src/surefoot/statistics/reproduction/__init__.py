"""Printed numbers beside ours: items, tolerances and verdicts."""
