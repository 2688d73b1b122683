"""Candidates: who picks one of them, and what that is worth."""
