"""Runs of AISBench that measure speed (``--mode perf``), joined to those that were judged."""
