//! Addresses of clusters.

/// Address and certificate authority of a cluster.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClusterAccess {
    /// URL of the API server.
    pub address: String,
    /// Certificates in PEM.
    pub ca: Vec<u8>,
}
