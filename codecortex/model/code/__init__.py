"""What a C# repository declares, as values: facts of files, projects, types, usages, changes, the catalog."""
