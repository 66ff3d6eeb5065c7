//! The install manifests of every component and version option.
