"""How far the samples of a run differ from one replica to the next."""
