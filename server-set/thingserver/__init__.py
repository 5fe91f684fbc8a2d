"""A small server of the thing synchronization protocol, with switchable faults and legal differences."""
