"""`check` and `status`: committed files -> digest of all inputs -> cached answer, else findings."""
