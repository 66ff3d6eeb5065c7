//! Servers and repositories that mean harm.
