"""What a file unpacks to, told by heads of what is in it before any of it is unpacked."""
