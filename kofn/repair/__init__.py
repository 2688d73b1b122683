"""A report of AISBench with its wrong numbers put right, and the original inside."""
