"""What a reader returns: runs, notes and texts, held against what a file states."""
