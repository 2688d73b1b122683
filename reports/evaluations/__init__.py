"""Evaluations as OpenCompass keeps them, and AISBench, its fork: work folders or single files.

A run has configurations, and for each model and dataset predictions and results. What the two tools
do differently is in `tool`; a tree may hold runs of both.
"""
