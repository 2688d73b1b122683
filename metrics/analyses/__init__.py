"""What is decided from estimates, a package for each question that people ask."""
