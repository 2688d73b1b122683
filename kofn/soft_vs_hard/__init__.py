"""Soft accuracy against the share of scores beyond a threshold."""
