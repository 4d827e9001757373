"""What a reader should know of each question, interval method, metric and scale, gathered from their own modules."""
