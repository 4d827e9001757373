"""What makes scores of different environments comparable."""
