"""Which run is better, by how much, and whether it could be luck."""
