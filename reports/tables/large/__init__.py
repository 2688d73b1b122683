"""Long tables of very many rows, folded where they lie."""
