"""What readers return: runs, notes and texts, compared with what a file states."""
