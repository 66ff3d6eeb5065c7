//! Git remotes and a local object store: plain credentials in, plain data out; knows no CRD.
