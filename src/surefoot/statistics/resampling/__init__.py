"""The stratified bootstrap of metrics, and intervals from its replicates."""
