"""Every dataset at a glance."""
