"""What to do with a run, by AISBench's scenarios and decision matrix."""
