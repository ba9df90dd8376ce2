"""What loads only when it is used: names of a package, and packages that are optional."""
