"""Judges that err: how often, and what is right when that is allowed for."""
