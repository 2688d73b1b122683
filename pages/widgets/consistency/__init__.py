"""Votes against averages."""
