"""Columns of lists that are read row by row: facts that samples cover, and embeddings."""
