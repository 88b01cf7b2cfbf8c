"""The C# front end: bytes -> conditional text -> skeleton -> tree-sitter -> `FileFacts`."""
