"""How far a mean over questions may be off."""
