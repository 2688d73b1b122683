"""What a benchmark can show of two runs, and what it takes to show more."""
