"""Sessions: chains of versions of the whole work tree on private refs, opened, compared, merged back, dropped."""
