"""Verdicts held against the final answers of their texts."""
