"""Files of the work tree: read, listed, watched and written, never through a link."""
