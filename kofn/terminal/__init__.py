"""What the subcommands share: the files they read, how they wait and write."""
