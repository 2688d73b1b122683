"""What is loaded, how it comes in, and whether it can be trusted."""
