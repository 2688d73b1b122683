"""Runs in an order, such as checkpoints: what surely changed along them."""
