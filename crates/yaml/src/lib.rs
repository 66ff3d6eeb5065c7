//! YAML as Go's libraries read and write it, and JSON as Go prints it.
