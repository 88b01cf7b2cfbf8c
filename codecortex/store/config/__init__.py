"""Configuration files, the repository's and the user's: read with the line of every problem, and edited."""
