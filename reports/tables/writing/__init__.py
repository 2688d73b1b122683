"""The long table that kofn writes itself."""
