"""Any metric or cost of every run against any other."""
