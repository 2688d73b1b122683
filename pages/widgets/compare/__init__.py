"""Which run is better."""
