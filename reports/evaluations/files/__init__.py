"""Where the tool keeps its files, and what each contains."""
