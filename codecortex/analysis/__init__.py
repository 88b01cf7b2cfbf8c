"""Facts in, types, fingerprints, references and outline text out. No window to the outside."""
