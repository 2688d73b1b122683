"""Picking one of several candidates by a signal beside them."""
