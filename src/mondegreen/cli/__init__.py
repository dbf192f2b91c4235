"""The command line: one command per file, which parses options, calls the package and prints."""
