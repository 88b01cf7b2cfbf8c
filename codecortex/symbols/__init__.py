"""Query text and names in, the symbols meant out."""
