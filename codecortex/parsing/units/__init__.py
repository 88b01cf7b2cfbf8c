"""C# sources in; units and terms for retrieval out."""
