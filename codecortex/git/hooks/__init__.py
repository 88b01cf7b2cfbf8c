"""What hooks need from git: the hooks folder, the index entries of a commit, the journal of a partial commit."""
