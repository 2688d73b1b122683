"""JSON of any size, strict and within bounds."""
