"""Pages: the embedded renderer for a written subset of Quarto, the Quarto runner, and what the pages' cells call."""
