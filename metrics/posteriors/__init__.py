"""The same metrics as posterior means, each question's success rate given a prior."""
