"""What a benchmark can show about two runs, and what it takes to show more."""
