"""What a paper says of how numbers were made, and whom it cites."""
