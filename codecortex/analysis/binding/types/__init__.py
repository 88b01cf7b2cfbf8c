"""Types, their declarations and members, and what follows from them alone."""
