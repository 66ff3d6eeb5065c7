//! A control plane and a Git server on loopback for `sluice dev`, testkit and xtask.
