"""The texts of questions, found in predictions or details."""
