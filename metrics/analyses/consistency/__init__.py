"""A vote of the samples against their average."""
