"""Whether a signal can be trusted with what it picks."""
