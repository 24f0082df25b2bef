"""What all desks on which people make gold have in common: a journal, its lock, names, requests, kappa."""
