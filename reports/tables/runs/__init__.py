"""From columns to runs."""
