"""From results and predictions to verdicts in order of question and sample."""
