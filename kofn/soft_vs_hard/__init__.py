"""Soft accuracy compared with the share of scores beyond a threshold."""
