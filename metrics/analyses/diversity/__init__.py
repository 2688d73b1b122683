"""How much the candidates of a question differ: their texts, their answers, their embeddings."""
