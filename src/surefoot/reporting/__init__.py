"""Pages: the embedded renderer for a subset of Quarto, the Quarto runner, and the functions for cells of pages."""
