"""The workflow: from the configuration to what the rules ask for, and the content store."""
