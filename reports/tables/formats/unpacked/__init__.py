"""The unpacked size of a file, read from its headers before anything is unpacked."""
