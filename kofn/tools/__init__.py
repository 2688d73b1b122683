"""Which tools' files kofn reads, from which versions, and on what that was checked."""
