"""How many samples to pay for."""
