"""What a score is: the protocol card of each algorithm, what is unlike between them, and how it is told."""
