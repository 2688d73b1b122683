"""What all pages share: the session, the choices, words, charts and downloads."""
