"""How many samples to pay for, and what they cost."""
