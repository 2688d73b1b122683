"""Votes that end as soon as they are decided: what they cost and what they are worth."""
