"""Pages: the embedded renderer for a subset of Quarto, the Quarto runner, and functions for cells of pages."""
