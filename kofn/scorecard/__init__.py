"""The scorecard of every run, and of suites."""
