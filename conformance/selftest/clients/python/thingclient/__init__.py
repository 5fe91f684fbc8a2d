"""A small offline client of the thing synchronization protocol."""
