"""Models, validation and files of the configuration."""
