"""Turn results and predictions into verdicts, ordered by question and sample."""
