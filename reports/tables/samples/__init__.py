"""Turn columns into runs with a matrix of samples."""
