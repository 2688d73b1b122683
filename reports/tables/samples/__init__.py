"""From columns to runs with a matrix of samples."""
