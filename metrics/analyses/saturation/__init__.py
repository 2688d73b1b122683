"""What more samples than there are would buy."""
