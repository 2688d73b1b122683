"""Runs in an order, such as checkpoints, and what surely changed along it."""
