"""Count long tables of very many rows without loading them."""
