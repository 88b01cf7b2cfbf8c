"""Computes types, fingerprints, references, changes and notes from facts; no access to git or disk."""
