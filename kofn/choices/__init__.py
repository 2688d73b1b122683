"""What a user chose, on a page or on the command line, and which runs this concerns."""
