"""What an investigation is."""
