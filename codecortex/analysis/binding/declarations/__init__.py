"""What the sources declare: syntax trees in, definitions and their members out."""
