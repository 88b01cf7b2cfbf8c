"""Facts of project files to evaluated projects, for one flavour, as MSBuild would and without executing anything."""
