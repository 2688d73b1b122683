"""Turn sentences, tables and frames into text."""
