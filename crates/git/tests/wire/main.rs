//! The client against servers: our own, git's `http-backend`, OpenSSH, and some
//! that mean harm.

mod hostile;
mod http;
mod server;
mod ssh;
