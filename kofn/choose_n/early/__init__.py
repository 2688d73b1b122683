"""Votes that end before all samples are drawn: what that saves, and what it loses."""
