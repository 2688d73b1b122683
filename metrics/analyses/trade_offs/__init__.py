"""What runs gain and what they cost, set against one another."""
