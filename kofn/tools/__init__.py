"""Which tools' files kofn reads, from which versions, and what that was checked on."""
