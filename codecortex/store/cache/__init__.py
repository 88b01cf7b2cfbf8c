"""The local cache in SQLite: rows by key, and the codec of facts. It may be missing; results never depend on it."""
