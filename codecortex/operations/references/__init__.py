"""Which assemblies the projects of a tree compile against, and what these declare."""
