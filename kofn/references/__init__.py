"""Questions of which several models say that the reference may be wrong."""
