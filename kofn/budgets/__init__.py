"""Tokens as the budget: short answers or long ones, and time."""
