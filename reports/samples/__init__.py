"""From samples, one after the other, to runs: what the readers of all tools share."""
