"""What each question scores under a metric."""
