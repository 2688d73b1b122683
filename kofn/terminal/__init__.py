"""What the subcommands share: reading files, waiting and writing."""
