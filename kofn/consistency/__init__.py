"""Majority votes compared with the average."""
