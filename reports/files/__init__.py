"""Open folders, zips, gzip and zstd as safe trees of files, and store uploads."""
