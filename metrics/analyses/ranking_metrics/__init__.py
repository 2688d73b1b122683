"""What a list of candidates is worth to those who look at its first places, or at all of it."""
