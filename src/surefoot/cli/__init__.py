"""What people and the workflow start."""
