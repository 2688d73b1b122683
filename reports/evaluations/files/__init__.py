"""Where the tool keeps its files, and what each says on its own."""
