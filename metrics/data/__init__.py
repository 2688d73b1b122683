"""What was measured: outcomes and their counts; and what every result is made of."""
