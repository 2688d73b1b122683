"""How many samples to pay for: chosen, told, drawn and listed."""
