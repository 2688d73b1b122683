"""How numbers were made, and whom to cite, for a paper."""
