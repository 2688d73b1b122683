"""An AISBench report with corrected numbers, and the original inside."""
