"""One file that says what the pages conclude, to keep, to send and to review."""
