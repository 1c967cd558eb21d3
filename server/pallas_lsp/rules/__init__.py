"""The rules: one file each, with its documentation, its check and the plan of its fix."""
