"""The objects and refs of a repository: one interface, answered in this process (libgit2) or by processes of git's."""
