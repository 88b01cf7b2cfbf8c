"""The catalog and graph of one tree: from the cache, updated from earlier ones, or from every source."""
