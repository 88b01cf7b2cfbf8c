"""One tree opened for questions: listing -> catalog and graph from the cache, from the last ones, or in full."""
