"""What came in, and what is wrong with the numbers that it states."""
