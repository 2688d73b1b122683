"""What more samples buy: metrics over k."""
