"""Strict reading of JSON files of any size, within limits."""
