"""What was loaded, and what is wrong with the numbers that it states."""
