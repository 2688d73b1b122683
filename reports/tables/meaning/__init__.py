"""What the columns of a table mean: decided once, wherever its rows are."""
