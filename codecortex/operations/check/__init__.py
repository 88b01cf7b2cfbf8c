"""`check` and `status`: committed files -> digest of all inputs -> remembered answer, else findings."""
