"""Long tables of very many rows, counted where they lie."""
