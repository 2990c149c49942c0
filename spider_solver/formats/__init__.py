"""Board formats, one a file, each with its reader and its writer."""
