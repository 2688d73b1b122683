"""Where sentences, tables and frames become text."""
