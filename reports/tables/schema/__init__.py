"""Find out what each column of a table holds."""
